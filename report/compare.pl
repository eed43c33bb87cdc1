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
use SKaMPI::Compare::By       qw(check_by sides_by title_of_by);
use SKaMPI::Compare::Columns  qw(format_columns);
use SKaMPI::Compare::Formats  qw(comparison_formats format_comparison);
use SKaMPI::Compare::Launch   qw(launch_of value_kinds);
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
  qw(all|a alpha=s by=s fail-on=s force format=s output|o=s save=s threshold=s thresholds=s value=s);

exit run_program( 'skampi-compare', \&main );

sub main () {
    my ( $options, @paths ) = read_options( \@ARGV, \%DEFAULT, @OPTIONS );
    check_options( $options, @paths );
    my @sides = map {
        [ map { read_file( $options, $_ ) } @{$_} ]
    } @paths;
    @sides = divided( $options, @{ $sides[0] } ) if defined $options->{by};
    my @launches = map {
        [ map { @{ $_->{launches} } } @{$_} ]
    } @sides;
    if ( @sides < 2 ) {
        check_comparable( $options, obstacles( @{ $launches[0] } ) );
        return save( $options, $launches[0] );
    }
    my @all = map { @{$_} } @launches;
    check_comparable( $options, $options->{force} ? obstacles(@all) : obstacles_of_files(@all) );
    save( $options, $launches[0] ) if defined $options->{save};
    my @results = compared( $options, @launches );
    fail( 'the sides have ' . $results[0]->why_nothing, $NOT_COMPARABLE )
      if !grep { $_->points } @results;
    deliver_results( $options, \@results, @sides );
    return status( $options, @results );
}

# The path and the launches of a file, and a function that returns the text of a fact.
sub read_file ( $options, $path ) {
    my $kind = $options->{value};
    return map {
        my $facts = $_->{facts};
        +{ path => $path, launches => [$_], fact => sub ($name) { return $facts->{$name} } }
    } read_baseline( $path, $kind ) if is_baseline($path);
    my $output = read_whole_results($path);
    return {
        path     => $path,
        launches => [ launch_of( $output, $kind ) ],
        fact     => sub ($name) { return scalar $output->field($name) }
    };
}

# The sides by a fact. Their names become those of the comparison.
sub divided ( $options, @files ) {
    my @sides = sides_by( $options->{by}, @files );
    $options->{names} = [ map { $_->[0] } @sides ];
    return map { $_->[1] } @sides if @sides > 1;
    return fail( 'all runs have the same ' . title_of_by( $options->{by} ) . ": '$sides[0][0]'",
        $NOT_COMPARABLE );
}

# Compares each side with the first one. All comparisons together have the error alpha.
sub compared ( $options, $base, @others ) {
    my %settings = settings( $options, map { @{$_} } $base, @others );
    my $names    = $options->{names};
    my $compare  = $options->{force} ? 'new' : 'of_alike';
    return map {
        SKaMPI::Compare::Result->$compare(
            $base, $others[$_], %settings,
            alpha => $options->{alpha} / @others,
            names => $names && [ @{$names}[ 0, $_ + 1 ] ]
        )
    } keys @others;
}

sub deliver_results ( $options, $results, @sides ) {
    my ( $format, $output, $all ) = @{$options}{qw(format output all)};
    return deliver_bytes( $output, pdf( $results, @sides ) ) if $format eq $PDF;
    return deliver( $output, format_comparison( $format, $results->[0], $all ) )
      if @{$results} < 2;
    my %of = ( results => $results, by => title_of_by( $options->{by} ) );
    @of{qw(alpha names)} = @{$options}{qw(alpha names)};
    return deliver( $output, format_columns( $format, \%of, $all ) );
}

sub check_options ( $options, @sides ) {
    check_choice( '--format',  $options->{format},    comparison_formats(), $PDF );
    check_choice( '--value',   $options->{value},     value_kinds() );
    check_choice( '--fail-on', $options->{'fail-on'}, sort keys %FAIL_ON );
    fail_usage('expected one --, between the files of BASE and of NEW') if @sides > 2;
    return check_by_options( $options, @sides )                         if defined $options->{by};
    fail_usage('expected BASE... -- NEW..., or --save FILE BASE...; see skampi-compare --help')
      if @sides < 2 && !defined $options->{save} || any { !@{$_} } @sides;
    check_output( $_, map { @{$_} } @sides ) for @{$options}{qw(output save)};
    fail_usage("--save: expected a name that ends with .json, got '$options->{save}'")
      if defined $options->{save} && !is_baseline( $options->{save} );
    return check_values( $options, map { @{$_} } @sides );
}

sub check_by_options ( $options, $paths, @more ) {
    check_by( $options->{by} );
    fail_usage('--by makes the sides; name all runs without --') if @more || !@{$paths};
    fail_usage('--save cannot be used with --by; save one side') if defined $options->{save};
    check_output( $options->{output}, @{$paths} );
    return check_values( $options, @{$paths} );
}

sub check_values ( $options, @paths ) {
    check_pdf( $options, @paths ) if $options->{format} eq $PDF;
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
sub pdf ( $results, @sides ) {
    require SKaMPI::Compare::SidesContent;
    my @read = map {
        [ map { read_whole_results( $_->{path} ) } @{$_} ]
    } @sides;
    return SKaMPI::Compare::SidesContent::comparison_pdf( $results, @read );
}

sub status ( $options, @results ) {
    return $NOT_COMPARABLE if any { $_->unlike } @results;
    return $TOO_FEW        if any { !$_->has_verdicts } @results;
    my %counts;
    for my $result (@results) {
        my $counts = $result->counts;
        $counts{$_} += $counts->{$_} for keys %{$counts};
        $counts{ $_->{verdict} }++ for $result->whole // ();
    }
    return ( any { $counts{$_} } @{ $FAIL_ON{ $options->{'fail-on'} } } ) ? $SLOWER : $DONE;
}
