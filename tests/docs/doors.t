# The commands of the README's three doors work as printed, one after the other, with two processes and less to measure.
use v5.36;

use Test::More;
use SKaMPI::Test  qw($ROOT read_file scratch write_file);
use SKaMPI::Typed qw(commands_of typed);

my $dir = scratch();
mkdir "$dir/$_" or die "$dir/$_: $!\n" for qw(old new);
symlink $ENV{SKAMPI_PROGRAM}, "$dir/$_"
  or die "$dir/$_: $!\n"
  for map { "${_}skampi" } q{}, qw(old/ new/);
write_file( "$dir/program", "#!/bin/sh\n./skampi -q barrier -t 200ms -o program.out || true\n" );
chmod oct 755, "$dir/program";
my $head = "\@VERSION 4.2\n\@MAXREPDEFAULT 20\n\@MEASUREMENTS\n";
my %FILE = (
    standard =>
'Ping { Type = 1; Variation = Length; Scale = Fixed_log; Stepwidth = 2; End_Argument = 64K; }',
    network => 'Barrier { Type = 18; }',
    tune    => 'Bcast { Type = 17; Variation = Algorithm; }',
);
write_file( "$dir/$_.skampi", "$head$FILE{$_}\n" ) for keys %FILE;

# On a busy machine, no launch is what is usual, a check may not decide, launches without a budget end early, and
# synchronised suites may have no results: what later commands read is measured by others.
sub cheaper ($command) {
    return $command =~ s/-np (?:16|64)/-np 2/gr =~ s/-f (\w+)/-f $1.skampi/gr =~
      s/ && \S+ db serve//r =~ s/--save/--force --save/r =~ s/skampi launch/$& --budget 1h/r =~
      s/tune measure/$& -f tune.skampi/r         =~ s/8:1M/8:64/r =~
      s/bcast(?= --|\z)/col_MPI_Bcast -m 8:64/gr =~ s/db add/db --database all.db add/r;
}

my @commands = commands_of( read_file("$ROOT/README"), 'Three doors' );
is scalar(@commands), 12, 'commands';
for my $command (@commands) {
    my ( $status, $out ) = typed( $dir, cheaper($command) );
    my @may = $command =~ /health|guard/ ? ( 0, 1, 3 ) : 0;
    ok scalar( grep { $status == $_ << 8 } @may ), $command or diag "$status\n$out";
}
ok -s "$dir/$_", $_ for qw(all.out.html skampi.profile base.json all.db launches/launches.out);

done_testing;
