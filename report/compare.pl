#!/usr/bin/perl

BEGIN {    ## no critic (RequireUse)
    eval { require FindBin } || exit print {*STDERR} "$0 needs the package perl\n";
    unshift @INC, "$FindBin::RealBin/lib";
}
use SKaMPI::Base;

use List::Util qw(any uniq);

use SKaMPI::Base::Program
  qw(check_choice check_output complain deliver deliver_bytes fail fail_usage percentage
  read_options run_program);
use SKaMPI::Compare::Baseline qw(is_baseline read_baseline save_baseline);
use SKaMPI::Compare::Formats  qw(comparison_formats format_comparison);
use SKaMPI::Compare::Launch   qw(read_launch value_kinds);
use SKaMPI::Compare::Result;
use SKaMPI::Compare::Thresholds;
use SKaMPI::Meaning::Likeness qw(obstacles obstacles_of_files);
use SKaMPI::Read::ResultFile  qw(read_whole_results);

my ( $DONE, $SLOWER, undef, $TOO_FEW, $NOT_COMPARABLE ) = 0 .. 4;

# Which verdicts give the exit status 1.
my %FAIL_ON = (
    slower    => ['slower'],
    any       => [qw(slower faster)],
    undecided => [qw(slower undecided)],
    never     => [],
);

my $PDF = 'pdf';

my $MAX_OBSTACLES = 5;

my %DEFAULT = (
    all       => 0,
    alpha     => '5%',
    'fail-on' => 'slower',
    force     => 0,
    format    => 'text',
    threshold => '5%',
    value     => 'time',
);
my @OPTIONS =
  qw(all|a alpha=s fail-on=s force format=s output|o=s save=s threshold=s thresholds=s value=s);

exit run_program( 'skampi-compare', \&main );

sub main () {
    my ( $options, @sides ) = read_options( \@ARGV, \%DEFAULT, @OPTIONS );
    check_options( $options, @sides );
    my ( $base, $new ) = map { read_side( $options, @{$_} ) } @sides;
    if ( !$new ) {
        check_comparable( $options, obstacles( @{$base} ) );
        return save( $options, $base );
    }
    my @both = ( @{$base}, @{$new} );
    check_comparable( $options, $options->{force} ? obstacles(@both) : obstacles_of_files(@both) );
    save( $options, $base ) if defined $options->{save};
    my $compare = $options->{force} ? 'new' : 'of_alike';
    my $result  = SKaMPI::Compare::Result->$compare( $base, $new, settings( $options, @both ) );
    fail( 'the two sides have ' . $result->why_nothing, $NOT_COMPARABLE ) if !$result->points;
    if ( $options->{format} eq $PDF ) {
        deliver_bytes( $options->{output}, pdf( $result, @sides ) );
    }
    else {
        deliver( $options->{output},
            format_comparison( $options->{format}, $result, $options->{all} ) );
    }
    return status( $options, $result );
}

sub check_options ( $options, @sides ) {
    check_choice( '--format',  $options->{format},    comparison_formats(), $PDF );
    check_choice( '--value',   $options->{value},     value_kinds() );
    check_choice( '--fail-on', $options->{'fail-on'}, sort keys %FAIL_ON );
    fail_usage('expected one --, between the files of BASE and of NEW') if @sides > 2;
    fail_usage('expected BASE... -- NEW..., or --save FILE BASE...; see skampi-compare --help')
      if @sides < 2 && !defined $options->{save} || any { !@{$_} } @sides;
    check_output( $_, map { @{$_} } @sides ) for @{$options}{qw(output save)};
    fail_usage("--save: expected a name that ends with .json, got '$options->{save}'")
      if defined $options->{save} && !is_baseline( $options->{save} );
    check_pdf( $options, map { @{$_} } @sides ) if $options->{format} eq $PDF;
    $options->{$_} = percentage( "--$_", $options->{$_} ) for qw(alpha threshold);
    fail_usage('--alpha: expected less than 100%') if $options->{alpha} >= 1;
    return;
}

sub check_pdf ( $options, @paths ) {
    fail_usage('--format pdf: expected -o FILE as well') if !defined $options->{output};
    fail_usage("--format pdf shows times; it cannot be used with --value $options->{value}")
      if $options->{value} ne 'time';
    my ($baseline) = grep { is_baseline($_) } @paths;
    fail_usage("--format pdf: expected result files, got the baseline '$baseline'")
      if defined $baseline;
    return;
}

sub read_side ( $options, @paths ) {
    my $kind = $options->{value};
    return [ map { is_baseline($_) ? read_baseline( $_, $kind ) : read_launch( $_, $kind ) }
          @paths ];
}

sub check_comparable ( $options, @obstacles ) {
    my @found = uniq @obstacles or return;
    my @more  = splice @found, $MAX_OBSTACLES;
    push @found, 'and ' . @more . ' more' if @more;
    fail( join( "\n", @found, 'not comparable; --force compares anyway' ), $NOT_COMPARABLE )
      if !$options->{force};
    complain("warning: $_") for @found;
    return;
}

sub save ( $options, $launches ) {
    save_baseline( @{$options}{qw(save value)}, @{$launches} );
    return $DONE;
}

sub settings ( $options, @launches ) {
    my @labels = uniq map { keys %{ $_->{suites} } } @launches;
    my $thresholds =
      SKaMPI::Compare::Thresholds->new( @{$options}{qw(threshold thresholds)}, @labels );
    return ( %{$options}{qw(alpha value)}, thresholds => $thresholds );
}

# Needs LaTeX and more modules than the other formats.
sub pdf ( $result, @sides ) {
    require SKaMPI::Compare::SidesContent;
    my @read = map {
        [ map { read_whole_results($_) } @{$_} ]
    } @sides;
    return SKaMPI::Compare::SidesContent::comparison_pdf( $result, @read );
}

sub status ( $options, $result ) {
    return $NOT_COMPARABLE if $result->unlike;
    return $TOO_FEW        if !$result->has_verdicts;
    my $counts = $result->counts;
    $counts->{ $_->{verdict} }++ for $result->whole // ();
    return ( any { $counts->{$_} } @{ $FAIL_ON{ $options->{'fail-on'} } } ) ? $SLOWER : $DONE;
}
