# Capabilities of the MPI library are probed: calls that its mpi.h declares, under their names or as extensions.
use v5.36;

use IPC::Run qw(run);
use Test::More;
use SKaMPI::Test qw($ROOT scratch skampi read_file);

my $SRC    = "$ROOT/src";
my %NEEDED = map {
    /(\w+)/
      ? ( "$1" => [ map { split } /"((?:MPI_\w+ ?)+)"/g ] )
      : ()
} read_file("$SRC/model/capabilities.def") =~ /^CAPABILITY[(](.*?)[)]$/gms;

# The header made for an mpi.h with these names.
sub header (@names) {
    my $mpi_h = join q{},
      map { "int $_(const void *buf,\n  MPI_Comm comm) __attribute__((x));\n" } @names;
    run [ $^X, "$SRC/context/probe.pl", "$SRC/model/capabilities.def" ], '<', \$mpi_h, '>', \my $out
      or die "probe.pl: $?\n";
    return $out;
}

sub lacking ($header) {
    my ($expression) = $header =~ /^#define DECLARED_LACKS (.*)$/m;
    return join q{ }, $expression =~ /NEEDS_(\w+)/g;
}

my @bound = @{ $NEEDED{PERSISTENT_COLLECTIVES} };
my @all   = map { @{$_} } values %NEEDED;
cmp_ok @bound, '>=', 17, 'rows name calls';
is lacking( header(@all) ),                            q{},            'all is declared';
is lacking( header( grep { !/^MPI_Scan_c$/ } @all ) ), 'LARGE_COUNTS', 'one call is missing';
is lacking( header( grep { !/_init$/ } @all ) ), 'PERSISTENT_COLLECTIVES SESSIONS', 'several are';
like header(), qr/^#define MPI_Isendrecv[(][.]{3}[)] LACKS_CALL[(]__VA_ARGS__[)]$/m,
  'a call that fails';

my %is_bound  = map { $_ => 1 } @bound;
my $extension = header( map { $is_bound{$_} ? s/^MPI/MPIX/r : $_ } @all );
is lacking($extension), q{}, 'extensions will do';
like $extension,   qr/^#define MPI_Bcast_init MPIX_Bcast_init$/m, 'under their names';
unlike $extension, qr/LACKS_CALL/,                                'and all calls exist';

# The program was built by this rule, with this library.
my $has  = read_file("$ENV{SKAMPI_BUILD}/mpi.i");
my $list = skampi( scratch(), '--list' )->{out} =~ s/\n {20,}/ /gr;
for my $call (qw(MPI_Allreduce_init MPI_Session_init MPI_Comm_create_from_group)) {
    my $name = $call =~ s/\AMPI_//r;
    my ($row) = $list =~ /^ +\d+ +\w+_$call (.*)$/m;
    isnt $row =~ /the MPI library lacks/ ? 1 : 0, $has =~ /\bMPIX?_$name\s*[(]/ ? 1 : 0,
      "$call: listed";
}

done_testing;
