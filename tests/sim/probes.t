# Features between the points of a sweep of powers of two, on machines with known times: two jumps
# within one segment, and an algorithm for which powers of two are special. Points inside the segments
# reveal both. The block reports the number of measured arguments of the sweep, the number of segments
# with a point inside, and the possible error of interpolation if a limit ended the refinement.
use v5.36;

use List::Util qw(max);
use Test::More;
use SKaMPI::Interpolation qw(all_over worst);
use SKaMPI::Refinement    qw(make_truth);
use SKaMPI::Sim           qw(build_in_scratch);
use SKaMPI::SimRows       qw(output_of);

my ( $skampi, $program ) = build_in_scratch('truth');

# processes, type and its number in the truth program; first and last length; the requested error.
my @MACHINES = (
    { name => 'plateau',   np => 2, type => 1,  kind => 0,  range => [ 4,  2**20 ], error => 0.05 },
    { name => 'divisible', np => 8, type => 47, kind => -1, range => [ 16, 2**18 ], error => 0.03 },
);

# Suites that differ in Stepwidth and Max_Steps.
sub suite ( $machine, $name, $stepwidth, $max_steps ) {
    my ( $first, $last ) = @{ $machine->{range} };
    return <<"END";
$name {
  Type = $machine->{type}; Variation = Length; Scale = Dynamic_log; Stepwidth = $stepwidth;
  Start_Argument = $first; End_Argument = $last; Max_Distance = $last; Max_Steps = $max_steps;
  Min_Distance = 4; Standard_error = $machine->{error};
}
END
}

# Name => suite, as the report reads it.
sub measure ($machine) {
    my $suites = join q{}, map { suite( $machine, @{$_} ) } [ 'enough', 2, 300 ], [ 'half', 2, 38 ],
      [ 'few', 2.25, 5 ];
    my $output = output_of( $skampi, $machine->{name}, $machine->{np}, <<"END" );
\@VERSION 4.1
\@MEMORY 4096
\@MINREPDEFAULT 4
\@MAXREPDEFAULT 4
\@MULTIPLEOFDEFAULT 4
\@MEASUREMENTS
$suites
END
    return map { $_->{name} => $_ } $output->suites;
}

sub points_of ($suite) {
    return map { [ @{$_}{qw(argument time)} ] } @{ $suite->{rows} };
}

sub lengths ($machine) {
    return all_over( @{ $machine->{range} }, 4, 200 );
}

# Except those in segments shorter than the error, which are never split.
sub others ( $machine, @points ) {
    my @others;
    for my $length ( lengths($machine) ) {
        my ($to) = grep { $points[$_][0] > $length } 1 .. $#points;
        my ( $b, $c ) = map { $points[$_][0] } $to - 1, $to;
        push @others, $length if $c - $b >= 8 && $c - $b >= $machine->{error} * $b;
    }
    return @others;
}

# The errors at all lengths, except at the jumps that the block names, are within what it says.
sub judge_bound ( $machine, $truth, $suite ) {
    my $note  = $suite->{notes}{INTERPOLATION};
    my @jumps = $note =~ /between ([0-9]+) and ([0-9]+) a jump/g;
    my ( $bound, $lower ) =
      ( $note =~ /\A([0-9.]+) %/, $note =~ /lower jumps of up to ([0-9]+) %/ );
    my @lengths = lengths($machine);
    while ( my ( $from, $to ) = splice @jumps, 0, 2 ) {
        @lengths = grep { $_ <= $from || $_ >= $to } @lengths;
    }
    my $worst = 100 * worst( [ points_of($suite) ], $truth, @lengths );
    cmp_ok $worst, '<=', max( $bound, $lower // 0 ), "$suite->{name}: $note";
    return;
}

# Of #@INTERPOLATION: the error in per cent, the numbers of segments, and the end, after the jumps.
my $JUMP =
  qr/; between [0-9]+ and [0-9]+ a jump of about -?[0-9]+ %|; [0-9]+ lower jumps of up to [0-9]+ %/;
my $FACT = qr/\A([0-9.]+) % by estimate; ([0-9]+) of ([0-9]+) segments probed$JUMP*(; ended .*)?\z/;

sub judge ($machine) {
    my %suite  = measure($machine);
    my %notes  = map { $_ => $suite{$_}{notes} } keys %suite;
    my @points = points_of( $suite{enough} );
    my $truth  = make_truth( $program, @{$machine}{qw(name np kind)} );
    my $what   = $machine->{name};
    cmp_ok worst( \@points, $truth, others( $machine, @points ) ), '<=', $machine->{error},
      "$what: " . @points . ' points, interpolation is accurate';

    my ( $error, $probed, $segments, $end ) = $notes{enough}{INTERPOLATION} =~ $FACT;
    judge_bound( $machine, $truth, $suite{$_} ) for qw(enough few);
    is $probed, $segments, 'all segments have a point inside';
    is $end,    undef,     'no limit ended the refinement';

    ( $error, $probed, $segments, $end ) = $notes{half}{INTERPOLATION} =~ $FACT;
    is scalar @{ $suite{half}{rows} }, 38, "$what: Max_Steps arguments are measured";
    cmp_ok $error,      '>=', 100 * $machine->{error}, 'the block reports the remaining error';
    cmp_ok 2 * $probed, '>=', $segments,               'at least half of the segments are probed';
    is $end, '; ended by Max_Steps', 'and the reason';
    like $notes{half}{SWEEP}, qr/\A([0-9]+) of \g1 arguments\z/, 'the whole sweep was measured';

    ( $error, $probed, $segments, $end ) = $notes{few}{INTERPOLATION} =~ $FACT;
    my $rows = @{ $suite{few}{rows} };
    is $notes{few}{SWEEP}, "$rows of $rows arguments", "$what: the sweep is whole";
    cmp_ok $rows, '>', 5, 'though it is longer than Max_Steps';
    is $probed, 0, 'no segment is probed';
    cmp_ok $error, '>=', 100 * $machine->{error}, 'the block reports the remaining error';
    return;
}

judge($_) for @MACHINES;
done_testing;
