package SKaMPI::Profile::Calls;

# How SKaMPI measures the calls of a cell: measured_as(CELL, PROFILE) returns a hash of type (a row of the catalogue),
# length (bytes, undef without), processes (0: all), keys (a list), per (calls of the cell that one measured time
# covers; half a round trip is 2), bound (1: the time is an upper limit of what the call takes), covers (the cells whose
# time it contains besides), like (the cells that are the same calls; without it the cell alone) and shares (a text for
# a file), or undef: no suite covers it. What has no row here is measured by the synchronised type of the call's own
# name, or by a local one.
use SKaMPI::Base;

use List::Util qw(first none sum0 uniq);

use SKaMPI::Meaning::Catalog qw(pattern_row rows_of);
use SKaMPI::Profile::File    qw(are_all);

my $FEWEST_REQUESTS = 3;
my @PARTNERS        = ( 2, 4, 6, 8 );

# Calls without a time of their own: the type that measures the message contains it.
my $COMPLETES = qr/\AMPI_(?:Wait|Test|Irecv|Mrecv|Imrecv)/;

# Calls that depend on objects that a recording does not know.
my $UNKNOWN = qr/\AMPI_(?:Type_|Neighbor_|Ineighbor_|Parrived|Pready)/;

# Collectives that a wait completes.
my $STARTS = qr/\AMPI_I(?:barrier|bcast|gather|scatter|all|reduce|scan|exscan|neighbor)/;

my $IRREGULAR = qr/\AMPI_(?:Gatherv|Scatterv|Allgatherv|Alltoallv|Alltoallw|Reduce_scatter)\z/;

# The most processes for which the matrix of all-to-all shares is written.
my $LARGEST_MATRIX = 256;

# The types that measure messages, and the messages in a time: each half of a ping-pong is one.
my %MESSAGE = (
    MPI_Send   => [ 'MPI_Send-MPI_Recv',   2 ],
    MPI_Recv   => [ 'MPI_Send-MPI_Recv',   2 ],
    MPI_Ssend  => [ 'MPI_Ssend-MPI_Recv',  2 ],
    MPI_Bsend  => [ 'MPI_Bsend-MPI_Recv',  2 ],
    MPI_Rsend  => [ 'MPI_Rsend-MPI_Irecv', 2 ],
    MPI_Isend  => [ 'MPI_Isend-MPI_Recv',  2 ],
    MPI_Issend => [ 'MPI_Issend-MPI_Recv', 2 ],
);

# The synchronisation of accesses, by the calls that the program makes.
my @SYNC = (
    [ qr/\AMPI_Win_fence/          => 'fence' ],
    [ qr/\AMPI_Win_(?:post|start)/ => 'pscw' ],
    [ qr/\AMPI_Win_flush/          => 'flush' ],
    [ qr/\AMPI_Win_lock/           => 'lock' ],
);

sub mean_bytes ($cell) {
    return $cell->{calls} ? sprintf '%.0f', $cell->{bytes} / $cell->{calls} : 0;
}

sub measured_as ( $cell, $p ) {
    my $call = $cell->{call};
    return if $cell->{coarse} || $call =~ $COMPLETES || $call =~ $UNKNOWN;
    return _halo( $cell, $p ) // _message( $cell, $MESSAGE{$call}, $p ) if $MESSAGE{$call};
    return _as( 'Chain_Sendrecv', $cell, $p ) if $call =~ /\AMPI_Sendrecv/;
    return _access( $cell, $p, "RMA_$1" )
      if $call =~
      /\AMPI_(R?put|R?get|R?accumulate|R?get_accumulate|Fetch_and_op|Compare_and_swap)\z/i;
    return _access( $cell, $p, 'RMA_sync' ) if $call =~ /\AMPI_Win_fence\z/;
    return _irregular( $cell, $p )          if $call =~ $IRREGULAR;

    # A call that starts an operation, and the wait for its end.
    my @ends = _calls( $p, qr/\AMPI_(?:Wait|Test)/ );
    return _as( $call, $cell, $p, keys => ['work=0'], bound => 1, covers => \@ends )
      if $call =~ $STARTS;
    return _as( $call, $cell, $p );
}

# The type of this name whose pattern has one of the traits.
sub _type ( $name, @traits ) {
    state %found;
    for my $trait (@traits) {
        my $type = $found{"$trait $name"} //= first {
            my $pattern = pattern_row( $_->{pattern} );
            $_->{name} eq $name && grep { $_ eq $trait } @{ $pattern->{traits} }
        } rows_of('types');
        return $type if $type;
    }
    return;
}

sub _has ( $type, $what, $list ) {
    return scalar grep { $_ eq $what } @{ $type->{$list} };
}

sub _as ( $name, $cell, $p, %more ) {
    my $type = _type( $name, @{ $more{traits} // [qw(global_clock local)] } ) // return;
    my $all  = $cell->{processes} == ( $p->{head}{PROCESSES} // 0 );
    my @keys;
    push @keys, 'root=rotate' if $cell->{root} eq 'rotating' && _has( $type, 'root', 'keys' );
    my @like = $more{like} ? @{ $more{like} } : _parts_in_place( $cell, $p );
    push @keys, 'in_place=yes' if grep { $_->{place} eq 'inplace' } @like;
    push @keys, 'op=user'      if $cell->{op} eq 'own' && _has( $type, 'op', 'keys' );
    return {
        type      => $type,
        length    => _has( $type, 'has_length', 'traits' ) ? mean_bytes($cell) : undef,
        processes => $all && _has( $type, 'has_length', 'traits' ) ? 0 : $cell->{processes},
        per       => 1,
        bound     => 0,
        covers    => [ grep { $_ != $cell } @like ],
        like      => \@like,
        %more,
        keys => [ @keys, @{ $more{keys} // [] } ],
    };
}

# The cell; of an operation with a root, where only this one passes MPI_IN_PLACE, the other processes' cell as well.
sub _parts_in_place ( $cell, $p ) {
    my $kind =
      sub ($c) { return join q{ }, @{$c}{qw(call processes hosts low high root op coarse)} };
    my @like = grep { $kind->($_) eq $kind->($cell) } @{ $p->{cells} };
    return $cell if $cell->{root} eq q{-} || !grep { $_->{place} eq 'inplace' } @like;
    return @like;
}

sub _message ( $cell, $row, $p ) {
    my ( $name, $per ) = @{$row};
    return _as(
        $name, $cell, $p,
        traits    => ['one_pair'],
        processes => 0,
        keys      => [ 'partner=' . ( $cell->{hosts} == 1 ? 'nearest' : 'farthest' ) ],
        per       => $per,
        bound     => 1,
        covers    => $cell->{call} =~ /\AMPI_I/ ? [ _calls( $p, $COMPLETES ) ] : []
    );
}

# Several messages at once, completed together: a halo with this number of partners.
sub _halo ( $cell, $p ) {
    return if $cell->{call} !~ /\AMPI_Is?send\z/;
    my @waits = grep { $_->{requests} >= $FEWEST_REQUESTS } _calls( $p, qr/\AMPI_(?:Wait|Test)/ );
    my $calls = sum0( map { $_->{calls} } @waits ) || return;
    my $requests = sum0( map { $_->{calls} * $_->{requests} } @waits ) / $calls;
    my ($n) =
      sort { abs( $a - $requests / 2 ) <=> abs( $b - $requests / 2 ) || $a <=> $b } @PARTNERS;
    return _as(
        'Halo', $cell, $p,
        keys   => ["partners=$n"],
        per    => $n,
        bound  => 1,
        covers => [ _calls( $p, $COMPLETES ) ]
    );
}

sub _calls ( $p, $expression ) {
    return grep { $_->{call} =~ $expression } @{ $p->{cells} };
}

sub _access ( $cell, $p, $name ) {
    my @may   = grep { $name !~ /\ARMA_R[a-z]/ || $_->[1] !~ /fence|pscw/ } @SYNC;
    my $sync  = first { _calls( $p, $_->[0] ) } @may;
    my $known = _type( $name, 'global_clock' )
      // _type( $name =~ s/_(\w)/'_' . uc $1/er, 'global_clock' ) // return;
    return _as(
        $known->{name}, $cell, $p,
        keys  => [ 'sync=' . ( $sync ? $sync->[1] : 'flush' ) ],
        bound => 1
    );
}

# An irregular collective with shares: the mean bytes of a call of each process; in an all-to-all, what a process sends
# to each; if the program did not reach MPI_Finalize, the same to all, or in place, in proportion to what these send, so
# that any two send each other the same. Processes that have other lengths in the same call are in other cells.
sub _irregular ( $cell, $p ) {
    my @like  = _like( $cell, $p );
    my $n     = $cell->{processes};
    my $width = $cell->{call} =~ /Alltoall/ && $n > 0 ? $n : 1;
    my @bytes;
    for my $rank ( 0 .. ( are_all( $p, $n ) ? $n : 0 ) - 1 ) {
        my @of    = map { $_->{of}{$rank} // () } @like;
        my $calls = sum0( map { $_->{calls} } @of ) || 1;
        push @bytes, sprintf '%.0f', sum0( map { $_->{bytes} } @of ) / $calls;
    }
    my @rows  = map { [ _shares( $_, $cell->{place}, $width, \@bytes, @like ) ] } 0 .. $#bytes;
    my $whole = uniq( map { @{$_} } @rows ) > 1;
    return _as(
        $cell->{call} =~ s/\AMPI_/Irregular_/r,
        $cell, $p,
        length => sprintf( '%.0f',
            sum0( map { $_->{bytes} } @like ) /
              ( sum0( map { $_->{calls} } @like ) || 1 ) /
              $width ),
        keys   => ['spread=uniform'],
        like   => \@like,
        covers => [ grep { $_ != $cell } @like ],
        $whole && $width <= $LARGEST_MATRIX
        ? ( shares => join "\n", map { join q{ }, @{$_} } @rows )
        : (),
    );
}

# The cell alone if all processes make its calls equally often; otherwise all such cells of the call.
sub _like ( $cell, $p ) {
    my $is_of_all = sub ($c) {
        my @calls = map { $_->{calls} } values %{ $c->{of} };
        return @calls >= $c->{processes} && uniq(@calls) == 1;
    };
    my $kind = sub ($c) {

        # Where only the root passes MPI_IN_PLACE, the calls of all processes are the same.
        return join q{ }, @{$c}{qw(call processes hosts root data op coarse)},
          $c->{root} eq q{-} ? $c->{place} : ();
    };
    return $cell if $is_of_all->($cell);
    return grep { $kind->($_) eq $kind->($cell) && !$is_of_all->($_) } @{ $p->{cells} };
}

# The mean bytes of a process's calls: its part, or, of an all-to-all, those for each process.
sub _shares ( $rank, $place, $width, $bytes, @cells ) {
    return $bytes->[$rank] if $width == 1;
    my @of    = map { $_->{of}{$rank} // () } @cells;
    my $calls = sum0( map { $_->{calls} } @of ) || 1;
    my $sum   = sum0( @{$bytes} )               || 1;
    my %to;
    for my $of (@of) {
        $to{$1} += $2 while ( $of->{to} // q{} ) =~ /([0-9]+):([0-9]+)/g;
    }
    return map { sprintf '%.0f', ( $to{$_} // 0 ) / $calls } 0 .. $width - 1
      if none { $_->{bytes} && !defined $_->{to} } @of;
    return map { sprintf '%.0f', $bytes->[$rank] * $_ / $sum } @{$bytes} if $place eq 'inplace';
    return ( $bytes->[$rank] ) x $width;
}

1;
