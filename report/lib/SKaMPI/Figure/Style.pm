package SKaMPI::Figure::Style;

# Colours, marks and dashes of a plot's curves by their index, as text for gnuplot. The colours repeat after
# most_series curves, with other marks and dashes.
use SKaMPI::Base;

# Colours that people with any colour vision can distinguish (Okabe and Ito), without yellow, which is too
# light for lines. Each has its own mark and dashes, so a print in grey is sufficient.
my @COLOURS = qw(0072b2 d55e00 009e73 cc79a7 56b4e9 e69f00 000000 666666);

# Greys; neighbours differ as much as possible.
my @GREYS = qw(000000 777777 333333 999999 555555 aaaaaa 222222 888888);

# gnuplot's numbers of marks: filled, and the same in outline.
my @MARKS  = ( 7, 5, 9, 11, 13, 15, 3, 2 );
my @HOLLOW = ( 6, 4, 8, 10, 12, 14, 3, 2 );

my @DASHES = ( 'solid', q{'-'}, q{'.-'}, q{'-..'}, q{'_'}, q{'_.'}, q{'.'}, q{'_..'} );

sub most_series { return scalar @COLOURS }

sub colour_of ( $i, $mono = 0 ) {
    my $list = $mono ? \@GREYS : \@COLOURS;
    return q{#} . $list->[ $i % @{$list} ];
}

# Marks differ each time that a colour recurs: every second time in outline, and with another dash.
sub mark_of ($i) {
    my $round = int $i / @COLOURS;
    my $marks = $round % 2 ? \@HOLLOW : \@MARKS;
    return $marks->[ ( $i + $round ) % @{$marks} ];
}

sub hollow_mark_of ($i) { return $HOLLOW[ ( $i + int $i / @COLOURS ) % @HOLLOW ] }
sub dash_of        ($i) { return $DASHES[ ( $i + int $i / @COLOURS ) % @DASHES ] }

# How bars are filled: evenly for 0, or with stripes of two kinds for 1 and 2.
my @FILLS = ( 'solid 0.85', 'pattern 4', 'pattern 5' );

sub fill_of ($stripes) { return $FILLS[ $stripes % @FILLS ] }

1;
