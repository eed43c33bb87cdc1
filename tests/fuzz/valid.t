# Random valid parameter files: each run ends by itself with status 0 or 1, with every suite that was not skipped by
# name; nothing hangs, crashes or ends the other processes. Under the simulator, which knows a deadlock, and
# with the MPI library. SKAMPI_LONG: 300 and 60 files; SKAMPI_SEED repeats them.
use v5.36;

use Cpanel::JSON::XS     ();
use SKaMPI::Generated    qw(random_from);
use SKaMPI::Read::Output ();
use SKaMPI::Sim          qw(build simulator why_not);
use SKaMPI::Test         qw(command enter_scratch mpirun skampi slurp write_file);
use Test::More;

my ( $SIMULATED, $REAL ) = $ENV{SKAMPI_LONG} ? ( 300, 60 ) : ( 8, 2 );
my $SUITES = 4;
my $seed   = $ENV{SKAMPI_SEED} // 20261128;
diag("SKAMPI_SEED=$seed");
my $random = random_from($seed);

sub pick (@of) { return $of[ $random->() * @of ] }

enter_scratch();
my $catalog = Cpanel::JSON::XS->new->decode( skampi( q{.}, '--catalog' )->{out} );
my %key     = map { $_->{name}   => $_ } @{ $catalog->{keys} };
my %pattern = map { $_->{prefix} => $_ } @{ $catalog->{patterns} };

# Values of keys that have no word or small number, as the catalogue describes them.
my %SOME = (
    arrival     => [qw(last:5 ramp:3 random:10)],
    arguments   => [ '64,8', '8,4096,64' ],
    case        => ['table'],
    matchings   => [ 1, 2 ],
    pairs       => [qw(half next shift:1 xor:1 random:3 round)],
    order       => [qw(natural random:5)],
    outliers    => [ 'kept', 2 ],
    processes   => [qw(all below:3 2)],
    ready       => [qw(ascending descending random:4)],
    ready_delay => [qw(message 10)],
    root        => [qw(0 1 rotate each)],
    spread      => [qw(uniform linear geometric:2 one_large:50 sparse:2 random:3 transpose)],
    io_block    => [ 512,  4096 ],
    io_walk     => [ 'no', 8192 ],
);

# Values of a key, from the text that describes them.
sub values_of ($name) {
    return @{ $SOME{$name} } if $SOME{$name};
    my $text  = $key{$name}{values} =~ s/ or Default_Value//r;
    my @words = grep { /\A\w+\z/ && $_ ne 'integer' } split /, | or /, $text;
    return ( @words, $text =~ /integer|number/ ? ( 1, 2, 3 ) : () );
}

# A suite: a type, what it varies, and up to three keys.
sub suite ($name) {
    my $more = pick( q{}, q{}, 'Virtual_Topology_Number = 1;', 'Send_Datatype_Number = 31;' );
    my $type = pick( @{ $catalog->{types} } );
    my $vary = pick( @{ $pattern{ $type->{pattern} }{variations} } ) // 'None';
    my %keys = map { $_ => pick( values_of($_) ) }
      grep { my @values = values_of($_); @values }
      map { pick( @{ $type->{keys} } ) } 1 .. $random->() * 4;
    $keys{passes} //= pick( 1, 2, 'auto' ) if grep { $_ eq 'passes' } @{ $type->{keys} };
    my $range =
      $vary eq 'Length'
      ? sprintf 'Scale = %s; Start_Argument = %d; End_Argument = %d; Stepwidth = %d;',
      pick(qw(Fixed_log Dynamic_log Fixed_linear)), 8, pick( 64, 512, 8192 ), 32
      : $vary eq 'Groups' ? 'End_Argument = 2;'
      :                     q{};
    my $varies = $vary eq 'None' ? q{} : "Variation = $vary;";
    return sprintf qq{%s { Type = %d; %s %s %s Time_Suite = 0.002; Parameters = "%s"; }\n}, $name,
      $type->{number},
      $varies, $more,
      $range, join q{ }, map { "$_=$keys{$_}" } sort keys %keys;
}

# A file of suites that the program accepts, for a number of processes.
sub accepted ($np) {
    my $text = sprintf "\@VERSION 4.2\n\@MEMORY 2M\n\@MAXREPDEFAULT 8\n\@MINREPDEFAULT 4\n%s",
      pick( q{}, q{}, "\@VERIFY yes\n", "\@ABSOLUTE yes\n", "\@TIMERUN 0.2\n" );
    $text .= "\@BASETYPE1 MPI_INT\n\@TOPOLOGY1 Cartesian 1 yes\n\@MEASUREMENTS\n";
    for ( my $count = 0 ; $count < $SUITES ; ) {
        my $more = $text . suite("S$count");
        write_file( 'p.skampi', $more );
        next if skampi( q{.}, qw(--check -f p.skampi -n), $np )->{status} != 0;
        $text = $more;
        $count++;
    }
    write_file( 'p.skampi', $text );
    return $text;
}

# The fault of a run; empty without one.
sub fault_of ( $run, $np ) {
    return "signal $run->{signal}" if $run->{signal};
    return q{}                     if $run->{err} =~ /all suites were skipped/;
    return "status $run->{status}" if $run->{status} > 1;
    return 'a deadlock or a lost rank'
      if $run->{err} =~ /[Dd]eadlock|Segmentation|was killed|MPI_ABORT/;
    my $output = eval { SKaMPI::Read::Output->from_file('o') } or return "no results: $@";
    my %there  = map { $_->{label} =~ s/\A\w+?_//r => 1 } $output->suites;
    my @named  = $run->{err} =~ /\b\w+_(S\d)\b/g;
    my @lost   = grep { !$there{$_} } grep {
        my $name = $_;
        !grep { $_ eq $name } @named
      }
      map { "S$_" } 0 .. $SUITES - 1;
    return @lost ? "without a word: @lost" : q{};
}

sub try_all ( $count, $what, $start ) {
    my @bad;
    for my $i ( 1 .. $count ) {
        my $np    = 2 + int $random->() * ( $what eq 'simulated' ? 6 : 4 );
        my $text  = accepted($np);
        my $run   = $start->($np);
        my $fault = fault_of( $run, $np ) or next;
        push @bad, "$what, $np processes: $fault";
        diag("$bad[-1]\n$text\n$run->{err}");
    }
    is_deeply \@bad, [], "$count $what files";
    return;
}

my @args = qw(-q -f p.skampi -o o --fresh);
SKIP: {
    skip why_not(), 1 if why_not();
    my ($simulated) = build('truth');
    try_all( $SIMULATED, 'simulated',
        sub ($np) { return command( q{.}, simulator( 'flat', $np ), $simulated, @args ) } );
}
try_all( $REAL, 'real', sub ($np) { return mpirun( q{.}, $np, @args ) } );

done_testing;
