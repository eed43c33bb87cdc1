package SKaMPI::Database::Copy;

# Copies a result database; runs keep their numbers. A public copy has published runs and their
# machines only: no accounts, tokens, log and tombstones.
use v5.36;

use SKaMPI::Base::Program qw(fail_usage);
use SKaMPI::Database::Sql qw(parts_of_run);
use SKaMPI::Database::Store;

my $DONE = 0;

# The owner of the database has this account in every database.
my $OWNER = 1;

# Tables that are copied whole, before the runs and after them, unless the copy is public.
my @BEFORE = qw(account token);
my @AFTER  = qw(tombstone event);

sub run_copy ( $options, @words ) {
    fail_usage('expected FROM and TO') if @words != 2;
    my ( $from, $to ) = @words;
    my $source = SKaMPI::Database::Store->connect_to($from);
    my $target = SKaMPI::Database::Store->connect_to( $to, create => 1 );
    my $count  = $source->snapshot(
        sub {
            $target->transaction( sub { copy_all( $source, $target, $options->{public} ) } );
        }
    );
    say "$count runs";
    return $DONE;
}

# Copies from one connection to another (SKaMPI::Database::Store). Returns the number of runs.
sub copy_all ( $source, $target, $public ) {
    fail_usage( "'" . $target->where . "' has runs already; choose an empty database" )
      if $target->value('any_run');
    my @runs = $source->rows( copied_runs => $public ? 1 : 0 );
    if ( !$public ) { _copy_whole( $source, $target, @BEFORE ) }
    _copy_machines( $source, $target, $public, @runs );
    my %meanings;
    for my $run (@runs) { _copy_run( $source, $target, $public, \%meanings, $run->{id} ) }
    if ( !$public ) { _copy_whole( $source, $target, @AFTER ) }
    $target->change( set_count => @{$_}{qw(value name)} ) for $source->rows('counters');
    return scalar @runs;
}

sub _copy_whole ( $source, $target, @tables ) {
    for my $table (@tables) {
        $target->insert( $table => grep { $table ne 'account' || $_->{id} != $OWNER }
              $source->rows("copied_$table") );
    }
    return;
}

# Machines without a run in the copy would name what the copy leaves out.
sub _copy_machines ( $source, $target, $public, @runs ) {
    my %wanted   = map  { ( $_->{machine_id} // 0 ) => 1 } @runs;
    my @machines = grep { $wanted{ $_->{id} } } $source->rows('copied_machine');
    if ($public) { $_->{owner_id} = $OWNER for @machines }
    return $target->insert( machine => @machines );
}

sub _copy_run ( $source, $target, $public, $known, $id ) {
    my ($run)  = $source->rows( copied_run  => $id );
    my ($blob) = $source->rows( copied_blob => $run->{sha256} );
    my $bytes  = $blob->{bytes};
    $run->{account_id} = $OWNER if $public;
    $target->insert( blob => { %{$blob}, bytes => \$bytes } );
    $target->insert( run  => $run );
    for my $part ( parts_of_run() ) {
        my @rows = $source->rows( "copied_$part" => $id );
        _copy_meanings( $source, $target, $known, @rows ) if $part eq 'suite';
        $target->insert( $part => @rows );
    }
    return;
}

sub _copy_meanings ( $source, $target, $known, @suites ) {
    for my $id ( map { $_->{meaning_id} } @suites ) {
        next if $known->{$id}++;
        $target->insert( meaning => $source->rows( copied_meaning => $id ) );
    }
    return;
}

1;
