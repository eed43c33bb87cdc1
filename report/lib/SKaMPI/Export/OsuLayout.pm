package SKaMPI::Export::OsuLayout;

# Tables that programs which read the OSU benchmarks can read. osu_text(RUN...) returns a table for
# each suite, which says that it is SKaMPI's. Times of ping-pongs are halved.
use v5.36;

use Exporter qw(import);

use SKaMPI::Base::Table       qw(printable);
use SKaMPI::Meaning::Likeness qw(definition_of_times is_round_trip);
use SKaMPI::Meaning::Subject  qw(axis_of operation_of pattern_of);

our @EXPORT_OK = qw(osu_text);

# The widths of the columns in the OSU benchmarks. These print two decimals, 4 % of 0.25 us.
my ( $FIRST, $WIDTH, $DECIMALS ) = ( 10, 20, 4 );

my %ARGUMENT = ( length => 'Size', nodes => 'Processes', chunks => 'Chunks', none => 'Size' );

sub osu_text (@runs) {
    return join "\n", map { _tables($_) } @runs;
}

sub _tables ($run) {
    my $name = printable( $run->{output}->name );
    return
      map { "# SKaMPI results in the layout of the OSU benchmarks, from $name\n" . _table($_) }
      @{ $run->{suites} };
}

sub _table ($suite) {

    # The OSU benchmarks print half of a ping-pong.
    my $factor = is_round_trip($suite) ? 0.5 : 1;
    my $what   = printable( definition_of_times($suite) ) . ( $factor == 1 ? q{} : ', halved' );
    my $column = $factor == 1 && pattern_of($suite) =~ /col/ ? 'Avg Latency(us)' : 'Latency (us)';
    my $text =
"# SKaMPI $suite->{label}, operation @{[ printable( operation_of($suite) ) ]}\n# Time: $what\n";
    $text .= sprintf "%-*s%*s\n", $FIRST, '# ' . ( $ARGUMENT{ axis_of($suite) } // 'Argument' ),
      $WIDTH, $column;
    for my $row ( grep { defined $_->{time} } @{ $suite->{rows} } ) {
        $text .= sprintf "%-*s%*.*f\n", $FIRST, $row->{argument} // 0, $WIDTH, $DECIMALS,
          $factor * $row->{time};
    }
    return $text;
}

1;

