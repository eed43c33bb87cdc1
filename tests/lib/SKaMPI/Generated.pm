package SKaMPI::Generated;

# Launches with known times: numbers from a fixed seed, and result files of them.
use v5.36;

use Exporter        qw(import);
use SKaMPI::Results qw(suite_head);
use SKaMPI::Test    qw(write_file);

our @EXPORT_OK = qw(files_of kernel_files_of launch_text launches normal odd_files_of random_from);

# A generator of numbers between 0 and 1 that does not depend on the platform (Park and Miller).
sub random_from ($seed) {
    my $state = $seed % 2147483646 + 1;
    return sub { return ( $state = $state * 48271 % 2147483647 ) / 2147483647 };
}

sub normal ($random) {
    return sqrt( -2 * log $random->() ) * cos( 6.283185307179586 * $random->() );
}

# The times of some LAUNCHES: for each, one at each point. The POINTS have the time 1, 2, ... us; BETWEEN is
# the spread from launch to launch at each point and COMMON that of all points, both of the logarithm;
# SLOWER is a hash of factors by point.
sub launches ( $random, %with ) {
    my @launches;
    for my $i ( 1 .. $with{launches} ) {
        my $common = ( $with{common} // 0 ) * normal($random);
        push @launches, [
            map {
                ( $with{slower}{$_} // 1 ) *
                  ( $_ + 1 ) *
                  exp( $common + $with{between} * normal($random) )
            } 0 .. $with{points} - 1
        ];
    }
    return @launches;
}

# A result file of these times, in suites of SIZE points. MINUTE is when the launch began; FACTS are added
# to the header and NOTES to each suite; LOCAL is the time of a suite that varies nothing.
sub launch_text ( $times, %with ) {
    my $minute = $with{minute} // 0;
    my %facts  = (
        SKAMPIVERSION  => '4.2.0',
        MPILIBRARY     => 'Some MPI 1.0',
        PROCESSES      => 2,
        OVERSUBSCRIBED => 'no',
        ABSOLUTE       => 'no',
        ERROR          => 'winsorised',
        DATE           => sprintf(
            'Sun Nov %2d %02d:%02d:00 2026',
            1 + int( $minute / 1440 ),
            $minute / 60 % 24,
            $minute % 60
        ),
        %{ $with{facts} // {} },
    );
    my $text   = join q{}, map { "#\@$_ $facts{$_}\n" } sort keys %facts;
    my @left   = @{$times};
    my $number = 0;
    while ( my @rows = splice @left, 0, $with{size} // 10 ) {
        $text .= _suite_text( ++$number, \@rows, $with{notes} // {} );
    }
    $text .= _local_suite_text( $with{local} ) if $with{local};
    return "$text#skampi finished.\n";
}

# Launches of two libraries as files base.1, new.1, ... of a directory. One point is 12 % slower.
sub files_of ($directory) {
    my $random = random_from(8);
    my %same   = ( launches => 1, points => 30, between => 0.015, common => 0.005 );
    for my $i ( 1 .. 5 ) {
        for my $side ( [ base => {}, 'Some MPI 4.1' ], [ new => { 5 => 1.12 }, 'Some MPI 5.0' ] ) {
            my ( $name, $slower, $library ) = @{$side};
            my ($times) = launches( $random, %same, slower => $slower );
            my %with =
              ( minute => 2 * $i + ( $name eq 'new' ), facts => { MPILIBRARY => $library } );
            write_file( "$directory/$name.$i", launch_text( $times, %with ) );
        }
    }
    return;
}

# Six runs of each of three kernels as files run.01, run.02, ... of a directory.
sub kernel_files_of ($directory) {
    my $random = random_from(12);
    my @kernel = ( [ '6.1', {} ], [ '6.6', { 5 => 1.2 } ], [ '6.12', { 12 => 0.85 } ] );
    for my $i ( 1 .. 18 ) {
        my ( $name, $slower ) = @{ $kernel[ $i % 3 - 1 ] };
        my %same = ( launches => 1, points => 20, between => 0.015, common => 0.005 );
        my ($times) = launches( $random, %same, slower => $slower );
        write_file( sprintf( '%s/run.%02d', $directory, $i ),
            launch_text( $times, minute => 2 * $i, facts => { OSRELEASE => $name } ) );
    }
    return;
}

# Runs odd.1, ... of a directory. Run 5 is 12 % slower at some lengths of a suite and has another kernel; run 8 has a
# third one.
sub odd_files_of ($directory) {
    my $random = random_from(9);
    my %kernel = ( 5 => '6.1.0-28', 8 => '6.1.0-29' );
    for my $i ( 1 .. 8 ) {
        my ($times) = launches(
            $random,
            launches => 1,
            points   => 60,
            between  => 0.01,
            common   => 0.01,
            slower   => { $i == 5 ? map { $_ => 1.12 } 24 .. 35 : () }
        );
        my %facts = ( OSRELEASE => $kernel{$i} // '6.1.0-27' );
        write_file( "$directory/odd.$i",
            launch_text( $times, size => 20, minute => 60 * $i, facts => \%facts ) );
    }
    return;
}

sub _suite_text ( $number, $rows, $given ) {
    my %notes = (
        TYPE   => '1 p2p_MPI_Send-MPI_Recv',
        TIMEOF => 'full round trip of server_op on rank 0: to the client and back',
        %{$given}
    );
    my $label = sprintf 'p2p_Suite%02d', $number;
    return suite_head($label) . join "\n",
      ( map { "#\@$_ $notes{$_}" } sort keys %notes ),
      ( map { _row( 4 * $_, $rows->[ $_ - 1 ] ) } 1 .. @{$rows} ), '#eol', q{};
}

sub _local_suite_text ($time) {
    return join "\n", '#-----', '#/*@insimple_MPI_Wtime.ski*/', '#Pattern: Simple.',
'#Format: <args> <results> time_cleaned [microsec.] (%f) standard_error_cleaned [microsec.] (%f)'
      . ' count_cleaned [number] (%d)', '#@TYPE 24 simple_MPI_Wtime', '#@TIMEOF one local call',
      "$time 0.001 8", '#eol', q{};
}

sub _row ( $argument, $time ) {
    return sprintf '%d %s 0.01 8 # stop=accuracy min=%s', $argument,
      map { /[a-z]/ ? $_ : sprintf '%.6f', $_ } $time, $time;
}

1;
