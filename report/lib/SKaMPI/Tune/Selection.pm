package SKaMPI::Tune::Selection;

# The selection files of MPICH (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE, MPIR_CVAR_CH4_...): trees of conditions,
# which are tried in order, with an algorithm at each end. A file replaces the library's own tree, and a call of a
# collective that it lacks ends the program. So a tuned tree is the library's own one, read from its file, after our
# cells. The device's tree (CH4) is searched first: where it has no end, the calls use the tree of MPIR.
use SKaMPI::Base;

use List::Util qw(any first);

use SKaMPI::Base::TextFile qw(read_bytes);
use SKaMPI::Tune::Cells    qw(%SIZES);

my $LARGEST = 1024 * 1024 * 1024;

# Parameters of algorithms, without which the library takes any number: the defaults of its variables.
my @TREE = ( 'k=2', map { "topo_$_=0" } qw(overhead diff_groups diff_switches same_switches) );
my %PARAMETERS = (
    Bcast_intra_tree           => [ 'tree_type=kary', 'is_non_blocking=1', @TREE ],
    Bcast_intra_pipelined_tree =>
      [ 'tree_type=kary', 'is_non_blocking=1', 'k=2', 'chunk_size=8192', 'recv_pre_posted=0' ],
    Allreduce_intra_tree => [ 'tree_type=knomial_1', 'chunk_size=0', 'buffer_per_child=0', @TREE ],
);

# The ends of the trees of each layer.
my %ENDS =
  ( mpir => qr/algorithm=MPIR_/, ch4 => qr/composition=/, posix => qr/algorithm=MPIDI_POSIX_/ );

# Conditions. Of a kind with 'any', this comes last.
my $YES_NO = join q{|},
  map { "is_$_" }
  qw(multi_threaded commutative sendbuf_inplace op_built_in block_regular node_consecutive);
my $CONDITION =
  qr/\A(?:collective=\w+|comm_type=int(?:ra|er)|comm_size(?:=pow2|=node_comm_size|<=?\d+)
  |(?:avg|total)_msg_size<=?\d+|count(?:<=?\d+|<pow2)|(?:$YES_NO)=(?:yes|no)|comm_avg_ppn<=?\d+
  |comm_hierarchy=(?:parent|node_roots|node|flat)|\w+=any|any)\z/x;

# The blocking collectives, which any program may call.
my @NEEDED = ( keys %SIZES, qw(allgatherv alltoallv alltoallw gatherv scatterv) );

# A tree from its text: a list of [ key, tree, place ]. Dies with a message.
sub _tree ( $text, $depth = 0 ) {
    my $expected = sub ($what) { die _at( $text, pos ${$text} // 0, "expected $what" ) . "\n" };
    $expected->('an object') if ${$text} !~ /\G\s*[{]/gc || $depth > 100;
    my @pairs;
    until ( ${$text} =~ /\G\s*[}]/gc ) {
        $expected->('a condition') if ${$text} !~ /\G\s*,?\s*"([^"\\\s]+)"\s*:/gc;
        push @pairs, [ $1, undef, pos ${$text} ];
        $pairs[-1][1] = _tree( $text, $depth + 1 );
    }
    return \@pairs;
}

sub _at ( $text, $place, $message ) {
    return 1 + ( substr( ${$text}, 0, $place ) =~ tr/\n// ) . ": $message";
}

sub _text ( $tree, $indent = q{} ) {
    my @members = map { qq{$indent "$_->[0]": } . _text( $_->[1], "$indent " ) } @{$tree};
    return @members ? "{\n" . join( ",\n", @members ) . "\n$indent}" : '{}';
}

# The trees in a library's file, by layer, and under 'names' the names of its algorithms. Dies.
sub own_trees ($path) {
    my $bytes = read_bytes( $path, $LARGEST );
    my %own;
    while ( $bytes =~ /\0([{]"collective=[^\0]+)(?=\0)/g ) {
        my $text  = $1;
        my $layer = first { $text =~ $ENDS{$_} } sort keys %ENDS;
        $own{$layer} = _tree( \$text ) if defined $layer;
    }
    $own{names} = { map { $_ => 1 } $bytes =~ /\0algorithm=MPIR_(\w+)(?=\0)/g };
    die "$path: no selection trees; it should be MPICH's libmpi.so or libmpich.so\n"
      if any { !$own{$_} } qw(mpir ch4 names);
    return \%own;
}

# The library's names of the algorithms of a cell, by number; those that it cannot select are missing.
sub selection_names ( $own, $cell ) {
    my $collective = ucfirst $cell->{collective};
    return map {
        my $name = $cell->{names}{$_};
        my $full = first { $own->{names}{$_} } map { "${collective}_${_}_$name" } qw(intra allcomm);
        defined $full ? ( $_ => $full ) : ()
    } keys $cell->{names}->%*;
}

# The texts of the files of the layers, with the choices of the cells.
sub selection_texts ( $own, @cells ) {
    my %by;
    push $by{"collective=$_->{collective}"}->@*, $_ for grep { $SIZES{ $_->{collective} } } @cells;
    delete $by{$_} for grep {
        !any { $_->{chosen} }
          $by{$_}->@*
    } keys %by;
    return map {
        my $layer = $_;
        my @tree  = map {
            [ $_->[0], $by{ $_->[0] } ? _tuned( $own, $layer, $_->[1], $by{ $_->[0] } ) : $_->[1] ]
        } $own->{$layer}->@*;
        my $text = _text( \@tree ) . "\n";
        $layer => length($text) % 4096 ? $text : "$text\n"   # it is mapped, and has to end with a 0
    } qw(mpir ch4);
}

# The tree of a collective: first our cells, by processes and length, in other cells and for all else the own tree.
sub _tuned ( $own, $layer, $tree, $cells ) {
    my ($intra) = map  { $_->[1] } grep { $_->[0] eq 'comm_type=intra' } @{$tree};
    my @others  = grep { $_->[0] ne 'comm_type=intra' } @{$tree};
    @others = [ 'comm_type=inter', $tree ] if !$intra;
    $intra //= $tree;
    my $none = [ [ 'comm_type=inter', [ _end($intra) ] ] ];
    my $leaf = sub ($cell) {
        my %name = selection_names( $own, $cell );
        my $name = $cell->{chosen} ? $name{ $cell->{chosen} } : undef;
        return $intra if !defined $name;
        return $none  if $layer ne 'mpir';
        return [ [ "algorithm=MPIR_$name", [ map { [ $_, [] ] } _parameters($name) ] ] ];
    };
    my ( %sizes, @tuned );
    push $sizes{ $_->{processes} }->@*, $_ for @{$cells};
    for my $p ( sort { $a <=> $b } keys %sizes ) {
        push @tuned, [ 'comm_size<=' . ( $p - 1 ), $intra ] if $p > 2 && !$sizes{ $p - 1 };
        push @tuned, [ "comm_size<=$p", _by_length( $intra, $leaf, $sizes{$p}->@* ) ];
    }
    return [ [ 'comm_type=intra', [ @tuned, [ 'comm_size=any', $intra ] ] ], @others ];
}

sub _parameters ($name) {
    return $PARAMETERS{$name}->@* if $PARAMETERS{$name};
    return ( 'k=2', $name =~ /exch/ ? 'single_phase_recv=0' : () )
      if $name =~ /_intra_(?:k_|recexch|recursive_multiplying)/;
    return;
}

sub _by_length ( $intra, $leaf, @cells ) {
    my $size = $SIZES{ $cells[0]{collective} };
    return $leaf->( $cells[0] ) if !$size->{mpich};
    my $times  = $size->{mpich} eq 'total_msg_size' ? $cells[0]{processes} : 1;
    my @sorted = sort { $a->{length} <=> $b->{length} } @cells;
    my @pairs;
    for my $i ( 0 .. $#sorted ) {
        next if $i < $#sorted && $sorted[$i]{chosen} == $sorted[ $i + 1 ]{chosen};
        my $to =
          $i < $#sorted ? $sorted[ $i + 1 ]{length} * $times - 1 : $sorted[$i]{length} * $times;
        push @pairs, [ "$size->{mpich}<=$to", $leaf->( $sorted[$i] ) ];
    }
    return [ @pairs, [ "$size->{mpich}=any", $intra ] ];
}

sub _end ($tree) {
    my $pair = $tree->[0];
    return $pair->[0] =~ /\A(?:algorithm|composition)=/ ? $pair : _end( $pair->[1] );
}

# Messages, "LINE: text", about a file, which ends the program if one of them is true.
sub problems_of_selection ($text) {
    my $tree     = eval { _tree( \( my $copy = $text ) ) } // return $@ =~ s/\n\z//r;
    my %has      = map                         { $_->[0] => 1 } @{$tree};
    my @missing  = $text =~ $ENDS{mpir} ? grep { !$has{"collective=$_"} } sort @NEEDED : ();
    my @problems = map { _at( \$text, @{$_} ) } map { _branches($_) } @{$tree};
    push @problems,
      '1: no tree of ' . join( ', ', @missing ) . ': their first call ends the program'
      if @missing;
    push @problems,
      '1: the file ends at a page of 4096 bytes, beyond which the library reads; add an empty line'
      if length($text) % 4096 == 0;
    return @problems;
}

# Returns pairs of a place and a message, about a branch and those below it.
sub _branches ($pair) {
    my ( $key, $tree, $place ) = @{$pair};
    return if $key =~ /\A(?:algorithm|composition)=\w+\z/;
    return [ $place, "unknown condition '$key'" ] if $key !~ $CONDITION;
    return [ $place, "'$key' has no algorithm" ] if !@{$tree};
    my @problems = map { _branches($_) } @{$tree};
    push @problems, [ $place, "'$key' has no '$1=any' at its end" ]
      if $tree->[-1][0] =~ /\A(\w+)(?:<|=pow2|=node_comm_size)/;
    my $early = first { $_->[0] =~ /any\z/ } @{$tree}[ 0 .. $#{$tree} - 1 ];
    push @problems, [ $early->[2], "what follows '$early->[0]' is never used" ] if $early;
    return @problems;
}

1;
