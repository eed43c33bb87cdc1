# skampi-db submit: what leaves the machine contains no names of persons, hosts and paths.
use v5.36;

use IO::Socket::INET;
use Sys::Hostname qw(hostname);
use Test::More;
use Time::HiRes qw(sleep);

use SKaMPI::Verdict::Launch     qw(read_launch);
use SKaMPI::Database::Anonymous qw(anonymous_text);
use SKaMPI::Database::Submit;
use SKaMPI::Meaning::Catalog qw(row_of rows_of);
use SKaMPI::DatabaseTest     qw(db generated_run $SAMPLE);
use SKaMPI::Read::Output;
use SKaMPI::Base::TextFile qw(sum_of_file);
use SKaMPI::Read::Beside   qw(key_of verdicts_of write_verdicts);
use SKaMPI::ReportTest     qw(workplace);
use SKaMPI::Test           qw($ROOT read_file write_file);

my $OLD = "$ROOT/tests/report/data";
my @SECRETS =
  qw(alice 10.42 proj-42 lustre jwb0097 jwc1234 fz-juelich builder gpfs hpc-group 4711042 Alice);

# A run whose header has names wherever one can be.
my $EVERYWHERE =
    'seen on jwb0097.fz-juelich.de and JWC1234-ib0 in /gpfs/proj-42/alice by alice@hpc-group,'
  . ' -I/gpfs/alice/include ~alice/x --prefix=/lustre/alice tcp://10.42.1.1:5000';
my %FACTS = (
    (
        map  { $_ => $EVERYWHERE }
        grep { !/\A(?:BINDING|ENVIRONMENT|HOSTNAME|PROCESSESPERHOST)\z/ }
        map  { $_->{with_names} ? $_->{name} : () } rows_of('facts')
    ),
    MACHINE          => "Cluster of alice\n# at jwb0097",
    COMMENT          => 'by Alice',
    USER             => 'Alice of hpc-group',
    NAMEOFRUN        => 'alice-1',
    JOBID            => '4711042',
    SECRETFACT       => 'alice',
    OSVERSION        => 'builder@hpc-group',
    HOSTNAME         => 'jwb0097.fz-juelich.de',
    PROCESSESPERHOST => 'jwb0097.fz-juelich.de:2 jwc1234:2',
    BINDING          => "rank host cpus\n# 0 jwb0097.fz-juelich.de 0\n# 1 jwc1234 0-3",
    ENVIRONMENT      => join( "\n# ",
        'OMPI_MCA_btl=self,vader',               'OMPI_MCA_btl_tcp_if_include=10.42.0.0/16',
        'OMPI_MCA_pml_ucx_x=tcp://10.42.7.9:80', 'OMPI_MCA_orte_top_session_dir=/tmp/alice',
        'SLURM_JOB_USER=alice',                  'SLURM_JOB_ACCOUNT=proj-42',
        'SLURM_NODELIST=jwb0097',                'OMPI_MCA_btl_tcp_if_include=jwb0097',
        'OMPI_MCA_coll_tuned=/gpfs/x',           'HOME=/gpfs/alice',
        'OMPI_COMMAND=/lustre/skampi',           'UCX_TLS=rc,sm',
        'I_MPI_ADJUST_BCAST=alice',              'SSH_CLIENT=4711042' ),
    DATE => 'Sun Nov 22 04:11:30 2026',
);

# Rows with words, lines of no known kind, and a suite named after a host.
my $text = generated_run(
    facts => \%FACTS,
    notes => { PARTNER => '1 jwc1234', TIMES => 'alice.times-1 0 1 0', OWN => 'alice' }
);
$text =~ s/(?<=stop=accuracy)/ who=alice at=jwb0097 ok=1/;
$text =~ s/p2p_Suite01/p2p_Bcast-jwb0097/g;
$text =~ s/^#eol$/# alice\n#alice was here\n#eol/m;
my $dir =
  workplace( 'a.out' => $text, 'anonymous.out' => generated_run( facts => { MACHINE => 'a' } ) );

sub submit (@arguments) {
    return db( $dir, 'submit', @arguments );
}

subtest 'verdicts of other launches' => sub {
    my $path    = "$dir/anonymous.out";
    my %point   = ( suite => 'p2p_Suite01', argument => 8 );
    my %verdict = (
        role    => 'candidate',
        kind    => 'longer',
        outcome => 'confirmed',
        slow    => \%point,
        fast    => []
    );
    my @dates   = map { $_ => '2026-11-22' } qw(from to);
    my %content = (
        results  => { name  => '/gpfs/alice/a.out',     sha256 => sum_of_file($path) },
        scope    => { hosts => 'alice-1:2 jwc1234.x:2', @dates, library => 'gpfs', launches => 6 },
        verdicts => [ +{ %verdict, ratio => 2, low => 1.5, high => 2.5 } ]
    );
    write_verdicts( $path, \%content );
    my $sent    = submit( '--dry-run', '--with-names', 'anonymous.out' )->{out};
    my $verdict = verdicts_of( SKaMPI::Read::Output->from_text($sent) );
    is $verdict->{scope}{launches},                        6,           'are sent';
    is $verdict->{by_key}{ key_of( \%verdict ) }{outcome}, 'confirmed', 'with their outcome';
    unlike $sent, qr/gpfs/, 'without the name of the file';
    $sent    = submit( '--dry-run', '--machine', 'Rack 3', 'anonymous.out' )->{out};
    $verdict = verdicts_of( SKaMPI::Read::Output->from_text($sent) );
    is $verdict->{scope}{hosts}, 'node:2 node:2',
      'hosts that the header does not have lose their names';
    unlike $sent, qr/alice|jwc1234/, 'everywhere';
    write_verdicts( $path, { %content, results => { sha256 => 'other' } } );
    my $run = submit( '--dry-run', '--machine', 'Rack 3', 'anonymous.out' );
    is "$run->{status} $run->{err}",
"0 skampi-db: warning: 'anonymous.out.verdicts' is not used: it is about another result file of this name\n",
      'of another file: a warning';
    unlike $run->{out}, qr/VERDICTS/, 'and not sent';
    unlink "$path.verdicts" or die "$path.verdicts: $!";
};

subtest 'no name remains' => sub {
    local $ENV{USER} = 'alice';
    my $run = submit( '--dry-run', 'a.out' );
    is "$run->{status} $run->{err}", '0 ', 'is printed';
    my $sent = $run->{out};
    unlike $sent, qr/\Q$_\E/i, "no $_" for @SECRETS, hostname();
    unlike $sent, qr{/(?:home|gpfs|lustre|tmp|root|work)\b}, 'no path';
    my $output = SKaMPI::Read::Output->from_text($sent);
    is $output->field('PROCESSESPERHOST'), 'node1:2 node2:2',               'hosts have numbers';
    is $output->field('BINDING'), "rank host cpus\n0 node1 0\n1 node2 0-3", 'everywhere the same';
    is $output->field('MACHINE'), "Cluster of user\nat node1",              'texts remain';
    is $output->field('ENVIRONMENT'), "OMPI_MCA_btl=self,vader\nUCX_TLS=rc,sm",
      'settings of the library remain';
    is_deeply [ grep { !row_of( facts => $_->{name} )->{public} } $output->fields ], [],
      'facts that are public';
    is_deeply [ map { $_->{label} } $output->suites ],
      [qw(p2p_Bcast-node1 p2p_Suite02 p2p_Suite03 simple_MPI_Wtime)], 'suites';
    is_deeply [ $output->problems ], [], 'the file is sound';
    like $sent, qr/stop=accuracy ok=1 min=/, 'words of rows without a name remain';
    is anonymous_text($sent), $sent, 'nothing is left to do';
};

subtest 'the values remain' => sub {
    for my $file ( $SAMPLE, "$OLD/old.out" ) {
        write_file( "$dir/sent.out", anonymous_text( read_file($file) ) );
        my ( $got, $wanted ) = map { read_launch( $_, 'time' ) } "$dir/sent.out", $file;
        is_deeply $got->{suites}, $wanted->{suites}, 'of all suites, and what they mean';
    }
};

subtest '--with-names, --machine' => sub {
    is submit( '--dry-run', '--with-names', 'a.out' )->{out}, $text, 'all, byte for byte';
    my $run = submit( '--dry-run', 'anonymous.out' );
    is $run->{status}, 2, 'a machine that is named after its host';
    like $run->{err}, qr/does not name its machine; give it a name .* --machine=NAME/,
      'needs a name';
    like submit( '--dry-run', '--machine', 'Rack 3', 'anonymous.out' )->{out},
      qr/^\#\@MACHINE Rack 3$/m, 'gets one';
};

subtest 'add --without-names' => sub {
    is db( $dir, 'add', '--without-names', '--database', 'w.db', 'a.out' )->{status}, 0, 'is added';
    is db( $dir, 'export', '--original', '--database', 'w.db', 1 )->{out},
      submit( '--dry-run', 'a.out' )->{out},
      'what would be sent';
};

subtest 'what is not sent' => sub {
    for my $case (
        [ qr/expected https/,    'http://example.org',           'a.out' ],
        [ qr/expected https/,    'ftp://localhost',              'a.out' ],
        [ qr/expected https/,    'http://localhost@example.org', 'a.out' ],
        [ qr/expected https/,    'http://localhost.example.org', 'a.out' ],
        [ qr/expected URL FILE/, 'a.out' ],
        [ qr/cannot read 'none'/,               'https://localhost', 'none' ],
        [ qr{/etc/passwd:1: not a result file}, 'https://localhost', '/etc/passwd' ],
        [
            qr/others can read 'open'; type: chmod/,
            'https://localhost', 'a.out', '--token-file', 'open'
        ],
        [ qr/write your token to this file/, 'https://localhost', 'a.out', '--token-file', 'none' ],
        [ qr/the token is not 64 hex/, 'https://localhost', 'a.out', '--token-file', 'short' ],
      )
    {
        my ( $expression, @arguments ) = @{$case};
        write_file( "$dir/$_", 'a' ) for qw(open short);
        chmod oct 644, "$dir/open";
        chmod oct 600, "$dir/short";
        my $run = submit(@arguments);
        isnt $run->{status}, 0, "@arguments";
        like $run->{err}, $expression, 'why';
    }
};

sub served ( $answer, @arguments ) {
    my $server = IO::Socket::INET->new( LocalAddr => '127.0.0.1', Listen => 1 )
      or die "socket: $!\n";
    my $port  = $server->sockport;
    my $child = fork // die "fork: $!\n";
    if ( !$child ) {
        my $client  = $server->accept;
        my $request = q{};
        while ( defined( my $line = readline $client ) ) {
            $request .= $line;
            last if $line eq "\r\n";
        }
        my ($length) = $request =~ /content-length: ([0-9]+)/i;
        read $client, my $body, $length // 0;
        write_file( "$dir/request", $request . ( $body // q{} ) );
        ref $answer ? $answer->($client) : print {$client} $answer;
        close $client;
        exit 0;
    }
    my $run = submit( "http://127.0.0.1:$port/db/", @arguments );
    kill TERM => $child;    # also if nothing was sent
    waitpid $child, 0;
    return ( $run, read_file("$dir/request") );
}

subtest 'what is sent' => sub {
    my $token = '0123456789abcdef' x 4;
    local $ENV{SKAMPI_DB_TOKEN} = $token;
    my $body = '{"id":7,"state":"checked","is_new":true}';
    my ( $run, $request ) = served(
        "HTTP/1.1 201 Created\r\nContent-Length: "
          . length($body)
          . "\r\nConnection: close\r\n\r\n$body",
        'a.out'
    );
    is "$run->{status} $run->{out}$run->{err}", "0 run 7, checked\n", 'the answer';
    like $request, qr{\APOST /db/api/v1/runs HTTP/1[.]1\r\n}, 'where';
    like $request, qr/^authorization: Bearer $token\r$/im,    'the token';
    is $request =~ s/.*?\r\n\r\n//sr, submit( '--dry-run', 'a.out' )->{out},
      'what --dry-run prints';
    ( $run, $request ) =
      served(
        "HTTP/1.1 303 See Other\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
        'a.out' );
    like $run->{err}, qr/303 See Other/, 'redirections are not followed';
    $body = '{"error":"the machine belongs to joe"}';
    ( $run, $request ) = served(
        "HTTP/1.1 403 No\r\nContent-Length: "
          . length($body)
          . "\r\nConnection: close\r\n\r\n$body",
        'a.out'
    );
    is $run->{status}, 1, 'a refusal';
    like $run->{err}, qr/: the machine belongs to joe$/m, 'and why';
    my $for_ever = sub ($client) {
        $client->autoflush;
        sleep 0.01 while print {$client} 'H';
    };
    local $SKaMPI::Database::Submit::WHOLE_S = 0.3;
    ($run) = served( $for_ever, 'a.out' );
    is $run->{status}, 1, 'an answer without end';
    like $run->{err}, qr/: no complete answer within 0[.]3 s$/m, 'is not waited for';
};

done_testing;
