package SKaMPI::Verdict::Usual;

# The usual values of a run's rows, by a baseline: "1.47 us to 1.61 us", and "3.1 times the usual" beyond it.
use SKaMPI::Base;

use List::Util qw(first max min uniq);
use POSIX      qw(ceil);

use SKaMPI::Base::Units            qw(counted format_arguments format_with_error);
use SKaMPI::Meaning::Likeness      qw(unlike_suites);
use SKaMPI::Meaning::PlottedPoints qw(spread);
use SKaMPI::Stat::Usual            qw(level_of times_usual usual_of);
use SKaMPI::Verdict::Baseline      qw(class_of hosts_of read_baseline);
use SKaMPI::Verdict::Launch        qw(launch_of);

our @EXPORT_OK = qw(add_usual usual_note);

my $DAY_S = 86_400;

# Sets usual of the rows, a text that has what is beyond it, unless processes waited for CPUs. Returns a line that says
# what usual is, or why nothing is.
sub add_usual ( $output, $path ) {
    my ( $own, @runs ) = ( launch_of( $output, 'time' ), read_baseline( $path, 'time' ) );
    my ( $here, $there ) = map { class_of($_) } $own, $runs[0];
    my $other =
      first { defined $here->{$_} && $here->{$_} ne $there->{$_} } sort keys %{$there};
    return "usual: unknown; '$path' is of another class: $other is '$there->{$other}' in it,"
      . " '$here->{$other}' here"
      if defined $other;
    my ( $usual, $count ) = _usual_values( $own, @runs );
    for my $suite ( $output->results ) {
        for my $row ( @{ $suite->rows } ) {
            my ( $rank, $partner ) = @{ $row->{arguments} // [] };
            my $label    = $suite->label . ( defined $rank ? "/$rank" : q{} );
            my $argument = $partner // $row->{argument} // q{};
            my ( $of, $value ) = map { $_->{$argument} } $usual->{$label} // {},
              ( $own->{suites}{$label} // {} )->{values} // {};
            next if !$of || !$value;
            my $times =
              $suite->marks($row) =~ /!/ ? undef : times_usual( $of, $value, level_of($count) );
            $row->{usual} = join( ' to ',
                map { scalar format_with_error( $_, $_ / 400, 'time' ) } @{$of}{qw(low high)} ) =~
              s/ (\w+) (?=to \S+ \1\z)/ /r
              . ( $times ? sprintf ', %.2g times the usual', $times : q{} );
        }
    }
    my @starts = map { $_->{start} // () } @runs;
    my @parts  = (
        counted( scalar @runs,                              'run' ),
        counted( scalar uniq( map { hosts_of($_) } @runs ), 'host' )
    );
    push @parts, counted( max( 1, ceil( ( time - min @starts ) / $DAY_S ) ), 'day' ) if @starts;
    $output->{usual} = join ', ', @parts;
    return
"usual: 10 to 90 % of $output->{usual} in '$path'; from 8 runs on 3 hosts, what 95 % of runs have not is named";
}

# The usual values by label and argument, and their number; only those by the same rule.
sub _usual_values ( $own, @runs ) {
    my %unlike = map { $_->[0] => 1 } unlike_suites( @runs, $own );
    my @groups = map { join q{,}, hosts_of($_) } @runs;
    my ( %usual, $count );
    for my $label ( grep { !$unlike{$_} } keys %{ $own->{suites} } ) {
        my @rules = map { $_->{suites}{$label}{definition}{estimate} // () } $own, @runs;
        my @maps  = map { $_->{suites}{$label}{values} // {} } @runs;
        next if uniq(@rules) > 1;
        for my $argument ( uniq map { keys %{$_} } @maps ) {
            $usual{$label}{$argument} = usual_of( [ map { $_->{$argument} } @maps ], \@groups );
            $count++;
        }
    }
    return ( \%usual, $count );
}

# A sentence about a suite: what is usual at its first, middle and last row, and all that is beyond.
sub usual_note ( $of, $suite ) {
    my @rows  = grep { defined $_->{usual} } @{ $suite->rows } or return;
    my %shown = map  { $_ => 1 } spread( 3, @rows ), grep { $_->{usual} =~ /,/ } @rows;
    return "Usual ($of): "
      . join( '; ',
        map  { 'at ' . format_arguments( $_, $suite ) . q{ } . $_->{usual} }
        grep { $shown{$_} } @rows )
      . q{.};
}

1;
