# Plots beside the measured times: lines that are fitted to them, and what is known to be possible.
use v5.36;

use List::Util qw(max);
use SKaMPI::Document::Content;
use SKaMPI::Findings::References qw(lines_of);
use SKaMPI::Results              qw(results);
use SKaMPI::Stat::Pieces         qw(pieces_of ranges_of);
use Test::More;

my @LENGTHS = map { int 2**( $_ / 2 ) } 4 .. 36;

# A suite over the length with the times of a function, and its file with the hosts of two processes.
sub suite_of ( $label, $type, $time ) {
    my @rows = map { sprintf '%d %.6f %.6f', $_, $time->($_), 1e-4 * $time->($_) } @LENGTHS;
    return [ $label, 'length', \@rows, { type => $type, nodes => 2 } ];
}

sub message ($l) { return $l <= 1024 ? 1 + 1e-3 * $l : 5 + 2e-3 * $l }

my $MESSAGE =
  suite_of( 'p2p_Message', '1 p2p_MPI_Send-MPI_Recv', sub ($l) { return 2 * message($l) } );
my $COPY = suite_of( 'syncol_Copy', '58 syncol_memcpy', sub ($l) { return 0.1 + 1e-4 * $l } );

sub output_of ( $hosts, @suites ) {
    return results( { PROCESSES => 2, PROCESSESPERHOST => $hosts }, @suites );
}

sub lines ( $hosts, @suites ) {
    my $output = output_of( $hosts, @suites );
    my ($suite) = $output->suites;
    return map { $_->{kind} => $_ } lines_of( $output, $suite );
}

subtest 'messages' => sub {
    my %line = lines( 'a:2', $MESSAGE, $COPY );
    like $line{fitted}{text}, qr/\A2 straight lines, at most < 0[.]001 % off .*\)\z/, 'lines';
    is $line{fitted}{breaks}, '1 KiB to 1448 B', 'and where they break';
    is_deeply [ map { $_->{x} } grep { $_->{gap} } @{ $line{fitted}{points} } ], [1448],
      'that do not meet';
    like $line{reference}{text},
      qr/\A10[.]00 \(at \d+ B\) to \S+ \(at \d+ \S+\) times as long as memcpy of as many bytes\z/,
      'a reference';
    my $last = $line{reference}{points}[-1];
    cmp_ok abs( $last->{y} - 2 * ( 0.1 + 1e-4 * $last->{x} ) ), '<', 1e-4,
      'two copies in a round trip';
    my %far = lines( 'a:1 b:1', $MESSAGE, $COPY );
    is $far{reference}, undef, 'no copy between hosts';
    my %unknown = lines( 'a', $MESSAGE, $COPY );
    is $unknown{reference}, undef, 'nor between unknown ones';
    my $nothing = suite_of( 'p2p_Nothing', '29 p2p_dummy', sub ($l) { return 0.1 } );
    is_deeply [ lines( 'a:2', $nothing, $COPY ) ], [], 'nothing beside the empty operation';
};

subtest 'collectives' => sub {
    my $gather = sub ( $label, $type, $factor ) {
        return suite_of( $label, $type, sub ($l) { return $factor * ( 3 + 1e-3 * $l ) } );
    };
    my @gather = $gather->( 'syncol_Gather', '48 syncol_MPI_Gather', 3 );
    my %line   = lines( 'a:2', @gather, $MESSAGE );
    is $line{fitted}{text} =~ s/,.*//r, '9.000 us + 3 ns x L', 'a formula';
    like $line{reference}{text}, qr/ times as long as one message\z/, 'one message';
    cmp_ok abs( $line{reference}{points}[0]{y} - message(4) ), '<', 1e-6, 'half a round trip';
    %line = lines(
        'a:2', @gather, $MESSAGE,
        $gather->( 'syncol_SR',   '70 syncol_MPI_Gather_SR',   2 ),
        $gather->( 'syncol_ISWA', '71 syncol_MPI_Gather_ISWA', 1 )
    );
    is $line{reference}{text} =~ s/ \([^)]*\)//gr,
      '3.000 to 3.000 times as long as MPI_Gather_ISWA',
      'the fastest of other calls that do the same';
    is $line{reference}{at_end}, 'ISWA', '... in what it differs';
    my %steps = lines( 'a:2',
        suite_of( 'syncol_Bcast', '47 syncol_MPI_Bcast', sub ($l) { return $l < 1000 ? 1 : 50 } ) );
    like $steps{fitted}{text}, qr/\A2 straight lines/, 'lines where no formula explains the times';
};

subtest 'breaks' => sub {
    my @points =
      map { { argument => $_, value => message($_), sigma => 1e-4 * message($_) } } @LENGTHS;
    is_deeply [ ranges_of( \@points, pieces_of(@points) ) ], [ [ 1024, 1448 ] ], 'sharp';
    for my $point (@points) {
        $point->{value} = max( 1 + 1e-3 * $point->{argument}, 2e-3 * $point->{argument} );
        $point->{sigma} = 0.09 * $point->{value};
    }
    my ($range) = ranges_of( \@points, pieces_of(@points) );
    ok $range->[0] <= 1024 && $range->[1] >= 1448 && $range->[1] > 2 * $range->[0],
      'wide where lines meet, under noise';
};

# The content of a gather with the times of a function.
sub gather ($time) {
    my $suite = suite_of( 'syncol_Gather', '48 syncol_MPI_Gather', $time );
    return SKaMPI::Document::Content->new( output_of( 'a:2', $suite ) );
}

subtest 'the page' => sub {
    my $content = SKaMPI::Document::Content->new( output_of( 'a:2', $MESSAGE, $COPY ) );
    my ($view) = $content->views;
    my ( $times, $bandwidth ) = $view->plots;
    my $commands = $times->commands('html');
    unlike $commands, qr/index 0 using 1:2 with lines/, 'points are not joined';
    like $commands,
      qr/index 1 using 1:2 with lines [^\n]* dashtype solid notitle.*index 2 using 1:2 with lines/s,
      'both lines';
    for my $plot ( $times, $bandwidth ) {
        my @at = $plot->commands(qw(pdf ps html)) =~
          /^set label 3 'memcpy' at graph ([0-9.]+),graph ([0-9.]+) left$/gm;
        is scalar @at, 6, 'the name of the reference, in all formats';
        my ($end) = reverse grep { @{$_} == 2 } map {
            my $point = $_;
            [ map { $plot->{$_}->part( $point->{$_} ) // () } qw(x y) ]
        } @{ $plot->{series}[2]{points} };
        cmp_ok abs( $at[0] - $end->[0] ), '<', 0.3, '... near its end';
        cmp_ok abs( $at[1] - $end->[1] ), '<', 0.6, '... and height';
    }
    my $near = suite_of( 'syncol_Copy', '58 syncol_memcpy', sub ($l) { 0.4 + 6e-4 * $l } );
    my ($close) = SKaMPI::Document::Content->new( output_of( 'a:2', $MESSAGE, $near ) )->views;
    my ($height) =
      ( $close->plots )[0]->commands('pdf') =~ /^set label 3 \S+ at graph \S+,graph ([0-9.]+) /m;
    cmp_ok $height, '<', 0.8, 'on its side of the times';
    is scalar( split /\n\n\n/, $times->data ), 5, 'with data, and those of the low plot';
    my ( undef, $range ) = $commands =~ /^set yrange \[(\S+)\].*^set yrange \[(\S+)\]/ms;
    is $range, '-0.001:0.001', 'which has 0 in the middle';
    like $commands, qr/index 3 using 1:2:3:4 with yerrorbars.*index 4 using 1:2 with lines/s,
      'residuals, and a line at 0';
    my ( undef, $high ) = $bandwidth->{y}->range;
    cmp_ok $high, '<', 3000, 'bandwidths that are far above are cut';
    my $off        = gather( sub ($l) { return 3 + 1e-3 * $l + ( $l == 64 ? 0.2 : 0 ) } );
    my ($plot)     = ( $off->views )[0]->plots;
    my ($residual) = grep { $_->{x} == 64 } @{ $plot->{below}{series}[0]{points} };
    my ($fitted)   = grep { $_->{x} == 64 } @{ $plot->{series}[1]{points} };
    cmp_ok abs( $residual->{y} - ( 3.264 / $fitted->{y} - 1 ) ), '<', 1e-9, 'a residual';
    is_deeply [ map { $_->[1] } $plot->{below}{y}->ticks( y => 1 ) ],
      [ '-10\,\%', '10\,\%' ], 'round ends';
    my $far = gather( sub ($l) { return ( 3 + 1e-3 * $l ) * ( $l == 64 ? 50_000 : 1 ) } );
    is_deeply [ map { $_->{title} } @{ ( $far->views )[0]->data->{lines} } ], [],
      'no line that is more than 100 % off';
    is_deeply [ grep { /fitted|reference/ } $view->marks ],
      [ '\fittedmark\ fitted', '\referencemark\ reference, named at its end' ], 'the key';
    is_deeply [ map { $_->{title} } @{ $view->data->{lines} } ], [qw(Fitted Reference)],
      'what the lines are, beside the plot';
    is_deeply [ map { $_->[1] } grep { $_->[0] =~ /\ABreaks/ } $view->facts ], ['1 KiB to 1448 B'],
      'a fact';
};

done_testing;
