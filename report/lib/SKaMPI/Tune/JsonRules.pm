package SKaMPI::Tune::JsonRules;

# The rules files of Open MPI 6 (rule_file_version 3), JSON: written, and checked by the library's documentation. In a
# collective, the first entry that has the communicator's size, and in it the first rule that has the length, is used,
# otherwise the library's own choice. Unknown names are ignored without a message.
use SKaMPI::Base;

use SKaMPI::Base::Json  qw(from_json indented_json);
use SKaMPI::Tune::Cells qw(%SIZES);
use SKaMPI::Tune::Rules qw(rules_of);

our @EXPORT_OK = qw(json_rules problems_of_json_rules);

my %SPELLED    = map { $_ => s/\Areduce_scatter/reducescatter/r =~ s/_block\z/block/r } keys %SIZES;
my %COLLECTIVE = map { $_ => 1 } values(%SPELLED),
  qw(allgatherv alltoallv alltoallw gatherv scatterv),
  map { "neighbor_$_" } qw(allgather allgatherv alltoall alltoallv alltoallw);

# Names of each kind of object, with a pattern of their values.
my ( $NUMBER, $LIMIT ) = ( qr/\A\d+\z/, qr/\A(?:\d+|inf|INF|Inf)\z/ );
my %FILE  = ( rule_file_version => qr/\A3\z/, module => qr/\Atuned\z/, collectives => undef );
my %ENTRY = (
    ( map { ( "comm_size_$_" => $LIMIT ) } qw(min max) ),
    comm_rank_distribution => qr/\A(?:any|one-per-node|single-node)\z/,
    rules                  => undef
);
my %RULE = (
    ( map { ( "msg_size_$_" => $LIMIT ) } qw(min max) ),
    ( map { ( $_            => $NUMBER ) } qw(reqs faninout seg_size) ),
    alg      => qr/\A[\w-]+\z/,
    bine_imp => qr/\A[\w-]+\z/
);

sub json_rules (@cells) {
    my ( %names, %rules );
    for my $cell (@cells) {
        $names{ $SIZES{ $cell->{collective} }{id} // next } = $cell;
    }
    for my $collective ( rules_of(@cells) ) {
        my $cell = $names{ $collective->{id} };
        my %named =
          map { %{ $_->{names} } } grep { $_->{collective} eq $cell->{collective} } @cells;
        my @sizes = $collective->{sizes}->@*;
        my @entries;
        for my $i ( 0 .. $#sizes ) {
            my @rules = _rules( \%named, $sizes[$i]{rules}->@* ) or next;
            my $to    = $i < $#sizes ? $sizes[ $i + 1 ]{size} - 1 : 'inf';
            push @entries,
              { comm_size_min => $sizes[$i]{size}, comm_size_max => $to, rules => \@rules };
        }
        $rules{ $SPELLED{ $cell->{collective} } } = \@entries;
    }
    return indented_json( { rule_file_version => 3, module => 'tuned', collectives => \%rules } );
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

# Messages, "LINE: text".
sub problems_of_json_rules ($text) {
    my $data = eval { from_json($text) } // return "1: no JSON: the library ignores the file";
    return '1: expected an object' if ref $data ne 'HASH';
    my @problems = _names( 'the file', \%FILE, $data, qw(rule_file_version module collectives) );
    my $by       = $data->{collectives};
    return map { "1: $_" } @problems, 'collectives: expected an object' if ref $by ne 'HASH';
    @problems = map { "1: $_" } @problems;
    for my $name ( sort keys %{$by} ) {
        my $line = 1 + ( substr( $text, 0, index $text, qq{"$name"} ) =~ tr/\n// );
        push @problems,
          map { "$line: $name: $_" }
          !$COLLECTIVE{$name}           ? 'no collective; its rules have no effect'
          : ref $by->{$name} ne 'ARRAY' ? 'expected a list'
          :                               _entries( $by->{$name}->@* );
    }
    return @problems;
}

# Messages about the names of an object, and the patterns of their values.
sub _names ( $what, $known, $object, @required ) {
    return "$what: expected an object" if ref $object ne 'HASH';
    my @wrong =
      grep { exists $known->{$_} && $known->{$_} && ( $object->{$_} // q{} ) !~ $known->{$_} }
      sort keys %{$object};
    return (
        ( map { "$what: '$_' is missing" } grep { !exists $object->{$_} } @required ),
        (
            map  { "$what: '$_' is unknown and ignored" }
            grep { !exists $known->{$_} && $_ ne '$schema' } sort keys %{$object}
        ),
        map { "$what: '$_' cannot be '" . ( $object->{$_} // 'null' ) . q{'} } @wrong
    );
}

sub _entries (@entries) {
    my ( @problems, @before );
    for my $entry (@entries) {
        push @problems, _names( 'an entry', \%ENTRY, $entry, 'rules' );
        next if ref $entry ne 'HASH';
        my $where = $entry->{comm_rank_distribution} // 'any';
        push @problems,
          _range( 'comm_size', $entry, grep { $_->[2] =~ /\A(?:any|\Q$where\E)\z/ } @before );
        push @before, [ _limits( 'comm_size', $entry ), $where ];
        my $rules = $entry->{rules} // [];
        push @problems, ref $rules eq 'ARRAY' ? _list( @{$rules} ) : q{'rules' is no list};
    }
    return @problems;
}

sub _list (@rules) {
    my ( @problems, @before );
    for my $rule (@rules) {
        push @problems, _names( 'a rule', \%RULE, $rule, 'alg' );
        next if ref $rule ne 'HASH';
        push @problems, _range( 'msg_size', $rule, @before );
        push @before,   [ _limits( 'msg_size', $rule ) ];
    }
    return @problems;
}

sub _limits ( $what, $object ) {
    return
      map { ( $_ // q{} ) =~ /\Ainf\z/i ? 9**99 : ( $_ // q{} ) =~ $NUMBER ? $_ : 0 }
      $object->{"${what}_min"} // 0, $object->{"${what}_max"} // 'inf';
}

sub _range ( $what, $object, @before ) {
    my ( $min, $max ) = _limits( $what, $object );
    my $said = "$what from $min to " . ( $max > 2**53 ? 'inf' : $max );
    return "$said: the limits are exchanged" if $min > $max;
    return "$said: never used, as an earlier one has all of it"
      if grep { $_->[0] <= $min && $_->[1] >= $max } @before;
    return;
}

1;
