package SKaMPI::Compare::Sides;

# Several sides, each of one or more launches, compared with the first one. Unlike skampi-compare,
# it refuses nothing: suites whose definitions differ are left out with a warning, and if the number
# of processes or another fact differs that concerns all suites, there are no verdicts.
use v5.36;

use SKaMPI::Compare::Launch qw(launch_of);
use SKaMPI::Compare::Merged qw(merged_output);
use SKaMPI::Compare::Result;
use SKaMPI::Compare::Thresholds;
use SKaMPI::Meaning::Likeness qw(obstacles_of_files unlike_suites);

my $ALPHA     = 0.05;
my $THRESHOLD = 0.05;

# Each side is a list of SKaMPI::Read::Output, one for each launch.
sub of ( $class, @sides ) {
    my $self = $class->_merged(@sides);
    my ( $base, @others ) = @{ $self->{launches} };
    $self->{results} = [ map { _result( $base, $_ ) } @others ];
    return $self;
}

sub _merged ( $class, @sides ) {
    my @launches = map {
        [ map { launch_of( $_, 'time' ) } @{$_} ]
    } @sides;
    my @outputs = map { merged_output( $sides[$_], $launches[$_] ) } 0 .. $#sides;
    return bless { launches => \@launches, outputs => \@outputs }, $class;
}

# The same with comparisons that are known.
sub with_results ( $class, $sides, @results ) {
    my $self = $class->_merged( @{$sides} );
    $self->{results} = \@results;
    return $self;
}

# One result for each side (SKaMPI::Compare::Merged), and the numbers of launches.
sub outputs ($self) { return @{ $self->{outputs} } }

sub counts ($self) {
    return map { scalar @{$_} } @{ $self->{launches} };
}

# A SKaMPI::Compare::Result for each side but the first; without points if they have none in common.
sub results ($self) { return @{ $self->{results} } }

sub _result ( $base, $new ) {
    my %seen;
    my @unlike  = grep { !$seen{ $_->[0] }++ } unlike_suites( @{$base}, @{$new} );
    my @labels  = map  { $_->[0] } @unlike;
    my @without = map {
        [ map { _without( $_, @labels ) } @{$_} ]
    } $base, $new;
    my ($obstacle) = obstacles_of_files( @{$base}, @{$new} );
    my $result = SKaMPI::Compare::Result->new(
        @without,
        {
            alpha      => $ALPHA,
            value      => 'time',
            thresholds => SKaMPI::Compare::Thresholds->new( $THRESHOLD, undef ),
            obstacle   => $obstacle,
        }
    );
    $result->leave_out( map { $_->[1] } @unlike );
    return $result;
}

sub _without ( $launch, @labels ) {
    my %suites = %{ $launch->{suites} };
    delete @suites{@labels};
    return { %{$launch}, suites => \%suites };
}

1;

