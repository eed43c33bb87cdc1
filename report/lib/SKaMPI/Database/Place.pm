package SKaMPI::Database::Place;

# Where a result database is.
use SKaMPI::Base;

use Cwd            qw(abs_path);
use Fcntl          qw(O_CREAT O_EXCL O_RDWR);
use File::Basename qw(dirname);
use File::Path     qw(make_path);

use SKaMPI::Base::TextFile qw(read_text);

# The file of the user's own database.
sub default_path () {
    my $home = $ENV{HOME}          // die "HOME is not set; use --database\n";
    my $data = $ENV{XDG_DATA_HOME} // q{};
    $data = "$home/.local/share" if $data !~ m{\A/};
    return "$data/skampi/results.db";
}

# The kind of a database: SQLite for a file, Pg for the DSN of a PostgreSQL server.
sub kind_of ($where) {
    return 'SQLite' if $where !~ /\Adbi:/;
    my ($kind) = $where =~ /\Adbi:(Pg):/
      or die "'$where': only dbi:Pg: is known; name a file for SQLite\n";
    die "a password does not belong on the command line; write it to ~/.pgpass\n"
      if $where =~ /password/i;
    return $kind;
}

# Creates an empty file for its owner only, or dies if there is none. Makes no directory but that of default_path.
sub prepare_file ( $path, $create ) {
    return                                                              if -f $path;
    die "'$path' is not a regular file; choose another name\n"          if -e _;
    die "there is no database '$path'; skampi db add FILE creates it\n" if !$create;
    my $directory = dirname($path);
    my $is_own    = $path eq ( eval { default_path() } // q{} );
    die "there is no directory '$directory'; create it, or name another database\n"
      if !-d $directory && !$is_own;
    make_path( $directory, { mode => oct 700, error => \my $errors } ) if !-d $directory;
    my $file;
    return if sysopen( $file, $path, O_CREAT | O_EXCL | O_RDWR, oct 600 ) && close $file;
    my $why = $!;
    die "cannot create the database '$path': $why\n" if !-f $path;
    return;
}

# The name in a DSN, in which some characters have a meaning.
sub uri_of ($path) {
    return 'file:' . $path =~ s{([^A-Za-z0-9/._~-])}{sprintf '%%%02X', ord $1}ger;
}

# File systems whose locks and memory several hosts do not share in the way that a write-ahead log needs.
my $OF_NETWORK =
qr/\A(?:nfs4?|cifs|smb3?|9p|afs|beegfs|ceph|gfs2|glusterfs|gpfs|lustre|ocfs2|orangefs|panfs|pvfs2|fuse[.].*)\z/;

# MOUNTS is the list of mounted file systems.
sub is_on_network ( $path, $mounts = eval { read_text('/proc/self/mounts') } // q{} ) {
    my $place = abs_path( dirname($path) ) // return 0;
    my ( $found, $kind ) = ( q{}, q{} );
    for my $line ( split /\n/, $mounts ) {
        my ( undef, $directory, $type ) = split q{ }, $line;
        $directory =~ s/\\([0-7]{3})/chr oct $1/ge;
        ( $found, $kind ) = ( $directory, $type )
          if length $directory >= length $found
          && index( "$place/", $directory =~ s{/*\z}{/}r ) == 0;
    }
    return $kind =~ $OF_NETWORK ? 1 : 0;
}

1;
