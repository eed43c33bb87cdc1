package SKaMPI::Database::Cache;

# A cache of data that were made from runs of the result database.
use SKaMPI::Base;

use Digest::SHA qw(sha256_hex);
use Encode      qw(encode);
use List::Util  qw(uniq);

use SKaMPI::Base::Json      qw(decode_json encode_json);
use SKaMPI::Database::Fault qw(is_fault);

# Bytes in all. The oldest are removed first.
my $MOST = 500_000_000;

sub new ( $class, $store, %how ) {
    return bless { store => $store, most => $how{most} // $MOST }, $class;
}

# A hash of type and bytes, or undef.
sub get ( $self, $key ) { return $self->{store}->row( cached => $key ) }

# Returns the data that CODE makes from the following runs, cached as NAME unless there are no runs. A STATE is a line;
# data of another state are made anew.
sub data ( $self, $name, $code, $state = q{} ) {
    my $key = sha256_hex( encode( 'UTF-8', $name ) );
    my ( $then, $known ) = split /\n/, ( $self->get($key) // {} )->{bytes} // q{}, 2;
    return decode_json($known) if defined $known && $then eq $state;
    my ( $made, @runs ) = $code->();
    $self->put( $key, 'application/json', "$state\n" . encode_json($made), @runs ) if @runs;
    return $made;
}

# Keeps bytes of a media type until one of the runs is published, withdrawn, erased or read again.
# Returns the fault (SKaMPI::Database::Fault) that prevents it, or undef.
sub put ( $self, $key, $type, $bytes, @runs ) {
    return if length $bytes > $self->{most};
    my $store = $self->{store};
    my $put   = sub {
        $self->_forget($key);
        return if grep { !$store->row( run_state => $_ ) } @runs;
        my $used = $store->value('cache_size');
        while ( $used + length $bytes > $self->{most} ) {
            my $oldest = $store->row('cache_first') // last;
            $self->_forget( $oldest->{key} );
            $used -= $oldest->{size};
        }
        $store->insert(
            cache => {
                key    => $key,
                type   => $type,
                bytes  => \$bytes,
                size   => length $bytes,
                number => $store->next_id('cache')
            }
        );
        $store->insert( cache_run => map { { key => $key, run_id => $_ } } uniq @runs );
        return;
    };
    return if eval { $store->transaction($put); 1 };
    return is_fault($@) ? $@ : die $@;
}

sub forget_run ( $self, $run ) {
    $self->_forget( $_->{key} ) for $self->{store}->rows( cached_keys => $run );
    return;
}

sub _forget ( $self, $key ) {
    $self->{store}->change( $_ => $key ) for qw(uncache_runs uncache);
    return;
}

1;
