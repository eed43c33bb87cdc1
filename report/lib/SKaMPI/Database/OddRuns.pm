package SKaMPI::Database::OddRuns;

# The odd runs of a machine (SKaMPI::Verdict::OddRuns), among those that a history takes together.
use SKaMPI::Base;

use SKaMPI::Base::Program      ();
use SKaMPI::Verdict::OddRuns   qw(found_odd odd_of);
use SKaMPI::Database::Settings qw(line_key);
use SKaMPI::Stat::OddRun       qw(fewest_runs);

our @EXPORT_OK = qw(odd_about odd_among odd_on runs_like);

# The most runs that are compared, and that are looked at.
my ( $MOST, $SEEN ) = ( 30, 300 );

my $USABLE = qr/\A(?:published|outdated)\z/;

# The newest runs that are like this one, oldest first.
sub runs_like ( $reader, $run ) {
    my $key  = line_key($run);
    my @like = grep { !$_->{merged} && $_->{state} =~ $USABLE && line_key($_) eq $key }
      $reader->runs( machine => $run->{machine}, limit => $SEEN, order => 'started' );
    splice @like, $MOST if @like > $MOST;
    return reverse @like;
}

# The document skampi-odd/1 of these runs, with the number of the run, id, in each row.
sub odd_among ( $reader, @runs ) {
    my @ids  = map { $_->{id} } @runs;
    my $code = sub () {
        my $found = found_odd( $reader->launches( 'time', undef, @ids ) );
        $_->{id} = $ids[ $_->{number} - 1 ] for map { @{ $found->{$_} } } qw(odd differences);
        return ( $found, @ids );
    };
    return ( $code->() )[0] if @ids < fewest_runs();
    return $reader->cache->data( "odd $SKaMPI::Base::Program::VERSION @ids", $code );
}

# Returns the part of the document about one run, among the runs like it.
sub odd_about ( $reader, $run ) {
    return odd_of( odd_among( $reader, runs_like( $reader, $run ) ), "run $run->{id}" );
}

# Returns the documents of a machine: of the runs like its newest run, and of others among which a run is odd.
sub odd_on ( $reader, $slug ) {
    my ( %seen, @found );
    for my $run ( grep { !$_->{merged} } $reader->runs( machine => $slug, order => 'started' ) ) {
        next if $seen{ line_key($run) }++;
        my $found = odd_among( $reader, runs_like( $reader, $run ) );
        push @found, $found if !@found || @{ $found->{odd} };
    }
    return @found;
}

1;
