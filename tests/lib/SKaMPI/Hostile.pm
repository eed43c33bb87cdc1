package SKaMPI::Hostile;

# Result files made to take all the time and memory of their reader.
use v5.36;

use Exporter qw(import);

our @EXPORT_OK = qw(hostile_text kinds_of_text suite_head);

sub suite_head ($label) {
    return <<"END";
#-----
#/*\@in$label.ski*/
#Description of the $label measurement:
#Pattern: Point-to-Point varied over the message length [bytes] (%d).
#The x scale is logarithmic, automatic x wide adaption
#range: 0 - 4194304, stepwidth: 2.000000.
#default values: 2 nodes, max. / act. time for suite disabled/0.31 min.
#max. allowed standard error is 3.00 %, cut quantile is 25.00 %
#Format: <args> message length [bytes] (%d) <results> time_cleaned [microsec.] (%f) standard_error_cleaned [microsec.] (%f) count_cleaned [number] (%d)
END
}

my $OPEN   = suite_head('p2p_open');
my @VARIED = ( ' varied over the ' x 50 . q{[}, ' varied over the x [' x 40 );

# The start of a text, and the part that follows again and again: a text, or a function of its number.
my %KINDS = (
    'fields'               => [ q{},              "#\@X y\n" ],
    'machines'             => [ q{},              "#\@MACHINE y\n" ],
    'warnings'             => [ q{},              "#\@WARNING \e[31my\n" ],
    'a long warning'       => [ '#@WARNING ',     "\xe4\xb8\xad" ],
    'a text of many lines' => [ "#\@MACHINE a\n", "# b\n" ],
    'notes'                => [ $OPEN,            sub ($i) { "#\@N$i y\n" } ],
    'header lines'         => [ $OPEN,            "#x\n" ],
    'broken header lines'  => [ $OPEN,            "word\n" ],
    'suites'               => [ q{},              sub ($i) { "#/*\@inp2p_a$i.ski*/\n1 1 1\n" } ],
    'suites of all kinds'  => [ q{}, sub ($i) { "#/*\@inq${i}_a.ski*/\n#\@TIMEOF x$i\n1 1 1\n" } ],
    'suites of the same name' => [ q{}, "#/*\@inp2p_a.ski*/\n" ],
    'complete suites'         => [
        q{}, sub ($i) { suite_head("p2p_s$i") . "4 1 .1 8\n8 2 .1 8\n9 3 .1 8\n16 4 .1 8\n#eol\n" }
    ],
    'patterns' =>
      [ q{}, sub ($i) { "#/*\@inp2p_a$i.ski*/\n#Pattern:$VARIED[0]\n#Pattern:$VARIED[1]\n" } ],
    'numbers' => [ q{}, sub ($i) { "#/*\@inp2p_a$i.ski*/\n#default values: " . 1 x 1000 . "\n" } ],
    'formats' => [
        q{},
        sub ($i) { "#/*\@inp2p_$i.ski*/\n#Format: <args>" . ' a [b] (' x 150 . "<results>\n1 1\n" }
    ],
    'rows'          => [ $OPEN, "1 1 1 1\n" ],
    'rows of words' => [ $OPEN, sub ($i) { "$i 1 .1 8 # " . 'a= b= c= d= ' x 5 . "\n" } ],
    'wrong rows'    => [ $OPEN, "1 x\n" ],
    'columns'       => [ $OPEN, '1 1 1 1' . ' 1' x 1000 . "\n" ],
    'a long row'    => [ "${OPEN}1 1 1 1", ' 1' ],
    'empty lines'   => [ q{},              "\n" ],
    'NUL bytes'     => [ q{},              "\0\n" ],
    'no line end'   => [ q{},              "\0" ],
    'no UTF-8'      => [ q{},              "#\@X \xff\n" ],
    'escapes'       => [ q{},              "\e[31m\n" ],
);

sub kinds_of_text () {
    my @kinds = sort keys %KINDS;
    return @kinds;
}

# A number of bytes of a kind, after a small suite without faults.
sub hostile_text ( $kind, $bytes ) {
    my ( $start, $again ) = @{ $KINDS{$kind} };
    my $text = suite_head('p2p_good') . "4 1 0.1 8\n8 2 0.1 8\n#eol\n$start";
    my $i    = 0;
    if ( ref $again ) { $text .= $again->( $i++ ) while length $text < $bytes }
    else              { $text .= $again x ( $bytes / length $again ) }
    return "$text\n#skampi finished.\n";
}

1;
