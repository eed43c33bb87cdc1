package SKaMPI::Bench::Twins;

# Figures about skampi-model: random simulated machines against their twins, intervals that hold the truth, and real
# machines against their twins.
use v5.36;

use Exporter                     qw(import);
use List::Util                   qw(sum0);
use SKaMPI::Bench::Figures       qw(at_least at_most);
use SKaMPI::Bench::Launch        qw(progress root skampi);
use SKaMPI::Hosts                qw(mpirun_on_hosts why_no_delay why_no_hosts why_no_rate);
use SKaMPI::Model::Check         qw(check_twin);
use SKaMPI::Model::MissingPoints qw(points_file);
use SKaMPI::Model::Twin          qw(twin_of);
use SKaMPI::Read::Output;
use SKaMPI::Sim         qw(why_not build);
use SKaMPI::Test        qw(read_file scratch write_file);
use SKaMPI::TwinMachine qw(covered fit_of prove_twin);

our @EXPORT_OK = qw(intervals twin_here twin_of_hosts twins);

# A machine takes about 3 s of CPU; BENCH_MACHINES=26-50 are these.
my $MACHINES = '1-100';
my $LONGEST  = 2**20;

# The compared quantities, and their permitted differences.
my %KIND = (
    far         => [ 'messages between hosts', 1e-3 ],
    near        => [ 'messages within a host', 1e-3 ],
    collectives => [ 'seven collectives',      1e-2 ]
);

my $LAUNCHES = 10;
my $SEEDS    = 50;

sub twins () {
    return [ 'twins', why_not() ] if why_not();
    my ($skampi) = build('truth');
    my ( $first, $last ) = split /-/, $ENV{BENCH_MACHINES} // $MACHINES;
    chdir scratch() or die "no directory: $!\n";
    my @proofs = map { _proof( $skampi, $_ ) } $first .. $last;
    my $beside = sprintf ' of %d', scalar @proofs;
    my @wrong  = grep { $_->{why} } @proofs;
    return (
        ( map { [ "machine $_->{seed}: $_->{why}", q{}, q{}, 0 ] } @wrong ),
        at_most(
            'machines whose breaks are not all found to 1 %', '%d',
            scalar( grep { @{ $_->{missed} } } @proofs ),     0,
            $beside
        ),
        map { _worst( $_, @proofs ) } qw(far near collectives)
    );
}

# prove_twin with seed and why: what is wrong, empty if nothing is.
sub _proof ( $skampi, $seed ) {
    my $proof = eval { prove_twin( $skampi, $seed, $LONGEST ) } // { missed => [], why => $@ };
    my %worst = %{ $proof->{worst} // {} };
    progress(
        join q{, },
        "machine $seed: " . ( $proof->{why} // @{ $proof->{machine}{breaks} } . ' breaks' ),
        map { sprintf '%s %.5f %% at %d B', $_, 100 * $worst{$_}[0], $worst{$_}[1] }
          sort keys %worst
    );
    $proof->{seed} = $seed;
    $proof->{why} //= join q{; }, ( map { "no break at $_ B" } @{ $proof->{missed} } ),
      @{ $proof->{remarks} };
    return $proof;
}

# How many machines exceed the limit, and the worst of all.
sub _worst ( $kind, @proofs ) {
    my ( $text, $most ) = @{ $KIND{$kind} };
    my @off     = map  { $_->{worst} ? [ $_->{worst}{$kind}[0], $_->{seed} ] : () } @proofs;
    my $wrong   = grep { $_->[0] > $most } @off;
    my ($worst) = sort { $b->[0] <=> $a->[0] } @off;
    return at_most(
        "$text: more than @{[ 100 * $most ]} % off",
        '%d', $wrong, 0, sprintf ' of %d; worst: %.5f %%, machine %d',
        scalar @off, 100 * $worst->[0],
        $worst->[1]
    );
}

sub intervals () {
    return map { _coverage($_) } 0.01, 0.03, 0.1;
}

sub _coverage ($noise) {
    progress("noise $noise");
    my @counts = map { covered( $_, $LAUNCHES, $noise ) } 1 .. $SEEDS;
    my @rows;
    for my $what (qw(a b place)) {
        my ( $covered, $count ) = map {
            my $i = $_;
            sum0( map { $_->{$what}[$i] } @counts )
        } 0, 1;
        push @rows,
          at_least(
            sprintf( 'noise %g %%: 95 %% intervals of %s', 100 * $noise, $what ),
            '%.1f %%', 100 * $covered / ( $count || 1 ),
            85,        " of $count"
          );
    }
    my $right = sum0( map { $_->{breaks}[0] } @counts );
    return ( @rows,
        [ sprintf( 'noise %g %%: all breaks found', 100 * $noise ), "$right of $SEEDS", q{} ] );
}

# --- real machines: what was measured over what their twins take ------------------------------------

# Ping-pongs, and collectives over the length.
my $COMPARED = qr/-(?:far|near|length)\z/;

# One process each; a message is late by both hosts' delays.
my @HOSTS = map { { name => $_, processes => 1, delay_us => 250, rate_mbit => 100 } } qw(a b c);
my $HOSTS_SECONDS = 400;

sub twin_here () {
    return [ 'twin', why_not() ] if why_not();
    return _against_twin(
        sub ($parameters) { return skampi( 2, $parameters ) },
        read_file( root() . '/configs/model.skampi' )
    );
}

# The suites of a twin, and collectives over the length, with fewer repetitions of short messages: 1 MiB takes 0.1 s,
# and 64 KiB wait for their receiver. The nearest process is as far as the others. What needs a common start has a time
# limit; the rest is measured three times, as its scatter is between launches.
sub twin_of_hosts () {
    my $why = why_not() || why_no_hosts() || why_no_delay() || why_no_rate();
    return [ 'twin-hosts', $why ] if $why;
    my $parameters = read_file( root() . '/configs/model.skampi' );
    $parameters =~ s/^\@MAXREPDEFAULT .*/\@MAXREPDEFAULT 8/m;
    $parameters =~ s/End_Argument = (?:262144|1048576)/End_Argument = 32768/g;
    $parameters =~ s/Stepwidth = 1[.]189207/Stepwidth = 1.414214/g;
    $parameters =~ s/(Type = (?:302;|47,).*Stepwidth = )\S+/Time_Suite = 0.15; ${1}4;/g;
    $parameters =~ s/^\S+(?:-near|-window|-nodes-\w+) [{].*?^[}]\n//gms;
    my $messages = $parameters =~ s/^\S+ [{]\s+Time_Suite.*?^[}]\n//gmsr;
    return _against_twin( \&_on_hosts, $parameters, $messages, $messages );
}

sub _on_hosts ($parameters) {
    local @ENV{qw(SKAMPI_MPIRUN SKAMPI_PROGRAM)} = ( 'mpirun.openmpi', root() . '/skampi' );
    local $SKaMPI::Hosts::SECONDS = $HOSTS_SECONDS;
    my $dir = scratch();
    write_file( "$dir/.skampi", $parameters );
    my $run = mpirun_on_hosts( $dir, \@HOSTS, '--quiet' );
    die "no results: status $run->{status}\n$run->{err}\n" if $run->{status} !~ /\A[01]\z/;
    return SKaMPI::Read::Output->from_file("$dir/skampi.out");
}

# Measures the parameters of each launch, and the points that the model lacks then, as many times.
sub _against_twin ( $measure, @launches ) {
    my ($skampi) = build('truth');
    progress('measuring');
    my @outputs = map { $measure->($_) } @launches;
    my $points  = points_file( fit_of(@outputs), $outputs[0] ) =~ s/^\@(?:OUT|LOG)FILE .*\n//gmr;
    progress('measuring points');
    push @outputs, map { length $points ? $measure->($points) : () } @launches;
    my $twin = twin_of( fit_of(@outputs), $outputs[0] );
    return (
        ( map { [ "note: $_", q{}, q{} ] } @{ $twin->{remarks} } ),
        map {
            [
                "$_->{name}: measured / simulated",
                sprintf( '%.2f (%.2f to %.2f), %d lengths', @{$_}{qw(ratio low high count)} ), q{}
            ]
        } grep { $_->{name} =~ $COMPARED } check_twin( $skampi, $twin, $outputs[0] )
    );
}

1;
