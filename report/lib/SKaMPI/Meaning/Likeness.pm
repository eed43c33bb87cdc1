package SKaMPI::Meaning::Likeness;

# Which suites and launches may share an axis, be compared, or be merged.
use SKaMPI::Base;

use List::Util qw(any first max min uniq);

use SKaMPI::Base::Units      qw(varied_text);
use SKaMPI::Meaning::Catalog qw(fact_title row_of rows_of shown_facts);
use SKaMPI::Meaning::Legacy  qw(estimate_of without_estimate);
use SKaMPI::Meaning::Subject qw(attribute attributes axis_of operation_of pattern_of);

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

# The facts that a comparison needs: a hash of texts that can be stored. From results, or from all facts by name.
sub header_facts ($output) {
    return facts_of( { map { $_->{name} => $_->{value} } reverse $output->fields } );
}

sub facts_of ($all) {
    return {
        map  { $_ => $all->{$_} }
        grep { defined $all->{$_} } $ENVIRONMENT,
        map  { shown_facts($_) } qw(differences definition class)
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
    my ( $before, $after ) = map { max( 0, $_ - 1 ) } $first, $last;
    return map {
        my @shown = @{$_}[ $before .. $#{$_} - $after ];
        join q{ }, $before ? '...' : (), @shown, $after ? '...' : ()
    } @words;
}

# The variables that all launches of a side have in common, but not all launches of the other side.
sub _environment (@sides) {
    my @common = map {
        my ( $side, %count ) = $_;
        $count{$_}++ for map { split /\n/, $_->{facts}{$ENVIRONMENT} // q{} } @{$side};
        my @names = grep { $count{$_} == @{$side} && !/\AOMPI_(?:ARGV|COMMAND)=/ } keys %count;
        +{ map { $_ => 1 } @names }
    } @sides;
    my @texts = map {
        my ( $own, $other ) = @{$_};
        join ' ', grep { !$other->{$_} } sort keys %{$own}
    } [@common], [ reverse @common ];
    return if !grep { length } @texts;
    return [ 'environment', map { length ? $_ : '-' } @texts ];
}

sub _values_of ( $name, $side ) {
    my %count;
    $count{ $_->{facts}{$name} // 'unknown' }++ for @{$side};
    my @values = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
    return $values[0] =~ s/\s*\n/; /gr if @values == 1;
    return join ' | ', map { s/\s*\n/; /gr . " ($count{$_} of " . @{$side} . ')' } @values;
}

# Why the launches may not be compared, as sentences: headers or suites differ, or a file is a merge or a copy of
# another one. Definitions of the error may differ.
sub obstacles (@launches) {
    return ( obstacles_of_files(@launches), map { $_->[1] } unlike_suites(@launches) );
}

# Obstacles that concern all suites.
sub obstacles_of_files (@launches) {
    my ( $first, %known, @merges, @copies, @found ) = $launches[0];
    for my $launch (@launches) {
        my $file = "'$launch->{name}'";
        push @merges,
"$file is a merge of several runs; name the runs instead: a launch is the unit of sampling"
          if $launch->{merged};

        # A launch counts once.
        my $known = $known{ $launch->{sum} // $launch } //= $launch;
        push @copies, $known->{name} eq $launch->{name}
          ? "$file is named twice"
          : "$file is a copy of '$known->{name}'"
          if $known != $launch;
        for my $name ( shown_facts('definition') ) {
            my ( $own, $wanted ) = map { $_->{facts}{$name} } $launch, $first;
            push @found, fact_title($name) . ": '$own' in $file, '$wanted' in '$first->{name}'"
              if defined $own && defined $wanted && $own ne $wanted;
        }
    }
    return ( @merges, @copies, @found );
}

# Obstacles that concern a suite: pairs of its label and a sentence.
sub unlike_suites (@launches) {
    my ( %suite_of, @found );
    for my $launch (@launches) {
        for my $label ( sort keys %{ $launch->{suites} } ) {
            my $known = $suite_of{$label} //= $launch;
            my ( $wanted, $own ) = map { $_->{suites}{$label}{definition} } $known, $launch;
            next if $wanted == $own;
            my ($name) =
              grep { $_ ne 'estimate' && ( $own->{$_} // q{} ) ne ( $wanted->{$_} // q{} ) }
              uniq sort keys %{$own}, keys %{$wanted};
            next if !defined $name;
            my ( $here, $there ) =
              map { $_->{$name} // $UNSAID{$name} // 'not given' } $own, $wanted;
            my $sides = "'$here' in '$launch->{name}', '$there' in '$known->{name}'";
            push @found, [ $label, "suite '$label': $name is $sides" ];
        }
    }
    return @found;
}

# A list of the suites that can be compared with the first one, and pairs of the others and the reason.
sub like_first (@suites) {
    my ( $first, @like, @unlike ) = $suites[0];
    for my $suite (@suites) {
        my ( $own, $wanted ) = map { axis_of($_) } $suite, $first;
        if ( $own eq $wanted || _workers_of($suite) && _workers_of($first) ) { push @like, $suite }
        else {
            my ( $label, @over ) = ( $first->label, map { _over($_) } $own, $wanted );
            push @unlike, [ $suite, "it is varied over $over[0], '$label' over $over[1]" ];
        }
    }
    return ( \@like, @unlike );
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

# A text that is equal for suites that may share an axis, from their columns.
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

sub definition_of_times ($suite) {
    return $suite->note('TIMEOF') // ( _definition($suite) // {} )->{text} // $suite->time_name;
}

sub is_round_trip ($suite) {
    return ( _definition($suite) // {} )->{round_trip} ? 1 : 0;
}

sub _definition ($suite) {
    return row_of( times => ( split / /, $suite->time_name )[0] // q{} );
}

1;
