package SKaMPI::Findings::Choices;

# Which call is the fastest for which length, for tasks for which the results have at least two
# operations over the length, measured in the same way, with messages of basic types. A choice is a
# hash of task and measured (texts) and rows, at most ten, each a hash of texts:
#   length       of the message
#   fastest      the operation with the shortest time
#   time, error  of it; ~ marks interpolated times
#   next         the fastest of the others, empty if there is none
#   margin       how many times as long the next takes, with the standard error
# marks, those of its times (SKaMPI::Meaning::Marks), and chart, a hash of lengths (texts) and rows, one for each
# operation: a hash of name and cells, each a hash of text and level. The fastest has its time and the level best;
# others have how many times as long they take, and a level from 0 (not clearly longer) to 4.
use SKaMPI::Base;

use List::Util qw(all any first);

use SKaMPI::Base::Units qw(error_text format_argument format_time in_unit ratio_text with_mu);
use SKaMPI::Findings::Comparison;
use SKaMPI::Findings::Guidelines   qw(algorithms);
use SKaMPI::Findings::Selection    qw(described_groups parse_description);
use SKaMPI::Meaning::Marks         qw(marked marks_of);
use SKaMPI::Meaning::Subject       qw(attribute is_plain operation_of);
use SKaMPI::Meaning::PlottedPoints qw(spread);
use SKaMPI::Stat::Estimate         qw(is_longer is_vague quotient);

# A task, the patterns that measure it (the preferred one first), and the operations that do it,
# besides their algorithms (SKaMPI::Findings::Guidelines).
my @SM_BM = qw(syncol col);
my @TASKS = (
    [ 'Send a message', ['p2p'], map { "MPI_$_-MPI_Recv" } qw(Send Ssend Isend Issend Bsend) ],
    [
        'Receive a message',
        ['p2p'], map { "MPI_Send-MPI_$_" } qw(Recv Irecv Iprobe_Recv Recv_with_Any_Tag)
    ],
    [ 'Exchange messages',   ['p2p'], qw(MPI_Sendrecv MPI_Sendrecv_replace) ],
    [ 'Wait for any worker', ['mw'],  qw(MPI_Waitsome MPI_Waitany MPI_Recv_Any_Source) ],
    [ 'Send to each worker', ['mw'],  qw(MPI_Send MPI_Ssend MPI_Isend MPI_Bsend) ],
    [ 'Broadcast',           \@SM_BM, qw(MPI_Bcast MPI_Bcast_Send_Recv MPI_Bcast_Send_Recv2) ],
    [ 'Gather',              \@SM_BM, qw(MPI_Gather MPI_Gatherv MPI_Gather_SR MPI_Gather_ISWA) ],
    [ 'Scatter',             \@SM_BM, qw(MPI_Scatter MPI_Scatterv) ],
    [ 'Gather to all',       \@SM_BM, qw(MPI_Allgather MPI_Allgatherv) ],
    [ 'Reduce',              \@SM_BM, 'MPI_Reduce' ],
    [ 'Reduce to all',       \@SM_BM, qw(MPI_Allreduce MPI_Reduce_Bcast) ],
    [ 'Reduce and scatter',  \@SM_BM, qw(MPI_Reduce_scatter MPI_Reduce_Scatterv) ],
    [
        'All to all', \@SM_BM,
        qw(MPI_Alltoall MPI_Alltoallv MPI_Alltoall_Isend_Irecv MPI_Alltoallv_Isend_Irecv)
    ],
    [
        'All to all, unequal parts',
        \@SM_BM, qw(Irregular_Alltoallv Irregular_Alltoallw Irregular_Alltoallv_Isend_Irecv)
    ],
);

my %MEASURED = (
    p2p      => 'ping-pong',
    mw       => 'all chunks',
    syncol   => 'synchronised',
    col      => 'by barriers',
    together => 'entered together, with the closing barrier',
);

# A chart has at most this number of lengths; a cell's level is the number of these costs that it reaches.
my ( $MOST_LENGTHS, @LEVELS ) = ( 8, 1, 1.25, 2, 4 );

sub of ( $class, $output ) {
    my $selection = SKaMPI::Findings::Selection->of($output);
    return map { _choice( $selection, @{$_} ) } @TASKS;
}

sub _choice ( $selection, $task, $prefixes, @operations ) {
    for my $algorithm ( algorithms() ) {
        push @operations, $algorithm->[1] if any { $_ eq $algorithm->[0] } @operations;
    }
    for my $prefix ( @{$prefixes} ) {
        my @descriptions = map { parse_description("${prefix}_$_/length") } @operations;
        my $group        = first {
            all { is_plain($_) }
              @{ $_->[1] }
        } described_groups( $selection, @descriptions );
        next if !$group;
        my $comparison = SKaMPI::Findings::Comparison->new( $task, @{ $group->[1] } );
        $comparison->named( map { operation_of($_) } $comparison->suites );
        my %shown  = map  { $_->{argument} => 1 } @{ $comparison->table };
        my @ranked = grep { $shown{ $_->{argument} } } $comparison->ranking->rows or next;
        my @rows   = map  { _row( $_, $comparison ) } @ranked;
        return {
            task     => $task,
            measured => _measured( $prefix, $comparison->suites ),
            rows     => \@rows,
            chart    => _chart( $comparison, spread( $MOST_LENGTHS, @ranked ) ),
            marks    => marks_of(@rows)
        };
    }
    return;
}

sub _measured ( $prefix, $suite, @ ) {
    return "$MEASURED{$prefix}; times contain the skew with which the previous one was left"
      if $suite->contains_skew;
    return $MEASURED{ attribute( $suite, 'enter' ) eq 'together' ? 'together' : $prefix };
}

sub _chart ( $comparison, @ranked ) {
    my @members = $comparison->members;
    my $column  = $comparison->axis->{column};
    return {
        lengths => [ map { format_argument( $_->{argument}, $column ) } @ranked ],
        rows    => [
            map {
                my $i = $_;
                { name => $members[$i]{name}, cells => [ map { _cell( $i, $_ ) } @ranked ] }
            } keys @members
        ],
    };
}

sub _cell ( $i, $row ) {
    my $best  = $row->{points}{ $row->{best} };
    my $point = $row->{points}{$i} // return { text => "\x{2013}", level => 0 };
    return { text => q{?}, level => 0 } if is_vague($best);
    if ( $i == $row->{best} ) {
        my ( $number, $unit ) = in_unit( sprintf( '%.2e', $best->{time} ), 'time' );
        my $text = with_mu( sprintf '%.3g %s', $number, $unit );
        return { text => _marked( $text, $best ), level => 'best' };
    }
    my $ratio = $point->{time} / $best->{time};
    return {
        text  => sprintf( $ratio < 10 ? '%.2f' : '%.0f', $ratio ),
        level => is_longer( $point, $best ) ? scalar grep { $ratio > $_ } @LEVELS : 0
    };
}

sub _row ( $row, $comparison ) {
    my @names = map { $_->{name} } $comparison->members;
    my $best  = $row->{points}{ $row->{best} };
    my $at    = format_argument( $row->{argument}, $comparison->axis->{column} );
    return {
        length  => $at,
        fastest => 'not known',
        map { $_ => q{} } qw(time error marks next margin)
      }
      if is_vague($best);
    my ($next) = sort { $row->{points}{$a}{time} <=> $row->{points}{$b}{time} || $a <=> $b }
      grep { $_ != $row->{best} } keys %{ $row->{points} };
    my @second = defined $next ? $row->{points}{$next} : ();
    my ($margin) = map { ratio_text( @{ quotient( $_, $best ) }{qw(ratio error)} ) } @second;
    return {
        length  => $at,
        fastest => $names[ $row->{best} ],
        time    => _marked( with_mu( format_time( $best->{time} ) ), $best ),
        error   => error_text( @{$best}{qw(error time)} ),
        marks   => marks_of( $best, @second ),
        next    => defined $next ? $names[$next]                      : q{},
        margin  => defined $next ? _marked( $margin, @second, $best ) : q{}
    };
}

sub _marked ( $text, @points ) {
    return ( ( grep { $_->{interpolated} } @points ) ? q{~} : q{} ) . marked( $text, @points );
}

1;
