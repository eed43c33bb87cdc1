# Reports of MPI libraries about the path of messages, read from recorded texts of several versions (data/path, named by
# library and version, without lines that a host repeats), the file FILE.path, and what is shown of it.
use v5.36;

use Test::More;
use SKaMPI::Generated          qw(launch_text);
use SKaMPI::Launch::Path       qw(path_lines);
use SKaMPI::Launch::PathReport qw(report_variables reported_paths);
use SKaMPI::Read::Output;
use SKaMPI::Read::Beside qw(path_file path_text with_paths write_paths);
use SKaMPI::ReportTest   qw(workplace);
use SKaMPI::Test         qw($ROOT blocks_of read_file write_file);

my $DATA = "$ROOT/tests/report/data/path";

# The sources, and the texts within a host and between hosts.
my %RECORDED = map { shift @{$_} => $_ } blocks_of(<<'END');
openmpi-4.1.4-vader-cma
  Open MPI v4.1.4 btl_base_verbose, MPI_T
  0 B to 4095 B by vader, eager, copied twice; from 4 KiB by vader, rendezvous, copied once by CMA
openmpi-4.1.4-vader-without-cma
  Open MPI v4.1.4 btl_base_verbose, MPI_T
  0 B to 4095 B by vader, eager, copied twice; from 4 KiB by vader, rendezvous, copied twice
openmpi-4.1.4-two-hosts
  Open MPI v4.1.4 btl_base_verbose, MPI_T
  0 B to 4095 B by vader, eager, copied twice; from 4 KiB by vader, rendezvous, copied once by CMA
  0 B to 65535 B by tcp (eth0), eager, through sockets; from 64 KiB by tcp (eth0), rendezvous, through sockets
openmpi-4.1.4-mtl-ofi
  Open MPI v4.1.4 mtl_base_verbose
  all lengths by ofi/net (eth0), protocol not known, copies not known
  all lengths by ofi/net (eth0), protocol not known, copies not known
openmpi-5.0.7-sm-cma
  Open MPI v5.0.7 btl_base_verbose, MPI_T
  0 B to 4095 B by sm, eager, copied twice; from 4 KiB by sm, rendezvous, copied once by CMA
openmpi-5.0.7-sm-without-cma
  Open MPI v5.0.7 btl_base_verbose, MPI_T
  0 B to 4095 B by sm, eager, copied twice; from 4 KiB by sm, rendezvous, copied twice
openmpi-5.0.7-tcp
  Open MPI v5.0.7 btl_base_verbose, MPI_T
  0 B to 65535 B by tcp (lo), eager, through sockets; from 64 KiB by tcp (lo), rendezvous, through sockets
openmpi-5.0.7-hook
  Open MPI v5.0.7 hook_comm_method
  all lengths by sm, protocol not known, copies not known
openmpi-5.0.7-ucx-1.18.1
  UCX 1.18.1 UCX_PROTO_INFO
  nonblocking sends: 0 B to 5422 B by sysv, eager, copied twice; from 5423 B by cma, rendezvous,
    copied once by CMA | blocking sends: 0 B to 262143 B by sysv, eager, copied twice; from 256 KiB by cma,
    rendezvous, copied once by CMA
mpich-4.0.2-ucx-1.13.1
  UCX 1.13.1 UCX_LOG_LEVEL
  all lengths by sysv and cma, protocol not known, copies not known
mpich-4.2.1-ucx-1.18.1
  UCX 1.18.1 UCX_PROTO_INFO
  0 B to 5422 B by sysv, eager, copied twice; from 5423 B by cma, rendezvous, copied once by CMA
mpich-4.2.1-ucx-1.18.1-tcp
  UCX 1.18.1 UCX_PROTO_INFO
  0 B to 8797 B by tcp (lo), eager, through sockets; from 8798 B by tcp (lo and eth0), rendezvous, through sockets
mpich-4.2-ofi
  MPICH 4.2.0 MPIR_CVAR_DEBUG_SUMMARY
  all lengths by posix, protocol not known, copies not known
  all lengths by ofi/tcp, protocol not known, copies not known
intel-2021.18-shm
  Intel(R) MPI Library 2021.18.1 I_MPI_DEBUG
  all lengths by shm, protocol not known, copies not known
intel-2021.18-shm-ofi
  Intel(R) MPI Library 2021.18.1 I_MPI_DEBUG
  all lengths by shm, protocol not known, copies not known
  all lengths by ofi/tcp, protocol not known, copies not known
ucx-1.13-development-infiniband
  UCX UCX_PROTO_INFO
  not known
  0 B to 2007 B by rc_mlx5 (mlx5_0:1), eager, copied twice; 2008 B to 8246 B by rc_mlx5 (mlx5_0:1), eager,
    copied once; from 8247 B by rc_mlx5 (mlx5_0:1), rendezvous, not copied
ucx-1.18-infiniband
  UCX 1.18.0 UCX_PROTO_INFO
  not known
  0 B to 16676 B by rc_mlx5 (mlx5_0:1), eager, copied twice; 16677 B to 262143 B by rc_mlx5 (mlx5_0:1), eager,
    copied once; from 256 KiB by rc_mlx5 (mlx5_0:1 and mlx5_2:1), rendezvous, not copied
ucx-1.17-xpmem
  UCX UCX_PROTO_INFO
  0 B to 524287 B by sysv, eager, copied twice; from 512 KiB by xpmem, rendezvous, copied once by XPMEM
ucx-1.16-knem-and-infiniband
  UCX UCX_PROTO_INFO
  0 B to 8248 B by sysv, eager, copied twice; from 8249 B by knem and rc_mlx5 (mlx5_0:1), rendezvous,
    copied once by KNEM
END

# Without CMA, recorded texts differ only so.
sub without_cma ($recorded) {
    my $none = 'no shared-memory single-copy component available for selection';
    return $recorded =~ s/mechanism=\Kcma/none/r =~
      s/(mca_smsc_base_select: )checking.*\n.*\n.*: cma$/$1$none/mr;
}

sub read_recorded ($name) {
    my $recorded = read_file( "$DATA/" . $name =~ s/without-//r . '.txt' );
    $recorded = without_cma($recorded) if $name =~ /without-cma/;
    my ( $header, $text ) = split /^\#-----\n/m, $recorded, 2;
    return reported_paths( $text, SKaMPI::Read::Output->from_text($header) );
}

is join( q{ }, sort map { m{([^/]+)[.]txt\z} } glob "$DATA/*.txt" ),
  join( q{ }, sort grep { !/without/ } keys %RECORDED ),
  'each recorded text is read';

for my $name ( sort keys %RECORDED ) {
    my ( $paths,  @sources ) = read_recorded($name);
    my ( $source, @texts )   = @{ $RECORDED{$name} };
    is join( ', ', @sources ), $source, "$name: the source";
    my $i = 0;
    is path_text( { paths => $paths }, $_ ), $texts[ $i++ ] // 'not known', "$name: $_"
      for qw(within between);
}

subtest 'other libraries' => sub {
    for my $library ( q{}, 'Intel(R) MPI Library 2021', 'Open MPI v5.0.7', 'MPICH Version: 3.3' ) {
        my $output = SKaMPI::Read::Output->from_text("#\@MPILIBRARY $library\n");
        is_deeply [ reported_paths( "| a | b |\n| 0..1 | c | d |\n\[\n", $output ) ], [ [] ],
          "'$library' is not known";
    }
    my $shm =
      SKaMPI::Read::Output->from_text( "#\@MPILIBRARY MPICH Version: 4.2.1\n"
          . "# MPICH Device: ch4:ucx\n# MPICH configure: --with-ch4-shmmods=posix,xpmem\n#\@SERVED device: ch4:ucx\n"
      );
    my ( undef, $text ) = split /^\#-----\n/m, read_file("$DATA/ucx-1.17-xpmem.txt"), 2;
    my ($paths) = reported_paths( $text, $shm );
    is path_text( { paths => $paths }, 'within' ),
      'all lengths by posix, protocol not known, copies not known',
      'MPICH with shared memory of its own does not give it to UCX';
    my $one =
      SKaMPI::Read::Output->from_text(
        "#\@MPILIBRARY Open MPI v4.1.4\n" . "#\@SERVED pml: ucx\n#\@PROCESSESPERHOST a:2\n" );
    ($paths) = reported_paths( "UCX INFO ep_cfg[1]: tag(tcp/lo tcp/eth0)\n", $one );
    is path_text( { paths => $paths }, 'within' ),
      'all lengths by tcp (lo and eth0), protocol not known, copies not known',
      'a network within the only host';
    is report_variables()->{UCX_PROTO_INFO}, 'y', 'the variables';
};

# A result file of a ping-pong, and the path beside it.
my $HEADER = "#\@MPILIBRARY Open MPI v4.1.4\n#\@PROCESSESPERHOST a:2 b:1\n#\@HOSTNAME a\n";

sub results () {
    my $text = launch_text( [ 1 .. 6 ], size => 3 );
    $text =~ s/^\#\@(?:MPILIBRARY|PROCESSESPERHOST|HOSTNAME) .*\n(?:\# .*\n)*//mg;
    $text =~ s/^(?=\#-----$)/$HEADER/m or die "no header\n";
    my @partners = ( '1 a', '2 b' );
    $text =~
      s{^(\#\@TYPE 1 .*\n)}{$1 . ( @partners ? "#\@PARTNER " . shift(@partners) . "\n" : q{} )}gme;
    return $text;
}

my %CONTENT = (
    library => 'Open MPI v4.1.4',
    hosts   => 'a:2 b:1',
    sources => [],
    paths   => ( read_recorded('openmpi-4.1.4-two-hosts') )[0]
);

subtest 'the file' => sub {
    my $dir = workplace( 'skampi.out' => results() );
    my $one = "$dir/skampi.out";
    my $of  = sub () { return SKaMPI::Read::Output->from_file($one) };
    is $of->()->field('PATHS'), undef, 'without it';
    write_paths( $one, \%CONTENT );
    like $of->()->field('PATHS'), qr/\Awithin a host: 0 B .* CMA; between hosts: 0 B .* sockets\z/,
      'with it';
    my @notes = map { $_->note('PATH') // () } $of->()->suites;
    is scalar @notes, 2, 'two ping-pongs';
    like $notes[0], qr/\A0 B to 4095 B by vader, eager/, 'within the host';
    like $notes[1], qr/\A0 B to 65535 B by tcp/,         'and between hosts';
    my $bytes = with_paths( read_file($one), $of->() );
    my @facts = $bytes =~ /^#\@PATHS? /mg;
    is scalar @facts, 3, 'in a file for a database';
    my $again = with_paths( $bytes, $of->() );
    is $again, $bytes, 'once';
    write_file( "$dir/other.out", $bytes );
    my $other = SKaMPI::Read::Output->from_file("$dir/other.out");
    is $other->field('PATHS'), $of->()->field('PATHS'), 'which says the same';
    is_deeply [ map { $_->note('PATH') // () } $other->suites ], \@notes, 'of each ping-pong';
    my @wrong = (
        [ +{ %CONTENT, library => 'MPICH' }, 'it is of another library, or of other hosts' ],
        [ +{ %CONTENT, hosts   => 'a:3' },   'it is of another library, or of other hosts' ],
    );

    for my $case (@wrong) {
        write_paths( $one, $case->[0] );
        is $of->()->field('PATHS'), "'$one.path' is not used: $case->[1]", $case->[1];
    }
    for my $text (
        '{',
        '[]',
        '{"schema":"skampi-path/2","paths":[]}',
        '{"schema":"skampi-path/1","paths":[{"pair":"x","from":0}]}',
        '{"schema":"skampi-path/1","paths":[{"pair":"within","from":"x"}]}',
        '{"schema":"skampi-path/1","paths":[{"pair":"within","from":0,"transport":"a\\nb"}]}'
      )
    {
        write_file( path_file($one), $text );
        is $of->()->field('PATHS'), "'$one.path' is not used: it is damaged, or of another version",
          $text;
        my $sent = with_paths( results(), $of->() );
        is $sent, results(), 'and not sent';
    }
};

subtest 'what is suspicious' => sub {
    my $twice = 'look: within a host, messages from 4 KiB on are copied twice; CMA, XPMEM or KNEM'
      . ' would copy them once';
    my $tcp   = 'look: between hosts, messages go by tcp although this host has mlx5_0 ib0';
    my @cases = (
        [ 'openmpi-4.1.4-vader-cma',         [],               q{} ],
        [ 'openmpi-4.1.4-vader-without-cma', [],               $twice ],
        [ 'openmpi-4.1.4-two-hosts',         [],               q{} ],
        [ 'openmpi-4.1.4-two-hosts',         [qw(mlx5_0 ib0)], $tcp ],
        [ 'openmpi-5.0.7-tcp',               [qw(mlx5_0 ib0)], q{} ],
        [ 'ucx-1.18-infiniband',             [qw(mlx5_0 ib0)], q{} ],
    );
    for my $case (@cases) {
        my ( $name, $networks, $wanted ) = @{$case};
        my ($paths) = read_recorded($name);
        my $text    = join q{ }, path_lines( 'x', { paths => $paths }, @{$networks} );
        my ($found) = $text =~ /(look: .*)/;
        is( ( $found // q{} ) =~ s/\s+/ /gr, $wanted, "$name, with '@{$networks}'" );
    }
};

subtest 'lengths' => sub {
    is path_text( \%CONTENT, 'between', 8, 1024 ),
      '0 B to 65535 B by tcp (eth0), eager, through sockets', 'short ones';
    is path_text( \%CONTENT, 'between', 65_536, 65_536 ),
      'from 64 KiB by tcp (eth0), rendezvous, through sockets', 'a long one';
};

done_testing;
