package SKaMPI::Tune::JsonRules;

# The rules files of Open MPI 6 (rule_file_version 3), JSON: written, and checked by the library's documentation and,
# where they differ, its reader. In a collective, the first entry that has the communicator's size, and in it the first
# rule that has the length, is used, otherwise the library's own choice. Unknown names are ignored, and a file with a
# wrong value or an unknown collective is dropped, both without a message.
use SKaMPI::Base;

use List::Util qw(any);

use SKaMPI::Base::Json  qw(from_json pretty_json);
use SKaMPI::Tune::Cells qw(%SIZES);
use SKaMPI::Tune::Rules qw(rules_of);

# The schema spells reducescatter, which the reader does not know.
my %COLLECTIVE = map { $_ => 1 } keys(%SIZES),
  qw(allgatherv alltoallv alltoallw gatherv scatterv),
  map { "neighbor_$_" } qw(allgather allgatherv alltoall alltoallv alltoallw);

# The kinds of objects: names with a pattern of their values, those that are required, and the name of its limits.
my ( $NUMBER, $LIMIT, $NAME ) = ( qr/\A\d+\z/, qr/\A(?:\d+|inf|INF|Inf)\z/, qr/\A[\w-]+\z/ );
my %KINDS = (
    'the file' => {
        names => { rule_file_version => qr/\A3\z/, module => qr/\Atuned\z/, collectives => qr/./ },
        required => [qw(rule_file_version module collectives)],
    },
    'an entry' => {
        names => {
            comm_rank_distribution => qr/\A(?:any|one-per-node|single-node)\z/,
            comm_size_max          => $NUMBER,    # the reader takes 'inf' as -1
            rules                  => qr/./
        },
        required => ['rules'],
        limits   => 'comm_size',
    },
    'a rule' => {
        names =>
          { ( map { $_ => $NUMBER } qw(reqs faninout seg_size) ), alg => $NAME, bine_imp => $NAME },
        required => ['alg'],
        limits   => 'msg_size',
    },
);

sub json_rules (@cells) {
    my ( %name, %rules );
    my %collective = map { $SIZES{$_}{id} => $_ } keys %SIZES;
    $name{ $_->{collective} }{ $_->{chosen} } = $_->{names}{ $_->{chosen} } for @cells;
    for my $row ( rules_of(@cells) ) {
        my $collective = $collective{ $row->{id} };
        my @sizes      = $row->{sizes}->@*;
        $rules{$collective} = [
            map {
                my @rules = _rules( $name{$collective}, $sizes[$_]{rules}->@* );
                my $to    = $sizes[ $_ + 1 ]{size} - 1;
                @rules
                  ? { comm_size_min => $sizes[$_]{size}, comm_size_max => $to, rules => \@rules }
                  : ()
            } 0 .. $#sizes - 1    # the last one has the own choice
        ];
    }
    return pretty_json( { rule_file_version => 3, module => 'tuned', collectives => \%rules } );
}

# Returns the rules that are not the own choice.
sub _rules ( $names, @rules ) {
    return map {
        my $to = $_ < $#rules ? $rules[ $_ + 1 ][0] - 1 : 'inf';
        my ( $from, $number ) = $rules[$_]->@*;
        $number
          ? { msg_size_min => $from, msg_size_max => $to, alg => $names->{$number}, reqs => 0 }
          : ()
    } 0 .. $#rules;
}

# Returns messages about the text of a file, "LINE: text".
sub problems_of_json_rules ($text) {
    my $data     = eval { from_json($text) } // return '1: no JSON: the library ignores the file';
    my @problems = map { "1: $_" } _problems( 'the file', $data );
    my $by       = ref $data eq 'HASH' ? $data->{collectives} : undef;
    return ( @problems, '1: collectives: expected an object' ) if ref $by ne 'HASH';
    for my $name ( sort keys %{$by} ) {
        my $line = 1 + ( substr( $text, 0, index $text, qq{"$name"} ) =~ tr/\n// );
        push @problems,
          map { "$line: $name: $_" } $COLLECTIVE{$name}
          ? _problems( 'an entry', $by->{$name} )
          : 'no collective: the library drops the file';
    }
    return @problems;
}

# Messages about an object of this kind, or a list of them.
sub _problems ( $kind, $objects ) {
    my ( @problems, @before );
    my $row = $KINDS{$kind};
    return "$kind: expected a list" if $row->{limits} && ref $objects ne 'ARRAY';
    for my $object ( $row->{limits} ? @{$objects} : $objects ) {
        if ( ref $object ne 'HASH' ) { push @problems, "$kind: expected an object"; next }
        push @problems, map { "$kind: $_" } _names( $row, $object );
        next if !$row->{limits};
        my $where = $object->{comm_rank_distribution} // 'any';
        my @same  = grep { $_->[2] =~ /\A(?:any|\Q$where\E)\z/ } @before;
        my ( $min, $max ) =
          map { /\Ainf\z/i ? 9**99 : $_ =~ $NUMBER ? $_ : 0 } $object->{"$row->{limits}_min"} // 0,
          $object->{"$row->{limits}_max"} // 'inf';
        push @before,   [ $min, $max, $where ];
        push @problems, _range( $row->{limits}, $min, $max, @same );
        push @problems, _problems( 'a rule', $object->{rules} ) if exists $object->{rules};
    }
    return @problems;
}

# Messages about names, and the patterns of their values.
sub _names ( $row, $object ) {
    my %known = (
        ( map { ( "$row->{limits}_$_" => $LIMIT ) } $row->{limits} ? qw(min max) : () ),
        $row->{names}->%*
    );
    return (
        ( map { "'$_' is missing" } grep { !exists $object->{$_} } $row->{required}->@* ),
        map {
            my $value = $object->{$_} // 'null';
            my $wrong = !$known{$_} ? 'is unknown and ignored' : "cannot be '$value'";
            $known{$_} && $value =~ $known{$_} || $_ eq '$schema' ? () : "'$_' $wrong"
        } sort keys %{$object}
    );
}

sub _range ( $what, $min, $max, @before ) {
    my $said = "$what from $min to " . ( $max > 2**53 ? 'inf' : $max );
    return "$said: the limits are exchanged" if $min > $max;
    return "$said: never used, as an earlier one has all of it"
      if any { $_->[0] <= $min && $_->[1] >= $max } @before;
    return;
}

1;
