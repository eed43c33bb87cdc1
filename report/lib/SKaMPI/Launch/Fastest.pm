package SKaMPI::Launch::Fastest;

# The fastest setting of a sweep at each length, and over all of them. Each setting is compared with the default
# (SKaMPI::Verdict::Sides). A sweep is a list of hashes of configuration (SKaMPI::Launch::Sweep), launches, and crashes
# (why there are no launches, or undef), that of the default first.
use SKaMPI::Base;

use List::Util qw(any min);

use SKaMPI::Base::Table     qw(table_lines wrapped);
use SKaMPI::Base::Units     qw(format_ratio);
use SKaMPI::Launch::Sweep   qw(alpha_of line_to_set);
use SKaMPI::Meaning::Marks  qw(mark_lines);
use SKaMPI::Verdict::Family qw(deciding fewest_launches verdict_counts verdicts);
use SKaMPI::Verdict::Sides;
use SKaMPI::Verdict::Text qw(argument_of interval_of time_text);

# If a name of a setting is longer, tables number the settings.
my $WIDEST = 24;

# Compares the settings with the default. Returns a hash of sides (undef if no setting has launches), settings (hashes
# of configuration, name, short, crashes, comparison and overall, which may be missing), rows (see _rows), why_not (why
# there are no verdicts, or undef) and best (a setting, or undef).
sub judged_sweep ( $thresholds, $default, @others ) {
    my $alpha    = alpha_of( $default, @others );
    my @settings = map { +{ %{$_}, name => join q{ }, @{ $_->{configuration}{setting} } } } @others;

    my $is_long = any { length $_->{name} > $WIDEST } @settings;
    $settings[$_]{short} = $is_long ? 'setting ' . ( $_ + 1 ) : $settings[$_]{name}
      for keys @settings;
    my @measured = grep { @{ $_->{launches} } } @settings;
    my $needed   = fewest_launches( 0, $alpha );
    my $fewest = min map { scalar @{ $_->{launches} } } grep { !$_->{crashes} } $default, @settings;
    my $sides  = @measured && SKaMPI::Verdict::Sides->new(
        [ map { $_->{launches} } $default, @measured ],
        names       => [ map { $_->{configuration}{name} } $default, @measured ],
        by          => 'setting',
        alpha       => $alpha * @measured,
        thresholds  => $thresholds,
        has_overall => 1
    );
    my @comparisons = $sides ? $sides->comparisons : ();
    @{ $measured[$_] }{qw(comparison overall)} = ( $comparisons[$_], $comparisons[$_]->overall )
      for keys @measured;
    my @faster = grep { ( $_->{overall}{verdict} // q{} ) eq 'faster' } @measured;
    my ($best) = sort { $a->{overall}{log} <=> $b->{overall}{log} } @faster;
    return {
        sides    => $sides || undef,
        settings => \@settings,
        rows     => [ _rows(@measured) ],
        why_not  => $fewest < $needed
        ? "$needed launches of each setting are needed for verdicts"
        : undef,
        best => $best
    };
}

# For each suite and argument a hash of label, argument, column, base_value (that of the default), winner (a point, or
# undef: the default), setting, and doubtful: the names of settings that are undecided but might be faster.
sub _rows (@settings) {
    my ( %row, @order );
    for my $setting (@settings) {
        for my $of ( $setting->{comparison}->points ) {
            my $key = join "\n", $of->{label}, $of->{argument} // q{};
            push @order, $key if !$row{$key};
            my $row = $row{$key} //= { %{$of}{qw(label argument column base_value base_marks)} };
            my ( $verdict, $point ) = ( $of->{verdict} // q{}, deciding($of) );
            push @{ $row->{doubtful} }, $setting->{configuration}{name}
              if $verdict eq 'undecided' && $point->{low} < 1;
            my $is_best = !$row->{winner} || $point->{log} < $row->{winner}{log};
            @{$row}{qw(winner setting)} = ( $point, $setting ) if $verdict eq 'faster' && $is_best;
        }
    }
    return @row{@order};
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
        my ( $winner, $default ) = ( $row->{winner}, time_text( $row, 'base' ) );
        my @cells =
          $winner
          ? (
            $row->{setting}{short},
            time_text( $winner, 'new' ),
            $default, _times_faster($winner)
          )
          : ( $row->{doubtful} ? 'undecided' : 'default', q{}, $default, q{} );
        push @rows, [ argument_of($row), @cells ];
        $last = $row->{label};
    }
    return (
        table_lines( [ '       argument>', qw(fastest time> default>), 'times faster' ], @rows ),
        map { "  $_" } mark_lines( map { $_->{base_marks} } @{ $sweep->{rows} } )
    );
}

# How many times faster than the default a point is: "1.25 (1.20 to 1.31)".
sub _times_faster ($point) {
    my @inverse = map { format_ratio( 1 / $_ ) } @{$point}{qw(ratio high low)};
    return "$inverse[0] ($inverse[1] to $inverse[2])";
}

sub _setting_table ($sweep) {
    my %total;
    for my $counts ( map { _counts($_) } @{ $sweep->{settings} } ) {
        $total{$_} += $counts->{$_} for keys %{$counts};
    }
    my @verdicts = grep { $total{$_} || !/ |mixed/ } defined $sweep->{why_not} ? () : verdicts();
    my @rows     = map {
        my $overall = $_->{overall} // {};
        [
            "  $_->{short}",
            defined $overall->{ratio} ? format_ratio( $overall->{ratio} ) : $_->{crashes}
              // 'not measured',
            interval_of($overall),
            @{ _counts($_) }{@verdicts}
        ]
    } @{ $sweep->{settings} };
    return table_lines( [ '  setting', 'time / default>', '95 %?', map { "$_>" } @verdicts ],
        @rows );
}

sub _counts ($setting) {
    return $setting->{comparison} ? $setting->{comparison}->counts : verdict_counts();
}

sub _answer ($sweep) {
    my $best = $sweep->{best}
      // return wrapped('Over all lengths, no setting is certainly faster than the default.');
    my $slower = _counts($best)->{slower};
    return (
        wrapped(
                "Over all lengths, $best->{name} is the fastest: "
              . _times_faster( $best->{overall} )
              . ' times faster than the default'
              . ( $slower ? ", but slower at $slower of them" : q{} ) . q{.}
        ),
        'To set it: ' . line_to_set( $best->{configuration} )
    );
}

# The fastest settings as data of JSON (report/schema.txt), without the comparison of the settings.
sub fastest_data ($sweep) {
    my $best   = $sweep->{best};
    my @points = map {
        my $winner = $_->{winner} // {};
        {
            suite         => $_->{label},
            argument      => $_->{argument},
            argument_unit => ( $_->{column} // {} )->{unit},
            default_us    => $_->{base_value},
            fastest       => $_->{setting} && $_->{setting}{configuration}{name},
            time_us       => $winner->{new_value},
            ratio         => $winner->{ratio},
            ratio_low     => $winner->{low},
            ratio_high    => $winner->{high},
            undecided     => $_->{doubtful} // []
        }
    } @{ $sweep->{rows} };
    return {
        why_no_verdicts => $sweep->{why_not},
        points          => \@points,
        best            => $best && $best->{configuration}{name},
        to_set          => $best && line_to_set( $best->{configuration} )
    };
}

1;
