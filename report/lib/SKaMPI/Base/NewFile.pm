package SKaMPI::Base::NewFile;

# Writes an output file under a temporary name and renames it.
use v5.36;

use Exporter       qw(import);
use File::Basename qw(dirname);
use File::Temp     ();

use SKaMPI::Base::TextFile qw(open_regular);

our @EXPORT_OK = qw(check_new_file write_new_file);

# The first bytes of a result file.
my $RESULTS = qr/\A\#[\@\/]/;

# Dies if PATH exists and may not be replaced; call it before long work. Regular files, except
# results, are replaced; a link is never followed.
sub check_new_file ($path) {
    my $way_out = 'choose another name';
    die "'$path' is a link; $way_out\n"               if -l $path;
    return                                            if !-e $path;
    die "'$path' is not a regular file; $way_out\n"   if !-f $path;
    die "'$path' contains SKaMPI results; $way_out\n" if _first_bytes($path) =~ $RESULTS;
    return;
}

sub _first_bytes ($path) {
    my $file = open_regular($path);
    my $got  = read $file, my $bytes, 2;
    close $file or die "cannot read '$path': $!\n";
    return $got ? $bytes : q{};
}

# Writes the whole file or none.
sub write_new_file ( $path, $bytes ) {
    check_new_file($path);
    my $new = eval { File::Temp->new( '.skampi-XXXXXXXX', DIR => dirname($path) ) }
      or die "cannot write '$path': $!\n";
    binmode $new;
    my $is_written = print {$new} $bytes;
    chmod oct(666) & ~umask, $new->filename;
    die "cannot write '$path': $!\n" if !close $new || !$is_written;
    check_new_file($path);
    rename $new->filename, $path or die "cannot write '$path': $!\n";
    return;
}

1;

