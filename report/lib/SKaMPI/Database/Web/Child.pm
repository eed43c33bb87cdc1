package SKaMPI::Database::Web::Child;

# Work of the web server that takes long.
use v5.36;

use Exporter qw(import);
use Mojo::IOLoop;

our @EXPORT_OK = qw(in_child);

# A promise of what CODE returns, which runs in a process of its own. A child must not have a connection of SQLite that is open,
# as it would lose the locks of its parent; so the parent closes it, and connects again when it needs to.
sub in_child ( $store, $code ) {
    Mojo::IOLoop->next_tick( sub ($) { $store->disconnect } );
    return Mojo::IOLoop->subprocess->run_p($code);
}

1;

