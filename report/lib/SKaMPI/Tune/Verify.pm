package SKaMPI::Tune::Verify;

# Launches with and without a table, interleaved A B B A, and what they say of it. A canary is the same with slow
# algorithms: if nobody feels them, the library does not use the table.
use v5.36;

use Cwd        qw(abs_path);
use Exporter   qw(import);
use File::Path qw(make_path);
use List::Util qw(all any max min sum0);

use SKaMPI::Base::Process   qw(run_command);
use SKaMPI::Base::Program   qw(complain fail);
use SKaMPI::Base::TextFile  qw(write_bytes);
use SKaMPI::Read::SoundFile qw(read_results);
use SKaMPI::Stat::Verdicts  qw(judge_family $MATTERS);
use SKaMPI::Tune::Cells     qw(own_value);
use SKaMPI::Tune::File      qw(environment_of table_text);

our @EXPORT_OK = qw(felt launch_all launch_once rounds_of verdicts_of);

my $FAILED = 1;
my $FELT   = 1.5;

# A suite for each cell: the operation as any program calls it.
sub parameters_of (@cells) {
    my %seen;
    my @suites = map {
        my $range =
          $_->{length}
          ? "Scale = Fixed_linear; Start_Argument = $_->{length}; End_Argument = $_->{length}; "
          : 'Variation = Nodes; Start_Argument = '
          . $_->{processes}
          . '; End_Argument = '
          . $_->{processes} . q{; };
        my $keys = 'passes=3' . ( $_->{length} ? " processes=$_->{processes}" : q{} );
        $seen{ _name($_) }++
          ? ()
          : _name($_)
          . " { Type = $_->{type}; ${range}Multiple_of = 1; Parameters = \"$keys\"; }\n";
    } @cells;
    return
"\@VERSION 4.2\n\@POSTPROC no\n\@SHUFFLE yes\n\@MEMORY 65536\n\@MINREPDEFAULT 12\n\@MAXREPDEFAULT 36\n"
      . "\@STANDARDERRORDEFAULT 1.0\n\@MEASUREMENTS\n"
      . join q{}, @suites;
}

sub _name ($cell) { return join q{_}, 'tune', @{$cell}{qw(collective processes length)} }

# Returns the path of the results.
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
    fail( 128 + 2, "ended by SIG$run->{signal}" ) if defined $run->{signal};
    fail( $FAILED,
        "launch $name " . ( $run->{failed} // 'wrote no skampi.out' ) . "; see $place/launch.log" )
      if !-e "$place/skampi.out";
    return "$place/skampi.out";
}

# ROUNDS of default and tuned, and CANARIES launches: lists of hashes of the value of each cell.
sub launch_all ( $setting, $inform, @cells ) {
    my $parameters = parameters_of( @cells, @{ $setting->{canaries} } );
    my %values;
    my $start = sub ( $kind, $number ) {
        $inform->("$kind $number");
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
        my ($row) = @{ $suite->{rows} };
        my $value = $row ? own_value($row) : undef;
        $values{ $suite->{name} } = $value if defined $value;
    }
    return \%values;
}

# Adds a point to each cell; returns that of the sum over all cells.
sub verdicts_of ( $values, @cells ) {
    my @default = $values->{default}->@*;
    my @tuned   = $values->{tuned}->@*;
    my @points;
    for my $cell (@cells) {
        my $name  = _name($cell);
        my @pairs = map { _log( $tuned[$_]{$name}, $default[$_]{$name} ) } 0 .. $#default;
        $cell->{verified} = { pairs => \@pairs, log => undef };
        push @points, $cell->{verified} if all { defined } @pairs;
    }
    my @all  = map { _name($_) } grep { defined $_->{verified}{pairs}[0] } @cells;
    my @sums = map {
        my $i = $_;
        _log(
            map {
                my $of = $_;
                sum0 map { $of->{$_} // 0 } @all
            } $tuned[$i],
            $default[$i]
        )
    } 0 .. $#default;
    my $sum = { pairs => \@sums };
    judge_family( [ @points, $sum ] ) if all { defined } @sums;
    return $sum;
}

sub _log ( $new, $old ) {
    return $new && $old ? log( $new / $old ) : undef;
}

# For each canary: by which factor it was slower than the default at least; felt is whether that is enough.
sub felt ( $values, @canaries ) {
    return map {
        my $name     = _name($_);
        my $expected = $_->{ratio};
        my @default  = grep { defined } map { $_->{$name} } $values->{default}->@*;
        my @canary   = grep { defined } map { $_->{$name} } $values->{canary}->@*;
        my $factor   = @default
          && @canary ? min(@canary) / ( sort { $a <=> $b } @default )[ int @default / 2 ] : 0;
        +{ %{$_}, factor => $factor, felt => $factor > $FELT };
    } @canaries;
}

sub rounds_of ($options) { return max( 6, $options->{rounds} // 6 ) }

1;
