#!/usr/bin/perl
# Figures about skampi itself: one table, which docs/bench.md explains. BENCH names the sections to
# print.
use v5.36;

use Time::HiRes             qw(time);
use SKaMPI::Bench::Clock    qw(clocks);
use SKaMPI::Bench::Loops    qw(against_loops path recorder);
use SKaMPI::Bench::Runs     qw(reports scale standard);
use SKaMPI::Bench::Steady   qw(steadiness);
use SKaMPI::Bench::Verdicts qw(duets verdicts);
use SKaMPI::Test            qw(cpus read_file);

# Name, title, and the function that returns the rows; it gets the name.
my @SECTIONS = (
    [ 'ping-pong',  'ping-pong against a bare loop, np = 2, @ABSOLUTE yes', \&against_loops ],
    [ 'streams',    'streams against bare loops, np = 2, @ABSOLUTE yes',    \&against_loops ],
    [ 'path',       'instructions of a repetition, np = 2',                 \&path ],
    [ 'clock',      'error of the global clock if clocks are wrong',        \&clocks ],
    [ 'steadiness', 'spread of launches against other benchmarks',          \&steadiness ],
    [ 'compare',    'verdicts of skampi-compare, generated launches',       \&verdicts ],
    [ 'duet',       'comparisons in turns and in a row, np = 2',            \&duets ],
    [ 'standard',   'configs/standard.skampi',                              \&standard ],
    [ 'scale',      'many simulated processes, one visit of each row',      \&scale ],
    [ 'reports',    'processor time of what reads results',                 \&reports ],
    [ 'record',     'the recorder of skampi-profile',                       \&recorder ],
);
my $ROW = "%-50s | %-51s | %-22s | %s\n";

sub chosen () {
    my %section = map { $_->[0] => $_ } @SECTIONS;
    my @names   = split q{ }, $ENV{BENCH} || join q{ }, map { $_->[0] } @SECTIONS;
    return
      map { $section{$_} // die "bench: no section '$_'; they are: @{[ sort keys %section ]}\n" }
      @names;
}

# A section that fails does not stop the others.
sub rows_of ( $name, $function ) {
    my @rows;
    return @rows if eval { @rows = $function->($name); 1 };
    return [ 'failed', $@ =~ s/\s+/ /gr, q{}, 0 ];
}

sub load () {
    return join q{ }, ( split q{ }, read_file('/proc/loadavg') )[ 0 .. 2 ];
}

STDOUT->autoflush;
my ( $asked, $met, $started_s ) = ( 0, 0, time );
printf "%d CPUs, load %s\n\n", scalar( () = cpus() ), load();
printf $ROW, qw(figure value target met);
say join '-|-', map { q{-} x $_ } 50, 51, 22, 3;
for ( chosen() ) {
    my ( $name, $title, $function ) = @{$_};
    say "[$name] $title";
    for my $row ( rows_of( $name, $function ) ) {
        my ( $figure, $value, $target, $is_met ) = @{$row};
        my $answer = $is_met ? 'yes' : 'NO';
        printf $ROW, $figure, $value, $target, defined $is_met ? $answer : q{};
        $asked++ if defined $is_met;
        $met++   if $is_met;
    }
}
printf "\n%d of %d targets met; %d s, load %s\n", $met, $asked, time - $started_s, load();
