package SKaMPI::Database::Commands;

# The commands of skampi-db for runs, accounts and whole databases: a function run_NAME(OPTIONS, WORD...) for each, as
# in skampi-db(1). It returns the exit status or fails (SKaMPI::Base::Program).
use SKaMPI::Base;

use List::Util qw(uniq);

use SKaMPI::Base::Program
  qw(check_choice complain deliver deliver_bytes fail fail_usage print_plain);
use SKaMPI::Base::TextFile         qw(characters);
use SKaMPI::Base::Units            qw(counted);
use SKaMPI::Database::Accounts     qw($OWNER);
use SKaMPI::Database::Anonymous    qw(anonymous_bytes anonymous_text);
use SKaMPI::Database::AcceptedFile qw(read_file);
use SKaMPI::Verdict::OddRuns       qw(odd_lines odd_of);
use SKaMPI::Database::OddRuns      qw(odd_among runs_like);
use SKaMPI::Database::Reader;
use SKaMPI::Database::Sql qw(parts_of_run);
use SKaMPI::Database::Store;
use SKaMPI::Database::Writer;
use SKaMPI::Export::Formats   qw(export_formats format_results);
use SKaMPI::Meaning::Likeness qw(obstacles);
use SKaMPI::Read::Output;
use SKaMPI::Stat::OddRun      qw(fewest_runs);
use SKaMPI::Verdict::Baseline qw(baseline_bytes class_of hosts_of unfit);
use SKaMPI::Verdict::Launch   qw(launch_of);

my ( $DONE, $FAILED ) = ( 0, 1 );

# Adds each file separately, so that a refused file does not affect the others.
sub run_add ( $options, @files ) {
    fail_usage('expected result files; see skampi db -h') if !@files;
    my $store  = SKaMPI::Database::Store->connect_to( $options->{database}, create => 1 );
    my $writer = SKaMPI::Database::Writer->new($store);
    my $status = $DONE;
    my @added;
    for my $file (@files) {
        my $answer = eval {
            my $bytes = read_file($file);
            $bytes = anonymous_bytes($bytes) if $options->{'without-names'};
            my %how = ( again => $options->{again}, publish => !$options->{unpublished} );
            $writer->add( $bytes, $file, %how );
        };
        if ($answer) {
            my $name   = characters($file);
            my $suites = counted( $answer->{suites}, 'suite' );
            my $known  = $answer->{is_new} ? q{} : '; it was already there';
            print_plain(
"run $answer->{id}: $name, $suites of '$answer->{machine_name}', $answer->{state}$known"
            );
            push @added, $answer->{id} if $answer->{is_new};
            next;
        }
        my $failure = ref $@ ? $@ : { status => $FAILED, text => $@ };
        complain( $failure->{text} );
        $status = $failure->{status} if !$status;
    }
    _say_odd( SKaMPI::Database::Reader->new($store), @added );
    return $status;
}

# Says which of the new runs are odd among those like them, if there are enough.
sub _say_odd ( $reader, @added ) {
    my %is_new = map { $_ => 1 } @added;
    my %seen;
    for my $id (@added) {
        next if $seen{$id};
        my @like = runs_like( $reader, $reader->run($id) );
        $seen{ $_->{id} } = 1 for @like;
        next if @like < fewest_runs();
        my @new = map { "run $_->{id}" } grep { $is_new{ $_->{id} } } @like or next;
        print_plain( odd_lines( odd_of( odd_among( $reader, @like ), @new ) ) );
    }
    return;
}

sub _store ($options) {
    return SKaMPI::Database::Store->connect_to( $options->{database} );
}

sub _runs (@words) {
    fail_usage('expected the number of a run; skampi db list shows them') if !@words;
    my ($wrong) = grep { !/\A[0-9]{1,9}\z/ } @words;
    fail_usage("expected the number of a run, got '$wrong'; skampi db list shows them")
      if defined $wrong;
    return map { 0 + $_ } @words;
}

sub run_publish ( $options, @words ) {
    my @runs   = _runs(@words);
    my $writer = SKaMPI::Database::Writer->new( _store($options) );
    for my $run (@runs) {
        $writer->publish($run);
        $writer->note( $run, $options->{note} ) if defined $options->{note};
    }
    return $DONE;
}

sub run_withdraw ( $options, @words ) {
    my @runs = _runs(@words);
    fail_usage('say why: --reason=TEXT; readers see it instead of the run')
      if ( $options->{reason} // q{} ) !~ /\S/;
    my $writer = SKaMPI::Database::Writer->new( _store($options) );
    $writer->withdraw( $_, $options->{reason} ) for @runs;
    return $DONE;
}

sub run_erase ( $options, @words ) {
    my @runs   = _runs(@words);
    my $writer = SKaMPI::Database::Writer->new( _store($options) );
    $writer->erase($_) for @runs;
    return $DONE;
}

sub run_reindex ( $options, @words ) {
    fail_usage("reindex takes no '$words[0]'") if @words;
    my $status = $DONE;
    my $count  = SKaMPI::Database::Writer->new( _store($options) )->reindex(
        sub ( $run, $problem = undef ) {
            return if !defined $problem;
            complain("run $run: $problem");
            $status = $FAILED;
        }
    );
    print_plain("$count runs");
    return $status;
}

# Prints a new token; it is not kept.
sub run_token ( $options, @words ) {
    my $store    = SKaMPI::Database::Store->connect_to( $options->{database}, create => 1 );
    my $accounts = SKaMPI::Database::Accounts->new($store);
    if ( $options->{list} ) {
        for my $account ( $store->rows('accounts') ) {
            my $trust = $account->{trusted} ? 'trusted' : 'not trusted';
            print_plain( join q{  }, $account->{name}, $trust, "tokens: $account->{tokens}" );
        }
        return $DONE;
    }
    fail_usage('expected the name of an account') if @words != 1;
    my $print = sub ($token) { print "$token\n" or fail(q{}) };    # run_program prints the reason
    if ( $options->{revoke} ) { $accounts->revoke( $words[0] ) }
    else { $accounts->make( $words[0], trusted => $options->{trusted}, print => $print ) }
    return $DONE;
}

sub run_export ( $options, @words ) {
    my @runs   = _runs(@words);
    my $format = $options->{format} // 'csv';
    check_choice( '--format', $format, export_formats() );
    fail_usage('--original: name one run') if $options->{original} && @runs > 1;
    my $reader = SKaMPI::Database::Reader->new( _store($options) );
    for my $run (@runs) { $reader->run($run) // fail_usage("there is no run $run") }
    return deliver_bytes( $options->{output}, $reader->original( $runs[0] )->{bytes} )
      if $options->{original};
    my @exported = map { $reader->exported($_) } @runs;
    return deliver( $options->{output}, format_results( $format, @exported ) );
}

# Writes a baseline of runs, or of those like a run. Runs that would make what is usual worse are named and left out.
sub run_reference ( $options, @words ) {
    my @ids    = _runs(@words);
    my $reader = SKaMPI::Database::Reader->new( _store($options) );
    my @runs   = map { $reader->run($_) // fail_usage("there is no run $_") } @ids;
    @ids = uniq @ids, map { $_->{id} } runs_like( $reader, @runs ) if @runs == 1;
    my ( @launches, %alias, $hosts );
    for my $id (@ids) {
        my $launch = launch_of( $reader->output($id), 'time' );
        if ( $options->{anonymous} ) {
            my @hosts = map { $alias{$_} //= 'node' . ++$hosts } hosts_of($launch);
            my $text  = anonymous_text( characters( $reader->original($id)->{bytes} ), q{} );
            $launch = launch_of( SKaMPI::Read::Output->from_text($text), 'time' );
            class_of($launch);
            $launch->{hosts} = \@hosts;
        }
        $launch->{name} = "run $id";
        push @launches, $launch;
    }
    my @unfit = $options->{force} ? ()        : unfit(@launches);
    my @fit   = $options->{force} ? @launches : grep { !unfit($_) } @launches;
    complain("left out: $_; --force takes it") for @unfit;
    my ($why) = @fit ? obstacles(@fit) : 'no run is left';
    fail("no baseline is made: $why") if defined $why;
    deliver_bytes( $options->{output}, baseline_bytes( 'time', @fit ) );
    return @unfit ? $FAILED : $DONE;
}

# Tables that are copied whole, before the runs and after them, unless the copy is public.
my @BEFORE = qw(account token);
my @AFTER  = qw(tombstone event);

# Copies a result database; runs keep their numbers. A public copy has published runs and their
# machines only: no accounts, tokens, log and tombstones.
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
    print_plain("$count runs");
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
        my $id     = $run->{id};
        my ($row)  = $source->rows( copied_run  => $id );
        my ($blob) = $source->rows( copied_blob => $row->{sha256} );
        my $bytes  = $blob->{bytes};
        $row->{account_id} = $OWNER if $public;
        $target->insert( blob => { %{$blob}, bytes => \$bytes } );
        $target->insert( run  => $row );
        my @measured = map { $_->{meaning_id} } $source->rows( meanings_of_run => $id );
        _copy( $source, $target, meaning => $_ ) for grep { !$meanings{$_}++ } @measured;
        _copy( $source, $target, $_ => $id ) for parts_of_run();
        $count++;
    }
    _copy( $source, $target, $_ ) for $public ? () : @AFTER;
    $target->change( set_count => @{$_}{qw(value name)} ) for $source->rows('counters');
    return $count;
}

sub _copy ( $source, $target, $table, @values ) {
    return $target->insert( $table => $source->rows( "copied_$table" => @values ) );
}

1;
