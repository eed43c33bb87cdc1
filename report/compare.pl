#!/usr/bin/perl

BEGIN {    ## no critic (RequireUse)
    eval { require FindBin } || exit print {*STDERR} "$0 needs the package perl\n";
    unshift @INC, "$FindBin::RealBin/lib";
}
use SKaMPI::Base;

use List::Util qw(any first uniq);

use SKaMPI::Base::Program
  qw(check_choice check_output complain deliver deliver_bytes fail fail_usage meant percentage
  read_options run_program);
use SKaMPI::Base::TextFile         qw(write_new_file);
use SKaMPI::Base::Units            qw(counted some_of);
use SKaMPI::Meaning::Catalog       qw(fact_title rows_of);
use SKaMPI::Meaning::Facts         qw(read_fact);
use SKaMPI::Meaning::Likeness      qw(obstacles obstacles_of_files);
use SKaMPI::Meaning::PlottedPoints qw(grouped);
use SKaMPI::Read::ResultFile       qw(read_whole_results);
use SKaMPI::Verdict::Baseline      qw(baseline_bytes is_baseline read_baseline unfit);
use SKaMPI::Verdict::Formats       qw(formatted_sides sides_formats);
use SKaMPI::Verdict::Launch        qw(launch_of value_kinds);
use SKaMPI::Verdict::Sides;
use SKaMPI::Verdict::Thresholds qw(threshold_of);

my ( $DONE, $SLOWER, undef, $TOO_FEW, $NOT_COMPARABLE ) = 0 .. 4;

# Which verdicts give the exit status 1.
my %FAIL_ON = (
    slower    => [qw(slower mixed)],
    any       => [qw(slower faster mixed)],
    undecided => [qw(slower mixed undecided)],
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
  qw(all|a alpha=s by=s fail-on=s force format=s output|o=s save=s strict threshold=s thresholds=s value=s);

# Words of --by: the fact that has the value, and the text that follows from the values of this fact.
my %BY = (
    library => [ MPILIBRARY       => sub ($of) { return $of->{list}[0]{version} } ],
    hosts   => [ PROCESSESPERHOST => sub ($of) { return join ', ', sort( hosts_of($of) ) } ],
    nodes   => [ PROCESSESPERHOST => sub ($of) { return counted( scalar hosts_of($of), 'node' ) } ],
);

# @LABEL=NAME is the value of a label.
my $LABEL = qr/\A\@LABEL=(.+)\z/;

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
    my @all       = map { @{$_} } @launches;
    my $keeps_all = @sides < 2 || $options->{force};
    check_comparable( $options, $keeps_all ? obstacles(@all) : obstacles_of_files(@all) );
    save( $options, @{ $launches[0] } ) if defined $options->{save};
    return $DONE                        if @sides < 2;
    my $sides = SKaMPI::Verdict::Sides->new( \@launches, settings( $options, @all ) );
    fail( 'the sides have ' . ( $sides->comparisons )[0]->why_nothing, $NOT_COMPARABLE )
      if !$sides->has_points;
    my ( $format, $output ) = @{$options}{qw(format output)};
    if ( $format eq $PDF ) { deliver_bytes( $output, pdf( $sides, @sides ) ) }
    else { deliver( $output, formatted_sides( $format, $sides, $options->{all} ) ) }
    return status( $options, $sides );
}

# Writes them as a baseline; with --force also those that are no measure of what is usual.
sub save ( $options, @launches ) {
    my @unfit = unfit(@launches);
    complain("warning: $_") for @unfit;
    fail( 'no baseline is saved of these; --force saves it', $NOT_COMPARABLE )
      if @unfit && !$options->{force};
    return write_new_file( $options->{save}, baseline_bytes( $options->{value}, @launches ) );
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
    my $title = title_of_by( $options->{by} );
    fail( "--by $options->{by}: no run has it", $NOT_COMPARABLE ) if $sides[0][0] eq 'unknown';
    return fail( "all runs have the same $title: '$sides[0][0]'", $NOT_COMPARABLE );
}

sub check_options ( $options, @sides ) {
    check_choice( '--format',  $options->{format},    sides_formats(), $PDF );
    check_choice( '--value',   $options->{value},     value_kinds() );
    check_choice( '--fail-on', $options->{'fail-on'}, sort keys %FAIL_ON );
    fail_usage(
        'expected one --, between the files of BASE and of NEW; to launch commands: skampi launch')
      if @sides > 2;
    my @paths = map { @{$_} } @sides;
    if ( defined $options->{by} ) {
        check_by( $options->{by} );
        fail_usage('--by makes the sides; name all runs without --') if @sides > 1 || !@paths;
        fail_usage('--save cannot be used with --by; save one side') if defined $options->{save};
    }
    elsif ( @sides < 2 && !defined $options->{save} || any { !@{$_} } @sides ) {
        fail_usage('expected BASE... -- NEW..., or --save FILE BASE...; see skampi compare -h');
    }
    check_output( $_, @paths ) for @{$options}{qw(output save)};
    if ( $options->{format} eq $PDF ) {
        fail_usage('--format pdf: expected -o FILE as well') if !defined $options->{output};
        fail_usage("--format pdf shows times; it cannot be used with --value $options->{value}")
          if $options->{value} ne 'time';
        fail_usage("--format pdf: expected result files, got the baseline '$_'")
          for grep { is_baseline($_) } @paths;
    }
    $options->{alpha}     = percentage( '--alpha', $options->{alpha} );
    $options->{threshold} = eval { threshold_of( $options->{threshold} ) }
      // fail_usage( '--threshold: ' . $@ =~ s/\n//r );
    fail_usage('--alpha: expected less than 100%') if $options->{alpha} >= 1;
    return;
}

sub check_comparable ( $options, @obstacles ) {
    my @found = some_of( $MAX_OBSTACLES, 'and %d more', uniq @obstacles ) or return;
    fail( join( "\n", @found, 'not comparable; --force compares anyway' ), $NOT_COMPARABLE )
      if !$options->{force};
    complain("warning: $_") for @found;
    return;
}

sub settings ( $options, @launches ) {
    my @labels = uniq map { keys %{ $_->{suites} } } @launches;
    my $thresholds =
      SKaMPI::Verdict::Thresholds->new( @{$options}{qw(threshold thresholds)}, @labels );
    return (
        %{$options}{qw(alpha names value)},
        thresholds => $thresholds,
        is_forced  => $options->{force},
        by         => defined $options->{by} ? title_of_by( $options->{by} ) : undef
    );
}

# The bytes of the report of sides, which needs LaTeX and more modules than the other formats.
sub pdf ( $compared, @sides ) {
    require SKaMPI::Document::SidesContent;
    my @read = map {
        [ map { read_whole_results( $_->{path} ) } @{$_} ]
    } @sides;
    return SKaMPI::Document::SidesContent::comparison_pdf( $compared, @read );
}

sub status ( $options, $sides ) {
    my @results = $sides->comparisons;
    return $NOT_COMPARABLE if any { $_->unlike } @results;
    return $TOO_FEW        if any { !$_->has_verdicts } @results;
    return $SLOWER         if $sides->found( @{ $FAIL_ON{ $options->{'fail-on'} } } );
    return $options->{strict} && $sides->found( 'undecided', 'time equal' ) ? $TOO_FEW : $DONE;
}

sub hosts_of ($of) {
    return uniq( map { $_->{host} } @{ $of->{list} } );
}

# Fails if BY is neither one of these words nor @FACT.
sub check_by ($by) {
    return if $BY{$by} || $by =~ $LABEL;
    my @facts = map { "\@$_->{name}" } grep { $_->{place} eq 'header' } rows_of('facts');
    return if first { $_ eq $by } @facts;
    return fail_usage(
"--by: expected library, hosts, nodes, \@LABEL=NAME, or \@FACT, a fact of the header; got '$by'"
          . meant( $by, sort( keys %BY ), @facts ) );
}

# Returns the title of a column of sides: "library", "kernel".
sub title_of_by ($by) {
    return $by if $BY{$by};
    return $1 if $by =~ $LABEL;
    my $name = $by =~ s/\A\@//r;
    return fact_title($name) // $name;
}

# Divides FILES, hashes with fact, a function that returns the text of a fact by its name. Returns the sides in the
# order of their first files: pairs of the name and a list of files.
sub sides_by ( $by, @files ) {
    my ($label) = $by =~ $LABEL;
    my $of_label = sub ($of) {
        return map { $_->{value} } grep { $_->{name} eq $label } @{ $of->{list} };
    };
    my ( $fact, $text_of ) =
      @{ defined $label ? [ LABEL => $of_label ] : $BY{$by} // [ $by =~ s/\A\@//r ] };
    my $name_of = sub ($file) {
        my $text = $file->{fact}->($fact);
        ($text) = $text_of->( read_fact( 0, $fact, $text ) ) if defined $text && $text_of;
        return length( $text // q{} ) ? $text =~ s/\s*\n\s*/; /gr : 'unknown';
    };
    return map { [ $name_of->( $_->[0] ), $_ ] } grouped( $name_of, @files );
}
