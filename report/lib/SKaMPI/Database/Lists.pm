package SKaMPI::Database::Lists;

# Lists of runs and machines for the terminal, also as JSON: a function run_NAME(OPTIONS, WORD...) for each command of
# skampi-db(1). It returns the exit status or fails (SKaMPI::Base::Program).
use SKaMPI::Base;

use List::Util qw(any);

use SKaMPI::Base::Program qw(check_choice deliver fail_usage);
use SKaMPI::Base::Table   qw(printable);
use SKaMPI::Base::Json    qw(pretty_json);
use SKaMPI::Base::Units   qw(counted format_argument format_bytes format_value);
use SKaMPI::Database::Accounts;
use SKaMPI::Database::Reader;
use SKaMPI::Database::Settings qw(differing_settings library_name);
use SKaMPI::Database::Store;

my @STATES = qw(received checked published outdated withdrawn);

sub _reader ($options) {
    return SKaMPI::Database::Reader->new(
        SKaMPI::Database::Store->connect_to( $options->{database} ) );
}

sub _print_json ( $schema, %content ) {
    return deliver( undef, pretty_json( { schema => $schema, %content } ) );
}

sub run_list ( $options, @words ) {
    fail_usage("list takes no '$words[0]'") if @words;
    my $state = $options->{state};
    check_choice( '--state', $state, @STATES ) if defined $state;
    fail_usage("--since: expected a date such as 2026-11-22, got '$options->{since}'")
      if defined $options->{since} && $options->{since} !~ /\A[0-9]{4}-[0-9]{2}-[0-9]{2}\z/;
    fail_usage('--limit: expected at least 1') if ( $options->{limit} // 1 ) < 1;
    my %filter = map { $_ => $options->{$_} } qw(limit machine search since state);
    my @runs   = _reader($options)->runs(%filter);
    return _print_json( 'skampi-runs/1', runs => \@runs ) if $options->{json};
    my @settings = differing_settings(@runs);
    my $differ   = any { @{$_} } @settings;
    my $table =
      SKaMPI::Base::Table->titled( qw(run> measured machine:40 processes> library:30 suites> state),
        $differ ? 'settings:60' : () );

    for my $run (@runs) {
        my $began = substr( $run->{started} // q{}, 0, 16 ) =~ tr/T/ /r;
        $table->add_row(
            $run->{id},         $began, @{$run}{qw(machine processes)},
            library_name($run), @{$run}{qw(suites state)},
            join q{, },         @{ shift @settings }
        );
    }
    return deliver( undef, $table->text );
}

sub run_show ( $options, @words ) {
    fail_usage('expected the number of a run; skampi db list shows them')
      if @words != 1 || $words[0] !~ /\A[0-9]{1,9}\z/;
    my $reader = _reader($options);
    my $id     = $words[0];
    my $run    = $reader->run($id);
    if ( !$run ) {
        my $gone = $reader->gone($id) // fail_usage("there is no run $id");
        fail_usage("run $id was erased on $gone->{erased}");
    }
    my %all = (
        run      => $run,
        facts    => [ $reader->facts($id) ],
        warnings => [ $reader->warnings($id) ],
        figures  => [ $reader->figures($id) ],
        findings => $reader->findings($id),
        suites   => [ $reader->suites($id) ],
    );
    return _print_json( 'skampi-run/1', %all ) if $options->{json};
    return deliver( undef, join "\n", grep { length } map { $_->( \%all ) } \&_run_text,
        \&_warning_text, \&_figure_text, \&_finding_text, \&_suite_text );
}

my @RUN_LINES = (
    [ 'machine'   => sub ($run) { "$run->{machine_name} ($run->{machine})" } ],
    [ 'state'     => sub ($run) { join ': ', $run->{state}, $run->{reason} // () } ],
    [ 'note'      => sub ($run) { $run->{note} } ],
    [ 'began'     => sub ($run) { $run->{started} } ],
    [ 'received'  => sub ($run) { "$run->{received} from $run->{account}, $run->{file}" } ],
    [ 'library'   => sub ($run) { $run->{library} } ],
    [ 'processes' => sub ($run) { _processes($run) } ],
    [ 'sha256'    => sub ($run) { $run->{sha256} } ],
);

sub _processes ($run) {
    return if !defined $run->{processes};
    my @on = defined $run->{hosts} ? counted( $run->{hosts}, 'host' ) : ();
    return join ', ', join( ' on ', $run->{processes}, @on ),
      $run->{oversubscribed} ? 'oversubscribed' : ();
}

sub _run_text ($all) {
    my $table = SKaMPI::Base::Table->new( {}, {} );
    for my $line (@RUN_LINES) {
        my ( $title, $value_of ) = @{$line};
        my $value = $value_of->( $all->{run} );
        $table->add_row( $title, $value ) if defined $value;
    }
    return "run $all->{run}{id}\n" . $table->text;
}

sub _warning_text ($all) {
    return join q{},
      map { printable( "$_->{kind}: " . ( $_->{text} =~ s/\n/ /gr ) ) . "\n" }
      @{ $all->{warnings} };
}

sub _figure_text ($all) {
    my $table = SKaMPI::Base::Table->new( {}, {}, { right => 1 }, {}, {} );
    for my $figure ( @{ $all->{figures} } ) {
        $table->add_row(
            $figure->{what},
            defined $figure->{length} ? format_bytes( $figure->{length} ) : q{},
            $figure->{unknown} // format_value( @{$figure}{qw(value unit)} ),
            $figure->{where}{label}
        );
    }
    return $table->text;
}

sub _finding_text ($all) {
    return join q{},
      map { ( $_->{state} ? ucfirst "$_->{state}: " : q{} ) . printable( $_->{text} ) . "\n" }
      map { @{ $_->{findings} } } @{ $all->{findings}{groups} };
}

sub _suite_text ($all) {
    my $table = SKaMPI::Base::Table->titled(qw(suite:60 points> from> to>));
    for my $suite ( @{ $all->{suites} } ) {
        my $column = { name => $suite->{argument_name}, unit => $suite->{argument_unit} };
        my @range  = map { defined $suite->{$_} ? format_argument( $suite->{$_}, $column ) : q{} }
          qw(first last);
        $table->add_row( $suite->{label}, $suite->{points}, @range );
    }
    return $table->text;
}

# Lists all machines, or with a name one of them; a new title or owner changes it.
sub run_machine ( $options, @words ) {
    fail_usage('machine takes one name') if @words > 1;
    my %new = map { $_ => $options->{$_} } grep { defined $options->{$_} } qw(owner title);
    fail_usage('name the machine to change') if %new && !@words;
    my $store = SKaMPI::Database::Store->connect_to( $options->{database} );
    SKaMPI::Database::Accounts->new($store)->change_machine( $words[0], %new ) if %new;
    my @machines = SKaMPI::Database::Reader->new($store)->machines;
    @machines = grep { $_->{slug} eq $words[0] } @machines if @words;
    fail_usage("there is no machine '$words[0]'; skampi db machine lists them")
      if @words && !@machines;
    return _print_json( 'skampi-machines/1', machines => \@machines ) if $options->{json};
    my $table = SKaMPI::Base::Table->titled(qw(machine:60 title:40 runs> newest account));
    $table->add_row( @{$_}{qw(slug name runs newest owner)} ) for @machines;
    return deliver( undef, $table->text );
}

1;
