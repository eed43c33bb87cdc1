# Messages through TCP without MPI: data arrive, rows name the interface, and what cannot be is an error of its suite.
use v5.36;

use Test::More;
use SKaMPI::Findings::Medium qw(media_of);
use SKaMPI::Findings::Selection;
use SKaMPI::Read::Output;
use SKaMPI::Test qw(slurp mpirun suites_of is_measured workplace);

my $HEAD  = "\@VERSION 4.2\n\@MEMORY 8192\n\@MAXREPDEFAULT 8\n\@POSTPROC no\n\@MEASUREMENTS\n";
my $RANGE = 'Scale = Fixed_log; Stepwidth = 32; Start_Argument = 0; End_Argument = 1048576;';

sub suite ( $name, $type, $keys ) {
    return qq($name { Type = $type; Variation = Length; $RANGE Parameters = "passes=2 $keys"; }\n);
}

sub run ( $np, $text, @options ) {
    my $dir = workplace( 'p.skampi' => $text );
    return { %{ mpirun( $dir, $np, @options, '-f', 'p.skampi' ) }, dir => $dir };
}

my @suites = (
    suite( One  => 305, 'interface=lo' ),
    suite( Many => 306, 'connections=3 buffers=many window=8' ),
    suite( Cold => 305, 'data=cold' ),
);
for my $np ( 2, 3 ) {
    my $run = run( $np, $HEAD . join q{}, @suites );
    is_measured $run, "$np processes: measured";
    my $text = slurp("$run->{dir}/skampi.out");
    is scalar( () = $text =~ /^#\@INTERFACE lo 127[.]0[.]0[.]1$/mg ), 3, 'each with its interface';
    for my $suite ( values %{ suites_of($text) } ) {
        ok !( grep { $_->[1] <= 0 } @{ $suite->{rows} } ), 'rows with times';
    }
    $run =
      run( $np, $HEAD =~ s/\@MEASUREMENTS/\@VERIFY only\n\@MEASUREMENTS/r . join q{}, @suites );
    is $run->{status}, 0, 'data arrive' or diag $run->{out};
    like $run->{out}, qr/passed\s+data\s+3 operations/, 'of all suites';
}

# With the same data.
my $beside =
  run( 2, $HEAD . join q{}, @suites, suite( Kept => 1, q{} ), suite( New => 1, 'data=cold' ) );
my $output = SKaMPI::Read::Output->from_file("$beside->{dir}/skampi.out");
for my $name (qw(Kept New)) {
    my @media =
      media_of( $output, SKaMPI::Findings::Selection->of($output), $output->suite("p2p_$name") );
    is scalar @media, 1, "$name: one medium";
}

my $run = run( 3,
        $HEAD
      . suite( None => 305, 'interface=eth99' )
      . suite( One  => 1,   q{} )
      . suite( Then => 305, q{} ) );
is $run->{status}, 1, 'without the interface';
like $run->{err}, qr/p2p_None.*no active network interface eth99 has an IPv4 address/, 'says so';
is_deeply [ sort keys %{ suites_of( slurp("$run->{dir}/skampi.out") ) } ],
  [qw(p2p_One p2p_Then)], 'and the other suites follow';

for my $case (
    [ 'threads=2'      => qr/threads/ ],
    [ 'send_in=pinned' => qr/send_in/ ],
    [ 'connections=2'  => qr/connections/ ],
    [ 'counts=c'       => qr/counts/ ],
  )
{
    my ( $keys, $said ) = @{$case};
    $run = run( 2, $HEAD . suite( One => 305, $keys ) );
    is $run->{status}, 2, "$keys: refused";
    like $run->{err}, qr/^p[.]skampi:6:[0-9]+: .*$said/m, 'with its place';
}

done_testing();
