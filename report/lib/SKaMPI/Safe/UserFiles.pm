package SKaMPI::Safe::UserFiles;

# Files with which a user changes the report.
use SKaMPI::Base;

use Fcntl qw(O_NOFOLLOW);

use SKaMPI::Base::TextFile qw(characters is_present names_in read_bytes shipped_path);

my $MAX_BYTES = 16 * 1024 * 1024;
my $MAX_FILES = 1000;

# Files with LaTeX and gnuplot programs, and other files that such LaTeX may read.
my @OWN     = qw(tma dri tmd gpl);
my @SOURCES = qw(tex sty cls tikz bib txt csv dat pdf eps png jpg jpeg);

# The path of the file with comparisons, $DOREP, .dorep or the one that ships, and whether it is named, own or shipped.
sub dorep_file {
    return ( $ENV{DOREP}, 'named' ) if length $ENV{DOREP};
    return is_present('.dorep')
      ? ( '.dorep', 'own' )
      : ( shipped_path('default.dorep'), 'shipped' );
}

# The LaTeX and gnuplot files of the user: in the working directory, and texts also in DIRECTORIES.
sub own_files (@directories) {
    my @texts = map { _files_in( $_, 'dri' ) } map { ( $_, "$_/*" ) } @directories;
    return ( _files_in( q{.}, @OWN ), @texts );
}

# The texts of the .tma files of the working directory, sorted by name.
sub tex_modules {
    return map { characters( bytes_of($_) ) } _files_in( q{.}, 'tma' );
}

# The files that LaTeX of the user may include.
sub tex_sources {
    my @names = _files_in( q{.}, @SOURCES );
    splice @names, $MAX_FILES if @names > $MAX_FILES;
    return grep { -f && !-l && -s _ <= $MAX_BYTES } @names;
}

# The bytes of a regular file; links are not followed.
sub bytes_of ($path) {
    die "'$path' is a link; -u accepts only regular files\n" if -l $path;
    return read_bytes( $path, $MAX_BYTES, O_NOFOLLOW );
}

# Files by their extensions, sorted, without hidden files. DIRECTORY may end with /*.
sub _files_in ( $directory, @ends ) {
    my $end = join q{|}, @ends;
    my ( $place, $below ) = $directory =~ m{\A(.*?)(/[*])?\z}s;
    my @places = $below ? map { "$place/$_" } grep { !/\A[.]/ } eval { names_in($place) } : $place;
    my @files;
    for my $where (@places) {
        my @names = grep { /\A[^.].*[.](?:$end)\z/s } eval { names_in($where) };
        push @files, map { $where eq q{.} ? $_ : "$where/$_" } @names;
    }
    return @files;
}

1;
