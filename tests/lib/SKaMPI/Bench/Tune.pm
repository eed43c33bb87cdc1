package SKaMPI::Bench::Tune;

# Figures about skampi-tune: choices against the truth of simulated machines; a bad table that is replaced, and the
# library's own one.
use v5.36;

use Exporter               qw(import);
use IPC::Run               qw(run);
use List::Util             qw(max min sum0);
use SKaMPI::Bench::Figures qw(at_most plain);
use SKaMPI::Bench::Launch  qw(in_scratch mpirun program progress root);
use SKaMPI::Regret         qw(chosen platforms recorded_noise regrets truth_of);
use SKaMPI::Sim            qw(why_not build);
use SKaMPI::Test           qw(scratch write_file);

our @EXPORT_OK = qw(choices tuned);

# --- simulated: no quiet machine is needed ---

my $SEEDS = 5;

sub choices ($) {
    return [ 'regret', why_not() ] if why_not();
    my @truths = in_scratch( \&_truths );
    return ( _known(@truths), map { _noisy( $_, @truths ) } 6, 12, 24, 40 );
}

sub _truths () {
    my ($skampi) = build('truth');
    my @truths;
    for my $platform ( platforms() ) {
        progress("$platform, 8 and 16 hosts");
        push @truths, map { [ truth_of( $skampi, $platform, $_ ) ] } 8, 16;
    }
    return @truths;
}

sub _best ($cell) { return min( values $cell->{us}->%* ) }

sub _mean (@ratios) {
    return exp( sum0( map { log } @ratios ) / @ratios );
}

sub _known (@truths) {
    my @cells = map  { chosen( $_, undef, 6 ) } @truths;
    my @own   = map  { $_->{us}{0} / _best($_) } @cells;
    my $wrong = grep { $_->{us}{ $_->{best} } > _best($_) } @cells;
    return (
        plain( 'own choice / truly best, mean and worst', '%.3f, %.2f', _mean(@own), max(@own) ),
        at_most( 'no noise: the best is another one', '%d', $wrong, 0, ' of ' . @cells . ' cells' ),
        _regret( 'no noise', regrets(@cells) ),
    );
}

sub _noisy ( $launches, @truths ) {
    my $noise = recorded_noise();
    my @regrets;
    for my $seed ( 1 .. $SEEDS ) {
        progress("$launches launches, noise $seed");
        srand $seed;
        push @regrets, map { regrets( chosen( $_, $noise, $launches ) ) } @truths;
    }
    return _regret( "recorded noise, $launches launches", @regrets );
}

sub _regret ( $what, @regrets ) {
    my $above  = grep { $_ > 1.05 } @regrets;
    my $beside = " ($above of " . @regrets . ' above 1.05)';
    return (
        at_most( "$what: chosen / best, mean", '%.4f', _mean(@regrets), 1.01 ),
        at_most( "$what: in the worst cell",   '%.3f', max(@regrets),   1.05, $beside )
    );
}

# --- real: the commands of a user, with four processes ---

my $DYNAMIC = 'OMPI_MCA_coll_tuned_use_dynamic_rules';
my $BCAST   = 'OMPI_MCA_coll_tuned_bcast_algorithm';
my $HEAD    = <<'END';
@VERSION 4.2
@POSTPROC no
@SHUFFLE yes
@MEMORY 65536
@MINREPDEFAULT 8
@MAXREPDEFAULT 24
@STANDARDERRORDEFAULT 1.0
@MEASUREMENTS
END

# Name, types, lengths, environment, and what the table has to reach.
my @SESSIONS = (
    [ 'bad Bcast', '47', '262144, 1048576', { $BCAST => 4, "${BCAST}_segmentsize" => 1024 }, 0.1 ],
    [ 'its own table', '47, 61, 55', '64, 8192, 262144', {} ],
);

sub tuned ($) {
    return map { _session( @{$_} ) } @SESSIONS;
}

# The figure is what verify says.
sub _session ( $what, $types, $lengths, $environment, $limit = undef ) {
    my $place = scratch();
    local @ENV{ $DYNAMIC, keys %{$environment} } = ( 1, values %{$environment} );
    write_file( "$place/sweep",
            "${HEAD}A_* { Type = $types; Variation = Algorithm; "
          . qq(Default_Message_length = $lengths; Parameters = "passes=3"; }\n) );
    my @command = ( '--', mpirun(4), program('skampi'), '-q' );
    progress("tune, $what");
    my @results = split /\n/, _tune( $place, 'measure', '-f', 'sweep', @command );
    my ($cells) = _tune( $place, 'choose', @results ) =~ /^([0-9]+ of [0-9]+) cells/m;
    my $title   = "openmpi, $what: tuned / default";
    return [ $title, 'the table is empty' ] if !defined $cells;
    _tune( $place, 'write', '-o', 'table', '--format', 'ompi', @results );
    my $said    = _tune( $place, 'verify', 'table', @command );
    my @ratios  = $said =~ /^sum of all cells, tuned\/own: ([\d.]+) \(([^)]*)\)/mg;
    my $verdict = $said =~ /: verified$/m ? 'verified' : 'not verified';
    return [ $title, "failed: $said" =~ s/\s+/ /gr ] if !@ratios;
    my ( $ratio, $interval ) = @ratios[ -2, -1 ];
    my $beside = " ($interval), $cells cells, $verdict";
    return defined $limit
      ? at_most( $title, '%.3f', $ratio, $limit, $beside )
      : plain( $title, '%.3f%s', $ratio, $beside );
}

sub _tune ( $place, @words ) {
    my ( $out, $err ) = ( q{}, q{} );
    run [ $^X, root() . '/report/tune.pl', @words ], '>', \$out, '2>', \$err,
      init => sub { chdir $place or die "$place: $!\n" };
    return $out;
}

1;
