package SKaMPI::Tune::Rules;

# The rules files of Open MPI (coll_tuned_dynamic_rules_filename): written, and read by the library's own rules. A table
# is a list of { id, sizes => [ { size, rules => [ [ bytes, algorithm, fan, segment ] ] } ] }.
use SKaMPI::Base;

use List::Util qw(max);

use SKaMPI::Tune::Cells qw(%SIZES);

# The most algorithms of Open MPI 4.1 and 5.0, by the number of the collective; 0 for all others.
my @ALGORITHMS  = ( 7, 6, 6, 5, 2, 0, 6, 9, 2, 3, 0, 7, 4, 4, 2, 3 );
my $COLLECTIVES = 22;
my %NAMES       = map { $SIZES{$_}{id} => $_ } keys %SIZES;

sub _bytes ( $cell, $length ) {
    my $size = $SIZES{ $cell->{collective} };
    return $size->{none} ? 0 : $length * ( $size->{per_process} ? $cell->{processes} : 1 );
}

# Rules from cells with a choice. Each collective begins with size 2 and the library's own choice; so does the number of
# processes after each measured one, and the length above the longest measured one.
sub rules_of (@cells) {
    my ( %by, @table );
    push $by{ $_->{collective} }{ $_->{processes} }->@*, $_ for @cells;
    for my $collective (
        sort { $SIZES{$a}{id} <=> $SIZES{$b}{id} }
        grep { exists $SIZES{$_} } keys %by
      )
    {
        my $sizes = $by{$collective};
        next if !grep { $_->{chosen} } map { @{$_} } values %{$sizes};
        my %rules = map { $_ + 1 => [ [ 0, 0, 0, 0 ] ] } 1, keys %{$sizes};
        $rules{$_} = _rules_of_size( $sizes->{$_}->@* ) for keys %{$sizes};
        push @table,
          {
            id    => $SIZES{$collective}{id},
            sizes =>
              [ map { +{ size => $_, rules => $rules{$_} } } sort { $a <=> $b } keys %rules ],
          };
    }
    return @table;
}

# Rules of a size; each holds from its length on.
sub _rules_of_size (@cells) {
    my ( @rules, $last );
    for my $cell ( sort { $a->{length} <=> $b->{length} } @cells ) {
        my $number = $cell->{chosen};
        push @rules, [ @rules ? _bytes( $cell, $cell->{length} ) : 0, $number, 0, 0 ]
          if $number != ( $last // -1 );
        $last = $number;
    }
    my $longest = max map { $_->{length} } @cells;
    push @rules, [ _bytes( $cells[0], $longest ) + 1, 0, 0, 0 ] if $last && $longest;
    return \@rules;
}

# VERSION 2 has a fifth number, the most requests.
sub rules_text ( $version, @table ) {
    my @lines = ( ( $version == 2 ? 'rule-file-version-2' : () ), @table . ' # collectives' );
    for my $collective (@table) {
        push @lines, "$collective->{id} # $NAMES{ $collective->{id} }",
          @{ $collective->{sizes} } . ' # communicator sizes';
        for my $size ( $collective->{sizes}->@* ) {
            push @lines, "$size->{size} # processes", @{ $size->{rules} } . ' # rules';
            push @lines, map { join q{ }, @{$_}, $version == 2 ? 0 : () } $size->{rules}->@*;
        }
    }
    return join q{}, map { "$_\n" } @lines;
}

# The numbers as the library reads them (strtol with any base), each with its line; a sign that begins none is skipped.
sub _numbers ($text) {
    my ( @numbers, $line );
    for ( split /\n/, $text, -1 ) {
        $line++;
        my $rest = s/#.*//r;
        while ( $rest =~ /(-?0[xX][0-9a-fA-F]+|-?[0-9]+)/g ) {
            my $word  = $1;
            my $value = $word =~ /\A-?0/ ? oct( $word =~ s/-//r ) : $word + 0;
            push @numbers, { value => $value, line => $line, word => $word };
        }
    }
    return @numbers;
}

# Returns the table and a list of problems, "LINE: text"; without a table, the library silently drops the whole file.
sub read_rules ($text) {
    my %r = ( fields => $text =~ s/\Arule-file-version-(\d+)/ q{ } x 0 /e ? 5 : 4, problems => [] );
    $r{version} = $1 if $r{fields} == 5;
    $r{numbers} = [ _numbers($text) ];
    push $r{problems}->@*,
"1: version $r{version} of the format is only for Open MPI from 4.1.8 and 5.0.7; 4.1.4 drops the file"
      if $r{fields} == 5;
    my $table = eval { _table( \%r ) };
    push $r{problems}->@*, $@ =~ s/\n\z//r if !$table;
    push $r{problems}->@*, map {
        my $kind = $_->{word} =~ /x/i ? 'hexadecimal' : 'octal';
        "$_->{line}: '$_->{word}' is read as the $kind number $_->{value}"
    } grep { $_->{word} =~ /\A-?0[xX0-9]/ } $r{numbers}->@*;
    return ( $table, $r{problems}->@* );
}

sub _take ( $r, $what, $least, $most ) {
    my $n = shift $r->{numbers}->@* // die(
        ( $r->{line} // 1 ) . ": the file ends where $what is expected: the library drops it\n" );
    die
"$n->{line}: $what is $n->{value}, expected $least to $most: the library drops the file, or a count before is wrong\n"
      if $n->{value} < $least || $n->{value} > $most;
    $r->{line} = $n->{line};
    return $n->{value};
}

sub _table ($r) {
    local $r->{numbers} = [ $r->{numbers}->@* ];
    my @table;
    for ( 1 .. _take( $r, 'the number of collectives', 1, $COLLECTIVES ) ) {
        my $id   = _take( $r, 'the number of a collective', 0, $COLLECTIVES - 1 );
        my $line = $r->{line};
        push @table, { id => $id, line => $line, sizes => _sizes( $r, $id ) };
    }
    push $r->{problems}->@*,
      "$r->{numbers}[0]{line}: numbers follow the last rule: a count is too small"
      if $r->{numbers}->@*;
    return \@table;
}

sub _sizes ( $r, $id ) {
    my @sizes;
    for ( 1 .. _take( $r, 'the number of communicator sizes', 0, 2**31 - 1 ) ) {
        my $size  = _take( $r, 'a communicator size', 0, 2**31 - 1 );
        my $line  = $r->{line};
        my $count = _take( $r, 'the number of rules', 0, 2**31 - 1 );
        push @sizes,
          { size => $size, line => $line, rules => [ map { _rule( $r, $id, $_ ) } 1 .. $count ] };
        last if @sizes > 100_000;
    }
    return \@sizes;
}

sub _rule ( $r, $id, $place ) {
    my $bytes = _take( $r, 'a message size', 0, 2**62 );
    die "$r->{line}: the first message size is $bytes, not 0: the library drops the whole file\n"
      if $place == 1 && $bytes;
    my $line = $r->{line};
    my @rest = (
        _take( $r, 'an algorithm', 0, 1000 ),
        map { _take( $r, $_, 0, 2**31 - 1 ) } 'a fanout',
        'a segment size'
    );
    _take( $r, 'the most requests', 0, 2**31 - 1 ) if $r->{fields} == 5;
    push $r->{problems}->@*, "$line: $NAMES{$id} has no algorithm $rest[0]"
      if exists $NAMES{$id} && $rest[0] > $ALGORITHMS[$id];
    return [ $bytes, @rest ];
}

# Problems of a table that the library reads, but does not use as intended.
sub problems_of (@table) {
    my ( @problems, %begun );
    for my $collective (@table) {
        my $name   = $NAMES{ $collective->{id} } // "collective $collective->{id}";
        my $before = $begun{ $collective->{id} };
        push @problems,
          "$collective->{line}: $name comes again: its rules from line $before on are never used"
          if $before;
        $begun{ $collective->{id} } = $collective->{line};
        my @sizes = $collective->{sizes}->@*;
        push @problems,
"$collective->{line}: Open MPI's tuned component has no algorithms of $name: its rules have no effect"
          if !$ALGORITHMS[ $collective->{id} ];
        push @problems,
"$sizes[0]{line}: $name: fewer than $sizes[0]{size} processes use the rules of $sizes[0]{size}; begin with 2"
          if @sizes && $sizes[0]{size} > 2 && grep { $_->[1] } map { $_->{rules}->@* } $sizes[0];
        push @problems,
          _ascending( $name, 'communicator sizes', map { [ $_->{line}, $_->{size} ] } @sizes );

        for my $size (@sizes) {
            push @problems,
              _ascending(
                "$name, $size->{size} processes",
                'message sizes',
                map { [ $size->{line}, $_->[0] ] } $size->{rules}->@*
              );
        }
        my $end = @sizes ? $sizes[-1]{rules}[-1] : undef;
        push @problems,
"$sizes[-1]{line}: $name: the last rule, for $sizes[-1]{size} processes, has no end: it is for all above, too"
          if $end && $end->[1];
    }
    return @problems;
}

sub _ascending ( $name, $what, @pairs ) {
    return
      map { "$pairs[$_][0]: $name: $what are not ascending, so that one of them is never used" }
      grep { $pairs[$_][1] <= $pairs[ $_ - 1 ][1] } 1 .. $#pairs;
}

1;
