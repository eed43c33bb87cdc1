package SKaMPI::Findings::Health;

# Is my machine all right? health_of(OUTPUT...) takes the results of one or more launches, or a merge, and returns a
# hash of
#   state     look, cannot tell or good: the worst of its lines
#   launches  their number
#   lines     six hashes of texts: name, about, state (that of the page, or not measured), value, against, cost, todo
#             and decides (what would decide it); and label, of the suite that has the details. Empty texts say nothing.
#   findings  the five findings with the strongest evidence, each a hash of text and state
# A value has the state look if its whole interval is beyond its limit, cannot tell if only the value is, else good.
# With at least six launches all values of the page are one family (SKaMPI::Stat::Verdicts); with fewer, intervals are
# those of single values.
use v5.36;

use Exporter   qw(import);
use List::Util qw(first max min);

use SKaMPI::Base::Units qw(factor_text format_percent format_time);
use SKaMPI::Findings::Findings;
use SKaMPI::Findings::HealthLimits   qw(health_lines limit_of);
use SKaMPI::Findings::HealthMeasures qw(measures_of);
use SKaMPI::Meaning::Points          qw(grouped);
use SKaMPI::Stat::Estimate           qw($ERRORS estimate_mean median);
use SKaMPI::Stat::Verdicts           qw(fewest_launches judge_family);

our @EXPORT_OK = qw(health_of health_status);

# The worst first; the exit status of each.
my @STATES = ( 'look', 'cannot tell', 'good', 'not measured' );
my %STATUS = ( look => 1, 'cannot tell' => 3, good => 0 );

my $FINDINGS = 5;

# The quantile of 97.5 % of the normal distribution.
my $Z = 1.96;

# Lines with all their values; the others have the worst.
my $SHORT_LINES = qr/\A(?:set-up|messages|steadiness)\z/;

my $MEASURE   = 'the suites of skampi --print-config health';
my $REFERENCE = 'comparable machines, in a database (skampi-db submit)';
my $LAUNCH    = 'skampi-launch --health -- mpirun -np P skampi';

sub health_of (@outputs) {
    my @launches = map { [ measures_of($_) ] } @outputs;
    my @values   = ( _values(@launches), _between(@outputs) );
    my $few      = @outputs < 2 && !_runs( $outputs[0] );
    my @lines;
    for my $line ( health_lines() ) {
        my ($name) = @{$line};
        push @lines, _line( $line, $few, grep { $_->{line} eq $name } @values );
    }
    return {
        state    => $STATES[ min map { _rank($_) } @lines ],
        launches => _runs( $outputs[0] ) || scalar @outputs,
        lines    => \@lines,
        findings => [ _findings( $outputs[0] ) ],
    };
}

# The exit status of skampi-show --health.
sub health_status ($health) { return $STATUS{ $health->{state} } }

# What at least half of the launches measured, with its interval and state.
sub _values (@launches) {
    my $fewest = @launches > 2 ? @launches / 2 : @launches;
    my @same   = grouped( \&_id, map { @{$_} } @launches );
    my @values = map  { _value( @{$_} ) } grep { @{$_} >= $fewest } @same;
    my @family = grep { $_->{row} && !_is_fact($_) && @{ $_->{pairs} } == @launches } @values;
    judge_family( \@family ) if @launches >= fewest_launches('pairs');
    _add_interval($_) for @values;
    return @values;
}

sub _id ($measure) {
    return join "\n", map { $_ // q{} } @{$measure}{qw(limit id)};
}

# The launch whose value is in the middle has the texts.
sub _value (@measures) {
    my @sorted = sort { $a->{value} <=> $b->{value} } @measures;
    my $row    = limit_of( $measures[0]{limit} // q{} );
    my @counted =
      map { @measures > 1 ? $_->{value} : min( $_->{value}, $_->{near} // 'inf' ) } @measures;
    return {
        %{ $sorted[ $#sorted / 2 ] },
        row   => $row,
        line  => ( $row // $measures[0] )->{line},
        pairs => [ map { log _beyond( $row, $_ ) } @counted ],
    };
}

# Above 1 if the value is beyond the limit.
sub _beyond ( $row, $value ) {
    my $ratio = $value / ( $row->{limit} // 1 );
    return $row->{least} ? 1 / $ratio : $ratio;
}

# What a launch says of itself holds without an interval; the launch in the middle counts.
sub _is_fact ($value) { return $value->{line} eq 'set-up' }

# low, value and high, relative to the limit.
sub _add_interval ($value) {
    if ( !defined $value->{low} ) {
        my ( $mean, undef, $half ) = estimate_mean( @{ $value->{pairs} } );
        $half //= $ERRORS * ( $value->{error} // 0 );
        ( $mean, $half ) = ( log _beyond( @{$value}{qw(row value)} ), 0 ) if _is_fact($value);
        @{$value}{qw(low ratio high)} = map { exp } $mean - $half, $mean, $mean + $half;
    }
    $value->{state} = _state($value);
    return;
}

sub _state ($value) {
    return
       !$value->{row}       ? 'cannot tell'
      : $value->{low} > 1   ? 'look'
      : $value->{ratio} > 1 ? 'cannot tell'
      :                       'good';
}

# The number of runs of a merge.
sub _runs ($output) {
    my ($runs) = ( $output->field('POSTPROCESSED') // q{} ) =~
      /\A(?:geometric means|medians) of ([0-9]{1,6})\b/;
    return $runs // 0;
}

# The standard deviation between launches, median over all rows; the interval is that of a single one.
sub _between (@outputs) {
    my $count = _runs( $outputs[0] ) || @outputs;
    my @sd    = @outputs > 1 ? _deviations(@outputs) : _merged( $outputs[0], $count );
    return if $count < 2 || !@sd;
    my $row   = limit_of('launches');
    my $ratio = max( 100 * median(@sd), 1e-3 ) / $row->{limit};
    my ( $low, $high ) = map { $ratio * _root( $count - 1, $_ ) } $Z, -$Z;
    my %value = (
        row   => $row,
        line  => 'steadiness',
        what  => 'spread between launches, median row',
        low   => $low,
        ratio => $ratio,
        high  => $high,
    );
    return { %value, state => _state( \%value ) };
}

# The root of the degrees of freedom / chi squared, by Wilson and Hilferty.
sub _root ( $freedom, $z ) {
    my $part = 2 / ( 9 * $freedom );
    return max( 0.02, 1 - $part + $z * sqrt $part )**-1.5;
}

sub _merged ( $output, $count ) {
    return map { $_->{error} / $_->{time} * sqrt $count }
      grep { defined $_->{error} } map { _rows($_) } $output->results;
}

sub _rows ($suite) {
    return grep { !$_->{few} && ( $_->{time} // 0 ) > 0 } @{ $suite->{rows} };
}

sub _deviations (@outputs) {
    my %logs;
    for my $suite ( map { $_->results } @outputs ) {
        for my $row ( _rows($suite) ) {
            my @place = @{ $row->{arguments} // [ $row->{argument} // q{} ] };
            push @{ $logs{ join "\n", $suite->{label}, @place } }, log $row->{time};
        }
    }
    return map { ( estimate_mean( @{$_} ) )[1] } grep { @{$_} == @outputs } values %logs;
}

sub _line ( $line, $few, @values ) {
    my ( $name, $about ) = @{$line};
    my %line =
      ( name => $name, about => $about, map { $_ => q{} } qw(value against cost todo decides) );
    my ( $worst, @others ) =
      sort { _rank($a) <=> _rank($b) || !_is_fact($a) && $b->{ratio} <=> $a->{ratio} } @values;
    @others = ()                                              if $name !~ $SHORT_LINES;
    @others = grep { $_->{state} eq $worst->{state} } @others if $name eq 'set-up';
    return { %line, state => 'not measured', decides => $MEASURE }
      if !$worst && $about eq 'if measured';
    return { %line, state => 'cannot tell', decides => $MEASURE } if !$worst;
    $line{state} = $worst->{state};
    @line{qw(value against cost label)} = (
        join( '; ', map { _text($_) } $worst, @others ),
        _against($worst), _cost($worst), $worst->{label}
    );
    $line{against} = q{} if $name eq 'set-up' && $line{state} eq 'good';
    $line{todo}    = $worst->{todo} // ( $worst->{row} // {} )->{todo} // q{}
      if $worst->{state} ne 'good';
    $line{decides} = $worst->{row} ? "more launches: $LAUNCH" : $worst->{decides} // $REFERENCE
      if $worst->{state} eq 'cannot tell';
    @line{qw(state decides)} = ( 'cannot tell', "how launches differ: $LAUNCH" )
      if $name eq 'steadiness' && $few && $worst->{state} eq 'good';
    return \%line;
}

sub _rank ($value) {
    return first { $STATES[$_] eq $value->{state} } 0 .. $#STATES;
}

# "Bcast at 4 KiB: 3.2 (2.9 to 3.5) times"
sub _text ($value) {
    return $value->{what} if _is_fact($value);
    my $row    = $value->{row} // { unit => $value->{unit}, limit => 1 };
    my @ratios = @{$value}{qw(ratio low high)};
    @ratios = map { 1 / $_ } @ratios[ 0, 2, 1 ] if $row->{least};
    my @parts  = map { _number( $_ * $row->{limit}, $row->{unit} ) } @ratios;
    my $number = $parts[1] eq $parts[2] ? $parts[0] : "$parts[0] ($parts[1] to $parts[2])";
    return "$value->{what}: $number" . ( $row->{unit} eq q{} ? ' times' : q{} );
}

sub _number ( $number, $unit ) {
    return
        $unit eq 'us' ? format_time($number)
      : $unit eq '%'  ? format_percent( $number / 100 )
      :                 factor_text($number);
}

sub _against ($value) {
    my $row = $value->{row} // return 'no reference';
    return $row->{against} if $row->{limit} == 1;
    my $limit = _number( @{$row}{qw(limit unit)} );
    return "$row->{against}; limit $row->{least}$limit" . ( $row->{unit} eq q{} ? ' times' : q{} );
}

# In microseconds and as a factor.
sub _cost ($value) {
    return q{} if $value->{state} eq 'good' || !$value->{row};
    my @parts;
    push @parts, format_time( $value->{us} ) if ( $value->{us} // 0 ) > 0;
    push @parts, factor_text( $value->{ratio} * $value->{row}{limit} ) . ' times'
      if $value->{row}{unit} eq q{} && $value->{row}{limit} > 1;
    return join ', ', @parts;
}

sub _findings ($output) {
    my @all = map { @{ $_->{findings} } } @{ SKaMPI::Findings::Findings->of($output)->{groups} };
    @all = sort { $b->{evidence} <=> $a->{evidence} || $a->{text} cmp $b->{text} } @all;
    splice @all, $FINDINGS if @all > $FINDINGS;
    return map { { text => $_->{text}, state => $_->{state} // q{} } } @all;
}

1;
