package SKaMPI::Findings::PersistentUses;

# After how many uses a persistent request has paid. A set is a hash of title, other (the operation compared with) and
# rows, each a hash of
#   argument    a text
#   ordinary    the time of one ordinary use, an estimate (SKaMPI::Stat::Estimate)
#   persistent  that of starting and completing the request
#   creation    of creating and freeing what process 0 uses
#   uses        creation / (ordinary - persistent), of uses_until_paid of SKaMPI::Stat::Estimate
# The manual says which operations are compared, and which requests are counted. Arguments that all have measured count.
use SKaMPI::Base;

use List::Util qw(all first);

use SKaMPI::Base::Table               qw(table_lines wrapped);
use SKaMPI::Base::Units               qw(format_argument format_time with_mu);
use SKaMPI::Findings::ApplicationText qw(few_sizes named_rows time_text uses_text);
use SKaMPI::Findings::Selection;
use SKaMPI::Meaning::Subject qw(attribute axis_of operation_of pattern_of);
use SKaMPI::Stat::Estimate   qw(scaled sum_of uses_until_paid);

# Operations of messages: a persistent one, the ordinary ones, of which the first measured one counts, and the requests
# that process 0 creates.
my %MESSAGES = (
    'Persistent_Send-Recv' => [ [qw(MPI_Send-MPI_Recv MPI_Isend-MPI_Recv)], qw(Send Recv) ],
    Persistent_Startall    => [ [qw(MPI_Sendrecv PingPing)],                qw(Send Recv) ],
    Stream_Persistent      => [ ['Stream_MPI_Isend'],                       'Send' ],
    Stream_both_Persistent => [ ['Stream_both_MPI_Isend'],                  qw(Send Recv) ],
);

# A set for each suite of a persistent operation whose ordinary form and creation were measured, too.
sub persistent_sets ($selection) {
    return map { _set( $selection, $_ ) }
      grep { operation_of($_) =~ /\A(?:Persistent|Stream(?:_both)?_Persistent)/ } $selection->all;
}

sub _set ( $selection, $suite ) {
    my $ordinary  = _ordinary( $selection, $suite ) or return;
    my @creations = _creations( $selection, $suite );
    return if !@creations || !all { defined } @creations;
    my @rows;
    for my $point ( $selection->curve_of($suite)->points ) {
        my $argument = $point->{argument};
        my $slow     = $selection->curve_of($ordinary)->at($argument);
        my @costs =
          map { scalar $selection->curve_of($_)->at( axis_of($_) eq 'none' ? 0 : $argument ) }
          @creations;
        next if !all { defined && !$_->{interpolated} } $slow, @costs;
        my $cost = scaled( sum_of(@costs), _requests( $suite, $argument ) );
        push @rows,
          {
            argument   => format_argument( $argument, $suite->arguments->[0] ),
            ordinary   => $slow,
            persistent => $point,
            creation   => $cost,
            uses       => uses_until_paid( $cost, $slow, $point )
          };
    }
    return if !@rows;
    my $more  = axis_of($suite) eq 'window' ? ', window' : q{};
    my $title = join '_', pattern_of($suite), operation_of($suite) . $more;
    return { title => $title, other => operation_of($ordinary), rows => \@rows };
}

sub _ordinary ( $selection, $suite ) {
    my $operation = operation_of($suite);
    my @others =
        $MESSAGES{$operation}                ? map { [$_] } @{ $MESSAGES{$operation}[0] }
      : $operation eq 'Persistent_Alltoallw' ? [ 'Irregular_Alltoallw', spread => 'uniform' ]
      :                                        [ $operation =~ s/\APersistent/MPI/r ];
    return first { $_ } map { $selection->like( $suite, @{$_} ) } @others;
}

# The suites that create requests: of messages, which cost the same for every length, or of a collective of that length.
sub _creations ( $selection, $suite ) {
    my $operation = operation_of($suite);
    my ( undef, @names ) = @{ $MESSAGES{$operation} // [] };
    return map { ( $selection->suites( 'simple', "MPI_${_}_init", 'none' ) )[0] } @names if @names;
    return scalar $selection->like( $suite, "MPI_@{[ $operation =~ s/\APersistent_//r ]}_init" );
}

# The number of requests of each kind: a window of them, or one.
sub _requests ( $suite, $argument ) {
    return 1         if operation_of($suite) !~ /\AStream/;
    return $argument if axis_of($suite) eq 'window';
    return attribute( $suite, 'window' ) || 1;
}

# The sets as texts, for the template persistent.tt.
sub persistent_data ($selection) {
    my @sets = persistent_sets($selection);
    for my $row ( map { @{ $_->{rows} } } @sets ) {
        $row->{$_} = with_mu( time_text( $row->{$_} ) ) for qw(ordinary persistent creation);
        $row->{uses} = uses_text( $row->{uses} );
    }
    return \@sets;
}

my $TITLE = 'Uses until a persistent request has paid: creation / (ordinary - persistent);'
  . ' never: not faster';

sub persistent_lines ( $all, @suites ) {
    my @sets = persistent_sets( SKaMPI::Findings::Selection->among(@suites) ) or return;
    my @columns =
      ( '  operation', qw(argument:10> ordinary:10> persistent:10> creation:10> uses:14>) );
    my @rows;
    for my $set (@sets) {
        my @uses = map {
            my @times = map { format_time( $_->{time} ) } @{$_}{qw(ordinary persistent creation)};
            [ $_->{argument}, @times, uses_text( $_->{uses} ) ]
        } few_sizes( $all, @{ $set->{rows} } );
        push @rows, named_rows( $set->{title}, @uses );
    }
    return ( q{}, wrapped($TITLE), table_lines( \@columns, @rows ) );
}

1;
