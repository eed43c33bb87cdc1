package SKaMPI::Database::Web::Uploads;

use v5.36;

use Fcntl qw(:flock);
use Mojo::IOLoop;
use Mojo::Promise;
use Mojo::Util qw(encode);

use SKaMPI::Database::Reader;
use SKaMPI::Database::Writer;

# Uploads that are read at the same time, and those that may wait in each worker.
my ( $AT_ONCE, $MAX_WAITING ) = ( 2, 20 );

# Similar runs that the answer lists, and how many are searched for them.
my ( $MAX_SIMILAR, $MAX_COMPARED ) = ( 10, 200 );

# A promise of what was understood of a file, for an account. A process of its own reads and stores the file, so that the server
# answers others meanwhile and does not grow. The promise is rejected with a hash that says why the file is not taken.
sub take ( $class, $settings, $account, $asset, $name ) {
    state $waiting = 0;
    return Mojo::Promise->reject( { kind => 'busy', text => 'too many files are waiting' } )
      if $waiting >= $MAX_WAITING;
    $waiting++;
    return Mojo::IOLoop->subprocess->run_p(
        sub (@) {
            my $lock  = _place_in_the_queue( $settings->{room} );
            my $found = eval { _stored( $settings, $account, $asset->slurp, $name ) };
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

sub _stored ( $settings, $account, $bytes, $name ) {
    my $store  = $settings->{store};
    my $writer = SKaMPI::Database::Writer->new( $store, account => $account );
    my $found  = $writer->take( $bytes, encode( 'UTF-8', $name ) );
    my $reader = SKaMPI::Database::Reader->new($store);
    my $run    = $reader->run( $found->{id} );
    return {
        id       => $run->{id},
        state    => $run->{state},
        is_new   => $found->{is_new} ? 1 : 0,
        run      => $run,
        suites   => [ $reader->suites( $run->{id} ) ],
        warnings => [ $reader->warnings( $run->{id} ) ],
        similar  => [ _similar( $reader, $run ) ],
    };
}

# Other runs of the same machine and parameters.
sub _similar ( $reader, $run ) {
    my @runs = grep { $_->{id} != $run->{id} && $_->{parameters_key} eq $run->{parameters_key} }
      $reader->runs( machine => $run->{machine}, limit => $MAX_COMPARED );
    return @runs > $MAX_SIMILAR ? @runs[ 0 .. $MAX_SIMILAR - 1 ] : @runs;
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Database::Web::Uploads - stores the files that visitors send

=head1 DESCRIPTION

C<take(SETTINGS, ACCOUNT, ASSET, NAME)> returns a promise of a hash of id, state, is_new, run, suites, warnings and similar
(runs of the same machine and parameters).

=cut
