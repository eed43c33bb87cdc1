# One-sided communication on simulated machines: each call with each synchronisation that it may have, on one
# target and on several, has its true time, which rma.c prints; and so has the synchronisation alone. The same for
# several accesses in one epoch, as a window and as calls in a row.
use v5.36;

use Test::More;
use SKaMPI::Sim     qw(build_in_scratch simulate);
use SKaMPI::SimRows qw(few_repetitions is_close output_of);

my @CALLS = qw(sync Put Get Accumulate Get_accumulate Fetch_and_op Compare_and_swap Rput Rget);

# A suite of 64 processes takes two seconds.
my @FEW   = qw(sync Put Get Rput);
my @SYNCS = qw(fence pscw lock flush flush_local notify);
my %FIRST = ( one => 200, next => 210, root => 210, all => 210 );

# Accesses in one epoch.
my $MANY = 5;

# The farthest process, of 8.
my %PARTNER = ( two_level => 5 );

my $AT_A_TIME = 40;
my ( $TICK_US, $ROUNDED ) = ( 0.01, 2e-6 );
my $HEAD = few_repetitions( 40_000, '@STANDARDERRORDEFAULT 0.0003' );

my ( $skampi, $truth ) = build_in_scratch('rma');

sub is_legal ( $call, $sync ) {
    return $call !~ /^R/ || $sync !~ /^(?:fence|pscw)$/;
}

# Nanoseconds decide who is first if processes change values of one target that then notices each of them: the
# time differs from one repetition to the next.
sub is_certain ( $call, $sync, $targets ) {
    return $sync ne 'notify' || $targets ne 'root' || $call !~ /^(?:Get_acc|Fetch|Compare)/;
}

# Several accesses are a window (window=5, or varied), or calls in a row.
sub suite ( $np, $length, $call, $sync, $targets, $many = q{} ) {
    my ($index) = grep { $CALLS[$_] eq $call } 0 .. $#CALLS;
    my @keys = ( "sync=$sync", $targets eq 'one' ? () : "targets=$targets" );
    push @keys, "$many=$MANY" if $many =~ /loop|window/;
    my $what = "Start_Argument = $length; End_Argument = $length;";
    $what = "Variation = Nodes; Start_Argument = $np; End_Argument = $np;"
      if $call =~ /sync|Fetch|Compare/;
    $what =
        "Variation = Window; Start_Argument = $MANY; End_Argument = $MANY; "
      . "Default_Message_length = $length;"
      if $many eq 'Variation';
    return "$call.$sync$many.$targets { Type = @{[ $FIRST{$targets} + $index ]}; "
      . qq(Scale = Fixed_linear; $what Parameters = "@keys"; }\n);
}

sub truth_at ( $platform, $np, $length ) {
    my %us;
    for ( split /\n/, simulate( $platform, $np, $truth, $PARTNER{$platform} // $np - 1, $length ) )
    {
        my ( $call, $sync, $targets, $us ) = split;
        $us{"$call.$sync.$targets"} = $us;
    }
    return \%us;
}

sub difference ( $name, $what, $us, $true ) {
    return if is_close( $us, $true );
    return sprintf '%s: %s %.6f us, true value %.6f', $name, $what, $us, $true;
}

# Rows whose net time the clock limits.
my $limited = 0;

# Calls in a row: their times are per call, and so is that of the synchronisation.
sub differences ( $true, $suite ) {
    my ($row)  = @{ $suite->{rows} };
    my $name   = $suite->{name};
    my $calls  = $name =~ /loop/ ? $MANY : 1;
    my $like   = $name =~ s/(?:loop|window|Variation)/$MANY/r;
    my @wrong  = difference( $name, 'time', $row->{time}, $true->{$like} / $calls );
    my $extras = $row->{extras};
    return @wrong if !defined $extras->{sync};
    my $alone = $true->{ $like =~ s/^\w+/sync/r } / $calls;
    push @wrong, difference( $name, 'sync', $extras->{sync}, $alone );
    my $net = $row->{time} - $extras->{sync};
    return @wrong, difference( $name, 'net', $extras->{net}, $net ) if !$extras->{limited};
    $limited++;
    return @wrong, $net <= $TICK_US + $ROUNDED && !defined $extras->{net} ? () : "$name: net $net";
}

sub several ( $np, $length, $sync, $targets ) {
    return if $np > 8 || $targets !~ /one|next/;
    my @windows = map { ( [ $_, 'window' ], [ $_, 'Variation' ] ) } qw(Put Get Accumulate);
    my @loops   = map { [ $_, 'loop' ] } qw(Put Get Accumulate Fetch_and_op Rput Rget);
    return map { suite( $np, $length, $_->[0], $sync, $targets, $_->[1] ) }
      grep { is_legal( $_->[0], $sync ) } @windows, @loops;
}

# An application's message that is a piece of 40 bytes for each of its elements.
sub application ($length) {
    return
      "Put.fence.trip { Type = 125; Parameters = \"method=put case=@{[ $length / 40 ]},1\"; }\n";
}

# Some suites at a time: SimGrid keeps a list of all messages of a run.
sub measured ( $platform, $np, @suites ) {
    my @blocks;
    while ( my @now = splice @suites, 0, $AT_A_TIME ) {
        push @blocks, output_of( $skampi, $platform, $np, join q{}, $HEAD, @now )->suites;
    }
    return @blocks;
}

sub compare ( $platform, $np, $length, @targets ) {
    my @suites = $length % 40 == 0 ? application($length) : ();
    for my $targets (@targets) {
        for my $sync (@SYNCS) {
            push @suites, map { suite( $np, $length, $_, $sync, $targets ) }
              grep { is_legal( $_, $sync ) && is_certain( $_, $sync, $targets ) }
              $np > 8 ? @FEW : @CALLS;
            push @suites, several( $np, $length, $sync, $targets );
        }
    }
    my $true   = truth_at( $platform, $np, $length );
    my @blocks = measured( $platform, $np, @suites );
    is scalar @blocks, scalar @suites, "$platform, $np processes, $length bytes: all are measured";
    is join( "\n", map { differences( $true, $_ ) } @blocks ), q{}, 'with their true times';
    return;
}

compare( 'flat', 3,                         40,   'one' );
compare( 'flat', $ENV{SKAMPI_LONG} ? 8 : 3, 1024, qw(next root all) );
cmp_ok $limited, '>', 0,
  'some take no longer than their synchronisation: the clock limits what is left';
if ( $ENV{SKAMPI_LONG} ) {
    compare( 'two_level', 8,  65_536, qw(one next all) );
    compare( 'flat',      64, 1024,   qw(one next) );
    compare( 'flat',      2,  8,      qw(one next root all) );
}

done_testing;
