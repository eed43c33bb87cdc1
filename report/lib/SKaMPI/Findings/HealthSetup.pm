package SKaMPI::Findings::HealthSetup;

# The state of the machine by the facts of a launch, as measures (SKaMPI::Findings::HealthMeasures).
use SKaMPI::Base;

use List::Util qw(max);

use SKaMPI::Base::Table       qw(shorten);
use SKaMPI::Base::Units       qw(format_time);
use SKaMPI::Meaning::RunFacts qw(warnings_of);

our @EXPORT_OK = qw(is_oversubscribed setup_measures);

# The longest warning, and warnings that have a measure of their own, or are about suites.
my ( $LONGEST, $OTHER ) = ( 500, qr/\A(?:contended|steal)\b/ );

# Facts of the header or, for an unfinished run, which lacks them there, of the suite in the middle:
# the limit, the fact, the part that counts, and its value and text, perhaps with a remedy.
my @FACTS = (
    [
        'contention',
        CPUSHARE => qr/\A([0-9]{1,3}[.][0-9]) %: ([^\n,]*)[^\n]*?( other programs|$)/m,
        sub ( $percent, $who, $others ) {
            return (
                100 / max( $percent, 1 ),
                "each process got at least $percent % of a CPU ($who)",
                $others ? 'stop other programs, or start fewer processes' : ()
            );
        }
    ],
    [
        'steal',
        STEAL => qr/\A([0-9]{1,2}[.][0-9]) %: ([^\n,]*)/,
        sub ( $percent, $who, @ ) {
            return ( 100 / ( 100 - $percent ),
                "hosts lost at most $percent % of their CPUs to others ($who)" );
        }
    ],
    [
        'clock',
        RESIDUAL => qr/\A([0-9.]{1,30})\b/,
        sub ( $us, @ ) { return ( max( $us, 0.001 ), 'clocks agree within ' . format_time($us) ) }
    ],
);

sub is_oversubscribed ($output) { return ( $output->field('OVERSUBSCRIBED') // q{} ) eq 'yes' }

sub setup_measures ($output) {
    my @texts = map { shorten( s/\n/ /gr, $LONGEST ) } grep { !/$OTHER/ } warnings_of($output);
    push @texts, 'oversubscribed: more processes than CPUs'
      if is_oversubscribed($output) && !grep { /\Aoversubscribed/ } @texts;
    my @processes = ( $output->field('PROCESSESPERHOST') // q{} ) =~ /:([0-9]+)/g;
    return (
        ( map { _warning($_) } @texts ),
        _transport( $output->field('SERVED') // q{}, @processes ),
        ( map { _fact( $output, @{$_} ) } @FACTS ),
        @processes == 1 ? _set_clock($output) : ()
    );
}

# "NAME: what; what to do"
sub _warning ($text) {
    my ( $what, $todo ) = $text =~ /\A(.*?); (.*)\z/s ? ( $1, $2 ) : ( $text, undef );
    my ($name) = $text =~ /\A([^:]{1,40}):/;
    return { limit => 'warning', id => $name // $text, value => 2, what => $what, todo => $todo };
}

# A measure with two values, beyond and within its limit of 1.
sub _yes_no ( $limit, $is_so, $what ) {
    return { limit => $limit, value => $is_so ? 2 : 0.5, what => $what };
}

# A measure for several processes on a host without a component or device for shared memory.
sub _transport ( $served, @processes ) {
    return if $served eq q{};
    my $is_slow = ( grep { $_ > 1 } @processes )
      && ( $served =~ /^pml: ob1$/m && $served !~ /^btl:.* (?:vader|sm)\b/m
        || $served =~ /^provider: sockets/m );
    return _yes_no( 'transport', $is_slow,
        'the library uses ' . ( $served =~ s/\n.*//sr =~ s/:\s*/ /r ) );
}

sub _fact ( $output, $limit, $name, $counts, $read ) {
    my $text  = $output->field($name);
    my @texts = $text // map { $_->note($name) // q{} } $output->suites;
    my @found =
      sort { $b->[0] <=> $a->[0] } map { /$counts/ ? [ $read->( $1, $2, $3 ) ] : () } @texts
      or return;
    my ( $value, $what, $todo ) = @{ $found[ $#found / 2 ] };
    $what .= ' in half of the suites or more' if !defined $text;
    return { limit => $limit, value => $value, what => $what, todo => $todo };
}

# A measure for a clock that was set: processes of one host read one clock, so no suite should have to correct it.
sub _set_clock ($output) {
    my @counts =
      map { ( $_->note('RESIDUAL') // q{} ) =~ /; ([0-9]{1,9}) refreshed/ } $output->suites
      or return;
    my $set = grep { $_ > 0 } @counts;
    return _yes_no( 'set clock', $set,
        "clocks had to be corrected in $set of " . @counts . ' suites' );
}

1;
