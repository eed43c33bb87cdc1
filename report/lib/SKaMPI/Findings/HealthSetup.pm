package SKaMPI::Findings::HealthSetup;

# The state of the machine by the facts of a launch, as measures (SKaMPI::Findings::HealthMeasures).
use SKaMPI::Base;

use List::Util qw(any max);

use SKaMPI::Base::Table       qw(shorten);
use SKaMPI::Base::Units       qw(format_time);
use SKaMPI::Meaning::Catalog  qw(row_of);
use SKaMPI::Meaning::Facts    qw(read_fact);
use SKaMPI::Meaning::RunFacts qw(warnings_of);
use SKaMPI::Stat::Estimate    qw($VAGUE);

# The relative error of a number that others hardly disturbed.
my $SMALL = 0.05;

# The longest warning, and warnings that have a measure of their own, or are about suites.
my ( $LONGEST, $OTHER ) = ( 500, qr/\A(?:contended|steal)\b/ );

# Facts of the header or, of an unfinished run, of the suite in the middle: the limit, the fact, the number that counts,
# and a function of this number, the fact and the run that returns value, text and perhaps a remedy.
my @FACTS = (
    [
        'contention',
        CPUSHARE => 'percent',
        sub ( $percent, $fact, $ ) {
            return (
                100 / max( $percent, 1 ),
"each process got at least $percent % of a CPU (rank $fact->{rank} on host $fact->{host})",
                $fact->{others_s} ? 'stop other programs, or start fewer processes' : ()
            );
        }
    ],
    [
        'steal',
        STEAL => 'percent',
        sub ( $percent, $fact, $ ) {
            return ( 100 / max( 100 - $percent, 1 ),
                "hosts lost at most $percent % of their CPUs to others (host $fact->{host})" );
        }
    ],
    [
        'clock',
        RESIDUAL => 'us',
        sub ( $us, $, $output ) {
            my $apart = max( 0.001, $us, $output->fact('CLOCKBOUND')->{bound_us} // 0 );
            my $todo  = 'use hosts that are nearer, or judge only longer times';
            return (
                $apart,
                'clocks agree within ' . format_time($apart),
                $apart > $us ? $todo : ()
            );
        }
    ],
);

# A limit of the catalogue (src/health/limits.def): name, line, limit, unit (empty: a factor), against (what it is held
# against), what, todo and least ("at least ", if less is worse).
sub limit_of ($name) { return row_of( limits => $name ) }

# The one rule for figures and limits: a function that says whether a number is disturbed. If processes waited for CPUs
# while it was measured, or are too many, it is if they got too little of them in the run, or unless its relative error
# is small; other numbers are only if they had too little, and their error is vague or unknown.
sub disturbance_of ($output) {
    my $waited = any { $_->{value} > limit_of( $_->{limit} )->{limit} }
      grep { $_->{limit} =~ /\A(?:contention|steal)\z/ } setup_measures($output);
    my $is_over = ( $output->field('OVERSUBSCRIBED') // q{} ) eq 'yes';
    return sub ( $marked, $error ) {
        $error //= 'inf';
        return $waited || $error > $SMALL ? 1 : 0 if $marked || $is_over;
        return $waited && $error > $VAGUE ? 1 : 0;
    };
}

sub setup_measures ($output) {
    my @texts     = map { shorten( s/\n/ /gr, $LONGEST ) } grep { !/$OTHER/ } warnings_of($output);
    my @processes = map { $_->{processes} } @{ $output->fact('PROCESSESPERHOST')->{list} };
    my @facts     = map { _fact( $output, @{$_} ) } @FACTS;

    # Too small a share of a CPU has the same cause and remedy.
    @texts = grep { !/\Aoversubscribed/ } @texts
      if grep { $_->{limit} eq 'contention' && $_->{value} > limit_of('contention')->{limit} }
      @facts;
    return (
        ( map { _warning($_) } @texts ),
        _transport( $output->fact('SERVED')->{list}, @processes ),
        _gpu( @{ $output->fact('GPULIBRARY')->{list} } ),
        @facts,
        @processes == 1 ? _set_clock($output) : ()
    );
}

# Reads a warning: "NAME: what; what to do".
sub _warning ($text) {
    my ( $kind, $what, $todo ) = @{ read_fact( 0, 'WARNING', $text ) }{qw(kind what todo)};
    return {
        limit => 'warning',
        id    => $kind // $text,
        value => 2,
        what  => join( ': ', $kind // (), $what ),
        todo  => $todo
    };
}

# A measure with two values, beyond and within its limit of 1.
sub _yes_no ( $limit, $is_so, $what ) {
    return { limit => $limit, value => $is_so ? 2 : 0.5, what => $what };
}

# A measure for several processes on a host without a component or device for shared memory.
sub _transport ( $served, @processes ) {
    my ($first) = @{$served} or return;
    my %used    = map { $_->{part} => $_->{names} } @{$served};
    my $is_slow = ( grep { $_ > 1 } @processes )
      && ( ( $used{pml} // q{} ) eq 'ob1' && ( $used{btl} // q{} ) !~ /\b(?:vader|sm)\b/
        || ( $used{provider} // q{} ) =~ /\Asockets/ );
    return _yes_no( 'transport', $is_slow, "the library uses $first->{part} $first->{names}" );
}

# A measure for what the library says of GPU memory: the best of its answers about each kind of GPU.
sub _gpu (@answers) {
    @answers = sort { $b->{yes} <=> $a->{yes} } grep { defined $_->{yes} } @answers or return;
    my ( $call, $yes ) = @{ $answers[0] }{qw(call yes)};
    return _yes_no( 'gpu', !$yes, "the library says whether it sends GPU memory: $call $yes" );
}

sub _fact ( $output, $limit, $name, $number, $read ) {
    my $text  = $output->field($name);
    my @facts = map { $_->fact($name) } defined $text ? $output : $output->suites;
    my @found =
      sort { $b->[0] <=> $a->[0] }
      map { [ $read->( $_->{$number}, $_, $output ) ] } grep { defined $_->{$number} } @facts
      or return;
    my ( $value, $what, $todo ) = @{ $found[ $#found / 2 ] };
    $what .= ' in half of the suites or more' if !defined $text;
    return { limit => $limit, value => $value, what => $what, todo => $todo };
}

# A measure for a clock that was set: processes of one host read one clock, so no suite should have to correct it.
sub _set_clock ($output) {
    my @counts = map  { $_->fact('RESIDUAL')->{refreshed} // () } $output->suites or return;
    my $set    = grep { $_ > 0 } @counts;
    return _yes_no( 'set clock', $set,
        "clocks had to be corrected in $set of " . @counts . ' suites' );
}

1;
