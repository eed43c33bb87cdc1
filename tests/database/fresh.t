# The result database with runs that the program has just written: on a simulated machine, and with this MPI library.
use v5.36;

use List::Util qw(sum);
use Test::More;

use SKaMPI::Base::Units         qw(iso_date seconds_of utc_date);
use SKaMPI::Base::TextFile      qw(characters);
use SKaMPI::Database::Anonymous qw(anonymous_text);
use SKaMPI::Database::Record    qw(record_of_run);
use SKaMPI::Export::Formats     qw(format_results);
use SKaMPI::FreshRuns           qw(fresh_run);
use SKaMPI::Meaning::RunFacts   qw(run_facts);
use SKaMPI::Read::Output;
use SKaMPI::Sim     qw(why_not);
use SKaMPI::WebTest qw(database_of tester);

plan skip_all => why_not() if why_not();

my $run = fresh_run();

# The names of all values, without their places in lists.
sub names_in ( $data, $at = q{} ) {
    return map { names_in( $data->{$_}, "$at/$_" ) } sort keys %{$data} if ref $data eq 'HASH';
    return map { names_in( $_,          "$at/" ) } @{$data}             if ref $data eq 'ARRAY';
    return $at;
}

subtest 'each fact may be missing' => sub {
    my %named = map { $_ => 1 } names_in( record_of_run( SKaMPI::Read::Output->from_text($run) ) );
    my @facts = map { $_->{name} } SKaMPI::Read::Output->from_text($run)->fields;
    local $SIG{__WARN__} = sub ($text) { fail "no warning: $text" };
    for my $fact ( @facts, [@facts] ) {
        my $any  = join q{|}, ref $fact ? @{$fact} : $fact;
        my $text = characters( $run =~ s/^\#\@(?:$any)\b.*\n(?:\#\ .*\n)*//gmr );
        for my $shown ( $text, anonymous_text($text) ) {
            my $output = SKaMPI::Read::Output->from_text($shown);
            my $record = record_of_run($output);
            my @new    = grep { !$named{$_} && !m{\A/(?:warnings|figures)/} } names_in($record);
            is_deeply \@new, [], 'a record without ' . ( ref $fact ? 'all facts' : $fact );
            my ($first) = run_facts($output);
            my @suites = $output->suites;
            format_results( $_, { output => $output, number => 1, suites => \@suites } )
              for qw(csv json markdown gbench);
        }
    }
};

my %OTHER = ( environment => { OMPI_MCA_btl => 'self' } );

subtest 'lines of the history' => sub {
    my $newer = fresh_run() =~ s/^(\#\@OSRELEASE) .*/$1 99.1/mr;
    my @runs  = ( $run, fresh_run( real => 1 ), fresh_run( processes => 4 ), fresh_run(%OTHER) );
    my $t     = tester( my $database = database_of( @runs, $newer ), public => 1 );
    my @lines = @{ $t->get_ok('/api/v1/history/some-machine/p2p_Ping')->tx->res->json->{lines} };
    is @lines, 4, 'a line for each library, number of processes and setting';
    my %of = map {
        my $line = $_;
        map { $_->{run}{id} => $line } @{ $line->{rows} }
    } @lines;
    is $of{1}, $of{5}, 'runs before and after an update are in one line';
    is_deeply [ map { $_->{processes} } @of{ 1 .. 4 } ], [ 2, 2, 4, 2 ], 'processes';
    isnt $of{2}{library}, 'SimGrid', 'library';
    is_deeply $of{$_}{settings}, [ $_ == 4 ? 'OMPI_MCA_btl=self' : () ], "settings of $_" for 1, 4;
    $t->get_ok('/history/some-machine/p2p_Ping')->content_like(qr/kernel: \S+ to 99[.]1/)
      ->content_like(qr/OMPI_MCA_btl: unset to self/)->content_unlike(qr/from here/);
    my %state =
      map { $_->{id} => $_->{state} } @{ $t->get_ok('/api/v1/runs')->tx->res->json->{list}{rows} };
    is_deeply \%state, { 1 => 'outdated', map { $_ => 'published' } 2 .. 5 },
      'only a newer run of the same library, settings and processes outdates another';
    is_deeply [ map { $_->{id} } grep { $_->{latest} } @{ $t->tx->res->json->{list}{rows} } ],
      [ 5, 4, 3, 2 ],
      'each line has a latest run';
};

subtest 'time zones' => sub {
    local $ENV{TZ} = 'AAA-5:30';
    my $east = fresh_run();
    my ($date) = $east =~ /^\#\@DATE (.*)$/m;
    like $date, qr/ [+]0530\z/, 'the file has the zone';
    my $now = time;
    cmp_ok abs( seconds_of($date) - $now ), '<', 60, 'and the moment follows from it';
    my $older  = $east =~ s/^(\#\@DATE .*) [+]0530$/$1/mr;
    my $record = record_of_run( SKaMPI::Read::Output->from_text($east) );
    like $record->{run}{started}, qr/Z\z/, 'the database has UTC';
    is utc_date($date) =~ tr/Z//dr, iso_date( scalar( gmtime seconds_of($date) ) ),
      'of the same moment';
    like record_of_run( SKaMPI::Read::Output->from_text($older) )->{run}{started}, qr/:[0-9]{2}\z/,
      'without a zone, as it is';
    my $undated =
      record_of_run( SKaMPI::Read::Output->from_text( $east =~ s/^(\#\@DATE) .*$/$1 Monday/mr ) );
    is_deeply $undated->{run}, { %{ $record->{run} }, started => undef }, 'or none at all';
    my @cases = (
        [ 'Sun Nov 22 04:11:30 2026 -0330', '2026-11-22T04:11:30-03:30', '2026-11-22T07:41:30Z' ],
        [ 'Sun Nov  1 00:11:30 2026 +0100', '2026-11-01T00:11:30+01:00', '2026-10-31T23:11:30Z' ],
        [ 'Sun Nov 22 04:11:30 2026',       '2026-11-22T04:11:30',       '2026-11-22T04:11:30' ],
        [ 'Sun Nov 22 04:11:30 2026 -0030', '2026-11-22T04:11:30-00:30', '2026-11-22T04:41:30Z' ],
        [ 'Sun Nov 99 04:11:30 2026 +0100', undef,                       undef ],
        [ 'Sun Feb 30 04:11:30 2026 +0100', undef,                       undef ],
        [ 'Monday',                         undef,                       undef ]
    );

    for my $case (@cases) {
        is_deeply [ iso_date( $case->[0] ), utc_date( $case->[0] ) ], [ @{$case}[ 1, 2 ] ],
          $case->[0];
    }
};

subtest 'what exports have' => sub {
    my $unfilled =
      fresh_run( machine => "NAME OF YOUR MACHINE\nReplace these lines: the name alone." );
    my $database = database_of( $run, $unfilled );
    $database->{writer}->accounts->change_machine( 'some-machine', title => 'Rack 3' );
    my $t = tester( $database, public => 1 );
    my ( $first, $second ) =
      map { $t->get_ok("/run/$_/results.json")->tx->res->json->{runs}[0] } 1, 2;
    is $first->{machine},  'Rack 3',    'the name of the pages';
    is $second->{machine}, 'node-1000', 'a machine without a name has that of its host';
    like $first->{kernel},  qr/\A[0-9]+[.]/,       'kernel';
    like $first->{binding}, qr/rank 0: node-1000/, 'binding';
    cmp_ok $first->{clock_bound_us}, '>', 1, 'clock bound';
    $t->get_ok('/machine/node-1000')
      ->content_unlike( qr/Replace these|YOUR MACHINE/, 'nor has its page' );
    my ($titles) = split /\r\n/, $t->get_ok('/run/1/results.csv')->tx->res->body;
    like $titles, qr/,extra,kernel,binding,clock_bound_us\b/, 'new columns are at the end';

    for my $format (qw(markdown csv gbench json)) {
        my $text = format_results( $format,
            { output => SKaMPI::Read::Output->from_text($unfilled), number => 1, suites => [] } );
        unlike $text =~ s/"MACHINE".*//sr, qr/NAME OF YOUR/, "$format: no unfilled name";
    }
};

# The clocks of the simulated machine may be apart by more than its messages take.
subtest 'marks of times' => sub {
    my $busy = $run =~ s/^(\#\@TIMEOF full round trip.*\n)/$1#\@CONTENDED a host, an example\n/mr =~
      s/^(4 .*)$/$1 contended=1/mr;
    my $vague  = $busy =~ s/^(4 ([0-9.]+)) [0-9.]+/$1 $2/mr;
    my $t      = tester( my $database = database_of( $run, $busy, $vague ), public => 1 );
    my %wanted = (
        '/run/3'                    => [qr/latency.*?\bnot known: processes waited for CPUs$/ms],
        '/run/2/suite/p2p_Ping'     => [ qr/us!/,            qr/^!: processes waited/m ],
        '/run/1/suite/syncol_Bcast' => [ qr/us[*]/,          qr/^[*]: clocks may be apart/m ],
        '/run/2'                    => [ qr/latency.*?us!/s, qr/^!: processes waited/m ],
        '/'                         => [qr/latency not known: processes waited for CPUs; peak/],
        '/matrix?operation=MPI_Bcast&axis=length&at=64' =>
          [ qr/us[*]/, qr/^[*]: clocks may be apart/m ],
        '/history/some-machine/syncol_Bcast' => [ qr/us[*]/, qr/^[*]: clocks may be apart/m ],
    );
    for my $path ( sort keys %wanted ) {
        my $text =
          $t->get_ok($path)->tx->res->dom->find('main th, main td, main p')->map('all_text')
          ->join("\n");
        like $text =~ tr/\x{b5}/u/r, $_, $path for @{ $wanted{$path} };
    }
    $t->get_ok('/run/1/suite/p2p_Ping')
      ->content_unlike(qr/shorter than the clock|processes waited/);
};

subtest 'a run without a valid time' => sub {
    my $t = tester( database_of( $run, $run =~ s/^4 \S+/4 nan/mr ), public => 1 );
    $t->get_ok('/history/some-machine/p2p_Ping')->status_is(200)->content_like(qr{/run/1"});
};

subtest 'runs in lists' => sub {
    my %named = ( sections => '@NAMEOFRUN Night' );
    my @runs  = ( $run, fresh_run(%OTHER), fresh_run( processes => 4, %named ) );
    my $t     = tester( database_of(@runs), public => 1 );
    for my $path (qw(/runs / /machine/some-machine)) {
        my @rows =
          $t->get_ok($path)->tx->res->dom->find('table:last-of-type tr')->map('all_text')->each;
        my ($text) = join "\n", @rows[ -3 .. -1 ];
        like $text,   qr/\d\d:\d\d/,         "$path: time of day";
        like $text,   qr/Night/,             'name of the run';
        like $text,   qr/OMPI_MCA_btl=self/, 'a setting that differs';
        unlike $text, qr/OMPI_MCA_pml/,      'not those that all have';
    }
    $t->get_ok('/matrix')->content_like(qr/OMPI_MCA_btl=self/);
    $t->get_ok('/compare')->content_unlike( qr{, *</small>}, 'a run without a name' );
    $t->get_ok('/run/1/suite/p2p_Ping');
    is_deeply $t->tx->res->dom->find('dt')->map('text')->to_array,
      [ 'operation', 'pattern', 'time of', 'varied', 'processes' ], 'a definition without defaults';
};

my $LOCAL = 'Time { Type = 24; }';

# The page of a comparison as data: names of the series, labels that are offered, and the notes.
sub compared ( $t, $query ) {
    my $page = $t->get_ok("/api/v1/compare?$query")->tx->res->json;
    return {
        names  => [ map { $_->{name} } map { @{ $_->{series} } } @{ $page->{table}{panels} } ],
        labels => [ map { $_->{label} } @{ $page->{suites} } ],
        groups => [ map { scalar @{ $_->{launches} } } @{ $page->{groups} } ],
        map { $_ => $page->{$_} } qw(more notes table)
    };
}

subtest 'a suite of machines' => sub {
    my @launches = map {
        my $i = $_;
        $run =~ s/^(\#\@DATE .* \d\d:)\d\d/$1$i$i/mr =~ s/^(\d+) ([\d.]+)/"$1 " . $2 * $i/megr
    } 1 .. 4;
    my @others =
      ( fresh_run( machine => 'Other' ), fresh_run(%OTHER), fresh_run( processes => 4 ) );
    my $t =
      tester( database_of( @launches, @others, fresh_run( machine => 'Third', suites => $LOCAL ) ),
        public => 1 );
    my $all = compared( $t, q{} );
    is_deeply [ sort @{ $all->{groups} } ], [ 1, 1, 1, 1, 4 ], 'launches of a group are one choice';
    is_deeply $all->{labels}, [qw(p2p_Ping syncol_Bcast simple_Time)],
      'each suite is one choice, that of most machines first';
    is_deeply compared( $t, 'find=MPI_Bcast' )->{labels}, ['syncol_Bcast'], 'search by operation';
    is_deeply compared( $t, 'l=simple_Time' )->{groups},  [1], 'runs that have the chosen suite';
    is_deeply compared( $t, 'r=g1&r=5&l=p2p_Ping' )->{names},
      [ 'p2p_Ping, Some machine, 4 launches', 'p2p_Ping, Other, run 5' ], 'a group and a run';
    is_deeply compared( $t, 'r=1&r=6&r=7&l=p2p_Ping' )->{names},
      [
        map { "p2p_Ping, Some machine, $_" } '2 processes, run 1',
        '2 processes, OMPI_MCA_btl=self, run 6',
        '4 processes, run 7'
      ],
      'names have what differs';
    my $row = compared( $t, 'r=g1&r=1&r=2&l=p2p_Ping' )->{table}{panels}[0]{rows}[0]{cells};
    my ( $group, $first ) = map { $_->{time} } @{$row};
    my $error = sqrt( sum( map { ( log($_) - log(24) / 4 )**2 } 1 .. 4 ) / 3 / 4 );
    cmp_ok abs( $group / $first / 24**0.25 - 1 ), '<', 1e-5,
      'the time of a group is the geometric mean';
    cmp_ok abs( $row->[0]{error} / $group / $error - 1 ), '<', 1e-5,
      'its error is that between the launches';
    like $t->get_ok('/compare/plot.svg?r=g1&l=p2p_Ping')->status_is(200)->tx->res->body,
      qr/4 launches/, 'the picture';
    is_deeply compared( $t, 's=1:p2p_Ping' )->{names}, ['p2p_Ping, Some machine'],
      'addresses of before';
};

subtest 'the first page, and the matrix' => sub {
    my $t =
      tester( database_of( $run, fresh_run( machine => 'Other' ), fresh_run( suites => $LOCAL ) ),
        public => 1 );
    $t->get_ok('/')->content_like(qr/latency .*run 1,/s);
    $t->get_ok('/api/v1/matrix')->json_is( '/what/operation' => 'MPI_Send-MPI_Recv' )
      ->json_is( '/what/argument' => 1024 );
    is @{ $t->tx->res->json->{groups}[0]{rows} }, 2, 'an operation that both machines have';
    $t->get_ok('/api/v1/matrix?operation=MPI_Bcast&variation=none')
      ->json_is( '/what/variation' => 'length' );
    $t->get_ok('/matrix?argument=99999')->content_like(qr/arguments from 4 to 4096/);
};

done_testing;
