package SKaMPI::Tune::Verify;

# Launches with and without a table, interleaved A B B A, and their verdict on it. A canary is a
# table of slow algorithms: if they change nothing, the library does not use tables.
use SKaMPI::Base;

use File::Path qw(make_path);
use List::Util qw(all sum0);

use SKaMPI::Base::Process    qw(run_command);
use SKaMPI::Base::Program    qw(fail);
use SKaMPI::Base::TextFile   qw(write_bytes);
use SKaMPI::Base::Units      qw(format_duration);
use SKaMPI::Launch::Session  qw(last_lines);
use SKaMPI::Read::ResultFile qw(read_results);
use SKaMPI::Verdict::Family  qw(judge_pairs);
use SKaMPI::Tune::Cells      qw(own_value);

our @EXPORT_OK = qw(felt launch_all launch_once verdicts_of);

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

sub launch_once ( $directory, $name, $parameters, $environment, @command ) {
    my $place = "$directory/$name";
    make_path($place);
    write_bytes( "$place/.skampi", $parameters );
    my $run = run_command(
        \@command,
        directory   => $place,
        environment => $environment,
        output      => 'launch.log'
    );
    fail( "ended by SIG$run->{signal}", 128 + 2 ) if defined $run->{signal};
    my $failed = $run->{failed} // 'wrote no skampi.out';
    fail(
        join "\n    ",
        "launch $name $failed; see $place/launch.log",
        last_lines("$place/launch.log")
    ) if !-e "$place/skampi.out";
    return "$place/skampi.out";
}

# ROUNDS of default and tuned, and CANARIES launches: lists of hashes of the value of each cell.
sub launch_all ( $setting, $inform, @cells ) {
    my $parameters = parameters_of( @cells, @{ $setting->{canaries} } );
    my %values;
    my $all = 2 * $setting->{rounds} + ( @{ $setting->{canaries} } ? 2 : 0 );
    my ( $began, $done ) = ( time, 0 );
    my $start = sub ( $kind, $number ) {
        my $left = $all - $done;
        $inform->( "$kind $number: "
              . ( $done ? format_duration( $left * ( time - $began ) / $done ) . ' for ' : q{} )
              . "$left launches" );
        $done++;

        # Else skampi would keep the results of an earlier verification, perhaps of another table.
        unlink "$setting->{directory}/$kind-$number/skampi.out";
        my $path = launch_once(
            $setting->{directory}, "$kind-$number", $parameters,
            $setting->{environment}{$kind} // {},
            @{ $setting->{command} }
        );
        push $values{$kind}->@*, _values($path);
    };
    for my $round ( 1 .. $setting->{rounds} ) {
        my @order = $round % 2 ? qw(default tuned) : qw(tuned default);
        $start->( $_, $round ) for @order;
    }
    $start->( 'canary', $_ ) for @{ $setting->{canaries} } ? 1 .. 2 : ();
    return \%values;
}

sub _values ($path) {
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

1;
