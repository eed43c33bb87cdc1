package SKaMPI::Calls;

# The calls of the sources: the operations of src/ops and the datatypes of src/context, each with the MPI
# names that are reached from its row. The compiler's preprocessor expands the macros.
use v5.36;

use Exporter qw(import);

use SKaMPI::Meaning::Subject qw(family_of);
use SKaMPI::Test             qw(command read_file scratch write_file);

our @EXPORT_OK = qw(calls_of_operations calls_of_datatypes mentioned);

my $BRACES = qr/(?<braces>\{(?:[^{}]++|(?&braces))*\})/;

# "col_MPI_Bcast" => { MPI_Bcast => 1, ... }
sub calls_of_operations ($root) {
    my %derived = map { bodies($_) } datatypes($root), code( $root, 'src/patterns/overlap.c' );
    my %prefix  = prefixes($root);
    my %calls;
    for my $path ( files( $root, 'src/ops/*.c' ), map { "src/patterns/$_.c" } qw(internal delayed) )
    {
        my $code = code( $root, $path );
        my %body = ( %derived, ( map { bodies($_) } used_by( $root, $path ) ), bodies($code) );
        for my $row ( rows_of($code) ) {
            my %names = reached( $row =~ s/"[^"]*"//gr, \%body );
            my @families =
              map { family_of($_) } grep { defined } @prefix{ $row =~ /&(\w+_pattern)\b/g };
            my ($texts) = $row =~ /\bname = ("[^,]*")/;
            my $name = $texts =~ s/"\s*"|"//gr;
            $calls{$_} = { %{ $calls{$_} // {} }, %names } for map { "${_}_$name" } @families;
        }
    }
    return %calls;
}

# "syncol_pattern" => "syncol", ...
sub prefixes ($root) {
    return map {
        code( $root, $_ ) =~ /^const struct pattern (\w+) = \{(?:(?!^\};).)*?[.]prefix = "(\w+)"/gms
    } files( $root, 'src/patterns/*.c' );
}

# "30" => { MPI_Type_contiguous => 1, ... }; a row is for the numbers up to the next row's.
sub calls_of_datatypes ($root) {
    my @codes = datatypes($root);
    my %body  = map { bodies($_) } @codes;
    my %row   = map { /\{ (\d+),/ ? ( $1 => $_ ) : () } map { rows_of($_) } @codes;
    my $at;
    return
      map { $at = $row{$_} // $at; defined $at ? ( $_ => { reached( $at, \%body ) } ) : () }
      1 .. 99;
}

# The code of the operations whose headers a file includes.
sub used_by ( $root, $path ) {
    my @names = read_file("$root/$path") =~ m{^#include "ops/(\w+)[.]h"}mg;
    return map { code( $root, $_ ) } map { files( $root, "src/ops/{$_,${_}_*}.c" ) } @names;
}

# The files that know what a constructor is, whatever they are called.
sub datatypes ($root) {
    return map { code( $root, $_ ) }
      grep     { read_file("$root/$_") =~ /\bstruct (?:constructor|application_recipe)\b/ }
      files( $root, 'src/context/*.c' );
}

sub mentioned ($text) {
    my %seen  = map { $_ => 1 } $text =~ s/\\_/_/gr =~ /\b(MPI_\w+)/g;
    my @names = sort keys %seen;
    return @names;
}

sub files ( $root, $pattern ) {
    return map { s{^\Q$root\E/}{}r } grep { -e } glob "$root/$pattern";
}

# Without comments and macros, for a library that has everything.
sub code ( $root, $path ) {
    state $mpi = scratch();
    state %code;
    mkdir "$mpi/context";
    write_file( "$mpi/$_", q{} ) for qw(mpi.h context/declared.h);
    return $code{$path} //= do {
        my $run = command( q{.}, qw(cc -E -P -std=c11 -D_POSIX_C_SOURCE=200809L -DMPI_VERSION=4),
            "-I$mpi", "-I$root/src", "$root/$path" );
        die "cc: $path: $run->{err}\n" if $run->{status} || $run->{signal};
        $run->{out};
    };
}

# Name => text of functions and tables.
sub bodies ($code) {
    my %body;
    $body{$1} = $+{braces} while $code =~ /\b(\w+)\([^;{}()]*\)\s*$BRACES/g;
    $body{$1} = $+{braces}
      while $code =~ /\bconst struct \w+ (?!rows\b)(\w+)(?:\[[^]]*\])* = $BRACES;/g;
    return %body;
}

sub rows_of ($code) {
    my @tables = $code =~ /^static const struct (?:op|constructor) rows\[\] = $BRACES/mg or return;
    my @rows;
    for my $table ( map { substr $_, 1, -1 } @tables ) {
        push @rows, $+{braces} while $table =~ /$BRACES/g;
    }
    return @rows;
}

sub reached ( $text, $body ) {
    my ( %seen, @open );
    push @open, $text;
    while ( defined( my $piece = shift @open ) ) {
        for my $name ( $piece =~ /(?<![>.])\b([A-Za-z_]\w*)/g ) {
            push @open, $body->{$name} if !$seen{$name}++ && exists $body->{$name};
        }
    }
    return %seen;
}

1;
