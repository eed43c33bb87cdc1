package SKaMPI::Database::Web::Uploads;

# Stores the files that visitors send.
use v5.36;

use Fcntl qw(:flock);
use Mojo::Promise;
use Mojo::Util qw(encode);

use SKaMPI::Database::Reader;
use SKaMPI::Database::Web::Workbench qw(in_child);
use SKaMPI::Database::Writer;

# Uploads that are read at the same time, and those that may wait in each worker.
my ( $AT_ONCE, $MAX_WAITING ) = ( 2, 20 );

# Similar runs that the answer lists, and how many are searched for them.
my ( $MAX_SIMILAR, $MAX_COMPARED ) = ( 10, 200 );

# A promise of a hash of id, state and is_new; and, if WHO (account, a number, and is_owner) may see
# the run, of run, suites, warnings and similar (runs of the same machine and parameters). A process
# of its own reads and stores the file, so that the server answers others meanwhile and does not
# grow. The promise is rejected with a hash that says why the file is not taken.
sub take ( $class, $settings, $who, $asset, $name ) {
    state $waiting = 0;
    return Mojo::Promise->reject( { kind => 'busy', text => 'too many files are waiting' } )
      if $waiting >= $MAX_WAITING;
    $waiting++;
    return in_child(
        $settings->{store},
        sub (@) {
            my $lock  = _place_in_the_queue( $settings->{room} );
            my $found = eval { _stored( $settings, $who, $asset->slurp, $name ) };
            return $found ? ( $found, undef ) : ( undef, ref $@ eq 'HASH' ? $@ : { text => "$@" } );
        }
    )->then( sub ( $found, $failure ) { return $found // Mojo::Promise->reject($failure) } )
      ->finally( sub { $waiting-- } );
}

sub _place_in_the_queue ($room) {
    open my $lock, '>', "$room/upload-" . $$ % $AT_ONCE or die "cannot open a lock: $!\n";
    flock $lock, LOCK_EX or die "cannot wait for other uploads: $!\n";
    return $lock;
}

# The owner sees all runs, others those that they have sent, and what everybody sees.
sub _stored ( $settings, $who, $bytes, $name ) {
    my $store  = $settings->{store};
    my $writer = SKaMPI::Database::Writer->new( $store, account => $who->{account} );
    my $found  = $writer->take( $bytes, encode( 'UTF-8', $name ) );
    my %brief  = ( %{$found}{qw(id state)}, is_new => $found->{is_new} ? 1 : 0 );
    my $public = SKaMPI::Database::Reader->new( $store, public => $who->{is_owner} ? 0 : 1 );
    my $all    = SKaMPI::Database::Reader->new($store);
    my $run    = $all->run( $found->{id} );
    my $sender = $store->row( account_by_id => $who->{account} );
    my $reader = $run->{account} eq $sender->{name} ? $all : $public;
    $run = $reader->run( $found->{id} ) // return \%brief;
    return {
        %brief,
        state    => $run->{state},
        run      => $run,
        suites   => [ $reader->suites( $run->{id} ) ],
        warnings => [ $reader->warnings( $run->{id} ) ],
        similar  => [ _similar( $public, $run ) ],
    };
}

# Other runs of the same machine and parameters.
sub _similar ( $reader, $run ) {
    my @runs = grep { $_->{id} != $run->{id} && $_->{parameters_key} eq $run->{parameters_key} }
      $reader->runs( machine => $run->{machine}, limit => $MAX_COMPARED );
    return @runs > $MAX_SIMILAR ? @runs[ 0 .. $MAX_SIMILAR - 1 ] : @runs;
}

1;

