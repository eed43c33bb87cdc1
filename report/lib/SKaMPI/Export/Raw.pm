package SKaMPI::Export::Raw;

# The single times of suites with raw=yes (SKaMPI::Read::Times) as CSV.
use v5.36;

use Exporter qw(import);

use SKaMPI::Base::Program   qw(fail);
use SKaMPI::Base::Tabular   qw(csv_text);
use SKaMPI::Base::TextFile  qw(characters);
use SKaMPI::Read::SoundFile qw($DAMAGED);
use SKaMPI::Read::Times;

our @EXPORT_OK = qw(raw_text);

my $NOTHING = 4;

my @COLUMNS = map {
    my $name = $_;
    [ $name => sub ($record) { return $record->{$name} } ]
} qw(run file suite argument argument_unit launch process repetition time_us);

# A row for each repetition and process, process -1 being the repetition as a whole, from which the
# row of the results is computed. RUNS as for SKaMPI::Export::Formats, with path.
sub raw_text (@runs) {
    my @records = map { _records_of_run($_) } @runs;
    fail( $NOTHING, 'no suite has kept its single times (raw=yes)' ) if !@records;
    return csv_text( \@COLUMNS, @records );
}

sub _records_of_run ($run) {
    my @records;
    for my $suite ( @{ $run->{suites} } ) {
        my $times = SKaMPI::Read::Times->new( $run->{path}, $suite ) // next;
        my ($problem) = $times->problems;
        fail( $DAMAGED, "$run->{path}:$suite->{line}: " . characters($problem) )
          if defined $problem;
        my %of_suite = (
            run           => $run->{number},
            file          => $run->{output}->name,
            suite         => $suite->{label},
            argument_unit => ( $suite->{arguments}[0] // {} )->{unit},
        );
        for my $argument ( $times->arguments ) {
            my %same = ( %of_suite, argument => @{ $suite->{arguments} } ? $argument : undef );
            for my $launch ( 0 .. $#{ $suite->{times} } ) {
                push @records,
                  map { +{ %same, %{$_} } } _records_of_launch( $times, $argument, $launch );
            }
        }
    }
    return @records;
}

sub _records_of_launch ( $times, $argument, $launch ) {
    my $rows = $times->run( $argument, $launch );
    my @records;
    for my $process ( sort { $a <=> $b } keys %{$rows} ) {
        my %same       = ( launch => $launch + 1, process => $process );
        my $repetition = 0;
        for my $time ( split /,/, $rows->{$process}{times} // q{} ) {
            push @records, { %same, repetition => ++$repetition, time_us => $time };
        }
    }
    return @records;
}

1;

