package SKaMPI::Bench::Errors;

# The quality of stated errors: of rows, with generated series (tests/bench/stated_error.c), and of
# merged runs, with real launches.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(shuffle sum);
use SKaMPI::Bench::Figures qw(plain within);
use SKaMPI::Bench::Launch  qw(root launches progress program ended_well skampi_text);
use SKaMPI::Read::Output;
use SKaMPI::Test qw(scratch write_file);

our @EXPORT_OK = qw(row_errors visit_errors merged_errors);

my $SEEDS   = 2000;
my @SCATTER = ( 0.7, 1.5 );
my $WITHIN  = 92;

# --- rows ---

sub figure ( $noise, $delayed, $cut, $accuracy ) {
    my $values = $noise eq 'none' ? 'no noise' : $noise;
    return "$values; $delayed % delayed; cut $cut; $accuracy %";
}

# A scatter of NaN: all rows state the true value, without an error.
sub row_error ( $rows, $repetitions, $scatter, $within, @case ) {
    return plain( figure(@case), 'Max_Repetition comes first' ) if !$rows;
    my $all_equal = $scatter =~ /nan/i;
    my $met       = $within >= $WITHIN
      && ( $all_equal || ( $scatter >= $SCATTER[0] && $scatter <= $SCATTER[1] ) );
    my $value = sprintf '%s; %.1f %% within two; %d repetitions',
      $all_equal ? 'exact' : sprintf( '%.2f', $scatter ), $within, $repetitions;
    return [ figure(@case), $value, "$SCATTER[0] to $SCATTER[1]; >= $WITHIN %", $met ];
}

sub row_errors () {
    progress("errors of rows, $SEEDS seeds");
    my ($out) = ended_well( program('stated_error'), $SEEDS );
    my @cases = map { [ split /;/ ] } split /\n/, $out;
    return map { row_error( @{$_}[ 4 .. 7, 0 .. 3 ] ) } @cases;
}

# --- visits ---

my ( $VISIT_SEEDS, $SETS ) = ( 1000, 1_000_000 );

sub visit_error ( $visits, $name, @figures ) {
    my ( $repetitions, $good ) = splice @figures, 6;
    my $value =
      sprintf
'mean / truth %.3f; scatter %.2f; %.1f %% within two; marked: %.1f %%; two modes: %.1f; states: %.1f',
      @figures;
    return [ "$name: $repetitions in $visits visits", $value, 'unit/visited.h', $good eq 'yes' ];
}

# Rows that visits end which agree: of all, and of those within two errors.
sub agreeing_error ( $name, $agreed, $within, $repetitions ) {
    return plain(
        "$name: ended by visits that agree, within two errors",
        "$agreed % of the rows, $within %; $repetitions repetitions"
    );
}

# The factor that is needed divided by the one in the program.
sub factor ( $runs, $needed ) {
    return within( "factor for $runs runs: needed / in the program", '%.3f', $needed,
        [ 0.95, 1.05 ] );
}

sub _visits ($visits) {
    my ($rows) = ended_well( program('stated_error'), $VISIT_SEEDS, 'visits', $visits );
    return map { visit_error( $visits, split /;/ ) } split /\n/, $rows;
}

sub visit_errors () {
    progress("errors of visited rows, $VISIT_SEEDS seeds; factors");
    my ($factors)  = ended_well( program('stated_error'), $SETS,        'between' );
    my ($agreeing) = ended_well( program('stated_error'), $VISIT_SEEDS, 'agreeing' );
    return (
        ( map { _visits($_) } 5, 3, 1 ),
        ( map { agreeing_error( split /;/ ) } split /\n/, $agreeing ),
        ( map { factor( split /;/ ) } split /\n/,         $factors )
    );
}

# --- merged runs ---

my $LAUNCHES  = 40;
my $GROUP     = 5;
my $GROUPINGS = 20;

# In the standard suite's way, but few lengths.
my $PARAMETERS = <<'END';
@VERSION 4.1
@MEMORY 1024
@POSTPROC no
@STANDARDERRORDEFAULT 0.03
@MINREPDEFAULT 64
@MAXREPDEFAULT 400
@CUTQUANTILEDEFAULT 0.25
@MEASUREMENTS
ping-pong { Type = 1; Scale = Fixed_log; Start_Argument = 8; End_Argument = 65536; Stepwidth = 8192; }
bcast { Type = 47; Scale = Fixed_log; Start_Argument = 8; End_Argument = 65536; Stepwidth = 8192; }
allreduce { Type = 61; Scale = Fixed_log; Start_Argument = 8; End_Argument = 65536; Stepwidth = 8192; }
END

# Rows of a file that have time and error: "label, argument" => [ time, error ].
sub values_of ($output) {
    my %values;
    for my $suite ( $output->suites ) {
        $values{"$suite->{name}, $_->{argument} B"} = [ $_->{time}, $_->{error} ]
          for grep { $_->{argument} > 0 && defined $_->{time} } @{ $suite->{rows} };
    }
    return \%values;
}

sub merge_of (@runs) {
    my $path = scratch() . '/merged.out';
    ended_well( root() . '/skampi', '-q', '--force', '-p', @runs, '-o', $path );
    return values_of( SKaMPI::Read::Output->from_file($path) );
}

sub variance (@values) {
    my $mean = sum(@values) / @values;
    return sum( map { ( $_ - $mean )**2 } @values ) / ( @values - 1 );
}

# Each grouping: as many groups as there are, of launches in random order.
sub groupings (@runs) {
    return map {
        my @order = shuffle @runs;
        [ map { [ splice @order, 0, $GROUP ] } 1 .. @runs / $GROUP ]
    } 1 .. $GROUPINGS;
}

sub mean (@values) {
    return sum(@values) / @values;
}

# Scatter of the merges of a grouping, over all groupings, and the mean of the errors they state.
sub ratio_of_merges ( $key, @merged ) {
    my @variances = map {
        variance( map { $_->{$key}[0] } @{$_} )
    } @merged;
    my @errors = map { $_->{$key}[1] } map { @{$_} } @merged;
    return sqrt( mean(@variances) ) / mean(@errors);
}

sub ratio_of_runs ( $key, @runs ) {
    return sqrt( variance( map { $_->{$key}[0] } @runs ) ) / mean( map { $_->{$key}[1] } @runs );
}

sub launch ( $dir, $number, $count ) {
    progress("errors of merges, launch $number of $count");
    my $path = "$dir/$number.out";
    return write_file( $path, skampi_text( 2, $PARAMETERS ) );
}

sub merged_errors () {
    my $dir    = scratch();
    my $count  = launches($LAUNCHES);
    my @paths  = map { launch( $dir, $_, $count ) } 1 .. $count;
    my @runs   = map { values_of( SKaMPI::Read::Output->from_file($_) ) } @paths;
    my @merged = do {
        srand 1;
        map {
            [ map { merge_of( @{$_} ) } @{$_} ]
        } groupings(@paths);
    };
    return map {
        within(
            "$_: merges of $GROUP launches",
            '%.2f',    ratio_of_merges( $_, @merged ),
            \@SCATTER, sprintf( ' (single launches %.1f)', ratio_of_runs( $_, @runs ) )
        )
    } sort keys %{ $runs[0] };
}

1;
