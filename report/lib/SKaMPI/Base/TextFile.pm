package SKaMPI::Base::TextFile;

# Texts and files: the one place that opens what users name, and what is beside results. Reading: a file of any owner,
# perhaps through a link, is opened without waiting; it must be regular, and its size has a limit. Writing: a file is
# new or this user's own, a link is not followed, and a pipe is not waited for; output files are written under a
# temporary name and renamed. The functions die with a message otherwise.
use SKaMPI::Base;

use Fcntl          qw(LOCK_EX LOCK_NB O_APPEND O_CREAT O_NOFOLLOW O_NONBLOCK O_RDONLY O_WRONLY);
use File::Basename qw(dirname);
use File::Spec     ();
use Scalar::Util   qw(looks_like_number);

# Perl decodes these, but they are invalid in UTF-8.
my $NO_CHARACTER = qr/\p{Cs}|\p{Noncharacter_Code_Point}|[^\x{0}-\x{10ffff}]/;

# Text is UTF-8 or, from older systems, Latin-1.
sub characters ($bytes) {
    return $bytes if $bytes !~ tr/\x00-\x7f//c;
    my $text = $bytes;
    return $text if utf8::decode($text) && $text !~ $NO_CHARACTER;
    utf8::upgrade( $text = $bytes );
    return $text;
}

sub utf8_bytes ($text) {
    $text =~ s/([^\x00-\x7f]+)/$1 =~ s{$NO_CHARACTER}{\x{fffd}}gr/ge;
    utf8::encode($text);
    return $text;
}

# How numbers are written in files: decimal.
our $NUMBER = qr/[+-]?(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+)(?:[eE][+-]?[0-9]+)?/;

# The number in a text; undef if TEXT is undefined, not a number, infinite or too large.
sub number_of ($text) {
    my $is_finite = looks_like_number($text) && $text !~ tr/0-9.eE+\-//c && $text - $text == 0;
    return $is_finite ? $text + 0 : undef;
}

# The default limit for files that are read as a whole.
my $LARGEST = 16 * 1024 * 1024;

sub read_text ( $path, $most_bytes = $LARGEST ) {
    return characters( read_bytes( $path, $most_bytes ) );
}

# Where the programs of the report are, in the source tree and installed.
my $REPORT = File::Spec->rel2abs(__FILE__) =~ s{lib/SKaMPI/Base/TextFile[.]pm\z}{}r;

sub shipped_path ($name) { return $REPORT . $name }
sub shipped_text ($name) { return read_text( shipped_path($name) ) }

# Whether anything has this name, perhaps a link that leads nowhere.
sub is_present ($path) { return -e $path || -l $path }

# Opens a file, or what a link leads to, unless HOW is O_NOFOLLOW. A pipe or a device would wait for data that never
# come.
sub open_regular ( $path, $how = 0 ) {
    no warnings 'newline';    ## no critic (TestingAndDebugging::ProhibitNoWarnings)
    my $name = $path =~ s/\n/?/gr;
    sysopen my $file, $path, O_RDONLY | O_NONBLOCK | $how or die "cannot read '$name': $!\n";
    die "cannot read '$name': " . ( -d $file ? "is a directory\n" : "not a regular file\n" )
      if !-f $file;
    binmode $file;
    return $file;
}

sub read_bytes ( $path, $most_bytes = $LARGEST, $how = 0 ) {
    my $file  = open_regular( $path, $how );
    my $bytes = q{};
    my $got   = read $file, $bytes, $most_bytes + 1;
    die "cannot read '$path': $!\n" if !defined $got;
    close $file or die "cannot read '$path': $!\n";
    die "'$path' is larger than $most_bytes bytes\n" if $got > $most_bytes;
    return $bytes;
}

# The SHA-256 of a file's bytes.
sub sum_of_file ($path) {
    require Digest::SHA;
    return Digest::SHA->new(256)->addfile( open_regular($path) )->hexdigest;
}

# Opens a file for writing, empty or, with O_APPEND, at its end.
sub open_own ( $path, $how = 0 ) {
    sysopen my $file, $path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | $how, oct 666
      or die "cannot write '$path': " . ( $!{ELOOP} ? 'is a link' : $! ) . "\n";
    die "cannot write '$path': not a regular file\n"     if !-f $file;
    die "cannot write '$path': is another user's file\n" if !-o $file;
    $how & O_APPEND or truncate $file, 0 or die "cannot write '$path': $!\n";
    binmode $file;
    return $file;
}

# The names in a directory, sorted.
sub names_in ($directory) {
    opendir my $listing, $directory or die "cannot read '$directory': $!\n";
    my @names = sort grep { !/\A[.]{1,2}\z/ } readdir $listing;
    closedir $listing;
    return @names;
}

# Writes a file of this program's own. For others, see write_new_file.
sub write_bytes ( $path, $bytes ) {
    my $file = open_own($path);
    print {$file} $bytes or die "cannot write '$path': $!\n";
    close $file          or die "cannot write '$path': $!\n";
    return;
}

# Opens a file for appending and locks it; what inherits the handle has the lock, too. Returns the handle, or undef if
# another process has the lock.
sub locked_file ($path) {
    my $file = open_own( $path, O_APPEND );
    return flock( $file, LOCK_EX | LOCK_NB ) || !$!{EWOULDBLOCK} ? $file : undef;
}

sub has_results ($path) { return beginning_of( $path, 2 ) =~ /\A\#[\@\/]/ }

# Dies if PATH cannot be written, or exists and may not be replaced; call it before long work. Regular files, except
# results, are replaced; a link is never followed. Whether a directory can be written is tried: its mode does not say
# what access control lists, capabilities and file servers allow.
sub check_new_file ($path) {
    my $way_out = 'choose another name';
    _new_beside($path);
    die "'$path' is a link; $way_out\n"             if -l $path;
    return                                          if !-e $path;
    die "'$path' is not a regular file; $way_out\n" if !-f _;
    open_regular($path);
    die "'$path' contains SKaMPI results; $way_out\n" if has_results($path);
    return;
}

# The start of a file, at most MOST_BYTES; empty if it cannot be read.
sub beginning_of ( $path, $most_bytes ) {
    my $file = eval { open_regular($path) } // return q{};
    my $got  = read $file, ( my $bytes ), $most_bytes;
    return $got && close $file ? $bytes : q{};
}

# A temporary file in the directory of PATH.
sub _new_beside ($path) {
    require File::Temp;
    return eval { File::Temp->new( '.skampi-XXXXXXXX', DIR => dirname($path) ) }
      || die "cannot write '$path': $!\n";
}

# Writes the whole file or none. BYTES may be a function that prints them to a handle, and returns whether it could. HOW
# may have mode and refuse, a function that dies if the file may not be replaced.
sub write_new_file ( $path, $bytes, %how ) {
    my $refuse = $how{refuse} // \&check_new_file;
    $refuse->($path);
    my $new = _new_beside($path);
    binmode $new;
    my $is_written = ref $bytes ? $bytes->($new) : print {$new} $bytes;
    chmod +( $how{mode} // oct 666 ) & ~umask, $new->filename;
    die "cannot write '$path': $!\n" if !close $new || !$is_written;

    if ( link $new->filename, $path ) {    # fails if it exists
        $new->unlink_on_destroy(0);        # File::Temp would take the permissions of the file, too
        unlink $new->filename;
        return;
    }
    $refuse->($path);
    rename $new->filename, $path or die "cannot write '$path': $!\n";
    return;
}

1;
