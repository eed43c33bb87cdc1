package SKaMPI::Launch::Confirmation;

# Other launches decide about the candidates of one launch. new(PATH, BUDGET_S) plans it: which candidates, the largest
# first, as many as fit into the budget. The launches measure the candidates, what they are compared
# with, and controls: random points that are measured twice. judged(LAUNCH...) gives verdicts on all of them as one
# family (SKaMPI::Verdict::Family), without the launch that raised the candidates.
# members are candidates and controls. The hash has text, the parameter file that measures them, and sum, the checksum
# of the results.
use SKaMPI::Base qw(@members);

use List::Util qw(any max sum0);
use POSIX      qw(strftime);

use SKaMPI::Base::Program      qw(fail_usage);
use SKaMPI::Base::Table        qw(table_lines);
use SKaMPI::Base::TextFile     qw(number_of sum_of_file);
use SKaMPI::Base::Units        qw(counted format_argument format_duration format_ratio);
use SKaMPI::Findings::Findings ();
use SKaMPI::Read::PointsFile   qw(parameters_for point_key value_at_point);
use SKaMPI::Meaning::Subject   qw(title_of);
use SKaMPI::Read::ResultFile   qw(read_whole_results);
use SKaMPI::Read::Beside       qw(write_verdicts);
use SKaMPI::Verdict::Launch    qw(once_of);
use SKaMPI::Stat::Estimate     qw($ALPHA $MATTERS);
use SKaMPI::Verdict::Family    qw(fewest_launches judge_pairs needed_text);
use SKaMPI::Verdict::Text      qw(interval_of);

# Groups of findings to confirm; the costs of data and places are no fault.
my %CONFIRMED = map { $_ => 1 } 'slower', 'datatypes', 'applications', 'not steady';

my $CONTROLS = 8;

# The time of a launcher besides MPI_Init and MPI_Finalize; and the part of a run that is measuring,
# if the results do not say it.
my ( $START_S, $MEASURING ) = ( 1, 0.3 );

sub new ( $class, $path, $budget_s ) {
    my $output = read_whole_results($path);
    my $self   = bless { path => $path, output => $output, sum => sum_of_file($path) }, $class;
    $self->{seed} = hex substr $self->{sum}, 0, 7;
    my @candidates = $self->_candidates or return $self;
    my @controls   = $self->_controls;
    my $count      = @candidates;
    $count--
      while $count > 1
      && $budget_s / $self->_cost_s( @candidates[ 0 .. $count - 1 ], @controls ) <
      fewest_launches(1);
    $self->{left_out} = @candidates - $count;
    $self->{members}  = [ splice( @candidates, 0, $count ), @controls ];
    $self->{text}     = parameters_for( $output, map { _points($_) } $self->members )
      // fail_usage(
"'$path' lacks the parameters of its suites (it is older than 4.2, or edited); measure again"
      );
    return $self;
}

sub plan ($self) {
    my $candidates = grep { $_->{role} eq 'candidate' } $self->members;
    my $controls   = $self->members - $candidates;
    my $left_out =
      $self->{left_out} ? " ($self->{left_out} smaller ones do not fit into the budget)" : q{};
    return sprintf '%s%s, %s, in launches of about %s; seed of the controls: %s',
      counted( $candidates, 'candidate' ), $left_out, counted( $controls, 'control' ),
      format_duration( $self->_cost_s( $self->members ) ), $self->{seed};
}

sub _candidates ($self) {
    my @found = map { @{ $_->{findings} } }
      grep { $CONFIRMED{ $_->{about} } }
      @{ SKaMPI::Findings::Findings->of( $self->{output} )->{groups} };
    return map {
        {
            role      => 'candidate',
            threshold => max( $MATTERS, ( $_->{least} // 0 ) - 1 ),
            %{ SKaMPI::Findings::Findings::comparison_of($_) }
        }
    } sort { $b->{factor} <=> $a->{factor} } @found;
}

sub _controls ($self) {
    my @all;
    for my $suite ( grep { @{ $_->arguments } < 2 } $self->{output}->results ) {
        push @all, map { { suite => $suite->label, argument => $_->{argument} } }
          grep { !$_->{few} && ( $_->{time} // 0 ) > 0 } @{ $suite->rows };
    }
    my ( $state, @controls ) = ( $self->{seed} % 2_147_483_646 + 1 );
    while ( @all && @controls < $CONTROLS ) {
        $state = $state * 48_271 % 2_147_483_647;
        my ($point) = splice @all, $state % @all, 1;
        push @controls,
          {
            role      => 'control',
            kind      => 'control',
            threshold => $MATTERS,
            slow      => $point,
            fast      => [ +{ %{$point}, again => 1 } ]
          };
    }
    return @controls;
}

sub _points ($member) { return ( $member->{slow}, @{ $member->{fast} } ) }

# The time of a launch, by the times of its points in the results.
sub _cost_s ( $self, @members ) {
    my ($measuring) =
      grep { $_->{activity} eq 'measuring' } @{ $self->{output}->fact('WALLTIME')->{list} };
    my $share = $measuring && $measuring->{percent} > 0 ? $measuring->{percent} / 100 : $MEASURING;
    my $once  = once_of( sub ($name) { return $self->{output}->field($name) } );
    my $start_s = $START_S + sum0( values %{$once} ) / 1e6;
    my %seen;
    my @seconds;
    for my $point ( grep { !$seen{ point_key($_) }++ } map { _points($_) } @members ) {
        my ($row) = grep { ( $_->{argument} // 0 ) == ( $point->{argument} // 0 ) }
          @{ $self->{output}->suite( $point->{suite} )->rows };
        push @seconds,
          ( $row->{time} // 0 ) * ( $row->{count_all} // $row->{count} // 1 ) / 1e6 / $share;
    }
    return $start_s + sum0(@seconds);
}

# The verdicts of LAUNCHES on all members that they measured, and the members that they did not.
sub judged ( $self, @launches ) {
    my @members = map { +{ %{$_}, pairs => [] } } $self->members;
    for my $member (@members) {
        for my $launch (@launches) {
            my ( $slow, @fast ) = map { value_at_point( $launch, $_ ) } _points($member);
            my $is_complete = !any { !defined } $slow, @fast;
            push @{ $member->{pairs} }, $is_complete ? log( $slow / sum0 @fast ) : undef;
        }
    }
    my @known = judge_pairs(@members);
    $_->{outcome} = _outcome($_) for @known;
    return ( \@known, [ grep { !defined $_->{outcome} } @members ] );
}

# The outcome of a verdict: a candidate is an excess, and a control is not.
sub _outcome ($member) {
    return $member->{verdict} =~ /\A(?:slower|faster)\z/ ? 'tripped' : 'quiet'
      if $member->{role} eq 'control';
    return 'confirmed' if $member->{verdict} eq 'slower';
    return $member->{high} < 1 + $member->{threshold} ? 'refuted' : 'undecided';
}

sub save ( $self, $members, @launches ) {
    my @verdicts;
    for my $member ( @{$members} ) {
        my %verdict = map { $_ => $member->{$_} } qw(role kind slow fast outcome);
        $verdict{$_} = 0 + $member->{$_} for qw(threshold ratio low high p);
        push @verdicts, { %verdict, further => _further( $member, @launches ) };
    }
    write_verdicts(
        $self->{path},
        {
            results  => { name => $self->{output}->name, sha256 => $self->{sum} },
            seed     => $self->{seed},
            alpha    => $ALPHA,
            matters  => $MATTERS,
            scope    => scope_of(@launches),
            verdicts => \@verdicts,
        }
    );
    return;
}

sub _further ( $member, @launches ) {
    return defined $member->{needed} ? $member->{needed} - @launches : undef;
}

# The places and dates of the launches, to which a verdict is limited.
sub scope_of (@launches) {
    my @starts = sort { $a <=> $b } grep { defined } map { $_->{start} } @launches;
    my ( $from, $to ) =
      map { defined ? strftime( '%Y-%m-%d %H:%M', gmtime $_ ) . ' UTC' : 'unknown' }
      @starts[ 0, -1 ];
    my $facts = $launches[0]{facts};
    return {
        hosts     => $facts->{PROCESSESPERHOST} // 'unknown',
        library   => $facts->{MPILIBRARY},
        processes => number_of( $facts->{PROCESSES} // q{} ),
        from      => $from,
        to        => $to,
        launches  => scalar @launches,
    };
}

# The verdicts as lines: candidates, and controls that tripped.
sub lines ( $self, $members, $missing, @launches ) {
    my @columns = ( '  outcome', 'took longer', qw(than ratio>), '95 %', 'further launches>?' );
    my @shown   = grep { $_->{outcome} ne 'quiet' } @{$members};
    my @rows    = map {
        [
            "  $_->{outcome}",
            $self->_title( $_->{slow} ),
            join( ' + ', map { $self->_title($_) } @{ $_->{fast} } ),
            format_ratio( $_->{ratio} ),
            interval_of($_),
            $_->{outcome} eq 'undecided' ? ( _further( $_, @launches ) // needed_text($_) ) : q{}
        ]
    } @shown;
    my $scope   = scope_of(@launches);
    my $quiet   = @{$members} - @shown;
    my $tripped = grep { $_->{outcome} eq 'tripped' } @shown;
    my $doubt   = ': the same measurement differs from itself, so do not trust these verdicts';
    return (
        "$scope->{launches} launches on $scope->{hosts}, $scope->{from} to $scope->{to}:",
        @rows ? table_lines( \@columns, @rows ) : (),
        ( map { "  not measured: $_" } map { $self->_title( $_->{slow} ) } @{$missing} ),
        counted( $quiet, 'control' ) . " quiet, $tripped tripped" . ( $tripped ? $doubt : q{} ),
    );
}

sub _title ( $self, $point ) {
    my $suite = $self->{output}->suite( $point->{suite} );
    return join q{ }, title_of($suite),
      defined $point->{argument}
      ? format_argument( $point->{argument}, $suite->arguments->[0] )
      : (), $point->{again} ? 'again' : ();
}

1;
