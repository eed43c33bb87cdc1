# A real run of the types under valgrind. An error or a leak counts if a function of skampi is in
# its call stack below the MPI library's, or alone: errors within the library are not skampi's.
use v5.36;

use FindBin qw($Bin);
use Test::More;
use SKaMPI::Meaning::Catalog qw(rows_of);
use SKaMPI::Test             qw(command scratch write_file read_file suites_of);

plan skip_all => 'Open MPI only'             if $ENV{SKAMPI_MPI} ne 'openmpi';
plan skip_all => 'ASan is used instead'      if $ENV{SKAMPI_PROGRAM} =~ /-asan/;
plan skip_all => 'valgrind is not installed' if !grep { -x "$_/valgrind" } split /:/, $ENV{PATH};

# Every sixth, which includes all patterns; all of them in make check-long.
sub some (@all) {
    return $ENV{SKAMPI_LONG} ? @all : @all[ grep { $_ % 6 == 0 } 0 .. $#all ];
}

my $dir   = scratch();
my @types = some( rows_of('types') );

# Repetitions of the same call show no other error.
my $few =
  $ENV{SKAMPI_LONG}
  ? 'Stepwidth = 4096; Max_Steps = 4;'
  : 'Stepwidth = 1000000; Max_Steps = 3; Min_Repetition = 2; Max_Repetition = 2;';

# For the derived datatypes, one that holds a whole message, and every one with triples.
sub datatypes ($number) {
    return "Send_Datatype_Number = $number; Receive_Datatype_Number = $number;";
}

sub needs ($type) {
    my %has = map { $_ => 1 } @{ $type->{traits} };
    return 'Virtual_Topology_Number = 1;' if $has{neighbours};
    return $has{builds} ? datatypes(53) : q{};
}
my @DATATYPES = some( 20, 30 .. 37, 50 .. 58, 61 .. 64, 70 );
my $suites    = join q{},
  map( { "type-$_->{number} { Type = $_->{number}; $few " . needs($_) . " }\n" } @types ),
  map( { "datatype-$_ { Type = 1; $few " . datatypes($_) . " }\n" } @DATATYPES ),
  qq(put { Type = 126; Parameters = "case=9,7 method=put"; }\n),
  qq(shares { Type = 241; $few Parameters = "spread=file:shares"; }\n),
qq(factors { Type = 242; Variation = Spread; End_Argument = 2; Parameters = "spread=geometric"; }\n),
  qq(user { Type = 61; $few Parameters = "op=user elem=short_int"; }\n),
  qq(product { Type = 36; $few Parameters = "op=prod elem=c_long_double_complex"; }\n),
  qq(graph { Type = 284; $few Virtual_Topology_Number = 2; ) . datatypes(53) . qq( }\n),
  qq(graph { Type = 331; $few Virtual_Topology_Number = 2; }\n);
write_file( "$dir/shares", "0 9\n1 0\n" );
write_file( "$dir/all.skampi",
        "\@VERSION 4.1\n\@MEMORY 1024\n\@MAXREPDEFAULT 6\n\@BLOCKS 3\n\@TOPOLOGY1 Cartesian 1 yes\n"
      . "\@TOPOLOGY2 Directed file:graph\n"
      . "\@BASETYPE1 (1,1,MPI_BYTE), (2,2,MPI_INT)\n\@MEASUREMENTS\n$suites" );

write_file( "$dir/graph", "[1 1] # twice\n[1]\n" );

my @valgrind = (
    qw(valgrind --quiet --leak-check=full --show-leak-kinds=definite --num-callers=30),
    "--suppressions=/usr/share/openmpi/openmpi-valgrind.supp",
    "--log-file=$dir/valgrind.%p"
);
my $run = command( $dir, $ENV{SKAMPI_MPIRUN}, qw(--oversubscribe -np 2),
    @valgrind, $ENV{SKAMPI_PROGRAM}, qw(--quiet -f all.skampi) );

# 1: processes that did not start together in any repetition, as valgrind slows them down.
like $run->{status}, qr{^[01]$}, 'a run' or diag $run->{err};
my $results   = read_file("$dir/skampi.out");
my $suites_of = suites_of($results);
my $skipped   = () = $results =~ /^[#]\@SKIPPED /mg;
is scalar( keys %{$suites_of} ) + $skipped, @types + @DATATYPES + 7, 'of each type and datatype';

# A report is a block of lines "==PID== ..."; empty ones separate them.
sub reports ($log) {
    return split /^==\d+==\s*\n/m, $log;
}

# The origin of an error: the innermost function except valgrind's and libc's. A frame reads
# "at 0x...: name (file.c:12)", "by 0x...: name (in /usr/lib/...)", or "by 0x...: ???".
my %own = map { m{([^/]+)$} => 1 } glob "$Bin/../../src/*.c $Bin/../../src/*/*.c";

sub is_ours ($report) {
    for my $frame ( $report =~ /^==\d+==\s+(?:at|by) 0x\w+: (.*)$/mg ) {
        next     if $frame =~ /vgpreload|libc[.]so/;
        return 0 if $frame !~ /\(([\w.-]+[.][ch]):\d+\)$/;
        return 1 if $own{$1};
    }
    return 0;
}

my @logs = glob "$dir/valgrind.*";
my @ours = grep { is_ours($_) } map { reports( read_file($_) ) } @logs;
is scalar @logs, 2, 'two processes were watched';
is_deeply \@ours, [], 'neither reads uninitialised memory nor leaks memory';
done_testing;
