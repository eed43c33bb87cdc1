package SKaMPI::Safe::ReportDirectory;

# The temporary directory in which a report is made; it is removed with the object. And functions that write output
# files without ever replacing a file of the user. Each file is written under a temporary name in its directory and
# renamed when it is complete. Links are never followed. A file is replaced only if dorep made it and it is unchanged.
# Otherwise the functions die with a message.
use SKaMPI::Base;

use Digest::SHA    ();
use File::Basename qw(dirname);
use File::Copy     qw(copy);
use File::Temp     ();
use List::Util     qw(first);

use SKaMPI::Base::TextFile
  qw(beginning_of names_in open_regular read_bytes sum_of_file utf8_bytes write_bytes write_new_file);

sub new ($class) {
    my $directory = File::Temp->newdir( 'dorep-XXXXXXXX', TMPDIR => 1 );
    return bless { directory => $directory }, $class;
}

# The path of the directory, or of a file in it.
sub path ( $self, @name ) { return join q{/}, $self->{directory}, @name }

sub put ( $self, $name, $text ) { return $self->put_bytes( $name, utf8_bytes($text) ) }

sub put_bytes ( $self, $name, $bytes ) {
    write_bytes( $self->path($name), $bytes );
    return;
}

# The first BYTES of a file; question marks replace characters that are not ASCII.
sub beginning ( $self, $name, $bytes ) {
    return beginning_of( $self->path($name), $bytes ) =~ s/[^\n -~]/?/gr;
}

sub files ($self) {
    return grep { -f $self->path($_) } names_in( $self->path );
}

sub deliver ( $self, $name, $path ) {
    deliver_file( $self->path($name), $path );
    return;
}

# Copies all files to a directory, and writes a script that removes exactly these.
sub keep ( $self, $directory, $script ) {
    check_file($script);
    my @names = deliver_directory( $directory, map { $_ => $self->path($_) } $self->files );
    my @lines = map { 'rm -f ' . _quoted("$directory/$_") } @names;
    my $text  = join q{}, map { "$_\n" } '#!/bin/sh',
      '# Removes the files that dorep -t kept, and itself.', @lines,
      'rmdir ' . _quoted($directory), 'rm -f ' . _quoted($script);
    deliver_file( \$text, $script, oct 777 );
    return;
}

# Quotes a path for a shell, safely if it starts with a hyphen.
sub _quoted ($path) {
    my $plain = $path =~ m{\A/} ? $path : "./$path";
    return q{'} . ( $plain =~ s/'/'\\''/gr ) . q{'};
}

my $TEMPLATE = '.dorep-XXXXXXXX';

# The list of files by which dorep recognises a directory that it made.
my $LIST = 'SHA256SUMS';

my $CHUNK = 1024 * 1024;

# The delimiters of a comment, by the end of the file's name.
my @COMMENT =
  ( [ qr/[.](?:pdf|ps|tex|tmd)\z/ => '% ', q{} ], [ qr/[.]html\z/ => '<!-- ', ' -->' ] );

my $WAY_OUT = 'move it away or choose another name';

# Die if PATH exists and must not be replaced.
sub check_file ($path) {
    die "'$path' is a link; $WAY_OUT\n"                                  if -l $path;
    return                                                               if !-e $path;
    die "'$path' is not a regular file; $WAY_OUT\n"                      if !-f _;
    die "'$path' was not made by dorep or was changed since; $WAY_OUT\n" if !_is_sealed($path);
    return;
}

sub check_directory ($path) {
    die "'$path' is a link; $WAY_OUT\n"          if -l $path;
    return                                       if !-e $path;
    die "'$path' is not a directory; $WAY_OUT\n" if !-d _;
    my $list = "$path/$LIST";
    my $text = !-l $list && -f $list && _is_sealed($list) ? eval { read_bytes($list) } : undef;
    my %sum  = map { /\A([0-9a-f]{64})  (.+)\z/ ? ( $2 => $1 ) : () } split /\n/, $text // q{};
    die "'$path' was not made by dorep; $WAY_OUT\n" if !%sum;
    for my $name ( grep { $_ ne $LIST } names_in($path) ) {
        my $is_unchanged =
          defined $sum{$name} && !-l "$path/$name" && _sum("$path/$name") eq $sum{$name};
        die "'$path/$name' was not made by dorep or was changed since; $WAY_OUT\n"
          if !$is_unchanged;
    }
    return;
}

# Writes PATH. SOURCE is the name of a file, or a reference to bytes.
sub deliver_file ( $source, $path, $mode = oct 666 ) {
    my $print = sub ($to) {
        my $is_copied = ref $source ? print {$to} ${$source} : copy( $source, $to );
        return $is_copied
          && $to->flush    # File::Copy does not
          && print {$to} _seal_of( $path, Digest::SHA->new(256)->addfile( $to->filename, 'b' ) );
    };
    return write_new_file( $path, $print, refuse => \&check_file, mode => $mode );
}

# Makes a directory with these files and SHA256SUMS. FILES are files by name. Returns the names.
sub deliver_directory ( $path, %files ) {
    check_directory($path);
    my $new = eval { File::Temp->newdir( $TEMPLATE, DIR => dirname($path) ) }
      or die "cannot make '$path': $!\n";
    my $list = q{};
    for my $name ( sort keys %files ) {
        copy( $files{$name}, "$new/$name" ) or die "cannot write '$path/$name': $!\n";
        $list .= _sum("$new/$name") . "  $name\n";
    }
    deliver_file( \$list, "$new/$LIST" );
    chmod oct(777) & ~umask, "$new";
    if ( -d $path ) {    # check_directory has made sure that it contains only files of the list
        unlink map { "$path/$_" } names_in($path);
        rmdir $path or die "cannot remove '$path': $!\n";
    }
    rename "$new", $path or die "cannot make '$path': $!\n";
    return ( $LIST, sort keys %files );
}

sub _sum ($path) {
    return eval { sum_of_file($path) } // q{};
}

# The last line of a file that dorep makes, with the checksum of everything before it.
sub _seal_of ( $name, $digest ) {
    my ( undef, $begin, $end ) =
      @{ ( first { $name =~ $_->[0] } @COMMENT ) // [ undef, '# ', q{} ] };
    return "${begin}made by dorep.pl, SHA-256 " . $digest->clone->hexdigest . "$end\n";
}

# Whether dorep made the file and it is unchanged, byte for byte.
sub _is_sealed ($path) {
    my $file   = eval { open_regular($path) } // return 0;
    my $digest = Digest::SHA->new(256);
    my $rest   = ( -s $file ) - length _seal_of( $path, $digest );
    while ( $rest > 0 && read $file, my $bytes, $rest < $CHUNK ? $rest : $CHUNK ) {
        $digest->add($bytes);
        $rest -= length $bytes;
    }
    my $is_sealed = $rest == 0 && do { local $/ = undef; <$file> }
      eq _seal_of( $path, $digest );
    close $file or return 0;
    return $is_sealed ? 1 : 0;
}

1;
