# The grammar of manual 2.1.7: every field of a suite written, in its order, for every type and every
# Variation that the type's pattern has. A type that has nothing to vary, or no length, ignores it.
use v5.36;

use Test::More;
use SKaMPI::Test qw(scratch skampi plan_of without_skips workplace);

my $PROCESSES = 4;
my @GRAMMAR   = (
    'Scale = %s',
    'Max_Repetition = Default_Value',
    'Min_Repetition = Default_Value',
    'Multiple_of = Default_Value',
    'Time_Measurement = Invalid_Value',
    'Time_Suite = Invalid_Value',
    'Cut_Quantile = Default_Value',
    'Default_Chunks = 0',
    'Default_Message_length = 256',
    'Start_Argument = 0',
    'End_Argument = Max_Value',
    'Stepwidth = 2',
    'Max_Steps = 16',
    'Min_Distance = 2',
    'Max_Distance = 512',
    'Standard_error = Default_Value'
);
my @SCALES     = qw(Fixed_linear Fixed_log Dynamic_linear Dynamic_log);
my %VARIATIONS = (
    p2p      => [qw(Length Nodes)],
    pairs    => [qw(Length Nodes Groups)],
    check    => [qw(Length Nodes)],
    mw       => [qw(Length Nodes Chunks)],
    col      => [qw(Length Nodes)],
    syncol   => [qw(Length Nodes Groups)],
    simple   => [qw(Length Nodes Chunks)],
    internal => [qw(Length Nodes Chunks)],
);

# Fields of types beyond the manual.
my %MORE = ( 100 => 'Send_Datatype_Number = 30;', 101 => 'Send_Datatype_Number = 30;' );
$MORE{$_} = 'Virtual_Topology_Number = 1;' for 102 .. 105, 186, 283 .. 286, 327 .. 332;

# No size of an application is left out.
$MORE{$_} = 'Parameters = "method=contiguous";' for 120 .. 134;
$MORE{$_} = 'Parameters = "case=8";' for 135, 136;

my $GROUPS = 'Parameters = "groups=2";';

my $HEAD = <<'END';
@VERSION 4.0
@MEMORY 2100
@BASETYPE1 MPI_INT
@TOPOLOGY1 Cartesian 2 yes yes
@MEASUREMENTS
END

# [ number, prefix ] of each.
sub types () {
    my @types = skampi( scratch(), '--list' )->{out} =~ /^ *(\d+)  ([a-z0-9]+)_\S/mg;
    my @pairs;
    while ( my ( $number, $prefix ) = splice @types, 0, 2 ) {
        push @pairs, [ $number, $prefix ];
    }
    return @pairs;
}

sub suite ( $type, $variation, $scale, $more ) {
    my $fields = join q{;}, @GRAMMAR;
    return
      sprintf "$type-$variation-$scale { Type = $type; Variation = $variation; $fields; %s }\n",
      $scale, $more;
}

sub check ($text) {
    my $dir = workplace( 'p.skampi' => $text );
    return skampi( $dir, '--check', 'p.skampi', '-n', $PROCESSES );
}

my @types = types();
cmp_ok scalar @types, '>', 80, 'types';
my ( $text, $count ) = ( $HEAD, 0 );
for my $type (@types) {
    my ( $number, $prefix ) = @{$type};
    for my $variation ( @{ $VARIATIONS{$prefix} } ) {
        for my $scale (@SCALES) {
            my $groups = $variation eq 'Groups' && $prefix eq 'syncol';
            next if $groups && $MORE{$number};
            $text .=
              suite( $number, $variation, $scale, $groups ? $GROUPS : $MORE{$number} // q{} );
            $count++;
        }
    }
}
my $run = check($text);
is "$run->{status} " . without_skips( $run->{err} ), '0 ',
  'one file with all of them: no complaint';
my $plan = plan_of( $run->{out} );
is scalar keys %{$plan}, $count, 'every suite is planned';

subtest 'what is ignored' => sub {
    my ( %ignored, @found );
    @found = $run->{out} =~ /^\w+?_(\d+-\w+)-\S+\n.*\n +Variation and its arguments (.*)/mg;
    while ( my ( $suite, $says ) = splice @found, 0, 2 ) { $ignored{ $suite =~ tr/-/ /r } = $says }
    my $none    = 'are ignored: nothing is varied';
    my %skipped = map { $_      => 1 } $run->{out} =~ /^\w+?_(\d+)-\S+\n.*\n +skipped/mg;
    my %silent  = map { $_->[0] => 1 }
      grep {
        !$skipped{ $_->[0] } && $_->[1] =~ /^(?:simple|internal)$/ && $_->[0] !~ /^1[45]\d$|^420$/
      } @types;
    is_deeply [ grep { !$silent{ (split)[0] } } grep { $ignored{$_} eq $none } sort keys %ignored ],
      [], 'nothing is varied: only where nothing can be';
    is scalar( grep { $ignored{$_} eq $none } keys %ignored ), 3 * keys %silent, 'all of these';
    my @nodes     = grep { $ignored{$_} eq 'are ignored: varied over Nodes' } keys %ignored;
    my @no_length = map  { "$_ Length" } grep { !$skipped{$_} } 18, 22, 49, 57, 76, 77, 82 .. 85,
      106 .. 109, 200, 205, 206,
      210, 215, 216, 266, 350, 383, 410;
    is_deeply [ sort @nodes ], [ sort @no_length ], 'the length of what sends no messages';
    my @cases  = grep { $ignored{$_} eq 'are ignored: varied over Length' } keys %ignored;
    my @tables = map  { "$_ Nodes" } 120 .. 136;
    push @tables, map { ( "$_ Nodes", "$_ Chunks" ) } 140 .. 154, 420;
    is_deeply [ sort @cases ], [ sort @tables ], 'what is measured at the sizes of a table';
    is scalar keys %ignored, 3 * keys(%silent) + @no_length + @tables, 'and nothing else';
    my ($instead) = $run->{out} =~ /^col_18-Length-Dynamic_log\n.*\n.*\n((?: +.*\n)+)/m;
    like $instead,
qr/\A *number of processes, Fixed_linear: 3 arguments\n *2 3 4\n *limits .*\n *in 5 passes .*\n\z/,
      'planned as if nothing had been said';
};

done_testing;
