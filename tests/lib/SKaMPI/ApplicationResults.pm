package SKaMPI::ApplicationResults;

# Results of what applications send, as texts of files.
use v5.36;

use Exporter        qw(import);
use SKaMPI::Results qw(results_text);

our @EXPORT_OK = qw(application_results other_library with_keys);

my %HEADER = (
    MACHINE          => 'Example',
    MPILIBRARY       => 'Open MPI v4.1.4',
    PROCESSES        => 2,
    PROCESSESPERHOST => 'host:2',
    SKAMPIVERSION    => '4.2.0',
);

# Patterns and type numbers of the tests; those of Build_TEST are 20 larger.
my %PATTERN = ( FFT       => 'syncol' );
my %NUMBER  = ( WRF_x_vec => 120, NAS_LU_x => 125, LAMMPS_atomic => 131, FFT => 135 );

# Test, length, number of the case and contiguous pieces; for each method time, error, packing and unpacking in
# microseconds. As measured with Open MPI 4.1.4; FFT has neither phases nor suites that build its datatypes.
my $TABLE = <<'END';
WRF_x_vec 63168 3 5264: ddt 48.25 0.325, manual 84.39 0.109 16.81 10.52, pack 119.1 0.0856 29.49 14.91,
    contiguous 16.54 0.0411, create 3.21 0.0541, free 1.257 0.0122
WRF_x_vec 102648 2 8554: ddt 84.78 2.41, manual 141.6 0.882 27.82 19.90, pack 189.1 0.836 47.64 25.36,
    contiguous 22.83 0.0258, create 4.087 0.142, free 1.526 0.071
WRF_x_vec 173712 1 14476: ddt 136.0 4.96, manual 241.8 2.02 46.93 41.28, pack 261.3 3.86 51.68 43.23,
    contiguous 35.83 0.0685, create 4.392 0.137, free 1.496 0.0601
NAS_LU_x 480 1 1: ddt 0.7144 0.0041, manual 1.692 0.0063 0.0157 0.0160, pack 1.669 0.0033 0.0248 0.0257,
    contiguous 1.792 0.0023, create 0.217 0.000258, free 0.105 0.000136
NAS_LU_x 4080 4 1: ddt 5.841 0.0352, manual 10.43 0.0468 1.192 0.196, pack 8.503 0.0264 0.550 0.0902,
    contiguous 6.656 0.0131, create 0.216 0.000132, free 0.105 0.000164
NAS_LU_x 40800 7 1: ddt 11.86 0.0144, manual 41.38 0.0928 8.182 2.400, pack 33.82 0.0644 6.322 0.975,
    contiguous 12.44 0.0197, create 0.217 0.000104, free 0.105 0.000186
LAMMPS_atomic 5472 3 456: ddt 14.89 0.0369, manual 11.64 0.0468 1.399 0.214, pack 19.11 0.0477 4.891 0.162,
    contiguous 7.069 0.0107, create 10.70 0.0172, free 0.946 0.00664
LAMMPS_atomic 11664 1 972: ddt 26.87 0.118, manual 17.39 0.123 2.992 0.457, pack 32.48 0.0743 10.18 0.259,
    contiguous 8.003 0.0192, create 20.87 0.0179, free 0.968 0.00599
FFT 524288 1: ddt 364.8 3.54, manual 685.3 4.40, pack 525.9 9.42, contiguous 129.5 2.02
FFT 18874368 5: ddt 20198 288, manual 56329 1263, pack 42793 876, contiguous 8844 398
END

# Declarations of the values after the # of rows.
my $EXTRA = join "\n", map { "#\@EXTRA $_" } "case number of the row in the test's table of sizes",
  ( map { "$_ [microsec.] a phase" }
      qw(pack communication unpack partner_pack partner_unpack net) ),
  'pieces contiguous pieces of the message';

# Results with a list of suites, each a test, a name, keys of Parameters and rows.
sub with_keys (@suites) {
    my ( @lines, @made );
    for my $suite (@suites) {
        my ( $test, $name, $keys, @rows ) = @{$suite};
        my ( $pattern, $number ) = ( $PATTERN{$test} // 'p2p', $NUMBER{$test} );
        ( $pattern, $number ) = ( 'simple', $number + 20 ) if $name =~ /\ABuild_/;
        my $type = $name =~ /\A((?:Build_)?\Q$test\E)/ ? $1 : $test;
        push @lines, qq($name { Type = $number; Parameters = "$keys"; });
        push @made,
          [
            "${pattern}_$name", 'length', \@rows,
            { type => "$number ${pattern}_$type", scale => 'linear', notes => $EXTRA }
          ];
    }
    return results_text( { %HEADER, SUITES => join "\n# ", @lines }, @made );
}

# Tests by the methods, and the building and freeing of their datatypes.
sub application_results () {
    my ( %rows, @tests );
    for my $line ( split /\n/, $TABLE =~ s/\n {4}/ /gr ) {
        my ( $what, $times ) = split /: /, $line;
        my ( $test, $length, $case, $pieces ) = split q{ }, $what;
        push @tests, $test if !$rows{$test};
        for ( split /, /, $times ) {
            my ( $method, @times ) = split q{ };
            my $notes = $method =~ /create|free/ ? " pieces=$pieces" : _phases( $test, @times );
            push $rows{$test}{$method}->@*,
              "$length @times[0, 1] 30 # stop=accuracy case=$case$notes";
        }
    }
    my @suites;
    for my $method (qw(ddt manual pack contiguous create free)) {
        my $ending = $method =~ /ddt|create/ ? q{} : "-$method";
        my ( $prefix, $key ) = $method =~ /create|free/ ? qw(Build_ call) : ( q{}, 'method' );
        push @suites,
          map { [ $_, "$prefix$_$ending", "cache=warm $key=$method", $rows{$_}{$method}->@* ] }
          grep { $rows{$_}{$method} } @tests;
    }
    return with_keys(@suites);
}

# Phases of a row: the partner's are as long, and what remains is the network's.
sub _phases ( $test, $time, $error, $pack = 0, $unpack = 0 ) {
    return q{} if $test eq 'FFT';
    my $net   = $time - 2 * ( $pack + $unpack );
    my %phase = (
        pack           => $pack,
        unpack         => $unpack,
        partner_pack   => $pack,
        partner_unpack => $unpack,
        communication  => $time - $pack - $unpack,
        net            => $net,
    );
    return join q{}, map { " $_=$phase{$_} ${_}_error=$error" } sort keys %phase;
}

# The results of another MPI library: its shortest tests take twice as long, and some others a little longer.
sub other_library ($text) {
    my %factor = ( 480 => 2, 63_168 => 1.046 );
    return $text =~ s/^#\@MPILIBRARY \K.*/MPICH Version: 4.0.2/mr =~
      s/^(480|63168) ([0-9.]+) /"$1 " . $factor{$1} * $2 . q{ }/mger;
}

1;
