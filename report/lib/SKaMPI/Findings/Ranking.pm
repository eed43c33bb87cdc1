package SKaMPI::Findings::Ranking;

# Which suite is fastest at which arguments. Made by SKaMPI::Findings::Comparison. Members are
# numbered as there, from 0. This describes the times of one launch, and is no verdict. A member whose time exceeds the
# shortest not clearly (SKaMPI::Stat::Estimate) is a leader. A stretch is a sequence of arguments with the same leaders.
# It also ends where the time jumps by more than the arguments explain: a ratio across a jump says nothing.
# Stretches in ascending order of arguments, each a hash of
#   first, last   arguments
#   leaders       the members with the shortest times (a list of numbers)
#   alike         what may be said of several leaders; else missing
#   followers     the other members, the next first; each a hash of member (number), least, least_error,
#                 most and most_error: how many times as long as the fastest it takes, with the
#                 standard error
# rows are by argument: hashes of argument, points (a hash by member), best (the fastest member) and leaders.
use SKaMPI::Base qw(@stretches @rows);

use List::Util qw(all any max none sum0 uniq);

use SKaMPI::Base::Units    qw(counted errors_text exact_percent list_text ratio_text);
use SKaMPI::Stat::Estimate qw($MATTERS is_longer is_within quotient relative_error);

# More stretches are summarised instead of listed.
my $MAX_STRETCHES = 3;

# Among more followers, only the next and the last are listed.
my $MAX_FOLLOWERS = 3;

# A time that rises by this factor more than the argument, or falls by this factor, from one
# argument to the next, belongs to another regime.
my $REGIME = 5;

sub new ( $class, $members, $arguments ) {
    my $self = bless { members => $members, rows => [], stretches => [] }, $class;
    for my $argument ( @{$arguments} ) {
        my @points  = map  { scalar $_->{curve}->at($argument) } @{$members};
        my %points  = map  { $_ => $points[$_] } grep { $points[$_] } keys @points;
        my ($best)  = sort { $points{$a}{time} <=> $points{$b}{time} || $a <=> $b } keys %points;
        my @leaders = sort { $a <=> $b }
          grep { !is_longer( $points{$_}, $points{$best} ) } keys %points;
        my $row =
          { argument => $argument, points => \%points, best => $best, leaders => \@leaders };
        my $last = $self->{rows}[-1];

        # A stretch continues as long as exactly the same suites are the fastest.
        my $continues =
          $last && "@{ $last->{leaders} }" eq "@leaders" && !_is_other_regime( $last, $row );
        push @{ $self->{rows} }, $row;
        push @{ $self->{stretches} }, { leaders => \@leaders, rows => [] } if !$continues;
        push @{ $self->{stretches}[-1]{rows} }, $row;
    }
    for my $stretch ( $self->stretches ) {
        my @rows = @{ delete $stretch->{rows} };
        $stretch->{alike} = _alike(@rows) if @{ $stretch->{leaders} } > 1;
        my %leads = map { $_ => 1 } @{ $stretch->{leaders} };
        $stretch->{first}     = $rows[0]{argument};
        $stretch->{last}      = $rows[-1]{argument};
        $stretch->{followers} = [
            sort { $a->{most} <=> $b->{most} || $a->{member} <=> $b->{member} }
            map  { _follower( $_, @rows ) }
            grep { !$leads{$_} } 0 .. $#{$members}
        ];
    }
    return $self;
}

# Hashes of after and before: arguments between which the fastest suite changes, without a common leader.
sub changes ($self) {
    my @stretches = $self->stretches;
    return map {
        my ( $left, $right ) = @stretches[ $_ - 1, $_ ];
        my %leads     = map { $_ => 1 } @{ $left->{leaders} };
        my $is_shared = any { $leads{$_} } @{ $right->{leaders} };
        $is_shared ? () : { after => $left->{last}, before => $right->{first} }
    } 1 .. $#stretches;
}

# The stretches and changes in words. FORMAT returns the text of an argument; undef if nothing is varied.
sub sentences ( $self, $format ) {
    my @stretches = $self->stretches
      or return 'The suites have no argument in common at which their times are above 0.';
    return $self->_summary($format)               if @stretches > $MAX_STRETCHES;
    return $self->_sentence( $stretches[0], q{} ) if !$format;
    my @sentences = map {
        my ( $first, $last ) = map { $format->($_) } @{$_}{qw(first last)};
        $self->_sentence( $_, $first eq $last ? "At $first, " : "From $first to $last, " )
    } @stretches;
    my @changes = map {
        'between ' . join ' and ',
          map { $format->($_) }
          @{$_}{qw(after before)}
    } $self->changes;
    push @sentences, 'The order changes ' . list_text(@changes) . q{.} if @changes;
    return @sentences;
}

# Leaders are equal if the whole intervals of their ratios are within what matters; else the errors say how little is
# known.
sub _alike (@rows) {
    my @quotients = map {
        my $row = $_;
        map    { quotient( @{ $row->{points} }{ $_, $row->{best} } ) }
          grep { $_ != $row->{best} }
          @{ $row->{leaders} }
    } @rows;
    return 'take equal times, within ' . exact_percent($MATTERS)
      if all { is_within($_) } @quotients;
    return 'cannot be told apart (' . errors_text( map { relative_error($_) } @quotients ) . ')';
}

sub _is_other_regime ( $left, $right ) {
    my ( $before, $after ) = map { $_->{points}{ $_->{best} }{time} } $left, $right;
    my $longer = max( 1, $right->{argument} / max( 1, $left->{argument} ) );
    return $after > $REGIME * $longer * $before || $before > $REGIME * $after ? 1 : 0;
}

# Compares a member that is not among the fastest with the fastest.
sub _follower ( $member, @rows ) {
    my @quotients = sort { $a->{ratio} <=> $b->{ratio} }
      map  { quotient( @{ $_->{points} }{ $member, $_->{best} } ) }
      grep { $_->{points}{$member} } @rows
      or return;
    my %follower = ( member => $member );
    @follower{qw(least least_error most most_error)} =
      map { @{$_}{qw(ratio error)} } @quotients[ 0, -1 ];
    return \%follower;
}

sub _sentence ( $self, $stretch, $where ) {
    my @names     = map { $self->{members}[$_]{name} } @{ $stretch->{leaders} };
    my @followers = @{ $stretch->{followers} };
    my $takes     = @names == 1 ? 'takes the shortest time' : $stretch->{alike};
    return
      join( '; ', $where . list_text(@names) . " $takes", $self->_followers_text(@followers) )
      . q{.};
}

sub _followers_text ( $self, @followers ) {
    return                           if !@followers;
    @followers = @followers[ 0, -1 ] if @followers > $MAX_FOLLOWERS;
    my @texts;
    for my $follower (@followers) {
        my @times = map { ratio_text( @{$follower}{ $_, "${_}_error" } ) } qw(least most);
        my $name  = $self->{members}[ $follower->{member} ]{name} . ( @texts ? q{} : ' takes' );
        push @texts, "$name " . join ' to ', uniq @times;
    }
    return list_text(@texts) . ' times as long';
}

sub _summary ( $self, $format ) {
    my $all    = $self->rows;
    my @counts = sort { $b->{alone} <=> $a->{alone} || $a->{member} <=> $b->{member} }
      map { $self->_counts($_) } 0 .. $#{ $self->{members} };
    my $shared = $all - sum0( map { $_->{alone} } @counts );
    my @alike  = grep { @{ $_->{leaders} } > 1 } $self->rows;
    my ( $at, @texts ) = 'takes the shortest time at';
    for my $count ( grep { $_->{alone} || $_->{worst} } @counts ) {
        push @texts, $self->_count_text( $count, $at );
        $at = 'at';
    }
    my $begin =
      @texts
      ? "Of $all arguments, " . list_text(@texts) . "; at the other $shared"
      : "At all $all arguments";
    my $sentence =
      $shared ? "$begin, several " . _alike(@alike) : $begin =~ s/; at the other 0\z//r;
    my @changes = $self->changes;
    return "$sentence." if @changes < 2;
    my $where = join ' and ', $format->( $changes[0]{after} ), $format->( $changes[-1]{before} );
    return ( "Between $where, the order changes " . @changes . ' times.', "$sentence." );
}

# The number of arguments at which the member alone is fastest, and its worst argument.
sub _counts ( $self, $member ) {
    my @rows  = grep { $_->{points}{$member} } $self->rows;
    my @alone = grep { "@{ $_->{leaders} }" eq $member } @rows;
    my @slow  = grep {
        none { $_ == $member }
          @{ $_->{leaders} }
    } @rows;
    return {
        member => $member,
        alone  => scalar @alone,
        worst  => @slow ? _follower( $member, @slow ) : undef,
    };
}

sub _count_text ( $self, $count, $at ) {
    my $where = $count->{alone} ? counted( $count->{alone}, 'argument' ) : 'none';
    my $text  = $self->{members}[ $count->{member} ]{name} . " $at $where";
    my $worst = $count->{worst} or return $text;
    my $most  = 'up to ' . ratio_text( @{$worst}{qw(most most_error)} ) . ' times';
    return $text . ( $count->{alone} ? " (elsewhere $most as long)" : " ($most)" );
}

1;
