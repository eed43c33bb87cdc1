# skampi-launch --path with several hosts, which are namespaces of this one: the path within a host and between hosts,
# in a launch beside the measured ones, whose environment stays as it is.
use v5.36;

use Cwd qw(abs_path);
use Test::More;
use SKaMPI::Base::Json       qw(decode_json);
use SKaMPI::Findings::Medium qw(media_of);
use SKaMPI::Findings::Selection;
use SKaMPI::Hosts qw(cpus mpirun_on_hosts mpirun_words on_hosts why_no_hosts why_no_rate);
use SKaMPI::Read::Output;
use SKaMPI::Test qw(command read_file scratch write_file workplace succeeds);

plan skip_all => 'Open MPI only' if $ENV{SKAMPI_MPI} ne 'openmpi';
plan skip_all => why_no_hosts()  if why_no_hosts();

my $ROOT      = abs_path( __FILE__ =~ s{[^/]+$}{../..}r );
my ($ONE_CPU) = cpus() =~ /^(\d+)/;
my @HOSTS     = (
    { name => 'a', processes => 2, cpus => $ONE_CPU },
    { name => 'b', processes => 1, cpus => $ONE_CPU }
);

my $SUITES = <<'END';
@VERSION 4.2
@MEMORY 1024
@MINREPDEFAULT 4
@MAXREPDEFAULT 4
@POSTPROC no
@MEASUREMENTS
Near { Type = 1; Scale = Fixed_log; Start_Argument = 64; End_Argument = 131072; Stepwidth = 8;
       Parameters = "partner=nearest passes=1"; }
Far { Type = 1; Scale = Fixed_log; Start_Argument = 64; End_Argument = 131072; Stepwidth = 8;
      Parameters = "partner=2 passes=1"; }
END

# Launches with these options; the directory has the file "ours" with the suites.
sub launched (@options) {
    my $dir = workplace( 'ours.skampi' => $SUITES );
    my $run =
      on_hosts( $dir, \@HOSTS, $^X, "$ROOT/report/launch.pl",
        @options, q{--}, mpirun_words( \@HOSTS ),
        $ENV{SKAMPI_PROGRAM}, qw(-q -f ours.skampi) );
    is $run->{status}, 0, "launched: @options" or diag $run->{err};
    return ( $dir, $run );
}

sub header_of ($dir) {
    my $output = SKaMPI::Read::Output->from_file("$dir/launches/launches/1/skampi.out");
    return { map { $_ => ( $output->field($_) // q{} ) =~ s{/tmp/[\w/-]+}{}gr }
          qw(SETTINGS LIMITS SERVED ENVIRONMENT) };
}

my ( $plain, undef ) = launched(qw(-n 1));
my ( $dir, $run ) = launched(qw(-n 1 --path));
my $one   = "$dir/launches/launches/1/skampi.out";
my $paths = decode_json( read_file("$one.path") );

is_deeply header_of($dir), header_of($plain), 'the measured launch has the same environment';
unlike read_file($one), qr/VERBOSE|UCX_PROTO_INFO|DEBUG_SUMMARY/i, 'without the variables';
like read_file("$dir/launches/launches/path/skampi.out"),
  qr/\bbtl_base_verbose=\S+ [(]environment[)]/,
  'which the other launch has';

my %of;
push @{ $of{ $_->{pair} } }, $_ for @{ $paths->{paths} };
my @limits = map { read_file($one) =~ /btl_${_}_eager_limit=(\d+)/ } qw(vader tcp);
@limits = ( read_file($one) =~ /btl_sm_eager_limit=(\d+)/, $limits[-1] ) if @limits < 2;
like $of{within}[0]{transport}, qr/\A(?:vader|sm)\z/, 'shared memory within a host';
is $of{between}[0]{transport}, 'tcp',      'TCP between hosts';
is $of{between}[0]{device},    'eth0',     'its interface';
is $of{$_}[0]{protocol},       'eager',    "$_: eager" for qw(within between);
is $of{within}[1]{from},       $limits[0], 'up to the limit of shared memory';
is $of{between}[1]{from},      $limits[1], 'up to that of TCP';

my $shown = command( $dir, $^X, "$ROOT/report/show.pl", $one )->{out} =~ s/\n {4}/ /gr;
like $shown, qr/path of Near: 0 B to \d+ B by (?:vader|sm), eager, copied twice; from /,
  'shown of Near';
like $shown,
qr/path of Far: .* by tcp [(]eth0[)], eager, through sockets; from .*, rendezvous, through sockets/,
  'shown of Far';
like $run->{out}, qr/^launches, between hosts:\n  0 B to \d+ B by tcp/m,
  'printed before the measurement';

# Without MPI: each interface has its own rate, in MB/s.
subtest 'two interfaces' => sub {
    plan skip_all => why_no_rate() if why_no_rate();
    my %mbit = ( eth0 => 400, eth1 => 40 );
    my @hosts =
      map { { name => $_, processes => 1, rate_mbit => $mbit{eth0}, second_mbit => $mbit{eth1} } }
      qw(a b);
    my $range  = 'Scale = Fixed_log; Start_Argument = 8; Stepwidth = 65536; End_Argument = 524288;';
    my $dir    = scratch();
    my @suites = (
        'any { Type = 305; %s }',
        'mpi { Type = 1; %s }',
        map { "$_ { Type = 306; %s Parameters = \"interface=$_ window=2 connections=2\"; }" }
          sort keys %mbit
    );
    write_file(
        "$dir/p.skampi",
        ( $SUITES =~ s/(?<=MEASUREMENTS\n).*//sr ) . join "\n",
        map { sprintf $_, $range } @suites
    );
    my $run    = succeeds( mpirun_on_hosts( $dir, \@hosts, qw(-q -f p.skampi) ), 'measured' );
    my $output = SKaMPI::Read::Output->from_file("$dir/skampi.out");
    is_deeply [ map { $output->suite("p2p_$_")->note('INTERFACE') } qw(any eth0 eth1) ],
      [ 'eth0 10.0.0.1', 'eth0 10.0.0.1', 'eth1 10.0.1.1' ], 'by these interfaces';
    my %rate = map { $_ => 2 * 524_288 / $output->suite("p2p_$_")->rows->[-1]{time} } keys %mbit;
    cmp_ok $rate{$_}, '<', 1.2 * $mbit{$_} / 8, "$_ is not faster than its limit"
      for sort keys %mbit;
    cmp_ok $rate{eth0}, '>', $rate{eth1}, 'and eth0 is faster than eth1';
    is_deeply [ map { $_->{name} }
          media_of( $output, SKaMPI::Findings::Selection->of($output), $output->suite('p2p_mpi') )
      ],
      ['TCP without MPI (eth0)'], 'the medium of the ping-pong';
};

done_testing;
