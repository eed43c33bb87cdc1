package SKaMPI::Findings::Findings;

# Noteworthy properties of the results. of(OUTPUT) returns a hash of
# - groups: a list of the groups with findings, each a hash of about and title (below), findings and
#     omitted. findings has at most ten findings, those with the strongest evidence first; omitted is
#     the number of the others. A finding is a hash as in SKaMPI::Findings::Cases, made by
#     SKaMPI::Findings::Guidelines, with
#       text     one or two sentences
#       state    candidate or, if several other launches said it, confirmed, refuted or undecided;
#                undef for findings that compare nothing
#       is_weak  1 if one of the times did not reach the requested accuracy
# - cautions: a list of texts: what makes the findings less certain, beside the run's warnings.
# - compared: the numbers of times that could be compared with an equivalent's (times), and of suites
#     that have several lengths or numbers of processes (suites).
# All texts contain names from the results unchanged; escape them before printing.
use SKaMPI::Base;

use List::Util qw(any sum0 uniq);

use SKaMPI::Base::Units
  qw(factor_text format_argument format_bytes format_time list_text ratio_text some_of);
use SKaMPI::Findings::Cases                 qw(add_evidence each_once);
use SKaMPI::Findings::ApplicationGuidelines qw(reason_of);
use SKaMPI::Findings::Guidelines            qw(advice_of);
use SKaMPI::Findings::Observations          qw(observations);
use SKaMPI::Findings::Selection;
use SKaMPI::Meaning::PlottedPoints qw(grouped);
use SKaMPI::Meaning::Likeness      qw(skew_note);
use SKaMPI::Meaning::Subject       qw(axis_of heading_of operation_of title_of);
use SKaMPI::Read::Beside           qw(key_of verdicts_of);
use SKaMPI::Stat::Estimate         qw(quotient);

# No one reads more than a page of findings, and one kind must not displace the others.
my $MAX_OF_A_KIND = 10;

my $MAX_NAMED = 4;

# Findings that a user can change, such as by another call, come before those about protocols: the largest evidence.
my $MANY = 1e6;

# The groups in the order of the page, with the kinds of their findings. All other kinds belong to the first.
my @GROUPS = (
    [ 'slower' => 'Operations that took longer than an equivalent' ],
    [
        'datatypes' => 'Derived datatypes that took longer than the same bytes in another form',
        'datatype', 'same layout'
    ],
    [
        'applications' => 'Messages of applications that should not cost more than others',
        'packed', 'put', 'one piece', 'same bytes', 'stride'
    ],
    [
        'unequal parts' =>
          'Parts of unequal size that took longer than the same total in equal parts',
        'unequal counts'
    ],
    [
        'staged' =>
          'Messages in GPU memory that took longer than copying them to the host and back',
        'staged'
    ],
    [ 'copies'     => 'Messages in GPU memory, and copies without MPI',            'copy' ],
    [ 'medium'     => 'What MPI adds to the medium below it',                      'medium' ],
    [ 'fresh data' => 'Data that a program has just computed, and unchanged data', 'data' ],
    [
        'places' => 'Files at the next place in each repetition, and always at the same one',
        'place'
    ],
    [ 'not steady' => 'Longer messages, or more processes, that took less time',     'longer' ],
    [ 'arithmetic' => 'How much of a reduction is arithmetic',                       'arithmetic' ],
    [ 'disturbers' => 'Processes that delay the others',                             'disturber' ],
    [ 'partitions' => 'Messages in partitions',                                      'partitions' ],
    [ 'slow pairs' => 'Pairs of processes that are slower than others equally near', 'slow pair' ],
);
my %ABOUT = map {
    my ( $about, undef, @kinds ) = @{$_};
    map { $_ => $about } @kinds
} @GROUPS;

sub of ( $class, $output ) {
    my $selection = SKaMPI::Findings::Selection->of($output);
    my @findings  = each_once(
        SKaMPI::Findings::Guidelines->violations($selection),
        SKaMPI::Findings::Guidelines->drops($selection)
    );
    add_evidence(@findings);
    $_->{evidence} /= $MANY for grep { _is_protocol($_) } @findings;
    my $verdicts = verdicts_of($output) // {};
    for my $finding (@findings) {
        my $verdict = ( $verdicts->{by_key} // {} )->{ key_of( comparison_of($finding) ) };
        $finding->{state} = $verdict ? $verdict->{outcome} : 'candidate';
        $finding->{said}  = _said( $verdict, $verdicts->{scope} ) if $verdict;
    }
    $_->{advice} =
      advice_of( operation_of( $_->{fast}[0]{suite} ), $output->field('MPILIBRARY') // q{} )
      for grep { $_->{kind} eq 'algorithm' } @findings;
    my @comparisons = SKaMPI::Findings::Guidelines->comparisons($selection);
    my %found;
    push @{ $found{ $ABOUT{ $_->{kind} } // 'slower' } }, $_
      for @findings, observations( $output, $selection );
    return {
        groups => [ map { @{ $found{ $_->[0] } // [] } ? _group( \%found, @{$_} ) : () } @GROUPS ],
        cautions => [ $verdicts->{wrong} // (), _cautions($output) ],
        compared => {
            times  => sum0( map { scalar @{ $_->{cases} } } @comparisons ),
            suites => scalar( () = SKaMPI::Findings::Guidelines->suites_with_drops($selection) ),
        },
    };
}

# The comparison of a finding, as in SKaMPI::Read::Beside.
sub comparison_of ($finding) {
    my ( $slow, @fast ) =
      map { { suite => $_->{label}, argument => $_->{argument} } } $finding->{slow},
      @{ $finding->{fast} };
    return { kind => $finding->{kind}, slow => $slow, fast => \@fast };
}

sub _said ( $verdict, $scope ) {
    my ( $ratio, $low, $high ) = map { factor_text($_) } @{$verdict}{qw(ratio low high)};
    my $further = $verdict->{further} // 'more than 100';
    return
        "In $scope->{launches} other launches on $scope->{hosts}, $scope->{from} to $scope->{to}: "
      . "$ratio times as long ($low to $high)"
      . ( $verdict->{outcome} eq 'undecided' ? "; $further further launches would decide." : q{.} );
}

sub _group ( $found, $about, $title, @ ) {
    my @findings = @{ $found->{$about} };
    for my $finding (@findings) {
        $finding->{is_weak} =
          ( any { $_->{inexact} } $finding->{slow}, @{ $finding->{fast} } ) ? 1 : 0;
        $finding->{text} //= _text($finding);
    }
    @findings = sort { $b->{evidence} <=> $a->{evidence} || $a->{text} cmp $b->{text} } @findings;
    @findings = _one_of_each_cause(@findings);
    my @shown = splice @findings, 0, $MAX_OF_A_KIND;
    return { about => $about, title => $title, findings => \@shown, omitted => scalar @findings };
}

# Keeps the strongest of several findings on one change of protocol, which names the others.
sub _one_of_each_cause (@findings) {
    my @groups = grouped( sub ($finding) { return _cause($finding) // $finding }, @findings );
    for my $group (@groups) {
        my ( undef, @same ) = map { $_->{slow}{label} } @{$group};
        @same = uniq @same;
        $group->[0]{text} .=
          ' The same in ' . list_text( some_of( $MAX_NAMED, '%d more', @same ) ) . q{.}
          if @same;
    }
    return map { $_->[0] } @groups;
}

# A key that findings of one cause share; undef for findings that compare nothing.
sub _cause ($finding) {
    return if !defined $finding->{state};
    my @sides = ( $finding->{slow}, @{ $finding->{fast} } );
    return join "\n", $finding->{kind}, $finding->{state},
      ( $finding->{kind} ne 'longer'
          && _is_protocol($finding) ? () : map { title_of( $_->{suite} ) } @sides ),
      map { $_->{argument} // q{} } @sides;
}

# An operation that is compared with other lengths, or with several of itself, shows what the library does at this
# argument, whatever the operation.
sub _is_protocol ($finding) {
    my @titles = map { title_of( $_->{suite} ) } $finding->{slow}, @{ $finding->{fast} };
    return $finding->{kind} eq 'longer' || @titles > 2 && 1 == uniq @titles;
}

# The statement at the counted arguments, by kind.
my %AGAINST = (
    staged     => [ 'it took longer',         'as with copies to the host and back' ],
    'in place' => [ 'it took longer',         'as with two buffers' ],
    reordered  => [ 'it took longer',         'with reordered ranks as with NOREORDER' ],
    data       => [ 'fresh data took longer', 'with fresh data as with kept data' ],
    place      =>
      [ 'the next place took longer', 'at the next place of the file as always at the same one' ],
);

sub _text ($finding) {
    my $text =
      $finding->{kind} eq 'longer' ? _text_of_drop($finding) : _text_of_guideline($finding);
    $text .= ' One of these times did not reach the requested accuracy.' if $finding->{is_weak};
    $text .= " $finding->{said}" if defined $finding->{said};
    my $reason = $finding->{advice} // reason_of( $finding->{kind} );
    $text .= " $reason" if defined $reason;
    $text .= q{ } . ucfirst "$_." for skew_note( $finding->{slow}{suite} );
    return $text;
}

sub _text_of_guideline ($finding) {
    my ( $slow, @fast ) = ( $finding->{slow}, @{ $finding->{fast} } );
    my $least = $finding->{least} ? "it took at least $finding->{least} times as long" : undef;
    my ( $what, $against ) = @{ $AGAINST{ $finding->{kind} } // [ $least // 'it took longer' ] };
    $against //= 'as ' . join ' followed by ', map { _part( $slow, $_ ) } @fast;
    my $argument = $slow->{argument};
    my @place    = defined $argument ? format_argument( $argument, $slow->{column} ) : ();
    my ( $suite, $axis ) = ( $slow->{suite}, axis_of( $slow->{suite} ) );
    push @place, $suite->nodes . ' processes' if $axis eq 'length' && defined $suite->nodes;
    push @place, format_bytes( $suite->message_length )
      if $axis eq 'nodes' && defined $suite->message_length;
    my $times = join ' against ', map { format_time( $_->{time} ) } $slow, $finding->{sum};
    return sprintf '%s took %s times as long %s (%s)%s.', title_of($suite),
      _factor($finding), join( ' at ', $against, join( ', ', @place ) || () ), $times,
      _extent( $what, $finding );
}

sub _factor ($finding) {
    return ratio_text( @{ quotient( @{$finding}{qw(slow sum)} ) }{qw(ratio error)} );
}

sub _part ( $slow, $fast ) {
    my $name = title_of( $fast->{suite} );
    return $name if ( $fast->{argument} // q{} ) eq ( $slow->{argument} // q{} );
    return "$name of " . format_argument( $fast->{argument}, $fast->{column} );
}

sub _text_of_drop ($finding) {
    my ( $slow, $fast ) = ( $finding->{slow}, $finding->{fast}[0] );
    my $factor = _factor($finding);
    my ( $short, $long ) = map { format_argument( $_->{argument}, $_->{column} ) } $slow, $fast;
    my ( $time, $less ) = map { format_time( $_->{time} ) } $slow, $fast;
    my $label = heading_of( $slow->{suite}, $slow->{label} );
    my $what =
      axis_of( $slow->{suite} ) eq 'nodes'
      ? 'more processes took less time'
      : 'a longer message took less time';
    return
      "$label: $short took $time, $factor times as long as $long ($less)"
      . _extent( $what, $finding ) . q{.};
}

# The number and range of the arguments at which WHAT holds, if there is more than one argument.
sub _extent ( $what, $finding ) {
    my ( $count, $of, $column ) = ( @{$finding}{qw(count of)}, $finding->{slow}{column} );
    return q{}                                  if $of == 1;
    return "; $what at only 1 of $of arguments" if $count == 1;
    my $range = join ' to ', map { format_argument( $_, $column ) } @{$finding}{qw(first last)};
    return
        "; $what at "
      . ( $count == $of ? "all $of" : "$count of $of" )
      . " arguments from $range";
}

sub _cautions ($output) {
    my @judged = map {
        my $suite = $_;
        map { $suite->is_inexact($_) } grep { defined $_->{extras}{stop} } @{ $suite->rows }
    } grep { $_->prefix !~ /\A(?:internal|check)\z/ } $output->suites;
    my $count = sum0(@judged);
    return if !$count;
    return "$count of @{[ scalar @judged ]} measurements did not reach the requested accuracy";
}

1;
