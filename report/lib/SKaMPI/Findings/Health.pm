package SKaMPI::Findings::Health;

# Is my machine all right? health_of(OUTPUT...) takes the results of one or more launches, or a merge, and returns the
# content of the document skampi-health/1 (report/schema.txt). Its six lines have other names for low and high, the ends
# of the interval, and label, of the suite. The state is look if that of a line is, cannot tell if a line is in doubt,
# or if nothing was judged, else good. The manual says which state a value has.
use SKaMPI::Base;

use List::Util qw(first max min);

use SKaMPI::Base::Units qw(factor_text format_percent format_time);
use SKaMPI::Findings::Findings;
use SKaMPI::Findings::HealthMeasures qw(measures_of);
use SKaMPI::Findings::HealthSetup    qw(limit_of);
use SKaMPI::Meaning::Catalog         qw(rows_of);
use SKaMPI::Meaning::PlottedPoints   qw(grouped);
use SKaMPI::Meaning::Facts           qw(unknown_facts);
use SKaMPI::Meaning::RunFacts        qw(warnings_of);
use SKaMPI::Stat::Estimate           qw($ERRORS errors_of estimate_mean median);
use SKaMPI::Verdict::Family          qw(judge_pairs);

my $FINDINGS = 5;

# The normal quantile of 97.5 %, the error above which a value says nothing, and the logarithm of the largest factor.
my ( $Z, $VAGUE, $WIDEST ) = ( 1.96, 0.5, 500 );

# The lines of the page in their order: pairs of a name and its subject.
my @LINES = (
    [ 'set-up',      'binding, oversubscription, contention, clocks, and what serves the calls' ],
    [ 'messages',    'latency and bandwidth' ],
    [ 'collectives', 'against others that do the same' ],
    [ 'evenness',    'slowest host, pair and process' ],
    [ 'steadiness',  'where times vary' ],
    [ 'overlap and one-sided', 'if measured' ],
);

# Lines that list all their values; other lines have the worst.
my $SHORT_LINES = qr/\A(?:set-up|messages|steadiness)\z/;

my $MEASURE   = 'measure the suites of skampi --print-config health';
my $REFERENCE = 'compare with other machines in a database (skampi db submit)';
my $LAUNCH    = 'skampi health --launches 6 -- mpirun -np %s %sskampi';
my $CALM      = 'measure again once processes have CPUs of their own';

sub health_of (@outputs) {
    my @launches = map { [ measures_of($_) ] } @outputs;
    my @values   = ( _values(@launches), _between(@outputs) );
    my $count    = _runs( $outputs[0] ) || @outputs;
    my $crowd    = join q{ }, map { $outputs[0]->field($_) // q{} } qw(OVERSUBSCRIBED MPILIBRARY);
    my $launch   = sprintf $LAUNCH, $outputs[0]->fact('PROCESSES')->{processes} // 'P',
      $crowd =~ /\Ayes Open MPI/ ? '--oversubscribe ' : q{};
    my @lines = map {
        my $line = $_;
        _line( $line, $launch, grep { $_->{line} eq $line->[0] } @values )
    } @LINES;
    my %is    = map { $_->{state} => 1 } @lines;
    my $state = $is{good} && !( grep { $_->{doubt} } @lines ) ? 'good' : 'cannot tell';

    # The launches of skampi-launch --health measure what any line needs, except other machines.
    my @open      = grep { $_ ne q{} } map { $_->{decides} } @lines;
    my $is_enough = $count > 1 && !grep { $_ ne $REFERENCE } @open;
    my $found     = SKaMPI::Findings::Findings->of( $outputs[0] );
    my @all       = map { @{ $_->{findings} } } @{ $found->{groups} };
    @all = sort { $b->{evidence} <=> $a->{evidence} || $a->{text} cmp $b->{text} } @all;
    splice @all, $FINDINGS if @all > $FINDINGS;
    return {
        state    => $is{look} ? 'look' : $state,
        launches => $count,
        lines    => \@lines,
        more     => $is_enough ? $open[0] // q{} : $launch,
        notes    =>
          [ ( map { s/\n.*//sr } warnings_of( $outputs[0], 1 ) ), unknown_facts( $outputs[0] ) ],
        findings => [ map { { text => $_->{text}, state => $_->{state} // q{} } } @all ]
    };
}

# The data of JSON (report/schema.txt).
sub health_document ($health) {
    my @lines = map {
        +{
            %{$_}{qw(name about state value against cost todo decides ratio)},
            doubt      => $_->{doubt} ? \1 : \0,
            ratio_low  => $_->{low},
            ratio_high => $_->{high},
            suite      => $_->{label}
        }
    } @{ $health->{lines} };
    return { schema => 'skampi-health/1', %{$health}, lines => \@lines };
}

# The exit status of skampi-show --health, as the catalogue and both manuals have it.
sub health_status ($health) {
    my ($row) = grep { ( $_->{shown} // q{} ) eq $health->{state} } rows_of('states');
    return $row->{status};
}

# The values that at least half of the launches measured, with intervals and states; the launch in the middle has texts.
sub _values (@launches) {
    my $fewest = @launches > 2 ? @launches / 2 : @launches;
    my $id     = sub ($measure) {
        return join "\n", map { $_ // q{} } @{$measure}{qw(limit id)};
    };
    my @same = grouped( $id, map { @{$_} } @launches );
    my @values;
    for my $measures ( grep { @{$_} >= $fewest } @same ) {

        # Launches in which processes waited for CPUs count only if too few others are left.
        my @calm   = grep { !$_->{contended} } @{$measures};
        my @used   = @calm >= $fewest ? @calm : @{$measures};
        my @sorted = sort { $a->{value} <=> $b->{value} } @used;
        my $row    = limit_of( $used[0]{limit} // q{} );
        push @values,
          {
            %{ $sorted[ $#sorted / 2 ] },
            contended => @calm < $fewest,
            row       => $row,
            line      => ( $row // $used[0] )->{line},
            pairs     => [ map { log _beyond( $row, $_->{value} ) } @used ]
          };
    }
    my @family = grep { $_->{row} && !$_->{contended} && !_is_fact($_) } @values;
    @family = grep { @{ $_->{pairs} } == @launches } @family;
    judge_pairs(@family);
    _add_interval($_) for @values;
    return @values;
}

# The ratio of value and limit: above 1 if the value is beyond the limit.
sub _beyond ( $row, $value ) {
    my $ratio = $value / ( $row->{limit} // 1 );
    return $row->{least} ? 1 / $ratio : $ratio;
}

# Whether a value holds without an interval; then the launch in the middle counts.
sub _is_fact ($value) { return $value->{line} eq 'set-up' }

# Adds low, value and high, relative to the limit; for a collective in one launch, the lesser ones of two neighbours.
sub _add_interval ($value) {
    if ( !defined $value->{low} ) {
        my ( $mean, undef, $half ) = estimate_mean( @{ $value->{pairs} } );
        my $is_single = _is_fact($value) || !defined $half;
        my @spans =
          $is_single
          ? map { _span( $value, $_ ) } $value, $value->{near} // ()
          : [ $mean - $half, $mean, $mean + $half ];
        @{$value}{qw(low ratio high)} = map {
            my $i = $_;
            exp min map { $_->[$i] } @spans
        } 0 .. 2;
    }
    $value->{state} = _state($value);
    return;
}

sub _span ( $value, $measure ) {
    my $log = log _beyond( $value->{row}, $measure->{value} );
    return [ ($log) x 3 ] if _is_fact($value);
    my ( $visits, $error ) = @{$measure}{qw(visits error)};
    my $is_known = defined $error && ( $visits // 2 ) > 1 && !$measure->{contended};
    my $half     = $is_known ? min( errors_of($visits) * $error, $WIDEST ) : 'inf';
    return [ $log - $half, $log, $log + $half ];
}

sub _state ($value) {
    return 'cannot tell' if !$value->{row};
    return $value->{low} > 1 ? 'look' : $value->{high} <= 1 ? 'good' : 'cannot tell';
}

sub _runs ($output) {
    my $merge = $output->fact('POSTPROCESSED');
    return $merge->{launches} // $merge->{runs} // 0;
}

# The standard deviation between launches, median over all rows, with the interval of a single one.
sub _between (@outputs) {
    my $count = _runs( $outputs[0] ) || @outputs;
    my @sd =
      @outputs > 1
      ? _deviations(@outputs)
      : map { $_->{error} / $_->{time} * sqrt $count }
      grep { defined $_->{error} } map { _rows($_) } $outputs[0]->results;
    return if $count < 2 || !@sd;
    my $row   = limit_of('launches');
    my $ratio = max( 100 * median(@sd), 1e-3 ) / $row->{limit};

    # The interval of chi squared by Wilson and Hilferty.
    my $part = 2 / ( 9 * ( $count - 1 ) );
    my ( $low, $high ) = map { $ratio * max( 0.02, 1 - $part + $_ * sqrt $part )**-1.5 } $Z, -$Z;
    my @rows  = map { _rows($_) } map { $_->results } @outputs;
    my %value = (
        contended => 2 * ( grep { $_->{extras}{contended} } @rows ) > @rows,
        row       => $row,
        line      => 'steadiness',
        what      => 'spread between launches, median row',
        low       => $low,
        ratio     => $ratio,
        high      => $high,
    );
    return { %value, state => _state( \%value ) };
}

sub _rows ($suite) {
    return grep { !$_->{few} && ( $_->{time} // 0 ) > 0 } @{ $suite->rows };
}

sub _deviations (@outputs) {
    my %logs;
    for my $suite ( map { $_->results } @outputs ) {
        for my $row ( _rows($suite) ) {
            my @place = @{ $row->{arguments} // [ $row->{argument} // q{} ] };
            push @{ $logs{ join "\n", $suite->label, @place } }, log $row->{time};
        }
    }
    return map { ( estimate_mean( @{$_} ) )[1] } grep { @{$_} == @outputs } values %logs;
}

sub _line ( $line, $launch, @values ) {
    my ( $name, $about ) = @{$line};
    my %line = (
        state => 'not measured',
        name  => $name,
        about => $about,
        doubt => 0,
        ( map { $_ => q{} } qw(value against cost todo) ),
        ( map { $_ => undef } qw(label ratio low high) ),
        decides => $MEASURE
    );
    my @calm = grep { !$_->{contended} } @values;
    return { %line, $about eq 'if measured' ? ( decides => q{} ) : () } if !@values;
    return {
        %line,
        state   => 'cannot tell',
        doubt   => 1,
        value   => 'processes waited for CPUs',
        decides => $CALM
      }
      if 2 * @calm < @values;
    my ( $worst, @others ) =
      map  { $_->[0] }
      sort { $a->[1] <=> $b->[1] || $b->[2] <=> $a->[2] }
      map  { [ $_, _rank($_), _is_fact($_) && _rank($_) ? 0 : $_->{ratio} ] } @calm;
    my @looks = grep { $_->{state} eq 'look' } $worst, @others;
    return map { _line( $line, $launch, $_ ) } @looks if $name eq 'set-up' && @looks > 1;
    @others = ()                                              if $name !~ $SHORT_LINES;
    @others = grep { $_->{state} eq $worst->{state} } @others if $name eq 'set-up';
    my ( $state, $row ) = @{$worst}{qw(state row)};
    my @beyond = grep { $_->{row} && $_->{ratio} > 1 } @calm;
    return {
        %line,
        state   => $state,
        doubt   => ( grep { $_->{state} eq 'cannot tell' } @beyond ) ? 1 : 0,
        value   => join( '; ', map { _text($_) } $worst, @others ),
        against => $name eq 'set-up' && $state eq 'good' ? q{} : _against($worst),
        label   => $worst->{label},
        ( map { $_ => $row ? $worst->{$_} : undef } qw(low ratio high) ),
        decides => $state ne 'cannot tell' ? q{} : $row ? $launch : $worst->{decides} // $REFERENCE,
        $state eq 'look'
        ? ( cost => _cost($worst), todo => _made( $worst->{todo} ) // $row->{todo} )
        : (),
    };
}

# The text that a function makes, or the text itself.
sub _made ($text) { return ref $text ? $text->() : $text }

# How bad a state is, by the catalogue: 0 is the worst.
sub _rank ($value) {
    state $states = [ reverse map { $_->{shown} // () } rows_of('states') ];
    return first { $states->[$_] eq $value->{state} } keys @{$states};
}

# Formats a value, "Bcast at 4 KiB: 3.2 (2.9 to 3.5) times". Above two errors of 50 %, it has only the end that counts.
sub _text ($value) {
    my ( $state, $row, $high ) = @{$value}{qw(state row high)};
    my $what = _made( $value->{what} );
    return $what if _is_fact($value);
    $row //= { unit => $value->{unit}, limit => 1 };
    my $is_vague = $high > $value->{low} * exp( 2 * $ERRORS * $VAGUE );
    return "$what: error above 50 %" if $is_vague && $state eq 'cannot tell' && $high < 'inf';
    my @ratios = @{$value}{qw(ratio low high)};
    @ratios = map { $_ ? 1 / $_ : 'inf' } @ratios[ 0, 2, 1 ] if $row->{least};
    my ( $number, @ends ) = map { _number( $_ * $row->{limit}, $row->{unit} ) } @ratios;
    my $end = ( $state eq 'good' ) == !$row->{least} ? "at most $ends[1]" : "at least $ends[0]";
    $number .= " ($ends[0] to $ends[1])" if $high < 'inf' && $ends[0] ne $ends[1];
    $number = $end                       if $high < 'inf' && $is_vague;
    $number .= ' times'                  if $row->{unit} eq q{};
    return "$what: $number" . ( $high < 'inf' ? q{} : ', error unknown' );
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

sub _cost ($value) {
    my @parts;
    push @parts, format_time( $value->{us} ) if ( $value->{us} // 0 ) > 0;
    push @parts, factor_text( $value->{ratio} * $value->{row}{limit} ) . ' times'
      if $value->{row}{unit} eq q{} && $value->{row}{limit} > 1;
    return join ', ', @parts;
}

1;
