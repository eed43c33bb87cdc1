package SKaMPI::Database::Writer;

# Adds, publishes, withdraws and erases runs of the result database. Every method changes all or
# nothing, for an account; by default, for the owner of the database.
use SKaMPI::Base qw(accounts);

use Compress::Zlib ();
use Digest::SHA    qw(sha256_hex);

use SKaMPI::Base::Json         qw(to_json);
use SKaMPI::Base::Units        qw(moment);
use SKaMPI::Base::Program      qw(fail fail_usage);
use SKaMPI::Base::Table        qw(printable);
use SKaMPI::Base::TextFile     qw(characters);
use SKaMPI::Database::Accounts qw($OWNER);
use SKaMPI::Database::Settings qw(refresh_ages);
use SKaMPI::Database::Cache;
use SKaMPI::Database::Fault        qw(fault fault_kind);
use SKaMPI::Database::AcceptedFile qw(read_upload uncompressed);
use SKaMPI::Database::Sql          qw(parts_of_run);
use SKaMPI::Read::Beside           qw(without_verdicts);

# A file that others refuse in the meantime is stored this often.
my $TRIES = 3;

my $LONGEST_NAME = 200;

sub new ( $class, $store, %who ) {
    return bless {
        store    => $store,
        cache    => SKaMPI::Database::Cache->new($store),
        accounts => SKaMPI::Database::Accounts->new($store),
        account  => $who{account} // $OWNER
    }, $class;
}

# Adds a result file and publishes it, unless HOW has publish 0; again accepts one that was erased. Returns a hash of
# id, state, suites, points, machine, machine_name and is_new, which is 0 if the file was there already. Fails if it is
# not accepted (SKaMPI::Database::AcceptedFile).
sub add ( $self, $bytes, $name, %how ) {
    my $text = uncompressed( $bytes, $name );
    my $file = packed($text);
    my $old  = $self->_known( $file, $name, $how{again} );
    return $self->check( $old->{id} ) // $self->add( $bytes, $name, %how ) if $old;
    my $record = read_upload( $text, $name );
    return $self->{store}->transaction(
        sub {
            my $known = $self->_known( $file, $name, $how{again} );
            return $known if $known;
            my $id = $self->insert_run( $file, $name );
            return $self->_describe( $id, $record, $how{publish} // 1 ? 'published' : 'checked' );
        }
    );
}

# A file as it is kept; results_sha256 is the hash of what remains of it without verdicts.
sub packed ($text) {
    my $bytes = Compress::Zlib::memGzip($text);
    return {
        sha256         => sha256_hex($text),
        results_sha256 => sha256_hex( without_verdicts($text) ),
        bytes          => \$bytes,
        size           => length $text
    };
}

sub _known ( $self, $file, $name, $again ) {
    my $store = $self->{store};
    my $old   = $store->row( run_of_file => $file->{sha256} );
    return $self->_answer( $old->{id} ) if $old;
    my ($erased) = map { $store->row( is_erased => $_ ) // () } @{$file}{qw(sha256 results_sha256)}
      or return;
    fail("$name: the run was erased on $erased->{erased} and is not accepted again")
      if !$again || $self->{account} != $OWNER;
    return;
}

# Stores a file that is not checked yet, and returns its run.
sub receive ( $self, $bytes, $name ) {
    my $file = packed( uncompressed( $bytes, $name ) );
    return $self->{store}->transaction(
        sub {
            my $known = $self->_known( $file, $name, 0 );
            return $known ? $known->{id} : $self->insert_run( $file, $name );
        }
    );
}

# Stores and checks an upload, again if others had the same file refused meanwhile; returns what add returns.
sub take ( $self, $bytes, $name ) {
    for ( 1 .. $TRIES ) {
        my $found = $self->check( $self->receive( $bytes, $name ) );
        return $found if $found;
    }
    return fault( 'busy', "$name: others send the same file" );
}

# Checks a received file, which becomes checked, or published if its account is trusted. One that is
# refused is removed, unless another process has given it a state meanwhile; a fault
# (SKaMPI::Database::Fault) leaves it. Returns what add returns, or undef if there is no such run.
sub check ( $self, $id ) {
    my $store = $self->{store};
    my $run   = $store->row( run_for_check => $id ) // return;
    return $self->_answer($id) if $run->{state} ne 'received';
    my $answer;
    return $answer
      if eval {
        my $record = _record_of($run);
        $answer = $store->transaction( sub { $self->_settle( $run, $record ) } );
        1;
      };
    my $failure = $@;
    die $failure if defined fault_kind($failure);
    return $store->transaction( sub { $self->_settle( $run, undef ) } ) // die $failure;
}

# Describes a run that is still received, or removes it without a RECORD. The account that has sent it decides its state
# and its machine. Returns the run, or undef if it is gone. In a transaction.
sub _settle ( $self, $run, $record ) {
    my ( $store, $id ) = ( $self->{store}, $run->{id} );
    my $now = $store->row( run_state => $id ) // return;
    return $self->_answer($id)  if $now->{state} ne 'received';
    return $self->_remove($run) if !$record;
    my $account = $store->row( account_by_id => $run->{account_id} );
    local $self->{account} = $account->{id};
    return $self->_describe( $id, $record, $account->{trusted} ? 'published' : 'checked' );
}

# Stores the file of a new run, as packed returns it; in a transaction.
sub insert_run ( $self, $file, $name ) {
    my $store = $self->{store};
    my $id    = $store->next_id('run');
    my $text  = printable( characters($name) =~ s{.*[/\\]}{}sr );
    $store->insert( blob => { map { $_ => $file->{$_} } qw(sha256 bytes size) } );
    $store->insert(
        run => {
            id         => $id,
            account_id => $self->{account},
            file       => length $text ? substr( $text, 0, $LONGEST_NAME ) : 'skampi.out',
            state      => 'received',
            received   => moment(),
            latest     => 0,
            map { $_ => $file->{$_} } qw(sha256 results_sha256)
        }
    );
    return $id;
}

sub _describe ( $self, $id, $record, $state ) {
    my $store = $self->{store};
    my $run   = $store->row( run_state      => $id );
    my $same  = $store->row( run_of_results => $run->{results_sha256}, $self->{account}, $id );
    return $self->_replace( $same, $run, $record ) if $same;
    $store->update( run => $id, state => $state, reason => undef );
    $self->record_event( $id, $state );
    $self->_renew( $id, $run, $record );
    return $self->_answer( $id, 1 );
}

# Replaces a run that is sent again with other verdicts, which keeps number and state; without verdicts, it stays.
sub _replace ( $self, $old, $new, $record ) {
    my ( $store, $id ) = ( $self->{store}, $old->{id} );
    if ( $new->{sha256} eq $new->{results_sha256} ) {
        $self->_remove($new);
    }
    else {
        $store->change( erase_run => $new->{id} );
        $store->update( run => $id, map { $_ => $new->{$_} } qw(sha256 file) );
        $store->change( erase_blob => $old->{sha256} );
        $self->_renew( $id, $old, $record );
        $self->record_event( $id, 'verdicts' );
    }
    return $self->_answer($id);
}

sub _answer ( $self, $id, $is_new = 0 ) {
    my $run = $self->{store}->row( run => $id, 0 );
    return {
        is_new => $is_new,
        map { $_ => $run->{$_} } qw(id state suites points machine machine_name)
    };
}

# Suites that measure the same share a row.
sub meaning ( $self, $meaning ) {
    my $store = $self->{store};
    my $id    = $store->value( meaning => $meaning->{key} );
    return $id if defined $id;
    $id = $store->next_id('meaning');
    $store->insert( meaning => { %{$meaning}, id => $id } );
    return $id;
}

sub publish ( $self, $id ) {
    return $self->_change_state( $id, 'published', undef, qw(checked withdrawn) );
}

# Hides the run from readers, who see the reason only.
sub withdraw ( $self, $id, $reason ) {
    return $self->_change_state( $id, 'withdrawn', $reason, qw(checked published) );
}

sub _change_state ( $self, $id, $state, $reason, @from ) {
    my $store = $self->{store};
    return $store->transaction(
        sub {
            my $run = $self->_run($id);
            return if $run->{state} eq $state;
            fail(   "run $id is $run->{state}; only a run that is "
                  . join( ' or ', @from )
                  . " can be $state" )
              if !grep { $_ eq $run->{state} } @from;
            $store->update( run => $id, state => $state, reason => $reason );
            $self->{cache}->forget_run($id);
            $self->record_event( $id, $state );
            refresh_ages( $store, $run->{machine_id} );
            return;
        }
    );
}

sub note ( $self, $id, $text ) {
    return $self->{store}->transaction(
        sub {
            $self->_run($id);
            $self->{store}->update( run => $id, note => $text );
            return $self->record_event( $id, 'note' );
        }
    );
}

# Removes a run, all data derived from it, and its file. Only hashes remain, so that it is not added again.
sub erase ( $self, $id ) {
    my $store = $self->{store};
    return $store->transaction(
        sub {
            my $run = $self->_run($id);
            $self->_remove($run);
            my %erased = ( run_id => $id, erased => moment() );
            for my $sum ( grep { defined } @{$run}{qw(sha256 results_sha256)} ) {
                $store->insert( tombstone => { sha256 => $sum, %erased } )
                  if !$store->row( is_erased => $sum );
            }
            return $self->record_event( undef, "erased run $id" );
        }
    );
}

sub _run ( $self, $id ) {
    return $self->{store}->row( run_state => $id ) // fail_usage("there is no run $id");
}

sub _remove ( $self, $run ) {
    my $store    = $self->{store};
    my @meanings = map { $_->{meaning_id} } $store->rows( meanings_of_run => $run->{id} );
    $self->{cache}->forget_run( $run->{id} );
    $store->change( "erase_$_"     => $run->{id} ) for parts_of_run();
    $store->change( forget_events  => $run->{id} );
    $store->change( erase_run      => $run->{id} );
    $store->change( erase_blob     => $run->{sha256} );
    $store->change( forget_meaning => $_ ) for @meanings;
    return if !defined $run->{machine_id};
    $store->change( forget_machine => $run->{machine_id} );
    return refresh_ages( $store, $run->{machine_id} );
}

# Derives everything again from the received files; states, machines and accounts remain. Files that
# an interrupted server has received are checked. Calls REPORT with each run, and with a text if its
# file could not be read; then the run stays unchanged.
sub reindex ( $self, $report = sub (@) { } ) {
    my $store = $self->{store};
    my @ids   = map { $_->{id} } $store->rows('run_ids');
    for my $id (@ids) {
        my $run = $store->row( run_for_check => $id ) // next;
        eval {
            if ( $run->{state} eq 'received' ) { $self->check($id) }
            else {
                my $record = _record_of($run);
                $store->transaction( sub { $self->_renew( $id, $run, $record ) } );
            }
            1;
        }
          or do { $report->( $id, ref $@ ? $@->{text} : $@ ); next };
        $report->($id);
    }
    return scalar @ids;
}

sub _record_of ($run) {
    return read_upload( Compress::Zlib::memGunzip( $run->{bytes} ), $run->{file} );
}

# Replaces all that is derived from the file of a run.
sub _renew ( $self, $id, $run, $record ) {
    my $store    = $self->{store};
    my @meanings = map { $_->{meaning_id} } $store->rows( meanings_of_run => $id );
    my $machine  = $run->{machine_id}
      // $self->accounts->machine( $self->{account}, $record->{machine} );
    $self->{cache}->forget_run($id);
    $store->change( "erase_$_" => $id ) for parts_of_run();
    $store->update( run => $id, %{ $record->{run} }, machine_id => $machine );
    my @suites = map { +{ %{$_} } } @{ $record->{suites} };
    $_->{meaning_id} = $self->meaning( delete $_->{meaning} ) for @suites;
    my %rows = (
        fact    => $record->{facts},
        warning => $record->{warnings},
        figure  => [ map { { data => to_json($_) } } @{ $record->{figures} } ],
        finding => [ { data => to_json( $record->{findings} ) } ],
        suite   => \@suites,
    );

    for my $table ( parts_of_run() ) {
        my @rows = @{ $rows{$table} };
        $store->insert(
            $table => map { +{ %{ $rows[$_] }, run_id => $id, position => $_ + 1 } }
              keys @rows
        );
    }
    $store->change( forget_meaning => $_ ) for @meanings;
    return refresh_ages( $store, $machine );
}

sub record_event ( $self, $run, $what ) {
    my $store = $self->{store};
    $store->insert(
        event => {
            id         => $store->next_id('event'),
            moment     => moment(),
            account_id => $self->{account},
            run_id     => $run,
            what       => $what,
        }
    );
    return;
}

1;
