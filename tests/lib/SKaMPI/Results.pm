package SKaMPI::Results;

use v5.36;

use Exporter   qw(import);
use List::Util qw(min max);

use SKaMPI::Read::Output;
use SKaMPI::Test qw(blocks_of);

our @EXPORT_OK = qw(cases_of results results_text suite_head);

my %PATTERN = (
    p2p    => 'Point-to-Point',
    mw     => 'Master-Worker',
    col    => 'Collective',
    syncol => 'Synchronous Collective',
    simple => 'Simple',
);
my %VARIED = (
    length  => 'message length [bytes] (%d)',
    nodes   => 'number of nodes [number] (%d)',
    chunks  => 'number of chunks [number] (%d)',
    groups  => 'number of groups [number] (%d)',
    spread  => 'number of the spread [number] (%d)',
    threads => 'number of threads [number] (%d)',
);
my @RESULTS = (
    'time_cleaned [microsec.] (%f)',
    'standard_error_cleaned [microsec.] (%f)',
    'count_cleaned [number] (%d)'
);

# Results made up for a test: a hash of the header's fields, and for each suite a list of its label,
# of what it is varied over (or undef), of its rows "argument time error", and a hash of what
# differs from the usual: nodes, message_length, window, scale, range, standard_error (in per cent),
# type ("47 syncol_MPI_Bcast"), and notes (further lines).
sub results ( $fields, @suites ) {
    return SKaMPI::Read::Output->from_text( results_text( $fields, @suites ), 'made.out' );
}

# Results as the text of a file.
sub results_text ( $fields, @suites ) {
    my @head = map { "#\@$_ $fields->{$_}" } sort keys %{$fields};
    return join "\n", @head, ( map { _suite( @{$_} ) } @suites ), 'skampi finished.', q{};
}

sub _suite ( $label, $over, $rows, $facts = {} ) {
    my ($prefix) = $label =~ /\A(?:vt)?([a-z0-9]+)_/;
    my $pattern  = $PATTERN{ $prefix // q{} } // 'Collective';
    my $varied   = $over ? $VARIED{$over} : q{};
    return join "\n", '#-----', "#/*\@in$label.ski*/",
      "#Pattern: $pattern" . ( $over ? " varied over the $varied." : q{.} ),
      _facts( $facts, map { ( split q{ } )[0] } @{$rows} ),
      "#Format: <args> $varied <results> @RESULTS",
      ( $facts->{type} ? "#\@TYPE $facts->{type}" : () ),
      $facts->{notes} // (),
      ( map { _row( $over, split q{ } ) } @{$rows} ), '#eol';
}

sub _facts ( $facts, @arguments ) {
    my $scale  = $facts->{scale}          // 'logarithmic';
    my $nodes  = $facts->{nodes}          // 4;
    my $length = $facts->{message_length} // 256;
    my $range  = $facts->{range}          // join ' - ', map { sprintf '%.0f', $_ } min(@arguments),
      max(@arguments);
    return (
        "#The x scale is $scale, automatic x wide adaption",
        "#range: $range, stepwidth: 2.000000.",
        "#default values: $nodes nodes"
          . ( $length                  ? ", message length $length bytes"         : q{} )
          . ( defined $facts->{window} ? ", window of $facts->{window} messages." : q{.} ),
        defined $facts->{standard_error}
        ? "#max. allowed standard error is $facts->{standard_error} %"
        : ()
    );
}

# The number of repetitions and what follows it may be missing.
sub _row ( $over, $argument, $time, $error, $count = 8, @more ) {
    return join q{ }, ( $over ? $argument : () ), $time, $error, $count, @more;
}

# The head of a suite with all of its lines, up to that of its columns; with another pattern, scale or varied.
sub suite_head ( $label, %with ) {
    my %of = (
        pattern => 'Point-to-Point',
        varied  => 'message length [bytes]',
        scale   => 'logarithmic',
        %with
    );
    return <<"END";
#-----
#/*\@in$label.ski*/
#Description of the $label measurement:
#Pattern: $of{pattern} varied over the $of{varied} (%d).
#The x scale is $of{scale}, automatic x wide adaption
#range: 0 - 4194304, stepwidth: 2.000000.
#default values: 2 nodes, max. / act. time for suite disabled/0.31 min.
#max. allowed standard error is 3.00 %, cut quantile is 25.00 %
#Format: <args> $of{varied} (%d) <results> @RESULTS
END
}

# Cases, in lines: a name; suites, each a label, perhaps what it varies and a setting, and rows; texts that are
# expected.
sub cases_of ($table) {
    my @cases;
    for my $block ( blocks_of($table) ) {
        my ( $name, @lines ) = @{$block};
        my @expected = map { /\A= ?(.*)/ ? $1 : () } @lines;
        push @cases, [ $name, [ map { _suite_of_line($_) } grep { !/\A=/ } @lines ], @expected ];
    }
    return @cases;
}

sub _suite_of_line ($line) {
    my ( $label, $over, $key, $value, $rows ) =
      $line =~ /\A(\S+)(?: over (\w+))?(?: [{](\w+)=(.+)[}])?: ?(.*)/
      or die "not a suite: $line\n";
    $over = 'length' if !defined $over;
    undef $over      if $over eq 'nothing';
    return [ $label, $over, [ split /, /, $rows ], { $key ? ( $key => $value ) : () } ];
}

1;
