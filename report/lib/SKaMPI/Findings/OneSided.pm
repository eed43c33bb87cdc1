package SKaMPI::Findings::OneSided;

# Times of one-sided communication by operation and synchronisation.
use SKaMPI::Base;

use List::Util qw(any max min sum0);

use SKaMPI::Findings::Selection;
use SKaMPI::Meaning::Curve;
use SKaMPI::Meaning::Likeness      qw(is_round_trip);
use SKaMPI::Meaning::PlottedPoints qw(grouped spread);
use SKaMPI::Meaning::Subject
  qw(attribute attributes axis_of differing operation_of option_of pattern_of variant_of words_for);
use SKaMPI::Base::Units    qw(format_bytes format_time);
use SKaMPI::Stat::Estimate qw(scaled);

my @OPERATIONS =
  map { "RMA_$_" } qw(Put Get Rput Rget Accumulate Get_accumulate Fetch_and_op Compare_and_swap);
my @SYNCS = qw(fence pscw lock flush flush_local notify);
my %SYNC  = map { $SYNCS[$_] => $_ } 0 .. $#SYNCS;

my ( $MAX_SETS, $MAX_LENGTHS ) = ( 6, 3 );

my $OF_SYNC = qr/\b(?:lock|assert)=\w+ ?/;

# The ping-pong by MPI_Send and MPI_Recv that is measured like a one-sided ping-pong, or undef.
sub message_like ( $selection, $suite ) {
    my $options = attribute( $suite, 'options' ) =~ s/$OF_SYNC//gr;
    return $selection->like(
        $suite, 'MPI_Send-MPI_Recv',
        sync    => 'flush',
        memory  => 'allocate',
        options => $options,
    );
}

# A list of sets of suites that differ in operation and synchronisation only, without those whose
# target computes. Each is a hash of words (a text) and panels, one for each of a few lengths and
# one for operations on one value. A panel is a hash of title and clusters, one for each operation;
# a cluster has a name and times: a list of hashes of sync (a text), time, error (undef if unknown)
# and alone, the part of the time that the synchronisation takes without an access. All times are in
# microseconds. Those of round trips count half, also those of the ping-pong of messages, which is
# the cluster MPI_Send.
sub one_sided_sets ($output) {
    my $selection = SKaMPI::Findings::Selection->of($output);
    my @groups    = grouped( \&_key, grep { _is_shown($_) } $selection->all );
    my @sets      = grep { @{ $_->{panels} } } map { _set( $selection, @{$_} ) } @groups;
    splice @sets, $MAX_SETS if @sets > $MAX_SETS;
    my @names = differing( [ grep { !/\A(?:sync|options|message_length|targets)\z/ } attributes() ],
        map { $_->{suites}[0] } @sets );
    for my $set (@sets) {
        my $suite  = $set->{suites}[0];
        my $target = pattern_of($suite) eq 'p2p' ? 'one target' : 'all processes';
        $set->{words} = join ', ', $target, words_for( $suite, @names );
    }
    return @sets;
}

sub _is_shown ($suite) {
    return
         ( any { $_ eq operation_of($suite) } @OPERATIONS )
      && defined $SYNC{ attribute( $suite, 'sync' ) }
      && !( attribute( $suite, 'busy' ) // 0 )
      && ( axis_of($suite) eq 'length' || !_has_length($suite) );
}

sub _has_length ($suite) {
    return operation_of($suite) !~ /\ARMA_(?:Fetch|Compare)/;
}

sub _key ($suite) {
    my $rows    = $suite->rows;
    my $nodes   = axis_of($suite) eq 'nodes' ? $rows->[-1]{argument} : $suite->nodes;
    my $options = attribute( $suite, 'options' ) =~ s/$OF_SYNC//gr;
    my %common  = ( sync => q{}, targets => q{}, options => $options, nodes => $nodes );
    return join "\n", pattern_of($suite),
      variant_of( $suite, %common, message_length => q{}, op => q{} );
}

sub _set ( $selection, @suites ) {
    my @found = map { _times_of($_) } @suites;
    my ($message) = map { message_like( $selection, $_ ) // () } @suites;
    push @found,
      map { +{ %{$_}, operation => 'MPI_Send', sync => 'half', place => 0 } }
      $message ? _times_of($message) : ();
    my @panels;
    for my $length ( _lengths(@found) ) {
        my @here = grep { ( $_->{length} // q{} ) eq ( $length // q{} ) } @found;
        my @clusters;
        for my $operation ( @OPERATIONS, 'MPI_Send' ) {
            my %seen;    # of equal synchronisations, the first one counts
            my @mine = sort { $a->{place} <=> $b->{place} }
              grep { $_->{operation} eq $operation && !$seen{ $_->{sync} }++ } @here;
            push @clusters, { name => $operation =~ s/\ARMA_//r, times => \@mine } if @mine;
        }
        my $title = defined $length ? format_bytes($length) : 'One value';
        push @panels, { title => $title, clusters => \@clusters }
          if grep { $_->{name} ne 'MPI_Send' } @clusters;
    }
    return { suites => \@suites, panels => [ ( any { _bars($_) > 1 } @panels ) ? @panels : () ] };
}

# A hash for each argument of operation, sync (its text), length (undef: one value), time, error and alone, the
# synchronisation, which noise may make longer than the whole. A round trip counts half.
sub _times_of ($suite) {
    my @points = SKaMPI::Meaning::Curve->new($suite)->points;
    @points = $points[-1] // () if !_has_length($suite);
    my $sync = attribute( $suite, 'sync' );
    my $part = is_round_trip($suite) ? 0.5 : 1;
    return map {
        my ($alone) = $suite->extra( $_->{row}, 'sync' );
        {
            operation => operation_of($suite),
            sync      => _sync_text( $suite, $part ),
            place     => $SYNC{$sync},
            length    => _has_length($suite) ? $_->{argument} : undef,
            %{ scaled( $_, $part ) }{qw(time error)},
            alone => $part * max( 0, min( $alone // 0, $_->{time} ) ),
        }
    } @points;
}

# The text of a synchronisation, with the words that distinguish it within a set.
sub _sync_text ( $suite, $part ) {
    my $sync = attribute( $suite, 'sync' );
    my @more;
    push @more, 'asserted'  if $sync eq 'fence' && option_of( $suite, 'assert' ) eq 'all';
    push @more, 'exclusive' if $sync eq 'lock'  && option_of( $suite, 'lock' ) eq 'exclusive';
    push @more, attribute( $suite, 'targets' ) if pattern_of($suite) ne 'p2p';
    push @more, 'half'                         if $part < 1;
    return join ', ', $sync =~ tr/_/ /r, @more;
}

# A few of the lengths that most suites have, and undef for one value.
sub _lengths (@found) {
    my %count;
    $count{ $_->{length} // q{} }++ for grep { $_->{operation} ne 'MPI_Send' } @found;
    my $values  = delete $count{q{}};
    my $most    = max values %count;
    my @lengths = sort { $a <=> $b } grep { $count{$_} == $most } keys %count;
    return ( spread( $MAX_LENGTHS, @lengths ), $values ? undef : () );
}

# The number of bars of accesses; a single bar needs no figure.
sub _bars ($panel) {
    return sum0 map { $_->{name} eq 'MPI_Send' ? 0 : scalar @{ $_->{times} } }
      @{ $panel->{clusters} };
}

# Synchronisations that complete an access only at its origin.
my $LOCAL = qr/\A(?:pscw|flush local)\z/;

# A sentence about the shortest and the longest time of a panel's first operation.
sub sentence_about ($panel) {
    my ( $first, @more ) = @{ $panel->{clusters} };
    my @times    = sort { $a->{time} <=> $b->{time} } @{ $first->{times} };
    my @complete = grep { $_->{sync} !~ $LOCAL } @times;
    @times = @complete if @complete;
    my $text = "$panel->{title}: $first->{name} takes " . _time_text( $times[0] );
    $text .= ' to ' . _time_text( $times[-1] ) if @times > 1;
    my ($message) = map { $_->{times}[0] } grep { $_->{name} eq 'MPI_Send' } @more;
    $text .= '; half a ping-pong takes ' . format_time( $message->{time} ) if $message;
    return "$text.";
}

sub _time_text ($time) {
    my ( $whole, $alone ) = map { format_time( $time->{$_} ) } qw(time alone);
    return "$whole ($time->{sync}; the synchronisation alone $alone)";
}

1;
