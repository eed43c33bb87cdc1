# Every operation moves the data that it should: also with another root, in place, and with large counts, as far as the
# type has these.
use v5.36;

use Test::More;
use SKaMPI::Meaning::Catalog qw(rows_of);
use SKaMPI::Test             qw(scratch write_file mpirun program_passes sections succeeds);

my $HEAD = sections( MEMORY => 1024, VERIFY => 'only', TOPOLOGY1 => 'Cartesian NOREORDER 1 yes' );

# Local operations send nothing; messages of applications are in application_check.c.
my %is_other = map { $_ => 1 } qw(simple internal delayed);
my @types = grep { !$is_other{ $_->{pattern} } && $_->{topic} ne 'applications' } rows_of('types');

# The keys of a type's suites; in place and with large counts only with three processes. In place, processes must send
# as much as they receive.
sub forms ( $type, $last ) {
    my %has = map { $_ => 1 } @{ $type->{traits} },
      grep { /^(?:in_place|spread)\z/ } @{ $type->{keys} };
    my $place = 'in_place=yes' . ( $has{all_to_all} && $has{spread} ? ' spread=uniform' : q{} );
    my $root  = "root=$last";
    return (
        q{},
        $has{rooted}                   ? $root             : (),
        $has{in_place}                 ? $place            : (),
        $has{rooted} && $has{in_place} ? "$root $place"    : (),
        $has{counts}                   ? 'counts=c'        : (),
        $has{rooted} && $has{counts}   ? "$root counts=c"  : (),
        $has{in_place} && $has{counts} ? "$place counts=c" : ()
    );
}

sub suites ( $type, $np ) {
    my %has   = map { $_ => 1 } @{ $type->{traits} };
    my $where = 'Variation = Length; Scale = Fixed_linear; Start_Argument = 28; End_Argument = 28;';
    $where .= ' Virtual_Topology_Number = 1;' if $has{neighbours};
    my $i     = 0;
    my @forms = forms( $type, $np - 1 );
    @forms = grep { !/in_place|counts/ } @forms if $np != 3 && !$ENV{SKAMPI_LONG};
    return map {
        "t$type->{number}-@{[ $i++ ]} { Type = $type->{number}; $where Parameters = \"$_\"; }\n"
    } @forms;
}

for my $np ( 2, 3, 7, $ENV{SKAMPI_LONG} ? ( 5, 6, 8 ) : () ) {
    my $dir    = scratch();
    my @suites = map { suites( $_, $np ) } grep {
        grep { $_ eq 'has_length' }
          @{ $_->{traits} }
    } @types;
    write_file( "$dir/p.skampi", join q{}, $HEAD, @suites );
    my $run =
      succeeds( mpirun( $dir, $np, '-q', '-f', 'p.skampi' ), "$np processes: all data are right" );
    my ($count) = $run->{out} =~ /^ +passed +data +(\d+) operations, /m;
    cmp_ok $count // 0, '>', 0.7 * @suites, "of $count operations";
}

program_passes( $_, 'ops_data' ) for 2, 3, 7, $ENV{SKAMPI_LONG} ? 5 .. 8 : ();

done_testing();
