# The page about one-sided communication: bars of each operation and synchronisation, of which a part is the
# synchronisation alone.
use v5.36;

use Test::More;
use SKaMPI::Document::Content;
use SKaMPI::Findings::OneSided qw(one_sided_sets sentence_about);
use SKaMPI::ReportTest         qw(page_of);
use SKaMPI::Results            qw(results);

my %NUMBER = (
    Put              => 1,
    Get              => 2,
    Accumulate       => 3,
    Fetch_and_op     => 5,
    Compare_and_swap => 6,
    Rput             => 7
);

# Suites "p2p Put sync=fence" with rows "ARGUMENT TIME SYNC", and the ping-pong "p2p Send-Recv".
sub output_of (@suites) {
    my ( @blocks, @fields );
    while ( my ( $what, $rows ) = splice @suites, 0, 2 ) {
        my ( $prefix, $call, @keys ) = split q{ }, $what;
        my $name = 's' . @blocks;
        my $type = $call eq 'Send-Recv'     ? "1 p2p_MPI_$call" : _type( $prefix, $call );
        my $over = $call =~ /Fetch|Compare/ ? 'nodes'           : 'length';
        my @rows = map { _row( split q{ } ) } @{$rows};
        push @fields,
          qq($name { Type = @{[ $type =~ /(\d+)/ ]}; Parameters = "partner=farthest @keys"; });
        my %facts = ( type => $type =~ s/Send-Recv/Send-MPI_Recv/r );
        $facts{notes} = '#@TIME round_trip' if $what =~ /notify/;
        push @blocks, [ "${prefix}_$name", $over, \@rows, \%facts ];
    }
    return results( { SUITES => join "\n# ", @fields }, @blocks );
}

sub _type ( $prefix, $call ) {
    return ( $prefix eq 'p2p' ? 200 : 210 ) + $NUMBER{$call} . " ${prefix}_RMA_$call";
}

sub _row ( $argument, $time, $sync = undef ) {
    return "$argument $time 0.5 8"
      . ( defined $sync ? " # stop=accuracy sync=$sync sync_error=0.1" : q{} );
}

# "OPERATION: SYNC TIME/ALONE ..." for each cluster.
sub clusters ($panel) {
    return [
        map {
            "$_->{name}: " . join q{, },
              map { "$_->{sync} $_->{time}/$_->{alone}" }
              @{ $_->{times} }
        } @{ $panel->{clusters} }
    ];
}

my @SUITES = (
    'p2p Send-Recv'                                 => [ '8 20',     '64 30' ],
    'p2p Put sync=flush'                            => [ '8 12 1',   '64 20 1' ],
    'p2p Put sync=fence'                            => [ '8 50 45',  '64 60 70' ],
    'p2p Put sync=notify'                           => [ '8 30 10',  '64 40 10' ],
    'p2p Put sync=lock lock=exclusive'              => [ '8 14 -1',  '64 24 3' ],
    'p2p Put sync=flush_local'                      => [ '8 1 0.5',  '64 1 0.5' ],
    'p2p Put sync=flush busy=1000'                  => [ '8 1012 1', '64 1020 1' ],
    'p2p Get sync=flush'                            => [ '8 13 1',   '64 21 1' ],
    'p2p Get sync=lock lock=shared'                 => [ '8 16 3',   '64 24 3' ],
    'p2p Accumulate sync=flush elem=datatype'       => [ '8 15 1',   '64 23 1' ],
    'p2p Fetch_and_op sync=flush'                   => [ '2 5 1',    '4 9 1' ],
    'p2p Put sync=flush memory=dynamic'             => ['8 99 1'],
    'p2p Get sync=flush memory=dynamic'             => ['8 98 1'],
    'p2p Put sync=flush memory=create'              => ['8 97 1'],
    'syncol Put sync=fence targets=all'             => ['8 70 60'],
    'syncol Put sync=fence targets=root assert=all' => ['8 65 55'],
);

subtest 'bars by operation and synchronisation' => sub {
    my ( $one, $dynamic, $all ) = one_sided_sets( output_of(@SUITES) );
    is $one->{words}, 'one target, memory by allocate', 'what is common';
    is_deeply [ map { $_->{title} } @{ $one->{panels} } ], [ '8 B', '64 B', 'One value' ],
      'a panel for each length';
    is_deeply clusters( $one->{panels}[0] ),
      [
        'Put: fence 50/45, lock, exclusive 14/0, flush 12/1, flush local 1/0.5, notify, half 15/5',
        'Get: lock 16/3, flush 13/1',
        'Accumulate: flush 15/1',
        'MPI_Send: half 10/0'
      ],
      'round trips count half; a busy target has no bar';
    is clusters( $one->{panels}[1] )->[0] =~ /fence (\S+),/ ? $1 : q{}, '60/60',
      'the synchronisation is no longer than the whole';
    is_deeply clusters( $one->{panels}[2] ), ['Fetch_and_op: flush 9/1'], 'of all processes';
    is $dynamic->{words}, 'one target, memory by dynamic',
      'another window is another set, if it has two bars';
    is_deeply clusters( $all->{panels}[0] ), ['Put: fence, all 70/60, fence, asserted, root 65/55'],
      'targets are beside each other';
};

subtest 'the sentence' => sub {
    my ($one) = one_sided_sets( output_of(@SUITES) );
    is sentence_about( $one->{panels}[0] ),
'8 B: Put takes 12.00 us (flush; the synchronisation alone 1.000 us) to 50.00 us (fence; the synchronisation'
      . ' alone 45.00 us); half a ping-pong takes 10.00 us.', 'without what may be incomplete';
    is sentence_about( $one->{panels}[2] ),
      'One value: Fetch_and_op takes 9.000 us (flush; the synchronisation alone 1.000 us).',
      'without a ping-pong';
};

subtest 'lengths' => sub {
    my @rows = map { 2**$_ . ' 10 1' } 0 .. 20;
    my ($set) = one_sided_sets(
        output_of( 'p2p Put sync=flush' => \@rows, 'p2p Rput sync=flush' => [ @rows[ 3 .. 9 ] ] ) );
    is_deeply [ map { $_->{title} } @{ $set->{panels} } ], [ '8 B', '64 B', '512 B' ],
      'first, middle and last of those that most suites have';
    is_deeply [ one_sided_sets( output_of( 'p2p Send-Recv' => ['8 1'] ) ) ], [],
      'no page without one-sided suites';
    is_deeply [ one_sided_sets( output_of( 'p2p Put sync=flush' => ['8 0 0'] ) ) ], [],
      'nor without times';
};

subtest 'the page' => sub {
    my $style   = { fewest => 4, mono => 0, bars => 0 };
    my $content = SKaMPI::Document::Content->new( output_of(@SUITES), style => $style );
    my $page    = page_of($content);
    like $page, qr/section[*]\{One-sided communication: one target, memory by allocate/, 'title';
    like $page, qr/half a ping-pong takes/,                                              'sentence';
    my ($plot) = grep { $_->name eq 'onesided-bars1' } map { $_->plots } $content->views;
    my ( $whole, $alone ) = map { [/^\S+ (\S+ \S+ \S+)$/mg] } split /\n\n/, $plot->data;
    is_deeply [ $whole->[1], $alone->[1] ], [ '14 13.5 14.5', '0 0 0' ],
      'time and ends of the error bar, synchronisation';
    like $plot->commands('pdf'), qr{selectfont 12[.]00}, 'the time is above the bar';
    my @delayed = map { ref && $_->[0] eq '8 13 1' ? ['8 1300 1'] : $_ } @SUITES;
    $content = SKaMPI::Document::Content->new( output_of(@delayed), style => $style );
    ($plot) = grep { $_->name eq 'onesided-bars1' } map { $_->plots } $content->views;
    like $plot->data, qr/^\S+ 1300 1299[.]5 1300[.]5$/m, 'a long bar is not cut off';
    my ($top) = $plot->commands('pdf') =~ /set yrange \[0:(\S+)\]/;
    cmp_ok $top, '>', 1.4 * 1300, 'and there is room for its time';
};

done_testing;
