#!/usr/bin/perl

use v5.36;

use FindBin;
use List::Util qw(any uniq);

use lib "$FindBin::RealBin/lib";
use SKaMPI::Base::Program
  qw(check_choice check_output complain deliver deliver_bytes fail fail_usage percentage
  read_options run_program);
use SKaMPI::Compare::Baseline qw(is_baseline read_baseline save_baseline);
use SKaMPI::Compare::Formats  qw(comparison_formats format_comparison);
use SKaMPI::Compare::Launch   qw(read_launch value_kinds);
use SKaMPI::Compare::Result;
use SKaMPI::Compare::Thresholds;
use SKaMPI::Meaning::Likeness qw(obstacles);
use SKaMPI::Read::SoundFile   qw(read_sound_file);

# Exit statuses.
my ( $DONE, $SLOWER, undef, $TOO_FEW, $NOT_COMPARABLE ) = 0 .. 4;

# Which verdicts give the exit status 1.
my %FAIL_ON = (
    slower    => ['slower'],
    any       => [qw(slower faster)],
    undecided => [qw(slower undecided)],
    never     => [],
);

# The format that is not a text.
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
        check_comparable( $options, @{$base} );
        return save( $options, $base );
    }
    check_comparable( $options, @{$base}, @{$new} );
    save( $options, $base ) if defined $options->{save};
    my $result =
      SKaMPI::Compare::Result->new( $base, $new, settings( $options, @{$base}, @{$new} ) );
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

sub check_comparable ( $options, @launches ) {
    my @found = uniq obstacles(@launches) or return;
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
        [ map { read_sound_file($_) } @{$_} ]
    } @sides;
    return SKaMPI::Compare::SidesContent::comparison_pdf( $result, @read );
}

sub status ( $options, $result ) {
    return $TOO_FEW if !$result->has_verdicts;
    my $counts = $result->counts;
    return ( any { $counts->{$_} } @{ $FAIL_ON{ $options->{'fail-on'} } } ) ? $SLOWER : $DONE;
}

__END__

=encoding utf8

=head1 NAME

skampi-compare - compares sets of launches: what is slower, by how much, and whether that is real

=head1 SYNOPSIS

    skampi-compare [OPTIONS] BASE... -- NEW...
    skampi-compare --save FILE.json BASE...

=head1 DESCRIPTION

BASE and NEW are result files, one for each launch: F<skampi.out.1>, F<skampi.out.2>, ..., not their merge. A file
F<*.json> is a baseline that B<--save> wrote, with any number of launches. skampi-launch(1) makes the launches of
two configurations in an order that a drift of the machine does not affect.

    skampi-compare old/skampi.out.? -- new/skampi.out.?

The output begins with what differs in the headers (library, hosts, binding, kernel, clock source, governor), and
with warnings. Then it lists the points (a suite and an argument), the worst first, and the suites with the geometric
mean of their ratios and the worst ratio.

=head2 Verdicts

The launch is the unit of sampling, because times differ more from launch to launch than within one. The ratio of a
point is that of the geometric means over the launches. All intervals together hold with a probability of 95 %, and the
p value is adjusted for all points: in at most 5 % of comparisons without a real difference does any point
have p <= 5 %. The test permutes whole launches (max-T), so it needs no assumption about how points of a
launch depend on each other. Interval, p and verdict come from it and never contradict each other.

=over

=item B<slower>, B<faster>

The whole interval is beyond the threshold.

=item B<equal>

The whole interval is within the threshold.

=item B<undecided>

Anything else, with the number of launches a side that would decide about the difference seen in 80 % of the cases.

=back

With fewer than 4 launches a side (at 5 %), no p value can be small enough: the output is descriptive only.

A point is compared if at least 80 % of the launches of both sides have it. Refinement chooses other arguments in
each launch; their number is printed.

A warning is printed if the times of a side have a trend over the launches' start times, and if one side was
measured after the other.

=head2 What is not compared

The comparison is refused if the number of processes, the definition of the time, pattern, cache, data, datatype,
topology or another attribute of a suite differs, and if a file is a merge or a copy of another one. Definitions of
the standard error may differ, as only values are compared.

=head1 OPTIONS

=over

=item B<-a>, B<--all>

Show all points and suites. By default, the text shows the first 20 of each, and no points without a difference.

=item B<--alpha>=PERCENT

How often a false alarm is acceptable; 5% by default.

=item B<--fail-on>=B<slower>|B<any>|B<undecided>|B<never>

Which verdicts give the exit status 1: slower (the default), slower or faster, slower or undecided, none.

=item B<--force>

Compare what should not be compared, with a warning.

=item B<--format>=B<text>|B<csv>|B<json>|B<junit>|B<markdown>|B<pdf>

The format of the output; text by default. JUnit's XML has a test case for each suite. PDF is the report of
C<dorep --compare>, which begins with the comparison; it needs B<-o>, gnuplot and LaTeX, and no baselines.

=item B<-o> FILE, B<--output>=FILE

Write the output to FILE.

=item B<--save>=FILE

Save the launches of BASE in FILE, whose name must end with F<.json>: a few kilobytes.

=item B<--threshold>=PERCENT

From which difference on a point is slower or faster; 5% by default.

=item B<--thresholds>=FILE

Thresholds for some suites. Each line has a suite or a pattern with C<*> and C<?>, the arguments (C<*>, a number, or a
range such as C<0-1024> or C<4096->) and the threshold. The last line that matches counts.

    *_MPI_Barrier*     *       15%
    p2p_*              0-1024  10%     # short messages

=item B<--value>=B<time>|B<time_all>|B<min>|B<p25>|B<median>|B<p75>|B<max>

Which value of each row is compared; C<time> by default.

=item B<-h>, B<--help>, B<--version>

Print this page, or the version.

=back

Lines of the text fit the terminal, or have 80 characters without one; the environment variable COLUMNS sets another width.

=head1 EXIT STATUS

0 if nothing is slower, 1 if something is slower (see B<--fail-on>) or the output cannot be written, 2 for wrong usage
or a file that cannot be read or is not a result file, 3 if there are too few launches, 4 if the launches are not comparable, 5 if
a file is damaged or unfinished.

=head1 SEE ALSO

skampi-launch(1), skampi-export(1), skampi(1), skampi.out(5)
