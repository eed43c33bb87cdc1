package SKaMPI::Model::Points;

# The points that a model lacks, as a parameter file. points_file(FIT, OUTPUT) returns its text, with suites like those of
# the results: 12 lengths within each break whose place is not known to 1 %, and about points that are far off their
# line, where there may be a short piece. An empty text if nothing is missing. missing_roles(FIT) names what the results
# have no suite for.
use v5.36;

use Exporter   qw(import);
use List::Util qw(any max min);

use SKaMPI::Meaning::Subject qw(default_of is_key);
use SKaMPI::Model::Pieces    qw(value_at);

our @EXPORT_OK = qw(missing_roles points_file);

# New lengths in a break, and from which residual a point hints at another piece.
my $COUNT = 12;
my $SIGMA = 5;

my %ROLE = (
    message => 'ping-pongs over the length',
    send    => 'what MPI_Send takes of the sender',
    receive => 'what receiving takes beside work',
    gap     => 'windows of short messages'
);

# Fields that say which arguments a suite has.
my %IS_RANGE = map { $_ => 1 }
  qw(Variation Scale Start_Argument End_Argument Stepwidth Max_Steps Min_Distance Max_Distance);

sub missing_roles ($fit) {
    return map { $ROLE{$_} } grep {
        my $role = $_;
        !any { $_->{curve}{role} eq $role } values %{ $fit->{curves} }
    } sort keys %ROLE;
}

sub points_file ( $fit, $output ) {
    my @suites = map { _suites( $fit->{curves}{$_} ) } sort keys %{ $fit->{curves} };
    return q{} if !@suites;
    my $sections = $output->field('PARAMETERS') // q{};
    return join "\n", '@COMMENT', 'Points that skampi-model lacked.',
      ( grep { /^\@/ && !/^\@(?:OUTFILE|LOGFILE|SHUFFLE)\b/ } split /\n/, $sections ),
      '@OUTFILE points.out', '@LOGFILE points.log', '@MEASUREMENTS', @suites, q{};
}

# Only what is varied over the length has breaks.
sub _suites ($found) {
    my $curve = $found->{curve};
    return if $curve->{role} eq 'gap' || !$curve->{fields};
    my @gaps = _joined( ( grep { $_->{wide} } @{ $found->{breaks} } ), _suspicious($found) );
    my $name = $curve->{name} =~ s/\W+/-/gr;
    return map { _suite( "$name-$gaps[$_]{low}", $curve->{fields}, $gaps[$_] ) } keys @gaps;
}

# The neighbourhoods of points that are off the fit.
sub _suspicious ($found) {
    my @points = @{ $found->{curve}{points} };
    my @off =
      grep {
        abs( value_at( $points[$_]{argument}, @{ $found->{pieces} } ) - $points[$_]{value} ) >
          $SIGMA * $points[$_]{sigma}
      }
      keys @points;
    return map {
        {
            low  => $points[ max( 0, $_ - 1 ) ]{argument},
            high => $points[ min( $#points, $_ + 1 ) ]{argument}
        }
    } @off;
}

# Ranges that overlap are one.
sub _joined (@gaps) {
    my @joined;
    for my $gap ( sort { $a->{low} <=> $b->{low} } @gaps ) {
        if ( @joined && $gap->{low} < $joined[-1]{high} ) {
            $joined[-1]{high} = max( $joined[-1]{high}, $gap->{high} );
        }
        else { push @joined, { %{$gap} } }
    }
    return @joined;
}

sub _suite ( $name, $fields, $gap ) {
    my ( $low, $high ) = ( max( 1, $gap->{low} ), $gap->{high} );
    my $step  = ( $high / $low )**( 1 / ( $COUNT + 1 ) );
    my $short = $high - $low <= $COUNT + 1;
    my @words = (
        ( map { "$_ = $fields->{$_}" } grep { /^[A-Z]/ && !$IS_RANGE{$_} } sort keys %{$fields} ),
        'Variation = Length',
        $short
        ? ( 'Scale = Fixed_linear', 'Stepwidth = 1' )
        : ( 'Scale = Fixed_log', sprintf 'Stepwidth = %.9f', $step ),
        'Start_Argument = ' . ( $short ? $low + 1  : int( $low * $step + 0.5 ) ),
        'End_Argument = ' .   ( $short ? $high - 1 : int( $high / $step + 0.5 ) ),
        'Parameters = "'
          . join( q{ },
            map { "$_=$fields->{$_}" } grep { _is_chosen( $fields, $_ ) } sort keys %{$fields} )
          . q{"},
    );
    return "$name { " . join( '; ', @words ) . '; }';
}

# Whether a key of Parameters has another value than usual.
sub _is_chosen ( $fields, $name ) {
    return is_key($name) && $fields->{$name} ne default_of($name) ? 1 : 0;
}

1;
