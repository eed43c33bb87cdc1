package SKaMPI::Launch::Fastest;

# The fastest setting of a sweep at each length, and over all of them. Each setting is compared with the default; all
# comparisons together are one family (SKaMPI::Stat::Verdicts), for which each has its share of the error. A sweep is a
# list of hashes of configuration (SKaMPI::Launch::Sweep), launches, and crashes (why there are no launches, or undef),
# that of the default first.
use SKaMPI::Base;

use List::Util qw(any first min);

use SKaMPI::Base::Table           qw(table_lines wrapped);
use SKaMPI::Base::Units           qw(format_ratio format_time);
use SKaMPI::Compare::CommonPoints qw(points_of);
use SKaMPI::Compare::Text         qw(argument_of);
use SKaMPI::Launch::Sweep         qw(alpha_of line_to_set);
use SKaMPI::Meaning::Marks        qw(mark_words marked);
use SKaMPI::Stat::Estimate        qw(estimate geometric_mean);
use SKaMPI::Stat::Verdicts        qw(fewest_launches judge_family verdict_counts verdicts);

our @EXPORT_OK = qw(fastest_data fastest_lines judged_sweep);

# Longer names of settings are replaced by numbers in tables.
my $WIDEST = 24;

# Compares the settings with the default. Returns a hash of default, settings (hashes of configuration, name, points,
# mean, the geometric mean over them, and counts, by verdict), rows (see _row), why_not (why there are no verdicts, or
# undef) and best (a setting, or undef).
sub judged_sweep ( $thresholds, $default, @others ) {
    my $alpha    = alpha_of( $default, @others );
    my @settings = map { _setting( $_, $default, $thresholds, $alpha ) } @others;
    $_->{name} = join q{ }, @{ $_->{configuration}{setting} } for @settings;

    # Tables number names that are too long.
    my $is_long = any { length $_->{name} > $WIDEST } @settings;
    $settings[$_]{short} = $is_long ? 'setting ' . ( $_ + 1 ) : $settings[$_]{name}
      for keys @settings;
    my %sweep = (
        default  => $default,
        settings => \@settings,
        rows     => [ _rows(@settings) ],
        why_not  => scalar _why_not( $alpha, $default, @others )
    );
    my @faster = grep { ( $_->{mean}{verdict} // q{} ) eq 'faster' } @settings;
    ( $sweep{best} ) = sort { $a->{mean}{log} <=> $b->{mean}{log} } @faster;
    return \%sweep;
}

sub _why_not ( $alpha, @sides ) {
    my $needed = fewest_launches( 0, $alpha );
    return if min( map { scalar @{ $_->{launches} } } grep { !$_->{crashes} } @sides ) >= $needed;
    return "$needed launches of each setting are needed for verdicts";
}

sub _setting ( $of, $default, $thresholds, $alpha ) {
    my ($all)  = points_of( map { $_->{launches} } $default, $of );
    my @points = grep { !$_->{part} } @{$all};
    my %mean   = ( threshold => $thresholds->for_all );
    for my $point (@points) {
        %{$point} = (
            %{$point},
            %{ estimate( @{$point}{qw(base new)} ) },
            threshold => $thresholds->of( @{$point}{qw(label argument)} )
        );
    }
    if (@points) {
        %mean = (
            %mean,
            %{ geometric_mean(@points) },
            ( map { ( unjudged => $_ ) } first { defined } map { $_->{unjudged} } @points ),
            map { $_ => _level( $_, @points ) } qw(base new)
        );
        judge_family( [ @points, \%mean ], { alpha => $alpha } );
    }
    return {
        configuration => $of->{configuration},
        crashes       => $of->{crashes},
        points        => \@points,
        mean          => \%mean,
        counts        => verdict_counts(@points)
    };
}

# The mean of the logarithms over the points for each launch; undef for one that lacks a point.
sub _level ( $side, @points ) {
    return [
        map {
            my $i     = $_;
            my @known = map { $_->{$side}[$i] } @points;
            my $sum   = 0;
            $sum += $_ // 0 for @known;
            ( any { !defined } @known ) ? undef : $sum / @known
        } keys @{ $points[0]{$side} }
    ];
}

# For each suite and argument a hash of label, argument, column, base_value (that of the default), winner (a point, or
# undef: the default), setting, and doubtful: the names of settings that are undecided but might be faster.
sub _rows (@settings) {
    my ( %row, @order );
    for my $setting (@settings) {
        for my $point ( @{ $setting->{points} } ) {
            my $key = join "\n", $point->{label}, $point->{argument} // q{};
            push @order, $key if !$row{$key};
            $row{$key} //=
              { map { $_ => $point->{$_} } qw(label argument column base_value base_marks) };
            _enter( $row{$key}, $point, $setting );
        }
    }
    return @row{@order};
}

sub _enter ( $row, $point, $setting ) {
    my $verdict = $point->{verdict} // return;
    push @{ $row->{doubtful} }, $setting->{configuration}{name}
      if $verdict eq 'undecided' && $point->{low} < 1;
    return if $verdict ne 'faster' || $row->{winner} && $row->{winner}{log} <= $point->{log};
    @{$row}{qw(winner setting)} = ( $point, $setting );
    return;
}

# A table of the fastest setting at each argument, a table of the settings over all arguments, and the answer.
sub fastest_lines ($sweep) {
    my $why = $sweep->{why_not};
    return (
        (
            map { $_->{short} eq $_->{name} ? () : "$_->{short}: $_->{name}" }
              @{ $sweep->{settings} }
        ),
        defined $why ? ( "No verdicts: $why.", q{} ) : ( _winner_table($sweep), q{} ),
        _setting_table($sweep),
        q{},
        defined $why ? () : _answer($sweep)
    );
}

sub _winner_table ($sweep) {
    my ( $last, @rows ) = q{};
    for my $row ( @{ $sweep->{rows} } ) {
        push @rows, "  $row->{label}" if $row->{label} ne $last;
        push @rows, [ argument_of($row), _winner_cells($row) ];
        $last = $row->{label};
    }
    my @words = mark_words( map { { marks => $_->{base_marks} } } @{ $sweep->{rows} } );
    return (
        table_lines( [ '       argument>', qw(fastest time> default>), 'times faster' ], @rows ),
        @words ? '  ' . join( ', ', @words ) : () );
}

sub _winner_cells ($row) {
    my $default = marked( format_time( $row->{base_value} ), { marks => $row->{base_marks} } );
    my $winner  = $row->{winner}
      // return ( $row->{doubtful} ? 'undecided' : 'default', q{}, $default, q{} );
    return (
        $row->{setting}{short},
        marked( format_time( $winner->{new_value} ), { marks => $winner->{new_marks} } ),
        $default, _times_faster($winner)
    );
}

# "1.25 (1.20 to 1.31)"
sub _times_faster ($point) {
    my @inverse = map { format_ratio( 1 / $_ ) } @{$point}{qw(ratio high low)};
    return "$inverse[0] ($inverse[1] to $inverse[2])";
}

sub _setting_table ($sweep) {
    my @verdicts = defined $sweep->{why_not} ? () : verdicts();
    my @rows     = map {
        my ( $mean, $counts ) = @{$_}{qw(mean counts)};
        [
            "  $_->{short}",
            _ratio_text($_),
            defined $mean->{low}
            ? join( ' to ', map { format_ratio($_) } @{$mean}{qw(low high)} )
            : q{},
            @{$counts}{@verdicts}
        ]
    } @{ $sweep->{settings} };
    return table_lines( [ '  setting', 'time / default>', '95 %?', map { "$_>" } @verdicts ],
        @rows );
}

sub _ratio_text ($setting) {
    my $ratio = $setting->{mean}{ratio};
    return format_ratio($ratio) if defined $ratio;
    return $setting->{crashes} // 'not measured';
}

sub _answer ($sweep) {
    my $best = $sweep->{best}
      // return wrapped('Over all lengths, no setting is certainly faster than the default.');
    my $slower = $best->{counts}{slower};
    return (
        wrapped(
                "Over all lengths, $best->{name} is the fastest: "
              . _times_faster( $best->{mean} )
              . ' times faster than the default'
              . ( $slower ? ", but slower at $slower of them" : q{} ) . q{.}
        ),
        'To set it: ' . line_to_set( $best->{configuration} )
    );
}

# The data of JSON (report/schema.txt).
sub fastest_data ($sweep) {
    my $best = $sweep->{best};
    return {
        why_no_verdicts => $sweep->{why_not},
        settings        => [ map { _setting_data($_) } @{ $sweep->{settings} } ],
        points          => [ map { _row_data($_) } @{ $sweep->{rows} } ],
        best            => $best && $best->{configuration}{name},
        to_set          => $best && line_to_set( $best->{configuration} )
    };
}

sub _setting_data ($setting) {
    my $mean = $setting->{mean};
    return {
        name        => $setting->{configuration}{name},
        crashes     => $setting->{crashes} ? \1 : \0,
        environment => $setting->{configuration}{environment},
        _ratios($mean),
        verdict => $mean->{verdict},
        counts  => $setting->{counts}
    };
}

sub _ratios ($estimate) {
    my %ratios;
    @ratios{qw(ratio ratio_low ratio_high)} = @{$estimate}{qw(ratio low high)};
    return %ratios;
}

sub _row_data ($row) {
    my $winner = $row->{winner} // {};
    return {
        suite         => $row->{label},
        argument      => $row->{argument},
        argument_unit => ( $row->{column} // {} )->{unit},
        default_us    => $row->{base_value},
        fastest       => $row->{setting} && $row->{setting}{configuration}{name},
        time_us       => $winner->{new_value},
        _ratios($winner),
        undecided => $row->{doubtful} // []
    };
}

1;
