# If processes cannot start together because their clocks change with each reading, the rows say so,
# the run continues, and a message explains its exit status 1.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Sim  qw(build_shim simulator);
use SKaMPI::Test qw(command workplace sections);

sub parameters () {
    my $range = 'Start_Argument = 64; End_Argument = 64;';
    return sections(
        VERSION              => 4.1,
        MEMORY               => 64,
        MINREPDEFAULT        => 4,
        MAXREPDEFAULT        => 8,
        STANDARDERRORDEFAULT => 0
    ) . <<"END";
Together { Type = 47; $range }
Between { Type = 17; $range }
Apart { Type = 211; $range Parameters = "sync=lock"; }
END
}

my $WHY = 'of 1 arguments: in every repetition, a process started late, a clock was off, '
  . 'or the time was below half of the overhead';

my ($skampi) = build_shim();

sub ends_of ( $output, $label ) {
    return
      map { [ @{$_}{qw(argument count)}, $_->{extras}{stop} ] } @{ $output->suite($label)->{rows} };
}

# Noise, and (make check-long) a clock that changes continuously.
for my $settings ( 'jitter=0.01', $ENV{SKAMPI_LONG} ? 'sine=50000@0.01' : () ) {
    my $dir = workplace( '.skampi' => parameters() );
    local $ENV{SKAMPI_SHIM} = $settings;
    my $run    = command( $dir, simulator( 'flat', 2 ), $skampi, '--quiet' );
    my $output = SKaMPI::Read::Output->from_file("$dir/skampi.out");
    is $run->{status}, 1, "$settings: status 1, a suite could not be measured";
    is_deeply [ $run->{err} =~ /^skampi: (?!warning)(.*)$/mg ],
      [ map { "syncol_$_: no result for 1 $WHY" } qw(Together Apart) ],
      'the message says why, even with --quiet';

    for my $suite (qw(syncol_Together syncol_Apart)) {
        is_deeply [ ends_of( $output, $suite ) ],
          [ [ 64, 0, 'unsynchronised' ] ],
          "$suite: the rows say so";
    }
    is_deeply [ map { $_->{extras}{sync} } @{ $output->suite('syncol_Apart')->{rows} } ],
      [undef],
      'a synchronisation that was not measured has no time';
    is_deeply [ map { $_->{extras}{passes} } @{ $output->suite('syncol_Apart')->{rows} } ],
      [3],
      'no row has more than three such visits';
    is_deeply [ map { $_->[2] } ends_of( $output, 'col_Between' ) ], ['repetitions'],
      'the run continues';
}

# Visits with mostly invalid repetitions have enough of them: no suite ends early.
{
    my $dir =
      workplace( '.skampi' => sections( MAXREPDEFAULT => 1000, MINREPDEFAULT => 1000 ) . <<'END' );
A { Type = 47; Scale = Fixed_linear; Start_Argument = 4; End_Argument = 64; Stepwidth = 4; }
END
    local $ENV{SKAMPI_SHIM} = 'jitter=0.0001';
    my $run    = command( $dir, simulator( 'flat', 2 ), $skampi, '--quiet' );
    my $output = SKaMPI::Read::Output->from_file("$dir/skampi.out");
    is $run->{status}, 0, 'status 0' or diag( $run->{err} );
    is_deeply [ map { "@{$_->{extras}}{qw(passes stop)}" }
          @{ $output->suite('syncol_A')->{rows} } ],
      [ ('10 unsynchronised') x 16 ],
      'all rows have all visits';
}

done_testing;
