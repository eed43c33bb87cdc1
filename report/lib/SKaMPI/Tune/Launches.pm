package SKaMPI::Tune::Launches;

# The sweep within a budget of time: fewer lengths first, then fewer passes, never fewer launches. And the suites of
# launches with and without a table, and their verdict on it. A canary is a table of slow algorithms: if
# they change nothing, the library does not use tables.
use SKaMPI::Base;

use List::Util qw(all max sum0 uniq);

use SKaMPI::Base::Program    qw(fail);
use SKaMPI::Base::Units      qw(format_duration);
use SKaMPI::Read::ResultFile qw(read_results);
use SKaMPI::Tune::Cells      qw(own_value);
use SKaMPI::Verdict::Family  qw(judge_pairs);

my $FELT = 1.5;

my $HEAD = <<'END';
@VERSION 4.2
@POSTPROC no
@SHUFFLE yes
@MEMORY 65536
@MINREPDEFAULT 12
@MAXREPDEFAULT 36
@STANDARDERRORDEFAULT 1.0
@MEASUREMENTS
END

# A suite for each cell: the operation as any program calls it.
sub parameters_of (@cells) {
    my %suites = map {
        my ( $varied, $value, $keys ) =
          $_->{length}
          ? ( 'Scale = Fixed_linear', $_->{length}, " processes=$_->{processes}" )
          : ( 'Variation = Nodes', $_->{processes}, q{} );
        _name($_) =>
          " { Type = $_->{type}; $varied; Start_Argument = $value; End_Argument = $value; "
          . "Multiple_of = 1; Parameters = \"passes=3$keys\"; }\n"
    } @cells;
    return $HEAD . join q{}, map { "$_$suites{$_}" } sort keys %suites;
}

sub _name ($cell) { return join q{_}, 'tune', @{$cell}{qw(collective processes length)} }

sub values_of ($path) {
    my $output = read_results($path);
    my %values;
    for my $suite ( $output->suites ) {
        my ($row) = @{ $suite->rows };
        my $value = $row ? own_value($row) : undef;
        $values{ $suite->name } = $value if defined $value;
    }
    return \%values;
}

# Adds a point to each cell; returns that of the sum over all cells.
sub verdicts_of ( $values, @cells ) {
    my ( $tuned, $default ) = @{$values}{qw(tuned default)};
    my $sum_of = sub ( $launch, @names ) {
        return sum0 grep { defined } @{$launch}{@names};
    };
    my $pairs = sub (@names) {
        my ( $new, $old ) = map {
            [ map { $sum_of->( $_, @names ) } @{$_} ]
        } $tuned, $default;
        return [
            map { $new->[$_] && $old->[$_] ? log( $new->[$_] / $old->[$_] ) : undef }
              keys @{$old}
        ];
    };
    $_->{verified} = { pairs => $pairs->( _name($_) ), log => undef } for @cells;
    my @known = grep {
        all { defined }
          $_->{verified}{pairs}->@*
    } @cells;
    my $sum = { pairs => $pairs->( map { _name($_) } @known ) };
    judge_pairs( $sum, map { $_->{verified} } @known ) if @known;
    return $sum;
}

# The least factor for each canary by which it was slower than the default; felt is whether that is enough.
sub felt ( $values, @canaries ) {
    return map {
        my $name = _name($_);
        my ( $default, $canary ) = map {
            [ sort { $a <=> $b } grep { defined } map { $_->{$name} } $values->{$_}->@* ]
        } qw(default canary);
        my $factor = @{$default} && @{$canary} ? $canary->[0] / $default->[ @{$default} / 2 ] : 0;
        +{ %{$_}, factor => $factor, felt => $factor > $FELT };
    } @canaries;
}

# A sentence about what is cut, and the settings that cut it, for launches of TEXT (as skampi prints it), each of TOOK
# seconds, that do not fit into the budget after SPENT seconds. Fails if even the least does not fit.
sub cut_to_budget ( $text, $took, $spent, $options ) {
    my ( $n, $left ) = ( $options->{launches}, $options->{budget_s} - $spent );

    # Suites that a list of lengths makes have the length in their names.
    my @all =
      uniq map { /^\S*?(?<!\d)(\d+)(?!\d)\S* \{.* Default_Message_length = \1;/ } split /\n/,
      $text;
    my $passes = max 1, $text =~ / passes=(\d+)/g;
    my ( $count, $share, $kept ) = ( $passes, 1, \@all );
    for my $step ( 2, 3, scalar @all ) {
        last if @all < 2 || $took * $n * $share <= $left;
        $kept  = [ @all[ grep { $_ % $step == 0 } keys @all ] ];
        $share = @{$kept} / @all;
    }
    $count-- while $count > 1 && $took * $n * $share * $count / $passes > $left;
    my $cost = $took * $n * $share * $count / $passes;
    fail(   "not started: $n launches would take "
          . format_duration($cost)
          . " even with one length and one pass, more than the budget of $options->{budget}" )
      if $cost > $left;
    return (
        "$n launches would take "
          . format_duration( $took * $n )
          . "; to keep the budget of $options->{budget}, each measures the lengths "
          . join( ', ', @{$kept} )
          . ( $count < $passes ? " in $count instead of $passes passes" : q{} )
          . ': about '
          . format_duration($cost),
        @all ? 'Default_Message_length=' . join q{,},
        @{$kept} : (),
        $passes == 1 ? () : "passes=$count"
    );
}

1;
