package SKaMPI::Report::Comparison;

use v5.36;

use List::Util qw(all uniq uniqnum);

use SKaMPI::Report::Curve;
use SKaMPI::Report::Estimate qw(is_clearly_longer quotient);
use SKaMPI::Report::Likeness qw(times_note);
use SKaMPI::Report::Ranking;
use SKaMPI::Report::Subject qw(axis_of differing operation_of with_operation words_for);
use SKaMPI::Report::Words   qw(argument_text);
use SKaMPI::Units           qw(format_argument);

# A table stays on a page beside its plot.
my $MOST_TABLE_ROWS = 10;

# With fewer arguments in common than that, those in between count as well.
my $FEWEST_MEASURED = 5;

# Results with more arguments than that are looked at here and there only.
my $MOST_ARGUMENTS = 2000;

# Lengths that differ by less than this factor are one row of a table.
my $NEARLY = 1.1;

# Endings of suites' names that say how was measured; where all suites have the same, it says nothing.
my $ENDING = qr/-(?:BM|SM|nodes|length|chunks|short|long|[0-9]+)\z/;

sub new ( $class, $title, @suites ) {
    my @members = map { { suite => $_ } } @suites;
    my $self    = bless { title => $title, members => \@members, notes => [] }, $class;
    $self->_leave_out_unlike;
    $self->_name_members;
    $_->{curve} = SKaMPI::Report::Curve->new( $_->{suite} ) for $self->members;
    $self->_note_defaults;
    return $self;
}

# The same with names of the caller's choice, as for the same suite of several machines.
sub named ( $self, @names ) {
    $self->{members}[$_]{name} = $names[$_] for 0 .. $#{ $self->{members} };
    return $self;
}

sub title   ($self) { return $self->{title} }
sub members ($self) { return @{ $self->{members} } }

sub suites ($self) {
    return map { $_->{suite} } $self->members;
}
sub notes ($self) { return @{ $self->{notes} } }

sub axis ($self) {
    my $first = $self->{members}[0]{suite};
    return { kind => axis_of($first), column => $first->{arguments}[0], scale => $first->{scale} };
}

sub table ($self) {
    return [ map { $self->_table_row($_) } $self->_table_arguments ];
}

sub ranking ($self) {
    return $self->{ranking} //=
      SKaMPI::Report::Ranking->new( [ $self->members ], [ $self->_measured_arguments ] );
}

sub sentences ($self) {
    my $axis   = $self->axis;
    my $format = sub ($argument) { return argument_text( $argument, $axis->{column} ) };
    return $self->ranking->sentences( $axis->{kind} eq 'none' ? undef : $format );
}

sub _leave_out_unlike ($self) {
    my @members = $self->members or return;
    my $kind    = axis_of( $members[0]{suite} );
    my @unlike  = grep { axis_of( $_->{suite} ) ne $kind } @members;
    $self->{members} = [ grep { axis_of( $_->{suite} ) eq $kind } @members ];
    push @{ $self->{notes} }, map {
"$_->{suite}{label} is left out: it is not varied over the same as $members[0]{suite}{label}"
    } @unlike;
    return;
}

# Short enough for a legend, and different: by their datatypes, where these make the difference, or
# else as the suites are called.
sub _name_members ($self) {
    my @suites = $self->suites;
    my @names  = _names_of_datatypes(@suites);
    return $self->named(@names) if uniq(@names) == @suites;
    @names = map { $_->{name} } @suites;
    @names = map { $_->{label} } @suites if uniq(@names) < @names;
    while ( my @shorter = _without_common_ending(@names) ) {
        @names = @shorter;
    }
    return $self->named( map { with_operation( $suites[$_], $names[$_] ) } 0 .. $#suites );
}

sub _names_of_datatypes (@suites) {
    return if uniq( map { operation_of($_) } @suites ) > 1;
    my @differing = differing( [qw(datatype basetype method)], @suites );
    return map { join ', ', words_for( $_, @differing ) } @suites;
}

sub _without_common_ending (@names) {
    my ($ending) = ( $names[0] // q{} ) =~ /($ENDING)/ or return;
    my $length = length $ending;
    return if !all { length > $length && substr( $_, -$length ) eq $ending } @names;
    return map { substr $_, 0, -$length } @names;
}

# What is not the axis should be the same.
sub _note_defaults ($self) {
    push @{ $self->{notes} }, times_note( $self->suites );
    my %called = ( nodes => 'number of processes', message_length => 'message length' );
    for my $fact ( sort keys %called ) {
        my @values = uniqnum grep { defined } map { $_->{$fact} } $self->suites;
        push @{ $self->{notes} },
          "the suites differ in their default $called{$fact}: " . join ', ', @values
          if @values > 1;
    }
    return;
}

# Arguments at which at least two suites have a time.
sub _common_arguments ($self) {
    my @curves    = map  { $_->{curve} } $self->members;
    my @arguments = sort { $a <=> $b } uniqnum map { $_->arguments } @curves;
    @arguments = _thinned( $MOST_ARGUMENTS, @arguments );
    return grep {
        my $argument = $_;
        ( grep { $_->at($argument) } @curves ) > 1
    } @arguments;
}

# Evenly by their place in the list, ends included.
sub _thinned ( $most, @list ) {
    return @list if @list <= $most;
    my $step = $#list / ( $most - 1 );
    return @list[ map { int( $_ * $step + 0.5 ) } 0 .. $most - 1 ];
}

# Measured by all suites if there are enough of these; refinement has placed the others, and a
# straight line across a step of one suite says nothing about another.
sub _table_arguments ($self) {
    my @measured = $self->_measured_arguments( scalar $self->members );
    my @distinct = map { $self->_best_known( @{$_} ) } $self->_neighbours(@measured);
    return _spread( ( $self->axis->{scale} // q{} ) eq 'logarithmic', @distinct );
}

# By all suites that have a time there, which are at least so many of them.
sub _measured_arguments ( $self, $fewest = 2 ) {
    my @common   = $self->_common_arguments;
    my @measured = grep { $self->_is_measured( $_, $fewest ) } @common;
    return @measured if @measured >= $FEWEST_MEASURED;
    return map { $self->_worth_keeping( @{$_} ) } $self->_neighbours(@common);
}

# Lists of lengths that are nearly the same: datatypes of other sizes make them differ.
sub _neighbours ( $self, @arguments ) {
    return map { [$_] } @arguments if $self->axis->{kind} ne 'length';
    my @lists;
    for my $argument (@arguments) {
        if ( @lists && $argument <= $NEARLY * $lists[-1][0] ) { push @{ $lists[-1] }, $argument }
        else                                                  { push @lists, [$argument] }
    }
    return @lists;
}

# Those that all have measured, or else one of them.
sub _worth_keeping ( $self, @arguments ) {
    my @measured = grep { $self->_is_measured( $_, 2 ) } @arguments;
    return @measured ? @measured : $self->_best_known(@arguments);
}

# That which most suites have measured.
sub _best_known ( $self, @arguments ) {
    my @known = map { $self->_count_measured($_) } @arguments;
    my ($best) = sort { $known[$b] <=> $known[$a] || $a <=> $b } 0 .. $#arguments;
    return $arguments[$best];
}

sub _count_measured ( $self, $argument ) {
    return
      scalar grep { !$_->{interpolated} } map { $_->{curve}->at($argument) // () } $self->members;
}

sub _is_measured ( $self, $argument, $fewest ) {
    my @points = map { $_->{curve}->at($argument) } $self->members;
    return @points >= $fewest && all { !$_->{interpolated} } @points;
}

# Those nearest to places that are evenly spread over the axis, ends included.
sub _spread ( $is_logarithmic, @arguments ) {
    return @arguments if @arguments <= $MOST_TABLE_ROWS;
    my @places = map { $is_logarithmic ? log( 1 + abs ) : $_ } @arguments;
    my $step   = ( $places[-1] - $places[0] ) / ( $MOST_TABLE_ROWS - 1 );
    my @chosen;
    my $i = 0;
    for my $wanted ( map { $places[0] + $_ * $step } 0 .. $MOST_TABLE_ROWS - 1 ) {
        $i++
          while $i < $#places && abs( $places[ $i + 1 ] - $wanted ) <= abs( $places[$i] - $wanted );
        push @chosen, $i;
    }
    return @arguments[ uniq @chosen ];
}

sub _table_row ( $self, $argument ) {
    my @points = map { scalar $_->{curve}->at($argument) } $self->members;
    my $axis   = $self->axis;
    my $none   = $axis->{kind} eq 'none';
    return {
        argument => $none ? undef : $argument,
        text     => $none ? q{}   : format_argument( $argument, $axis->{column} ),
        cells    => [ map { scalar _cell( $_, $points[0] ) } @points ],
    };
}

sub _cell ( $point, $first ) {
    return if !$point;
    my %cell = ( %{$point}{qw(time error interpolated inexact)} );
    return \%cell if !$first;
    my $quotient = quotient( $point, $first );
    @cell{qw(ratio ratio_error)} = @{$quotient}{qw(ratio error)};
    $cell{verdict} =
        is_clearly_longer( $first, $point ) ? 'faster'
      : is_clearly_longer( $point, $first ) ? 'slower'
      :                                       'equal';
    return \%cell;
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Comparison - suites beside each other: ratios, and who is fastest where

=head1 SYNOPSIS

    my $comparison = SKaMPI::Report::Comparison->new( 'Ping-pong', @suites );
    say for $comparison->sentences;
    for my $row ( @{ $comparison->table } ) {
        say join "\t", $row->{text}, map { $_ ? $_->{ratio} // q{} : q{} } @{ $row->{cells} };
    }

=head1 DESCRIPTION

All texts hold names as they stand in the results: whoever prints them has to take care.

Each suite counts over its own range only. Between its measured arguments the time is interpolated,
see L<SKaMPI::Report::Curve>; these count only where the suites have fewer than five arguments in
common. What is clearly longer, and what is equal, says L<SKaMPI::Report::Estimate>.

=over

=item new(TITLE, SUITE...)

Suites that are varied over something else than the first one are left out, and a note says so.
There may be less than two members then, and nothing to compare.

=item title, suites, notes

notes: sentences about what makes the comparison questionable.

=item members

In their order, each a hash of suite, name and curve. The names are short enough for a legend and
differ: the suites' names without the ending that all of them have, or their labels.

=item named(NAME...)

gives the members other names.

=item axis

A hash of kind (C<length>, C<nodes>, C<chunks>, C<none>, or the text of the file), column (a hash of
name and unit, see L<SKaMPI::Suite>) and scale, both of the first suite.

=item table

A list of at most ten rows, each a hash of argument (undefined for the kind C<none>), text (the
argument as a person reads it) and cells: for each member undef, where it has no time, or a hash of

    time, error   microseconds; an error may be undefined
    interpolated  0 or 1
    inexact       1 if it ended before it was as exact as asked for
    ratio         to the first member; missing, as what follows, where that has no time
    ratio_error   its standard error; may be undefined
    verdict       clearly 'faster' or 'slower' than the first, or 'equal'

Arguments that all suites have measured are preferred, and they are spread over the axis.

=item ranking

an object of L<SKaMPI::Report::Ranking>: who is fastest where, as data.

=item sentences

the same as a list of sentences.

=back

=cut
