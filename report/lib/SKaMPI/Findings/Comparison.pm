package SKaMPI::Findings::Comparison;

# Compares suites: ratios, and which suite is fastest at which argument. All texts contain names
# from the results unchanged; escape them before printing. Each suite is compared over its own range
# only. Times between measured arguments are interpolated (see SKaMPI::Meaning::Curve) and used only
# if the suites have fewer than five arguments in common; in sentences, only near measured ones, if
# there are any. Verdicts need several launches, see judged.
# members are in order, each a hash of suite, name and curve. The names are distinct and short enough for a legend:
# the suites' names without a common ending, or their labels.
use SKaMPI::Base qw(title @members @notes);

use List::Util qw(all any max uniq uniqnum);

use SKaMPI::Base::Units qw(errors_text factor_text format_argument);
use SKaMPI::Findings::Ranking;
use SKaMPI::Meaning::Curve;
use SKaMPI::Meaning::Likeness      qw(like_first rules_note skew_note times_note);
use SKaMPI::Meaning::Legacy        qw(estimate_of name_ending);
use SKaMPI::Meaning::PlottedPoints qw(spread);
use SKaMPI::Meaning::Subject qw(axis_of differing operation_of pattern_of with_operation words_for);
use SKaMPI::Stat::Estimate   qw(direction_of quotient relative_error);
use SKaMPI::Verdict::Family  qw(is_different verdict_counts verdicts);

my $MAX_TABLE_ROWS = 10;

my @BUFFERS = qw(datatype basetype method send_in receive_in staged in_place);

# Interpolated times are used as well if suites have fewer arguments in common.
my $FEWEST_MEASURED = 5;

# Only a selection of more arguments is compared.
my $MAX_ARGUMENTS = 2000;

# A table has one row for lengths that differ by less than this factor.
my $NEARLY = 1.1;

# Skips suites that are not varied over the same quantity as the first one, with a note. One member may remain.
sub new ( $class, $title, @suites ) {
    my ( $like, @unlike ) = like_first(@suites);
    my @members = map { { suite => $_ } } @{$like};
    my @notes   = map { 'skipped ' . $_->[0]->label . ": $_->[1]" } @unlike;
    my $self    = bless { title => $title, members => \@members, notes => \@notes }, $class;
    $self->_name_members;
    $_->{curve} = SKaMPI::Meaning::Curve->new( $_->{suite} ) for $self->members;
    my $rules = rules_note( map { [ $_->{name}, estimate_of( $_->{suite} ) ] } $self->members );
    $self->{is_mixed} = defined $rules;
    push @notes, $rules // (), times_note( $self->suites ), skew_note( $self->suites );
    my %called = ( nodes => 'number of processes', message_length => 'message length' );

    for my $fact ( sort keys %called ) {
        my @values = uniqnum grep { defined } map { $_->$fact } $self->suites;
        push @notes, "the suites differ in their default $called{$fact}: " . join ', ', @values
          if @values > 1;
    }
    return $self;
}

# Whether the suites are one operation, measured in several ways.
sub is_of_methods ($self) {
    return 1 == uniq( map { operation_of($_) } $self->suites )
      && 1 < uniq( map { pattern_of($_) } $self->suites );
}

# Sets other names, such as those of machines if a suite of several machines is compared.
sub named ( $self, @names ) {
    $self->{members}[$_]{name} = $names[$_] for 0 .. $#{ $self->{members} };
    return $self;
}

# Takes for each member a hash of verdict (SKaMPI::Verdict::Family) by argument, or undef. The table and the sentences
# have these verdicts and no others: open without one.
sub judged ( $self, @verdicts ) {
    $self->{verdicts} = \@verdicts;
    return $self;
}

sub suites ($self) {
    return map { $_->{suite} } $self->members;
}

# A hash of kind (length, nodes, chunks, none, or the text of the file), and of column (a hash of
# name and unit, see SKaMPI::Read::Suite) and scale of the first suite.
sub axis ($self) {
    my $first = $self->{members}[0]{suite};
    return { kind => axis_of($first), column => $first->arguments->[0], scale => $first->scale };
}

# A list of at most ten rows, each a hash of argument (undefined for the kind none), text (the
# argument as text) and cells: for each member undef if it has no time there, or a hash of
#   time, error   microseconds; an error may be undefined
#   interpolated  0 or 1
#   inexact       1 if it did not reach the requested accuracy
#   ratio         to the first member; missing, like the following, if that has no time
#   ratio_error   its standard error; may be undefined
#   verdict       only if judged
# The arguments are spread over the axis; those that all suites have measured are preferred.
sub table ($self) {
    my @measured = $self->_measured_arguments( scalar $self->members );
    my @distinct = map { $self->_best_known( @{$_} ) } $self->_neighbours(@measured);
    my $axis     = $self->axis;
    my $none     = $axis->{kind} eq 'none';
    my $is_log   = ( $axis->{scale} // q{} ) eq 'logarithmic';
    my @rows;
    for my $argument ( _spread( $is_log, @distinct ) ) {
        my @points = map { scalar $_->{curve}->at($argument) } $self->members;
        my @cells  = map { scalar cell_of( $_, $points[0] ) } @points;
        for my $i ( $self->{verdicts} ? 1 .. $#cells : () ) {
            my $verdicts = $self->{verdicts}[$i] // {};
            $cells[$i]{verdict} = $verdicts->{ $none ? q{} : $argument } // 'open' if $cells[$i];
        }
        push @rows,
          {
            argument => $none ? undef : $argument,
            text     => $none ? q{}   : format_argument( $argument, $axis->{column} ),
            cells    => \@cells
          };
    }
    return \@rows;
}

# How far ratios differ at most: the largest logarithm, of all if a point has such a verdict or, without verdicts, of
# those beyond their errors; 0 without one.
sub difference ($self) {
    my @verdicts = map { values %{ $_ // {} } } @{ $self->{verdicts} // [] };
    return 0 if @verdicts && !any { is_different($_) } @verdicts;
    return max 0, map { abs log $_->{ratio} }
      grep { @verdicts || direction_of($_) ne 'similar' } $self->_ratios;
}

# The range of the ratios, with their largest error: "0.98 to 1.04, errors up to 3.0 %".
sub range_text ($self) {
    my @ratios = sort { $a->{ratio} <=> $b->{ratio} } $self->_ratios or return "\x{2013}";
    my $range  = join ' to ', uniq map { factor_text( $_->{ratio} ) } @ratios[ 0, -1 ];
    return "$range, " . errors_text( map { relative_error($_) } @ratios );
}

sub _ratios ($self) {
    return map { +{ ratio => $_->{ratio}, error => $_->{ratio_error} } }
      grep     { defined && defined $_->{ratio} }
      map      { @{ $_->{cells} }[ 1 .. $#{ $_->{cells} } ] } @{ $self->table };
}

sub ranking ($self) {
    return $self->{ranking} if $self->{ranking};
    my @arguments = $self->_measured_arguments;

    # Arguments near measured ones are preferred, since a step may be between distant ones.
    my @sure = grep {
        my $argument = $_;
        all { !$_->{interpolated} || _is_near( $_->{nearest}, $argument ) }
          $self->_points_at($argument)
    } @arguments;
    return $self->{ranking} =
      SKaMPI::Findings::Ranking->new( [ $self->members ], @sure ? \@sure : \@arguments );
}

# Sentences on the ranking or, if judged, with the number of points of each verdict, as on the first page.
sub sentences ($self) {
    return if $self->{is_mixed};
    my $axis   = $self->axis;
    my $format = sub ($argument) { return format_argument( $argument, $axis->{column} ) };
    return $self->ranking->sentences( $axis->{kind} eq 'none' ? undef : $format )
      if !$self->{verdicts};
    my @names = map { $_->{name} } $self->members;
    return map {
        my @points = map { { verdict => $_ } } values %{ $self->{verdicts}[$_] // {} };
        my $count  = verdict_counts(@points);
        @points
          ? "$names[$_] compared with $names[0]: "
          . join( ', ', map { "$count->{$_} $_" } verdicts() ) . q{.}
          : ();
    } 1 .. $#names;
}

# Gives members short, distinct names for a legend: the datatypes, or the memory, if these differ, or else their own.
sub _name_members ($self) {
    my @suites    = $self->suites;
    my @differing = differing( \@BUFFERS, @suites );
    my @names     = map { join ', ', words_for( $_, @differing ) } @suites;
    return $self->named(@names)
      if uniq(@names) == @suites && uniq( map { operation_of($_) } @suites ) == 1;
    @names = map { $_->name } @suites;
    @names = map { $_->label } @suites if uniq(@names) < @names;
    while ( my @shorter = _without_common_ending(@names) ) {
        @names = @shorter;
    }
    return $self->named( map { with_operation( $suites[$_], $names[$_] ) } 0 .. $#suites );
}

sub _without_common_ending (@names) {
    my ($ending) = ( $names[0] // q{} ) =~ /(@{[ name_ending() ]}|-[0-9]+\z)/ or return;
    my $length = length $ending;
    return if !all { length > $length && substr( $_, -$length ) eq $ending } @names;
    return map { substr $_, 0, -$length } @names;
}

sub _points_at ( $self, $argument ) {
    return @{ $self->{points_at}{$argument} //=
          [ map { $_->{curve}->at($argument) // () } $self->members ] };
}

# The arguments measured by all suites that have a time there, if these are at least FEWEST suites; if there are too
# few, also others. Refinement added those, and interpolation across a step of one suite says nothing about another.
sub _measured_arguments ( $self, $fewest = 2 ) {
    my @arguments = sort { $a <=> $b } uniqnum map { $_->{curve}->arguments } $self->members;
    my @common =
      grep { $self->_points_at($_) > 1 } spread( $MAX_ARGUMENTS, @arguments );
    my @measured = grep { $self->_is_measured( $_, $fewest ) } @common;
    return @measured if @measured >= $FEWEST_MEASURED;
    return map {
        my @kept = grep { $self->_is_measured( $_, 2 ) } @{$_};
        @kept ? @kept : $self->_best_known( @{$_} )
    } $self->_neighbours(@common);
}

sub _is_near ( $x, $y ) { return $x <= $NEARLY * $y && $y <= $NEARLY * $x }

# Groups of lengths that are nearly equal, as the sizes of datatypes differ.
sub _neighbours ( $self, @arguments ) {
    return map { [$_] } @arguments if $self->axis->{kind} ne 'length';
    my @lists;
    for my $argument (@arguments) {
        if ( @lists && $argument <= $NEARLY * $lists[-1][0] ) { push @{ $lists[-1] }, $argument }
        else                                                  { push @lists, [$argument] }
    }
    return @lists;
}

sub _best_known ( $self, @arguments ) {
    my %known =
      map {
        $_ => scalar grep { !$_->{interpolated} }
          $self->_points_at($_)
      } @arguments;
    my ($best) = sort { $known{$b} <=> $known{$a} || $a <=> $b } @arguments;
    return $best;
}

sub _is_measured ( $self, $argument, $fewest ) {
    my @points = $self->_points_at($argument);
    return @points >= $fewest && all { !$_->{interpolated} } @points;
}

# The arguments nearest to points evenly spaced on the axis, ends included.
sub _spread ( $is_logarithmic, @arguments ) {
    return @arguments if @arguments <= $MAX_TABLE_ROWS;
    my @places = map { $is_logarithmic ? log( 1 + abs ) : $_ } @arguments;
    my $step   = ( $places[-1] - $places[0] ) / ( $MAX_TABLE_ROWS - 1 );
    my @chosen;
    my $i = 0;
    for my $wanted ( map { $places[0] + $_ * $step } 0 .. $MAX_TABLE_ROWS - 1 ) {
        $i++
          while $i < $#places && abs( $places[ $i + 1 ] - $wanted ) <= abs( $places[$i] - $wanted );
        push @chosen, $i;
    }
    return @arguments[ uniq @chosen ];
}

# The cell of a table for a point; FIRST is that of the first member there, or undef.
sub cell_of ( $point, $first ) {
    return if !$point;
    my %cell = ( %{$point}{qw(time error interpolated inexact marks)} );
    @cell{qw(ratio ratio_error)} = @{ quotient( $point, $first ) }{qw(ratio error)} if $first;
    return \%cell;
}

1;
