# Fresh, kept and cold data take the same time on a simulated machine, which has no caches; and a client
# that takes long to rewrite its data changes no value.
use v5.36;

use Test::More;
use SKaMPI::Sim     qw(build build_in_scratch build_shim simulate measured);
use SKaMPI::SimRows qw(few_repetitions is_close output_of);
use SKaMPI::Test    qw(read_file);
use SKaMPI::Truth   qw(compared_types quick_types types_on_grid has_length has_window has_work);

my $NP    = 4;
my @TYPES = grep { has_length($_) } $ENV{SKAMPI_LONG} ? compared_types() : quick_types();

# Persistent requests always use the same memory, which cannot be cold.
my %NEVER_COLD = map { $_ => 1 } 260, 261, 373 .. 376;
my $VARIED     = 'Variation = Length; Scale = Fixed_linear';

my ($skampi) = build_in_scratch('truth');

sub parameters ( $sections, @suites ) {
    my @more = ( '@STANDARDERRORDEFAULT 0.0003', '@TOPOLOGY1 Cartesian NOREORDER 2 yes yes' );
    return join q{}, few_repetitions( 4096, @more, $sections ), @suites;
}

sub suite ( $type, $more ) {
    return
"type_$type { Type = $type; $VARIED; Start_Argument = 280; End_Argument = 33880; Stepwidth = 33600; $more }\n";
}

# The output, with what is measured as number => [ [ length, microseconds, { min => ... } ] ].
sub measure ( $text, $settings = q{} ) {
    output_of( $skampi, 'flat', $NP, $text, $settings );
    return read_file('skampi.out');
}

sub differences ( $kept, $other ) {
    my @lines;
    for my $type ( sort { $a <=> $b } keys %{$kept} ) {
        for my $i ( 0 .. $#{ $kept->{$type} } ) {
            my ( $of, $row ) = map { $_->{$type}[$i] // [] } $kept, $other;
            my @us = (
                [ mean => $of->[1], $row->[1] ],
                map { [ $_, $of->[2]{$_}, $row->[2]{$_} ] } qw(min max)
            );
            push @lines, map {
                "type $type, $of->[0] bytes: $_->[0] " . ( $_->[2] // 'no' ) . " us, not $_->[1]"
              }
              grep { !defined $_->[2] || !is_close( $_->[2], $_->[1] ) } @us;
        }
    }
    return join "\n", @lines;
}

sub lines_of ($output) {
    return [ $output =~ /^\#\@DATA[ ](.*)$/mg ];
}

# A topology where one is needed; a window and no work that keep the simulation short.
sub fields_of ($type) {
    return
        ( grep { $_ == $type } types_on_grid() ) ? 'Virtual_Topology_Number = 1;'
      : has_window($type)                        ? 'Parameters = "window=5";'
      : has_work($type)                          ? 'Parameters = "work=0";'
      :                                            q{};
}

my @all   = map { suite( $_, fields_of($_) ) } @TYPES;
my $plain = measure( parameters( q{}, @all ) );
my $kept  = measured($plain);
is keys %{$kept}, @TYPES, @TYPES . ' types';
is_deeply lines_of($plain), ['kept'], 'kept data are the default';

for my $data (qw(fresh cold)) {
    my @types  = grep { $data ne 'cold' || !$NEVER_COLD{$_} } @TYPES;
    my $output = measure( parameters( "\@DATA $data", map { suite( $_, fields_of($_) ) } @types ) );
    is differences( { map { $_ => $kept->{$_} } @types }, measured($output) ), q{},
      "$data data take the same time";
    my ( $header, @blocks ) = @{ lines_of($output) };
    is $header,                 $data,          'the header says which data are sent';
    is scalar @blocks,          scalar @types,  'so does each block';
    is $blocks[0],              "$data, paced", 'the processes of a ping-pong are paced';
    is $blocks[-1] =~ s/,.*//r, $data,          'and others are not';
}

my $PING_PONG = join q{}, map { suite( $_, 'Parameters = "paced=yes";' ) } 1, 8;
is differences( { map { $_ => $kept->{$_} } 1, 8 },
    measured( measure( parameters( q{}, $PING_PONG ) ) ) ),
  q{}, 'so do kept data, paced';

my $ONE = suite( 1, 'Parameters = "buffers=one";' );
my $one = measure( parameters( q{}, $ONE ) );
is differences( { 1 => $kept->{1} }, measured($one) ), q{},
  'one buffer for both directions takes the same time';
is_deeply lines_of($one), [ 'kept', 'kept, one buffer' ], 'and the block says so';

# Datatype 31 has gaps, for which SimGrid's MPI_Pack_size counts room; data in one buffer are checked
# to arrive.
my %derived = map {
    my $text = parameters( '@BASETYPE1 MPI_INT',
        suite( 1, qq{Send_Datatype_Number = 31; Parameters = "$_";} ) );
    ( $_ => measured( measure($text) ) )
} 'data=kept', 'data=fresh', 'data=fresh buffers=one', 'data=kept method=pack';
is scalar @{ $derived{'data=kept'}{1} }, 2, 'messages of a derived datatype';
is differences( @derived{ 'data=kept', $_ } ), q{}, "take the same time with $_"
  for 'data=fresh', 'data=fresh buffers=one', 'data=kept method=pack';

# The client's empty message follows when it has rewritten its data: a delay of that message is one of the
# rewriting.
($skampi) = build_shim();
my $PACED = parameters( '@DATA fresh', map { suite( $_, 'Parameters = "partner=3";' ) } 1, 8 );
my ( $prompt, $slow ) =
  map { measured( measure( $PACED, $_ ) ) } q{}, 'delay=3:MPI_Send:0.001:0';

is differences( $prompt, $slow ), q{},
  'a client that needs 1 ms to rewrite its data changes no value';

# Every pattern, with a process that really takes that long.
my ( undef, $slow_program ) = build('slow');
my @lines = split /\n/, simulate( 'flat', $NP, $slow_program );
is scalar @lines, 13, 'types of all patterns with a process that rewrites slowly';
for (@lines) {
    my ( $type, $at_once, $slowly ) = split;
    ok $at_once > 0 && is_close( $slowly, $at_once ),
      "type $type: $slowly us, without the delay $at_once us";
}

done_testing();
