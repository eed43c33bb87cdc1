package SKaMPI::Stat::Once;

# Statistics of what each launch measures once: MPI_Init and MPI_Finalize.
use v5.36;

use Exporter qw(import);

use SKaMPI::Base::Units        qw(format_time);
use SKaMPI::Stat::Distribution qw(value_at);

our @EXPORT_OK = qw(once_of once_lines);

# Facts with a time that each launch has once, in the order in which they happen, and their titles.
my @FACTS = ( [ INIT => 'MPI_Init' ], [ FINALIZE => 'MPI_Finalize' ] );

# The times in microseconds of a launch whose facts this function finds, by the name of the fact.
sub once_of ($fact) {
    return {
        map {
            my ($name) = @{$_};
            ( $fact->($name) // q{} ) =~ /\A([0-9]{1,15}[.][0-9]{1,9}) microsec[.]/
              ? ( $name => $1 )
              : ()
        } @FACTS
    };
}

# A line for each fact that at least two launches (hashes with such times as once) have.
sub once_lines (@launches) {
    return map { _line( @{$_}, @launches ) } @FACTS;
}

sub _line ( $name, $title, @launches ) {
    my @times = sort { $a <=> $b } map { $_->{once}{$name} // () } @launches;
    return if @times < 2;
    my ( $least, $p25, $median, $p75 ) = map { format_time( value_at( \@times, $_ ) ) } 0, 25, 50,
      75;
    return sprintf '  %s: median %s, middle half %s to %s, minimum %s', $title, $median, $p25, $p75,
      $least;
}

1;

