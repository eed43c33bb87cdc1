#!/usr/bin/perl
# wrap.pl calls.txt c|fortran|f08 < MPI.H: writes the wrappers of libskampi-record.so. The prototypes are those of
# the library's own, preprocessed mpi.h, so that each library gets what it has. Wrappers for Fortran have the names
# mpi_send_ and mpi_send_f08_ (f08: only these), for libraries whose Fortran calls do not call the C ones by name.
BEGIN { unshift @INC, __FILE__ =~ s{[^/]*\z}{../../../report/lib}r }    ## no critic (RequireUse)
use SKaMPI::Base;

use List::Util qw(first);

use SKaMPI::Base::TextFile qw(read_text);

my ( $rows, $wanted ) = splice @ARGV, 0, 2;
my $language = $wanted eq 'c'   ? 'c'     : 'fortran';
my @SUFFIXES = $wanted eq 'f08' ? '_f08_' : qw(_ _f08_);
my %KIND   = ( MPI_Comm => 'COMM', MPI_Win => 'WIN', MPI_File => 'FILE', MPI_Datatype => 'TYPE' );
my %FORGET = map { ( "MPI_$_" => 1 ) } qw(Comm_free Comm_disconnect Win_free File_close Type_free);

sub read_calls ($path) {
    my @calls;
    for ( grep { !/^\#/ } split /\n/, read_text($path) ) {
        my ( $class, $data, @names ) = split;
        my @forms = $class eq 'collective' ? qw(%s I%s %s_init) : '%s';
        for my $name (@names) {
            push @calls, map {
                +{
                    name  => 'MPI_' . sprintf( $_, $_ eq 'I%s' ? lcfirst $name : $name ),
                    class => $_ eq '%s' ? $class : 'begun',
                    data  => $data,
                }
            } @forms;
        }
    }
    return @calls;
}

# name => [ { type, name, array } ], of each prototype.
sub prototypes ($text) {
    my %of;
    while ( $text =~ /\bint\s+(MPI_\w+)\s*\(([^;{}]*?)\)\s*(?:__attribute__[^;]*)?;/g ) {
        my ( $name, $list ) = ( $1, $2 );
        next if $list =~ /[.]{3}/;
        $of{$name} = [ map { argument($_) } grep { !/^\s*void\s*$/ } split /,/, $list ];
    }
    return \%of;
}

sub argument ($text) {
    my ( $type, $name, $array ) = $text =~ /^\s*(.*?)\s*\b(\w+)\s*((?:\[\w*\])*)\s*$/s
      or die "wrap.pl: what is '$text'?\n";
    return { type => $type =~ s/\s+/ /gr, name => $name, array => $array };
}

# How the argument's value is written; in Fortran, all arguments are addresses.
sub value ( $a, $i ) {
    return $a->{name} if $language eq 'c';
    return "a$i"      if is_array($a);
    my ($handle) = $a->{type} =~ /^MPI_(Comm|Win|File|Datatype|Op|Request)$/;
    my $c = "*(const MPI_Fint *)a$i";
    return $handle ? 'PMPI_' . ( $handle eq 'Datatype' ? 'Type' : $handle ) . "_f2c($c)" : $c;
}

sub is_array ($a) { return $a->{array} || $a->{type} =~ /[*]$/ }

# An element of an array of numbers or handles.
sub element ( $a, $i, $at ) {
    return $language eq 'c' ? "$a->{name}\[$at]" : "((const MPI_Fint *)a$i)[$at]";
}

# The statement that says what is known of the data.
sub data ( $data, $args ) {
    return if $data eq q{-};
    my ( $form, $i, $by, $j ) = $data =~ /^([=+\[w]?)(\d+)\]?([*])(\d+)$/
      or die "wrap.pl: '$data'\n";
    my $count = sub ($at) { element( $args->[$i], $i, $at ) };
    my $type  = value( $args->[$j], $j );
    my $each  = 'for (int i = 0, n = visit_partners(&v); i < n; i++)';
    return "{ int64_t sum = 0; $each sum += " . $count->('i') . "; visit_data(&v, sum, $type); }"
      if $form eq q{+};
    if ( $form eq 'w' ) {
        my $its = element( $args->[$j], $j, 'i' );
        $its = "PMPI_Type_f2c($its)" if $language ne 'c';
        return "$each visit_data(&v, " . $count->('i') . ", $its);";
    }
    my $n =
        $form eq q{=} ? 1
      : $form eq q{[} ? 'v.group->rank < 0 ? 0 : ' . $count->('v.group->rank')
      :                 value( $args->[$i], $i );
    return "visit_data(&v, $n, $type);";
}

# The loop that says what each process gets, if the call has a list of counts for them.
sub sent_to ( $call, $args ) {
    my $of = sub ($data) {
        my ( $form, $i, $j ) = $data =~ /^([+w])(\d+)[*](\d+)$/ or return;
        my $type = $form eq q{+} ? value( $args->[$j], $j ) : element( $args->[$j], $j, 'i' );
        $type = "PMPI_Type_f2c($type)" if $form eq 'w' && $language ne 'c';
        my $count = element( $args->[$i], $i, 'i' );
        return "for (int i = 0; i < v.group->processes; i++) visit_sent_to(&v, i, $count, $type);";
    };
    my ( $apart, $in_place ) = map { $of->($_) } split /[|]/, $call->{data};
    return if !defined $in_place;    # of neighbours
    return 'if (visit_lists(&v) && (v.key.marks & MARK_IN_PLACE))', "    $in_place",
      'else if (visit_lists(&v))', "    $apart";
}

# The code that notes the facts of a call, before it is made.
sub facts ( $call, $args ) {
    my $find = sub ($test) {
        first { $test->( $args->[$_] ) } 0 .. $#{$args};
    };
    my $v = sub ($i) { value( $args->[$i], $i ) };
    my @out;
    my $on = $find->( sub ($a) { $a->{type} =~ /^MPI_(?:Comm|Win|File)$/ && !is_array($a) } );
    push @out,
      'visit_group(&v, handles_' . lc( $KIND{ $args->[$on]{type} } ) . '(' . $v->($on) . '));'
      if defined $on;
    my $peer = $find->( sub ($a) { $a->{name} =~ /^(?:dest|dst|source|src|target_rank|rank)$/ } );
    push @out, 'v.key.hosts = handles_distance(v.group, ' . $v->($peer) . ');'   # of both processes
      if defined $peer && defined $on && !is_array( $args->[$peer] );
    my $root = $find->( sub ($a) { $a->{name} eq 'root' } );
    push @out, "visit_root(&v, ROOT_$call->{name}, " . $v->($root) . ');' if defined $root;
    my $op = $find->( sub ($a) { $a->{type} eq 'MPI_Op' } );
    push @out, 'visit_op(&v, ' . $v->($op) . ');' if defined $op;
    my ( $data, $else ) = split /[|]/, $call->{data};
    my @buffers = grep { $args->[$_]{name} =~ /^(?:send|recv)buf$/ } 0 .. $#{$args};
    my $mark    = $language eq 'c' ? 'MPI_IN_PLACE' : '&mpi_fortran_in_place_';
    my $place   = join ' || ', map { $v->($_) . " == $mark" } @buffers;
    push @out, "visit_in_place(&v, $place);"
      if $place && $data ne q{-} && $call->{class} =~ /^(?:collective|begun)$/;
    my @is = data( $data, $args );
    @is = ( 'if (v.key.marks & MARK_IN_PLACE)', '    ' . data( $else, $args ), 'else', "    @is" )
      if $else;
    @is = ( 'if (v.key.root != ROOT_ELSEWHERE) {', @is, '}' ) if defined $root && @is;
    push @out, @is;
    push @out, requests( $args, $find ) if $call->{class} eq 'wait';
    return @out;
}

sub requests ( $args, $find ) {
    my $i = $find->( sub ($a) { $a->{type} =~ /^(?:const )?MPI_Request/ } );
    return if !defined $i;
    my $is_one = !is_array( $args->[$i] );
    my $its    = $is_one && $language eq 'c' ? $args->[$i]{name} : element( $args->[$i], $i, 'i' );
    my $count  = $i == 0 || $is_one          ? '1'               : value( $args->[0], 0 );
    my $null   = $language eq 'c' ? 'MPI_REQUEST_NULL' : 'PMPI_Request_c2f(MPI_REQUEST_NULL)';
    return "for (int i = 0; i < $count; i++)", "    v.key.requests += $its != $null;";
}

sub forgets ( $call, $args ) {
    return if !$FORGET{ $call->{name} };
    my ($handle) = $args->[0]{type} =~ /^(MPI_\w+)/;
    my $name     = $args->[0]{name};
    my $f2c      = $handle eq 'MPI_Datatype' ? 'PMPI_Type_f2c' : "P${handle}_f2c";
    return
      "handles_forget(KIND_$KIND{$handle}, HANDLE("
      . ( $language eq 'c' ? "*$name" : "$f2c(*(const MPI_Fint *)a0)" ) . '));';
}

sub body ( $call, $args, $made ) {
    return ( $made,              'record_begin();' ) if $call->{class} eq 'init';
    return ( 'record_finish();', $made )             if $call->{class} eq 'finalize';
    my $start = $call->{class} eq 'collective' ? 'visit_start_collective(&v);' : 'visit_start(&v);';
    return (
        'struct visit v;',
        "if (visit_enter(&v, CALL_$call->{name})) {",
        facts( $call, $args ),
        forgets( $call, $args ),
        $start,
        '}',
        $made,
        'visit_leave(&v);',
        $call->{class} eq 'collective' ? sent_to( $call, $args ) : ()
    );
}

sub in_c ( $call, $args, $name ) {
    my $formal = join( ', ', map { "$_->{type} $_->{name}$_->{array}" } @{$args} ) || 'void';
    my $actual = join ', ', map { $_->{name} } @{$args};
    say join( "\n    ",
        "EXPORTED int $name($formal)\n{",
        'int rc;', body( $call, $args, "rc = P$name($actual);" ),
        'return rc;' )
      . "\n}\n";
    return;
}

# A text's length follows all other arguments.
sub in_fortran ( $call, $args, $suffix ) {
    my $name  = lc( $call->{name} ) . $suffix;
    my $count = $call->{name} eq 'MPI_Init' ? 0 : $call->{name} eq 'MPI_Init_thread' ? 2 : @{$args};
    my @names = ( ( map { "a$_" } 0 .. $count - 1 ), 'status' );
    my @texts = map { ", size_t l$_" } grep { $args->[$_]{type} =~ /char\s*[*]$/ } 0 .. $count - 1;
    my $formal = join( ', ', map { "void *$_" } @names ) . join q{}, @texts;
    my $actual = join( ', ', @names ) . join( q{}, @texts ) =~ s/size_t //gr;
    my $types  = join( ', ', ('void *') x @names ) . ', size_t' x @texts;
    say "EXPORTED void $name($formal);";
    say join( "\n    ",
        "EXPORTED void $name($formal)\n{",
        "static void (*next)($types);",
        "find_next(&next, \"$name\");",
        body( $call, $args, "next($actual);" ) )
      . "\n}\n";
    return;
}

my @calls = read_calls($rows);
my $of    = prototypes( join q{}, <> );
@calls = grep { $of->{ $_->{name} } } @calls;
my @rooted = grep {
    grep { $_->{name} eq 'root' }
      @{ $of->{ $_->{name} } }
} @calls;

say '/* Made by src/programs/record/wrap.pl. */';
say '#define _GNU_SOURCE' if $language ne 'c';
say '#include "programs/record/visit.h"';
say 'enum { ' . join( ",\n", map { "CALL_$_->{name}" } @calls ) . ' };';
say 'enum { ' . join( ",\n", map { "ROOT_$_->{name}" } @rooted ) . ", ROOTS };\n";
if ( $language eq 'c' ) {
    say
      '_Static_assert((int)ROOTS <= (int)MOST_ROOTED, "one place for the last root of each call");';
    say "const char *const record_names[] = {\n", join( ",\n", map { qq{"$_->{name}"} } @calls ),
      " };\n";
}
else {
    print <<'END_OF_C';
#include <dlfcn.h>

/* The function that would be called without us. */
static void find_next(void *next, const char *name)
{
    if (*(void **)next == NULL)
        *(void **)next = dlsym(RTLD_NEXT, name);
}

extern const MPI_Fint mpi_fortran_in_place_ WEAK;

END_OF_C
}
for my $call (@calls) {
    if ( $language eq 'c' ) {
        in_c( $call, $of->{$_}, $_ ) for grep { $of->{$_} } $call->{name}, "$call->{name}_c";
    }
    else {
        in_fortran( $call, $of->{ $call->{name} }, $_ ) for @SUFFIXES;
    }
}
