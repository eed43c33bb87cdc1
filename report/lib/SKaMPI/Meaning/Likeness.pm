package SKaMPI::Meaning::Likeness;

# Which suites and launches may share an axis, be compared, or be merged.
use SKaMPI::Base;

use List::Util qw(any first max min uniq);

use SKaMPI::Base::Units      qw(varied_text);
use SKaMPI::Meaning::Catalog qw(fact_title row_of rows_of shown_facts);
use SKaMPI::Meaning::Legacy  qw(estimate_of without_estimate);
use SKaMPI::Meaning::Subject qw(attribute attributes axis_of operation_of pattern_of);

our @EXPORT_OK =
  qw(axis_text definition_of definition_of_times differences facts_of hardware_note header_facts is_round_trip like_first obstacles
  obstacles_of_files rules_note skew_note times_note unlike_suites why_apart);

# Environment variables that concern MPI, one in a line.
my $ENVIRONMENT = 'ENVIRONMENT';

# Quantities that must be equal for suites to share an axis: a column of SKaMPI::Export::Columns,
# its name in axis_text, its title, and another column with a text for it.
my @AXIS = (
    [ time_name     => 'time',     'definition of the time', 'time_of' ],
    [ pattern       => 'pattern',  'pattern' ],
    [ cache         => 'cache',    'state of the cache' ],
    [ data          => 'data',     'regime of the data' ],
    [ datatype      => 'datatype', 'datatype' ],
    [ topology      => 'topology', 'topology' ],
    [ variation     => 'varied',   'varied quantity', 'argument_name' ],
    [ argument_unit => 'unit',     q{argument's unit} ],
);

# A longer value is shown without what all sides have in common.
my $LONG = 60;

# The facts of the header that a comparison needs: a hash of texts that can be stored.
sub header_facts ($output) {
    return facts_of( { map { $_->{name} => $_->{value} } reverse $output->fields } );
}

# The facts that a comparison needs, from all facts by name.
sub facts_of ($all) {
    return {
        map  { $_ => $all->{$_} }
        grep { defined $all->{$_} } $ENVIRONMENT,
        map  { shown_facts($_) } qw(differences definition)
    };
}

# Values of attributes that older definitions lack.
my %UNSAID = ( send_in => 'host', receive_in => 'same', staged => 'no', in_place => 'no' );

# The meaning of a suite's values: texts by name, which can be stored. Only suites that agree in all
# of them are compared; values by another estimate have no verdict.
sub definition_of ($suite) {

    # As texts: whether Perl holds a value as a number depends on its earlier use.
    my %attributes = map { $_ => ( attribute( $suite, $_ ) // q{} ) . q{} } attributes();
    $attributes{options} = without_estimate( $attributes{options} );
    delete @attributes{ grep { $attributes{$_} eq ( $UNSAID{$_} // q{} ) } keys %attributes };
    return {
        %attributes,
        pattern   => pattern_of($suite),
        operation => operation_of($suite),
        varied    => axis_of($suite),
        estimate  => estimate_of($suite),
        'time of' => $suite->time_name,
    };
}

# Rows of title and one text for each side, for the facts of the header in which the sides differ. A side is a list of
# launches (SKaMPI::Verdict::Launch).
sub differences (@sides) {
    my @rows;
    for my $name ( shown_facts('differences') ) {
        my @values = map { _values_of( $name, $_ ) } @sides;
        push @rows, [ fact_title($name), _differing_parts(@values) ] if uniq(@values) > 1;
    }
    return ( @rows, _environment(@sides) );
}

# A sentence if both sides say what their hardware is, and it differs: then times differ, too.
sub hardware_note (@sides) {
    my @texts = map {
        join ' | ',
          uniq sort map { $_->{facts}{HARDWARE} // () }
          @{$_}
    } @sides;
    return if ( grep { $_ eq q{} } @texts ) || $texts[0] eq $texts[1];
    return "the hardware differs: '$texts[0]' and '$texts[1]'";
}

# Words of long values that differ, with the words around them.
sub _differing_parts (@values) {
    return @values if max( map { length } @values ) <= $LONG;
    my @words  = map { [ split q{ } ] } @values;
    my $fewest = min( map { scalar @{$_} } @words );
    my ( $first, $last ) = ( 0, 0 );
    $first++ while $first < $fewest && uniq( map { $_->[$first] } @words ) == 1;
    $last++ while $last < $fewest - $first && uniq( map { $_->[ -1 - $last ] } @words ) == 1;
    return map { _part( $_, max( 0, $first - 1 ), max( 0, $last - 1 ) ) } @words;
}

sub _part ( $words, $first, $last ) {
    return join q{ }, $first ? '...' : (), @{$words}[ $first .. $#{$words} - $last ],
      $last ? '...' : ();
}

# The variables that all launches of a side have in common, but not all launches of the other side.
sub _environment (@sides) {
    my @common = map { _common($_) } @sides;
    my @texts  = map {
        my ( $own, $other ) = @{$_};
        join ' ', grep { !$other->{$_} } sort keys %{$own}
    } [@common], [ reverse @common ];
    return if !grep { length } @texts;
    return [ 'environment', map { length ? $_ : '-' } @texts ];
}

sub _common ($side) {
    my %count;
    $count{$_}++ for map { split /\n/, $_->{facts}{$ENVIRONMENT} // q{} } @{$side};
    return {
        map  { $_ => 1 }
        grep { $count{$_} == @{$side} && !/\AOMPI_(?:ARGV|COMMAND)=/ } keys %count
    };
}

sub _values_of ( $name, $side ) {
    my %count;
    $count{ $_->{facts}{$name} // 'unknown' }++ for @{$side};
    my @values = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
    return $values[0] =~ s/\s*\n/; /gr if @values == 1;
    return join ' | ', map { s/\s*\n/; /gr . " ($count{$_} of " . @{$side} . ')' } @values;
}

# Why the launches may not be compared, as sentences: the number of processes, the definition of the
# time, pattern, cache and data regime, datatype, topology or another attribute differ; or a file is
# a merge or a copy of another one. Definitions of the error may differ.
sub obstacles (@launches) {
    return ( obstacles_of_files(@launches), map { $_->[1] } unlike_suites(@launches) );
}

# Obstacles that concern all suites.
sub obstacles_of_files (@launches) {
    my $first  = $launches[0];
    my @found  = map { _differing_header( $first, $_ ) } @launches;
    my @merges = map {
"'$_->{name}' is a merge of several runs; name the runs instead: a launch is the unit of sampling"
    } grep { $_->{merged} } @launches;
    return ( @merges, _copies(@launches), @found );
}

# Obstacles that concern a suite: pairs of its label and a sentence.
sub unlike_suites (@launches) {
    my ( %suite_of, @found );
    for my $launch (@launches) {
        for my $label ( sort keys %{ $launch->{suites} } ) {
            my $known = $suite_of{$label} //= $launch;
            push @found, map { [ $label, $_ ] } _differing_suite( $label, $known, $launch );
        }
    }
    return @found;
}

sub _differing_header ( $first, $launch ) {
    my @found;
    for my $name ( shown_facts('definition') ) {
        my $title = fact_title($name);
        my ( $own, $wanted ) = map { $_->{facts}{$name} } $launch, $first;
        push @found, "$title: '$own' in '$launch->{name}', '$wanted' in '$first->{name}'"
          if defined $own && defined $wanted && $own ne $wanted;
    }
    return @found;
}

sub _differing_suite ( $label, $known, $launch ) {
    my ( $wanted, $own ) = map { $_->{suites}{$label}{definition} } $known, $launch;
    return if $wanted == $own;
    my @names = uniq sort keys %{$own}, keys %{$wanted};
    my ($differing) =
      grep { $_ ne 'estimate' && ( $own->{$_} // q{} ) ne ( $wanted->{$_} // q{} ) } @names;
    return if !defined $differing;
    my ( $here, $there ) = map { $_->{$differing} // $UNSAID{$differing} // 'not given' } $own,
      $wanted;
    return
      "suite '$label': $differing is '$here' in '$launch->{name}', '$there' in '$known->{name}'";
}

# Obstacles by copies of a file, as a launch counts once.
sub _copies (@launches) {
    my ( %first, @found );
    for my $launch (@launches) {
        my $known = $first{ $launch->{sum} // $launch } //= $launch;
        next if $known == $launch;
        push @found, $known->{name} eq $launch->{name}
          ? "'$launch->{name}' is named twice"
          : "'$launch->{name}' is a copy of '$known->{name}'";
    }
    return @found;
}

# A list of the suites that can be compared with the first one, and pairs of the others and the reason.
sub like_first (@suites) {
    my @pairs = map { [ $_, scalar _unlike( $suites[0], $_ ) ] } @suites;
    my @like  = map { $_->[0] } grep { !defined $_->[1] } @pairs;
    return ( \@like, grep { defined $_->[1] } @pairs );
}

sub _unlike ( $first, $suite ) {
    my ( $own, $wanted ) = map { axis_of($_) } $suite, $first;
    return if $own eq $wanted || _workers_of($suite) && _workers_of($first);
    return
      "it is varied over @{[ _over($own) ]}, '@{[ $first->label ]}' over @{[ _over($wanted) ]}";
}

# Whether the argument is a number of pairs that communicate at the same time: of threads of two processes, or of
# processes.
sub _workers_of ($suite) {
    my $axis = axis_of($suite);
    return $axis eq 'threads' || $axis eq 'groups' && pattern_of($suite) eq 'pairs' ? 1 : 0;
}

sub _over ($axis) {
    return 'nothing' if $axis eq 'none';
    my $row = first { ( $_->{axis} // q{} ) eq $axis } rows_of('variations');
    return 'the ' . varied_text( $row ? $row->{text} : $axis );
}

# A text that is equal for suites that may share an axis, from the columns of a suite.
sub axis_text ($columns) {
    return join '; ', map { "$_->[1]: $columns->{ $_->[0] }" }
      grep { length( $columns->{ $_->[0] } // q{} ) } @AXIS;
}

# Why a suite may not share the axes of the first one, from their columns: title, and the texts of
# both; the varied quantity comes first. An empty list if no column says it.
sub why_apart ( $first, $suite ) {
    my $differing =
      first { ( $first->{ $_->[0] } // q{} ) ne ( $suite->{ $_->[0] } // q{} ) }
      @AXIS[ 6, 7, 0 .. 5 ]
      or return;
    my ( $name, undef, $title, $text ) = @{$differing};
    my ( $here, $there ) = map { $_->{ $text // $name } // q{} } $suite, $first;
    ( $here, $there ) = map { $_->{$name} // q{} } $suite, $first if $here eq $there;
    return ( $title, map { length ? varied_text($_) : 'not given' } $here, $there );
}

# A note on the skew that values measured with barriers contain, wherever one is shown.
sub skew_note (@suites) {
    return if !any { $_->contains_skew } @suites;
    return
'barrier-measured times (-BM) contain the skew with which the processes left the previous barrier';
}

# A note for values that are shown together although their rules differ, so that none of them is judged: pairs of a name
# and a rule (SKaMPI::Meaning::Legacy); undef if they agree.
sub rules_note (@pairs) {
    my %names;
    push @{ $names{ $_->[1] } }, $_->[0] for @pairs;
    return if keys %names < 2;
    return 'times by different rules, so no verdicts: ' . join '; ',
      map { "$_: " . join ', ', @{ $names{$_} } } sort keys %names;
}

# A note for suites that are compared although their times have different definitions.
sub times_note (@suites) {
    return if uniq( map { $_->time_name } @suites ) < 2;
    return 'the times of the suites have different definitions: ' . join '; ',
      map { $_->label . ': ' . definition_of_times($_) =~ s/;.*//sr } @suites;
}

# The definition of a suite's time, for the reader.
sub definition_of_times ($suite) {
    return $suite->note('TIMEOF') // ( _definition($suite) // {} )->{text} // $suite->time_name;
}

# Whether a time covers both ways.
sub is_round_trip ($suite) {
    return ( _definition($suite) // {} )->{round_trip} ? 1 : 0;
}

sub _definition ($suite) {
    return row_of( times => ( split / /, $suite->time_name )[0] // q{} );
}

1;
