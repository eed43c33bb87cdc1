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
    my $seen = $public ? 1 : 0;
    _copy( $source, $target, $_ ) for $public ? () : @BEFORE;
    my @machines = $source->rows( copied_machine => $seen );
    if ($public) { $_->{owner_id} = $OWNER for @machines }
    $target->insert( machine => @machines );
    my ( $count, %meanings ) = (0);
    for my $run ( $source->rows( copied_runs => $seen ) ) {
        _copy_run( $source, $target, $public, \%meanings, $run->{id} );
        $count++;
    }
    _copy( $source, $target, $_ ) for $public ? () : @AFTER;
    $target->change( set_count => @{$_}{qw(value name)} ) for $source->rows('counters');
    return $count;
}

sub _copy ( $source, $target, $table, @values ) {
    return $target->insert( $table => $source->rows( "copied_$table" => @values ) );
}

sub _copy_run ( $source, $target, $public, $known, $id ) {
    my ($run)  = $source->rows( copied_run  => $id );
    my ($blob) = $source->rows( copied_blob => $run->{sha256} );
    my $bytes  = $blob->{bytes};
    $run->{account_id} = $OWNER if $public;
    $target->insert( blob => { %{$blob}, bytes => \$bytes } );
    $target->insert( run  => $run );
    my @meanings = map { $_->{meaning_id} } $source->rows( meanings_of_run => $id );
    _copy( $source, $target, meaning => $_ ) for grep { !$known->{$_}++ } @meanings;
    _copy( $source, $target, $_ => $id ) for parts_of_run();
    return;
}

1;
