# On a simulated machine, packing costs nothing: all methods of an application's message take the
# time of its bytes in one piece, the phases add up to it, and the first and the last case of each
# test are looked at.
use v5.36;

use Test::More;
use SKaMPI::Sim     qw(build);
use SKaMPI::SimRows qw(output_of);
use SKaMPI::Test    qw(read_file skampi write_file enter_scratch);

my @METHODS = qw(ddt manual pack contiguous manual_one pack_one);
my $KIB     = 48_000;    # without the largest case of NAS MG
my $CASES   = 64 - 3;
my $BOUND   = 1e-3;

my ($skampi) = build('truth');
my $dir = enter_scratch();

sub run_suites ( $np, @suites ) {
    output_of( $skampi, 'flat', $np, <<"END" . join q{}, @suites );
\@VERSION 4.2
\@MEMORY $KIB
\@STANDARDERRORDEFAULT 0.003
\@MINREPDEFAULT 4
\@MAXREPDEFAULT 4
\@MEASUREMENTS
END
    return read_file('skampi.out');
}

# suite => { bytes => { time, pack, ... } }
sub rows_of ($out) {
    my ( %rows, $suite );
    for ( split /\n/, $out ) {
        $suite = $1 if m{^\#/\*\@in[a-z0-9]+_(\S+)[.]ski};
        my ( $bytes, $time ) = /^(\d+) (\S+) / or next;
        $rows{$suite}{$bytes} = { time => $time, /(\w+)=(-?[\d.]+)/g };
    }
    return \%rows;
}

my $TYPES = join ', ', 120 .. 134;

# All tests with one method; "_one": packed messages are received where they are sent from.
sub suites ($method) {
    my $parameters = 'method=' . $method =~ s/_one/ buffers=one/r;
    return qq[*_$method { Type = $TYPES; Parameters = "$parameters"; }\n];
}

my $rows  = rows_of( run_suites( 2, map { suites($_) } @METHODS ) );
my @tests = map { /(.*)_contiguous/ ? $1 : () } sort keys %{$rows};
is scalar @tests, 15, 'all tests';

my $pairs = 0;
for my $test (@tests) {
    subtest $test => sub {
        my %by     = map  { $_ => $rows->{"${test}_$_"} } @METHODS;
        my @bytes  = sort { $a <=> $b } keys %{ $by{ddt} };
        my $wanted = join q{ }, @bytes;
        $pairs += @bytes;
        for my $method (@METHODS) {
            my @missing = grep { !$by{$method}{$_} } @bytes;
            is "@missing", q{}, "$method: all sizes of $wanted";
        }
        for my $bytes (@bytes) {
            my $net = $by{contiguous}{$bytes}{time};
            for my $method (@METHODS) {
                my $row = $by{$method}{$bytes};
                cmp_ok abs( $row->{time} - $net ), '<', $BOUND * $net,
                  "$method, $bytes: no overhead";
                my $sum = $row->{pack} + $row->{communication} + $row->{unpack};
                cmp_ok abs( $sum - $row->{time} ), '<', 1e-5, "$method, $bytes: phases add up";
                cmp_ok abs( $row->{net} - $net ),  '<', $BOUND * $net, "$method, $bytes: net time";
                is $row->{case}, $by{ddt}{$bytes}{case}, "$method, $bytes: the same case";
            }
        }
    };
}
is $pairs, $CASES, 'all pairs of test and size that fit';

# FFT, on all processes: synchronised, and between barriers. It has two buffers.
@METHODS = grep { !/_one/ } @METHODS;
my @FFT        = ( 256, 512, $ENV{SKAMPI_LONG} ? 768 : () );
my @transposed = map {
    my $type = $_;
    map {
        sprintf qq[FFT_%d_%s { Type = %d; End_Argument = %d; Parameters = "method=%s"; }\n],
          $type, $_, $type, 16 * $FFT[-1]**2 / 4, $_
    } @METHODS
} 135, 136;
my $fft = rows_of( run_suites( 4, @transposed ) );
for my $type ( 135, 136 ) {
    for my $bytes ( map { 16 * $_**2 / 4 } @FFT ) {
        my $net = $fft->{"FFT_${type}_contiguous"}{$bytes}{time};
        for my $method (@METHODS) {
            my $row = $fft->{"FFT_${type}_$method"}{$bytes};
            cmp_ok abs( $row->{time} - $net ), '<', $BOUND * $net,
              "FFT, type $type, $method, $bytes: no overhead";
            my $sum = $row->{pack} + $row->{communication} + $row->{unpack};
            cmp_ok abs( $sum - $row->{time} ), '<', 1e-5,
              "FFT, type $type, $method, $bytes: phases add up";
        }
    }
}

# The plan for a number of processes about FFT.
sub planned ( $np, $parameters ) {
    write_file( 'p.skampi',
        "\@VERSION 4.2\n\@MEMORY $KIB\n\@MEASUREMENTS\nA { Type = 135; $parameters }\n" );
    my $run = skampi( $dir, '--check', 'p.skampi', '-n', $np );
    return $run->{out} . $run->{err};
}

like planned( 3, q{} ), qr/ 3145728 12582912\n/, 'FFT leaves out what 3 processes cannot divide';
like planned( 7, q{} ),
  qr/: N = 256 is not a multiple of the 7 processes; the nearest is case=259\n/,
  'FFT refuses 7 processes';
like planned( 3, 'Parameters = "case=256";' ), qr/; the nearest is case=255\n/,
  'and a case of its own';
like planned( 4, 'Parameters = "groups=2";' ),
  qr/: key 'groups' has no meaning for type 135 'syncol_FFT'\n/, 'all processes transpose';

# The same time as that of the basic ping-pong with as many bytes.
my $out = run_suites(
    8,
    qq[own { Type = 126; Parameters = "case=24,27 method=manual"; }\n],
    qq[fortran { Type = 126; Parameters = "case=24,27 method=manual language=fortran"; }\n],
    qq[lists { Type = 131; Parameters = "case=100,60"; }\n],
    "plain { Type = 1; Start_Argument = 1080; End_Argument = 1080; Scale = Fixed_linear; }\n"
);
my $own = rows_of($out);
like $out, qr/^\#\@LOOPS C compiler version [^,]+, .*-O2/m, 'compiler and flags of the loops';
my $skipped =
  $out =~ /^\#\@SKIPPED p2p_fortran, this program was built without a Fortran compiler$/m;
ok $skipped || $out =~ /^\# Fortran compiler version [^,]+, .*-O2/m && $own->{fortran}{1080},
  'loops in Fortran are measured, or skipped by name';
is_deeply [ $out =~ /^\#\@LISTS (.*)$/mg ], ['seed 2026, 1 list'], 'the seed of lists of indices';
my ( $mine, $plain ) = ( $own->{own}{1080}{time}, $own->{plain}{1080}{time} );
cmp_ok abs( $mine - $plain ), '<', $BOUND * $plain, 'a case of its own, with 8 processes';

done_testing();
