package SKaMPI::FakeJob;

# Launches inside the process of skampi-launch, into which this is loaded before its other modules: a job with the word
# fake, fake-points or PATH/skampi-fake is not started. It takes SECONDS of the environment (by default 1; a list has
# those of each launch), which nobody waits for, and exits with STATUS. FAIL and HANG are numbers of launches that fail
# or hang; those that hang are started. Beside the launches, "order" has WHO and the words of each.
use v5.36;

use List::Util qw(first product);
use SKaMPI::Base::Process;
use SKaMPI::Generated qw(launch_text launches normal random_from);
use SKaMPI::Results   qw(results_text);
use SKaMPI::Test      qw(slurp write_file);

my $FAKE = qr{(?:\A|/)(?:(?:skampi-)?fake|fake-points)\z};

my $start = \&SKaMPI::Base::Process::run_commands;
no warnings 'redefine';    ## no critic (ProhibitNoWarnings)
*SKaMPI::Base::Process::run_commands = sub (@jobs) {
    my ( $job, @words ) = ( $jobs[0], @{ $jobs[0]{command} } );
    my $at = first { $words[$_] =~ $FAKE } keys @words;
    return $start->(@jobs) if !defined $at || grep { /\A--(?:check|print-config)/ } @words;
    my %own =
      ( %{ $job->{environment} // {} }, map { /\A([A-Z]+)=(.*)/ ? ( $1 => $2 ) : () } @words );
    local @ENV{ keys %own } = values %own;
    return _ended( $job, $words[$at], @words[ $at + 1 .. $#words ] );
};
use warnings 'redefine';

sub _ended ( $job, $program, @words ) {
    my ( $of, $order ) = ( $job->{directory}, "$job->{directory}/../../../order" );
    write_file( $order,
        slurp($order) . join( q{ }, $ENV{WHO} // q{-}, map { "<$_>" } @words ) . "\n" );
    my $number = () = slurp($order) =~ /\n/g;
    return $start->( { %{$job}, command => [qw(sleep 10000)] } ) if _is_in( HANG => $number );
    write_file( "$of/launch.log", slurp("$of/launch.log") . "this is launch $number\n" );
    my $status = _is_in( FAIL => $number ) ? 7 : $ENV{STATUS} // 0;
    write_file( "$of/" . ( $ENV{OUT} // 'skampi.out' ),
        $program eq 'fake-points' ? _points( $of, $number ) : _text($number) )
      if $status != 7;
    my @seconds = split /,/, $ENV{SECONDS} // 1;
    my %ended   = ( status => $status << 8, seconds => $seconds[ $number - 1 ] // $seconds[-1] );
    return { %ended, status => $status, failed => SKaMPI::Base::Process::failure_of( \%ended ) };
}

sub _is_in ( $list, $number ) {
    return grep { $_ == $number } split /,/, $ENV{$list} // q{};
}

# Six times with a spread of SPREAD (2 % by default), SLOWER times slower, and drifting by DRIFT each time; none for
# arguments that match EMPTY.
sub _text ($number) {
    my ($times) = launches(
        random_from( 77 * $number ),
        launches => 1,
        points   => 6,
        between  => $ENV{SPREAD} // 0.02
    );
    my $factor = ( $ENV{SLOWER} // 1 ) * exp( ( $ENV{DRIFT} // 0 ) * $number );
    my $text   = launch_text( [ map { $factor * $_ } @{$times} ], minute => $number );
    return $ENV{EMPTY} ? $text =~ s/^($ENV{EMPTY}) [0-9.]+ /$1 nan /mgr : $text;
}

my %TYPE = (
    47 => 'syncol_MPI_Bcast',
    48 => 'syncol_MPI_Gather',
    66 => 'syncol_MPI_Gatherv',
    73 => 'syncol_MPI_Bcast_Send_Recv'
);

# Times of the suites of .skampi, or of ALL, with a spread of 2 %. SLOWER has factors for parts of the suites' names,
# CPU is the hardware.
sub _points ( $of, $number ) {
    my $random = random_from( int 1e9 * abs sin 1 + 7 * $number );
    my %slower = map { split /=/ } split /,/, $ENV{SLOWER} // q{};
    my $list   = slurp("$of/.skampi") || $ENV{ALL};
    my @suites;
    while ( $list =~
        /^(?:# )?(\S+) \{ Type = ([0-9]+);.*?Start_Argument = (\S+);.*?End_Argument = (\S+);/mg )
    {
        my ( $name, $type, $from, $to ) = ( $1, $2, $3, $4 );
        my $factor = product map { $slower{$_} // 1 } split /[.]/, $name;
        my @rows =
          map { sprintf '%d %.9g 0.001 20', $_, 0.01 * $_ * $factor * exp 0.02 * normal($random) }
          grep { $_ >= $from && $_ <= $to } 64, 128, 256;
        push @suites,
          [
            "syncol_$name", 'length',
            \@rows, { type => "$type $TYPE{$type}", notes => '#@TIMEOF slowest' }
          ];
    }
    my %fields = (
        SKAMPIVERSION    => '4.2.0',
        PROCESSES        => 4,
        PROCESSESPERHOST => 'node1:4',
        OVERSUBSCRIBED   => 'no',
        ABSOLUTE         => 'no',
        ERROR            => 'winsorised',
        HARDWARE         => $ENV{CPU} // 'a CPU',
        DATE             => sprintf( 'Mon Nov 23 10:%02d:00 2026 +0000', $number % 60 ),
        PARAMETERS       => "\@VERSION 4.1\n# \@MEMORY 64",
        SUITES           => $ENV{ALL},
        SEED             => $number
    );
    return results_text( \%fields, @suites ) =~ s/^skampi finished/#skampi finished/mr;
}

1;
