package SKaMPI::Report::Ranking;

use v5.36;

use List::Util qw(any max min sum0);

use SKaMPI::Report::Estimate qw(differ is_clearly_longer);
use SKaMPI::Report::Words    qw(factor_text list_text);

# More stretches than that are counted, not told one by one.
my $MOST_STRETCHES = 4;

# More followers than that are not told one by one: the next and the last are.
my $MOST_FOLLOWERS = 3;

sub new ( $class, $members, $arguments ) {
    my $self = bless { members => $members, stretches => [], among_fastest => [], most => [] },
      $class;
    $self->_add_argument($_) for @{$arguments};
    $self->_end_stretch( $self->{stretches}[-1] );
    return $self;
}

sub stretches ($self) { return @{ $self->{stretches} } }

# Between which arguments another suite takes the lead.
sub changes ($self) {
    my @stretches = $self->stretches;
    return map {
        {
            after  => $stretches[ $_ - 1 ]{last},
            before => $stretches[$_]{first},
            from   => $stretches[ $_ - 1 ]{leaders},
            to     => $stretches[$_]{leaders},
        }
    } 1 .. $#stretches;
}

# format makes a text of an argument; undef if there is none.
sub sentences ( $self, $format ) {
    my @stretches = $self->stretches or return 'The suites have no argument in common.';
    return $self->_summary($format)               if @stretches > $MOST_STRETCHES;
    return $self->_sentence( $stretches[0], q{} ) if !$format;
    my @sentences = map { $self->_sentence( $_, _where( $_, $format ) ) } @stretches;
    return ( @sentences, $self->_tell_changes($format) );
}

# A stretch goes on as long as one and the same suite is among the fastest.
sub _add_argument ( $self, $argument ) {
    my %points  = $self->_points($argument);
    my %fastest = map { $_ => 1 } _fastest( \%points );
    $self->_count( \%points, keys %fastest );
    my $stretch = $self->{stretches}[-1];
    my @stay    = $stretch ? grep { $fastest{$_} } @{ $stretch->{leaders} } : ();
    if ( !@stay ) {
        $self->_end_stretch($stretch);
        $stretch = { first => $argument, rows => [] };
        @stay    = sort { $a <=> $b } keys %fastest;
        push @{ $self->{stretches} }, $stretch;
    }
    $stretch->{leaders} = \@stay;
    $stretch->{last}    = $argument;
    push @{ $stretch->{rows} }, { argument => $argument, points => \%points };
    return;
}

# For the summary.
sub _count ( $self, $points, @fastest ) {
    my $best = min map { $_->{time} } values %{$points};
    $self->{among_fastest}[$_]++ for @fastest;
    for my $i ( keys %{$points} ) {
        $self->{most}[$i] = max $self->{most}[$i] // 1, $points->{$i}{time} / $best;
    }
    return;
}

sub _points ( $self, $argument ) {
    my %points;
    for my $i ( 0 .. $#{ $self->{members} } ) {
        my $point = $self->{members}[$i]{curve}->at($argument) or next;
        $points{$i} = $point;
    }
    return %points;
}

# And those that are as good.
sub _fastest ($points) {
    my ($best) = sort { $points->{$a}{time} <=> $points->{$b}{time} || $a <=> $b } keys %{$points};
    return grep { !is_clearly_longer( $points->{$_}, $points->{$best} ) } keys %{$points};
}

# Its leaders are known only now.
sub _end_stretch ( $self, $stretch ) {
    return if !$stretch;
    my $rows  = delete $stretch->{rows};
    my %leads = map { $_ => 1 } @{ $stretch->{leaders} };
    $stretch->{arguments} = @{$rows};
    $stretch->{equal}     = ( any { _has_differing( $_, $stretch->{leaders} ) } @{$rows} ) ? 0 : 1;
    $stretch->{followers} = [
        sort { $a->{most} <=> $b->{most} || $a->{member} <=> $b->{member} }
        map  { _follower( $_, $stretch->{leaders}, $rows ) }
        grep { !$leads{$_} } 0 .. $#{ $self->{members} }
    ];
    return;
}

# Beyond the errors, if not by enough to be clearly longer.
sub _has_differing ( $row, $leaders ) {
    my ($best) = sort { $a->{time} <=> $b->{time} } @{ $row->{points} }{ @{$leaders} };
    return any { differ( $_, $best ) } @{ $row->{points} }{ @{$leaders} };
}

# How many times as long as the fastest of the leaders it takes.
sub _follower ( $member, $leaders, $rows ) {
    my %follower = ( member => $member, least => undef, most => undef, most_at => undef );
    for my $row ( @{$rows} ) {
        my $point  = $row->{points}{$member} or next;
        my $factor = $point->{time} / min map { $_->{time} } @{ $row->{points} }{ @{$leaders} };
        $follower{least}            = min grep { defined } $follower{least}, $factor;
        @follower{qw(most most_at)} = ( $factor, $row->{argument} )
          if !defined $follower{most} || $factor > $follower{most};
    }
    return defined $follower{most} ? \%follower : ();
}

sub _name ( $self, $i ) {
    return $self->{members}[$i]{name};
}

sub _where ( $stretch, $format ) {
    my ( $first, $last ) = map { $format->($_) } @{$stretch}{qw(first last)};
    return $first eq $last ? "At $first " : "From $first to $last ";
}

sub _sentence ( $self, $stretch, $where ) {
    my @names     = map { $self->_name($_) } @{ $stretch->{leaders} };
    my @followers = @{ $stretch->{followers} };
    my $is        = 'is fastest';
    if ( @names > 1 ) {
        $is = 'are equal within the error';
        $is .= ' or 5 %'      if !$stretch->{equal};
        $is .= ' and fastest' if @followers;
    }
    return
      join( '; ', $where . list_text(@names) . " $is", $self->_tell_followers(@followers) ) . q{.};
}

sub _tell_followers ( $self, @followers ) {
    return                           if !@followers;
    @followers = @followers[ 0, -1 ] if @followers > $MOST_FOLLOWERS;
    my ( $next, @more ) =
      map { [ $self->_name( $_->{member} ), _times( @{$_}{qw(least most)} ) ] } @followers;
    my @texts = ( "$next->[0] takes $next->[1]", map { "$_->[0] $_->[1]" } @more );
    return list_text(@texts) . ' times as long';
}

# As fast as the leader here and there, but not all the way.
sub _times ( $least, $most ) {
    my ( $low, $high ) = map { factor_text($_) } $least, $most;
    return "up to $high" if $low <= 1;
    return $low eq $high ? $low : "$low to $high";
}

sub _tell_changes ( $self, $format ) {
    my @changes = map {
        [ map { $format->($_) } @{$_}{qw(after before)} ]
    } $self->changes;
    return if !@changes;
    return
      'The order changes ' . list_text( map { "between $_->[0] and $_->[1]" } @changes ) . q{.};
}

sub _summary ( $self, $format ) {
    my $all     = sum0( map { $_->{arguments} } $self->stretches );
    my @count   = map  { $_ // 0 } @{ $self->{among_fastest} }[ 0 .. $#{ $self->{members} } ];
    my @order   = sort { $count[$b] <=> $count[$a] || $a <=> $b } 0 .. $#count;
    my @texts   = map  { $self->_name($_) . " at $count[$_]" . $self->_at_worst($_) } @order;
    my @changes = $self->changes;
    my $where   = join ' and ', $format->( $changes[0]{after} ), $format->( $changes[-1]{before} );
    my $often   = @changes;
    return ( "Between $where the order changes $often times.",
        "Of $all arguments, among the fastest are " . list_text(@texts) . q{.} );
}

sub _at_worst ( $self, $i ) {
    my $most = factor_text( $self->{most}[$i] // 1 );
    return $most > 1 ? " (elsewhere up to $most times as long)" : q{};
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Ranking - who is fastest where

=head1 DESCRIPTION

Made by L<SKaMPI::Report::Comparison>. Members are told by their number there, from 0.

The arguments fall into stretches: as long as one and the same member is the fastest or equal to it,
that is not clearly longer (L<SKaMPI::Report::Estimate>), a stretch goes on.

=over

=item stretches

From small arguments to large ones, each a hash of

    first, last   arguments
    arguments     how many arguments are between them, first and last included
    leaders       the members (list of numbers) that are fastest in all of it
    equal         1 if these are equal within the error, 0 if only within 5 %
    followers     a list, the next first; each a hash of member (number), least and most: how many
                  times as long as the fastest leader it takes, and most_at: the argument of most

=item changes

Between stretches, each a hash of after and before (arguments), from and to (leaders).

=item sentences(FORMAT)

What the stretches tell, as a person reads it, the places where the order changes included. FORMAT
makes a text of an argument; undef where there is none. More than four stretches are summed up in a
sentence. Of more than three followers the next and the last are named.

=back

=cut
