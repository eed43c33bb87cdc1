package SKaMPI::Database::Reader;

# Reads the result database. All texts are unchanged from the files; escape them before printing.
use SKaMPI::Base qw(store);

use Compress::Zlib ();
use List::Util     qw(first);

use SKaMPI::Base::Json      qw(from_json);
use SKaMPI::Base::TextFile  qw(characters);
use SKaMPI::Verdict::Launch qw(launch_suite new_launch);
use SKaMPI::Database::Cache;
use SKaMPI::Database::Chart::Values qw(curve_of);
use SKaMPI::Database::StoredPoints  qw(unpack_points);
use SKaMPI::Database::Settings      qw(oldest_start settings_in);
use SKaMPI::Database::Sql           qw(select_runs);
use SKaMPI::Meaning::Marks          qw(marks_of);
use SKaMPI::Read::Output;

# The most launches of a group, which bounds time and memory.
my $MAX_LAUNCHES = 30;

my $MOST_HISTORY = 300;

# A public reader sees published runs only.
sub new ( $class, $store, %how ) {
    return bless { store => $store, public => $how{public} ? 1 : 0 }, $class;
}

sub cache ($self) { return $self->{cache} //= SKaMPI::Database::Cache->new( $self->{store} ) }

sub counts ($self) {
    return $self->{store}->row( counts => $self->{public} );
}

# Hashes of id, slug, name, owner, runs, first, newest, newest_run and processes, that with the
# newest run first. FILTER has search, limit and offset.
sub machines ( $self, %filter ) {
    my @machines = $self->{store}->rows( machines => ( $self->{public} ) x 2 );
    my $wanted   = lc( $filter{search} // q{} );
    @machines = grep { index( lc $_->{name}, $wanted ) >= 0 } @machines if $wanted ne q{};
    splice @machines, 0, $filter{offset} // 0;
    return splice @machines, 0, $filter{limit} // @machines;
}

sub machine ( $self, $slug ) {
    return first { $_->{slug} eq $slug } $self->machines;
}

# Filters that depend on the date.
my %BY_DATE = ( published => 'current', outdated => 'outdated' );

# Runs, newest first; see select_runs of SKaMPI::Database::Sql for the filters. A run is a hash with the members of the
# record database_run (report/schema.txt).
sub runs ( $self, %filter ) {
    my $by_date = $BY_DATE{ $filter{state} // q{} };
    if ($by_date) {
        delete $filter{state};
        $filter{$by_date} = oldest_start();
    }
    $filter{newest_of_group} = $self->{public} if $filter{newest_of_group};
    return map { _aged($_) } $self->{store}->query( select_runs( $self->{public}, %filter ) );
}

sub run ( $self, $id ) {
    my $run = $self->{store}->row( run => $id, $self->{public} ) // return;
    return _aged($run);
}

# Sets the state of a published run that is outdated by a newer one, or by its age.
sub _aged ($run) {
    my $is_old = defined $run->{outdated_by} || ( $run->{started} // '9' ) lt oldest_start();
    my %aged   = ( %{$run}, settings => settings_in( $run->{environment} ) );
    $aged{state} = 'outdated' if $run->{state} eq 'published' && $is_old;
    delete $aged{environment};
    return \%aged;
}

# The reason why a run cannot be read: state, withdrawn (with reason) or erased.
sub gone ( $self, $id ) {
    my $run = $self->{store}->row( run_state => $id );
    return { state => 'withdrawn', reason => $run->{reason} }
      if $run && $run->{state} eq 'withdrawn';
    return if $run;
    my $erased = $self->{store}->row( was_run => $id ) // return;
    return { state => 'erased', erased => $erased->{erased} };
}

sub _of_run ( $self, $name, $id ) {
    return if !$self->run($id);
    return $self->{store}->rows( $name => $id );
}

# Facts, warnings, figures and so on, as in SKaMPI::Database::Record.
sub facts    ( $self, $id ) { return $self->_of_run( facts    => $id ) }
sub warnings ( $self, $id ) { return $self->_of_run( warnings => $id ) }

sub figures ( $self, $id ) {
    return map { from_json( $_->{data} ) } $self->_of_run( figures => $id );
}

# The newest run of a machine (by its number) that has key figures of a group; undef if no run has any.
sub newest_with_figures ( $self, $machine, $group ) {
    my $run = $self->{store}->row(
        newest_with_figures => $machine,
        $self->{public}, qq{%"group":"$group"%}
    );
    return $run ? _aged($run) : undef;
}

sub findings ( $self, $id ) {
    my ($found) = $self->_of_run( findings => $id );
    return $found ? from_json( $found->{data} ) : { groups => [], warnings => [] };
}

# The suites of runs, without points. A suite is a hash of the columns of SKaMPI::Export::Columns,
# one_way, bandwidth_factor, nodes, message_length, definition, axis, axis_key, run, position,
# label, first and last.
sub suites ( $self, @ids ) {
    return map { _suite($_) } map { $self->_of_run( suites => $_ ) } @ids;
}

# Suites of runs without the meaning of their values: hashes of run_id, label and operation.
sub labels ( $self, @ids ) {
    return map { $self->_of_run( labels => $_ ) } @ids;
}

# The launches of a run's group, which are not merges, at most 30; the run itself if no launch is left.
sub launches_of ( $self, $run ) {
    my @runs = sort { $a->{id} <=> $b->{id} }
      grep { !$_->{merged} } $self->runs( group => $run->{group_key}, limit => $MAX_LAUNCHES );
    return @runs ? @runs : $run;
}

# A suite with its points, a list, and count.
sub series ( $self, $id, $label ) {
    return if !$self->run($id);
    my $row = $self->{store}->row( series => $id, $label ) // return;
    return _with_points($row);
}

# A suite together with the meaning that it shares with other suites.
sub _suite ($row) {
    my $meaning = from_json( $row->{data} );
    return {
        %{$meaning},
        estimate => $meaning->{definition}{estimate},
        run      => $row->{run_id},
        map { $_ => $row->{$_} } qw(position label points first last axis_key meaning_id),
    };
}

sub _with_points ($row) {
    my $suite = _suite($row);
    $suite->{count}  = $suite->{points};
    $suite->{points} = [ unpack_points( $row->{rows}, $suite->{bandwidth_factor} ) ];
    return $suite;
}

# Operations of the machines' latest runs: hashes of operation, variation, machines (how many have
# it), and the first and last argument that all of them have; the one of most machines first.
sub common_operations ($self) { return $self->{store}->rows('common_operation') }

# The value at an argument, of the latest published runs of all machines, the fastest first: hashes
# of run, suite, point and interpolated. WHAT has operation, argument and, optionally, variation,
# pattern, axis_key and since.
sub matrix ( $self, %what ) {
    my @rows = $self->{store}->rows( matrix => $what{operation}, $what{variation} // 'length' );
    my ( @found, %run );
    for my $row (@rows) {
        next if defined $what{axis_key} && $row->{axis_key} ne $what{axis_key};
        my $suite = _with_points($row);
        next if defined $what{pattern} && $suite->{pattern} ne $what{pattern};
        my $run = $run{ $row->{run_id} } //= $self->run( $row->{run_id} );
        next if defined $what{since} && ( $run->{started} // q{} ) lt $what{since};
        push @found, _found( $run, $suite, $what{argument} );
    }
    @found =
      sort { $a->{point}{time_us} <=> $b->{point}{time_us} || $a->{run}{id} <=> $b->{run}{id} }
      grep { $_->{point} } @found;
    return @found;
}

# Values of a suite at an argument, in the runs of a machine, newest first; also runs without a value, if
# WITH_MISSING is true. PART has limit and offset.
sub history ( $self, $slug, $label, $argument, %part ) {
    my $machine = $self->{store}->row( machine_by_slug => $slug ) // return;
    my @rows    = $self->{store}->rows(
        history => $machine->{id},
        $self->{public}, $label, $part{limit} // $MOST_HISTORY, $part{offset} // 0, $label
    );
    my @found = map { _found( $self->run( $_->{run_id} ), _with_points($_), $argument ) } @rows;
    return grep { $part{with_missing} || $_->{point} && $_->{run} } @found;
}

# Runs as SKaMPI::Verdict::Launch reads them. LABELS limits the suites; undef for all.
sub launches ( $self, $kind, $labels, @ids ) {
    my @launches;
    for my $id (@ids) {
        my $run   = $self->run($id) // next;
        my %facts = map { $_->{name} => $_->{value} } reverse $self->facts($id);
        my @rows =
          $labels
          ? map { $self->{store}->row( series => $id, $_ ) // () } @{$labels}
          : $self->{store}->rows( all_series => $id );
        my %about  = ( name => "run $id", sum => $run->{sha256}, merged => $run->{merged} );
        my $launch = new_launch( \%facts, %about );
        for my $suite ( map { _with_points($_) } @rows ) {
            my %column = ( name => $suite->{argument_name}, unit => $suite->{argument_unit} );
            $launch->{suites}{ $suite->{label} } =
              launch_suite( $launch, $suite->{definition}, defined $column{name} ? \%column : undef,
                $kind, map { _row($_) } @{ $suite->{points} } );
        }
        push @launches, $launch;
    }
    return @launches;
}

# A point in the form of SKaMPI::Read::Suite's rows, as far as a comparison needs it.
sub _row ($point) {
    return {
        argument => $point->{argument},
        time     => $point->{time_us},
        time_all => $point->{time_all_us},
        error    => $point->{time_error_us},
        few      => $point->{few},
        marks    => marks_of($point),
        extras   => {
            ( map { $_ => $point->{"${_}_us"} } qw(min p25 median p75 max) ),
            map { split /=/, $_, 2 } split /;/,
            $point->{extra} // q{}
        },
    };
}

sub original ( $self, $id ) {
    my $row   = $self->{store}->row( original => $id, $self->{public} ) // return;
    my $bytes = Compress::Zlib::memGunzip( $row->{bytes} );
    return { name => $row->{file}, sha256 => $row->{sha256}, bytes => $bytes };
}

sub output ( $self, $id ) {
    my $original = $self->original($id) // return;
    return SKaMPI::Read::Output->from_text( characters( $original->{bytes} ), $original->{name} );
}

# A run as SKaMPI::Export::Formats takes it.
sub exported ( $self, $id ) {
    my $output  = $self->output($id);
    my $machine = $self->run($id)->{machine_name};
    return {
        output  => $output,
        number  => $id,
        suites  => [ $output->results ],
        machine => $machine
    };
}

# The value of a suite with points at an argument, as a hash for matrix and history: that of a point, or one that is
# interpolated as in comparisons. A suite without arguments has one point. Points of few repetitions are skipped.
sub _found ( $run, $suite, $argument ) {
    my $is_asked = defined $argument && defined $suite->{first};
    my @points   = grep { ( $_->{time_us} // 0 ) > 0 && !$_->{few} } @{ $suite->{points} };
    @points = grep { $_->{argument} == $argument } @points if $is_asked;
    my $point = @points ? { %{ $points[0] }, interpolated => 0 } : undef;
    my $found = !$point && $is_asked && curve_of($suite)->at($argument);
    $point = {
        %{$found}{qw(argument interpolated marks)},
        time_us       => $found->{time},
        time_error_us => $found->{error}
      }
      if $found;
    delete $suite->{points};
    return {
        run          => $run,
        suite        => $suite,
        point        => $point,
        interpolated => $point && $point->{interpolated}
    };
}

1;
