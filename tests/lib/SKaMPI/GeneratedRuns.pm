package SKaMPI::GeneratedRuns;

# Runs like those of the standard suite, on many machines: variations of a real result file, and a database full of them.
use v5.36;

use Cpanel::JSON::XS ();
use Digest::SHA      qw(sha256_hex);
use Exporter         qw(import);

use SKaMPI::Database::Age    qw(refresh_ages);
use SKaMPI::Database::Intake qw(read_upload);
use SKaMPI::Database::Store;
use SKaMPI::Database::Writer;
use SKaMPI::DatabaseTest qw($SAMPLE);
use SKaMPI::Test         qw(read_file);

our @EXPORT_OK = qw(fill run_text);

# Different factors of times.
my $FACTORS = 64;

# Runs of one transaction.
my $BATCH = 200;

my @LIBRARIES =
  ( 'Open MPI v4.1.4', 'Open MPI v5.0.1', 'MPICH Version: 4.1', 'Intel(R) MPI Library 2021.9' );

# Run NUMBER, from 0: on one of MACHINES machines, with its times and its date.
sub run_text ( $number, $machines = 200 ) {
    state $sample = read_file($SAMPLE);
    my ( $machine, $factor, $date ) = _of( $number, $machines );
    my $library = $LIBRARIES[ $number % @LIBRARIES ];
    my $text    = $sample =~ s/^\#\@MACHINE .*/#\@MACHINE $machine/mr;
    $text        =~ s/^\#\@MPILIBRARY .*/#\@MPILIBRARY $library/m;
    $text        =~ s/^\#\@DATE .*/#\@DATE $date/m;
    return $text =~ s/^([0-9]+) ([0-9.]+) /sprintf '%s %.6f ', $1, $factor * $2/mger;
}

sub _of ( $number, $machines ) {
    my $machine = $number % $machines;
    my $round   = int( $number / $machines );
    my $factor  = 1 + ( $number * 7919 % $FACTORS ) / $FACTORS;
    my @months  = qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec);
    my $date = sprintf 'Sun %s %2d %02d:%02d:%02d 2026', $months[ $round % 10 ], 1 + $machine % 28,
      $round % 24, $machine % 60, $number % 60;
    return ( "Machine $machine", $factor, $date );
}

# Fills a database in bulk with what "add" would have made: the record of one run, with times, dates and machines that
# differ.
sub fill ( $store, %with ) {
    my $writer = SKaMPI::Database::Writer->new($store);
    my @models = map { _model( run_text( $_, @LIBRARIES + 0 ) ) } 0 .. $#LIBRARIES;
    for ( my $first = 0 ; $first < $with{runs} ; $first += $BATCH ) {
        my $last = $first + $BATCH < $with{runs} ? $first + $BATCH - 1 : $with{runs} - 1;
        $store->transaction(
            sub {
                _insert( $store, $writer, $models[ $_ % @models ], $_, $with{machines} )
                  for $first .. $last;
            }
        );
    }
    $store->transaction( sub { refresh_ages( $store, $_->{id} ) for $store->rows('copied_machine') }
    );
    return;
}

# The original is that of the model, with a line that makes it another file.
sub _model ($text) {
    my $record = read_upload( $text, 'model.out' );
    $_->{points_of} = Cpanel::JSON::XS->new->decode( $_->{rows} ) for @{ $record->{suites} };
    return { record => $record, text => $text };
}

sub _insert ( $store, $writer, $model, $number, $machines ) {
    my ( $machine, $factor, $date ) = _of( $number, $machines );
    my $text   = "$number\n";
    my $record = $model->{record};
    my @suites = map { _scaled( $_, $factor ) } @{ $record->{suites} };
    my %run    = (
        %{ $record->{run} },
        started   => _iso($date),
        group_key => sha256_hex( "$machine " . $number % @LIBRARIES ),
    );
    my $id    = $writer->insert_run( SKaMPI::Database::Writer::packed($text), 'generated.out' );
    my $known = $store->row( machine_by_name => $machine );
    $writer->write_record(
        $id,
        { %{$record}, run => \%run, suites => \@suites },
        $known ? $known->{id} : $writer->machines->make($machine)
    );
    $store->update( run => $id, state => 'published' );
    return;
}

# The place of the time in a row, after the line and the argument.
my $TIME = 2;

# The rows of a suite with all times multiplied; there are few factors, so most are made already.
sub _scaled ( $suite, $factor ) {
    my %scaled = %{$suite};
    my $points = delete $scaled{points_of};
    my $made   = delete $scaled{made};
    $scaled{rows} = $made->{$factor} //=
      Cpanel::JSON::XS->new->encode( [ map { _faster( $factor, @{$_} ) } @{$points} ] );
    return \%scaled;
}

sub _faster ( $factor, @values ) {
    $values[$TIME] = 0 + sprintf '%.6f', $factor * $values[$TIME] if $values[$TIME];
    return \@values;
}

sub _iso ($date) {
    state $number = do {
        my $i = 0;
        +{ map { $_ => ++$i } qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec) };
    };
    my ( undef, $month, $day, $time, $year ) = split q{ }, $date;
    return sprintf '%04d-%02d-%02dT%s', $year, $number->{$month}, $day, $time;
}

1;
