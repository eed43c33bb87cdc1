# Two readers of result files, skampi's and the report's, find the same content in damaged files.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Test qw($ROOT scratch read_file write_file skampi);

my $DATA  = "$ROOT/tests/report/data";
my $FILES = 150;

# Typical edits by a stray keystroke.
my $CHARACTERS = '0123456789.-#@ nax[]()<>/*e';

# Changes of the lines of a file at one of them.
my @DAMAGES = (
    sub ( $lines, $i ) { splice @{$lines}, $i, 1 },
    sub ( $lines, $i ) { splice @{$lines}, $i, 0, $lines->[ rand @{$lines} ] },
    sub ( $lines, $i ) {
        substr( $lines->[$i], rand length $lines->[$i], 1 ) = substr $CHARACTERS,
          rand length $CHARACTERS, 1;
    },
    sub ( $lines, $i ) { substr( $lines->[$i], rand length $lines->[$i], 1 ) = q{} },
    sub ( $lines, $i ) { $lines->[$i] = substr $lines->[$i], 0, rand length $lines->[$i] },
    sub ( $lines, $i ) { splice @{$lines}, $i + 1 },
);

sub damaged ($text) {
    my @lines = split /^/, $text;
    for ( 0 .. rand 3 ) {
        my $damage = $DAMAGES[ rand @DAMAGES ];
        my $i      = int rand @lines;
        $damage->( \@lines, $i ) if @lines && length $lines[$i];
    }
    return join q{}, @lines;
}

# A row that skampi skips: a count is a whole number.
sub has_wrong_count ($row) {
    return
      grep { exists $row->{$_} && ( $row->{$_} // 'none' ) !~ /\A[0-9]+\z/ } qw(count count_all);
}

sub number ($value) {
    return defined $value ? sprintf '%.6f', $value : 'nan';
}

sub row_text ($row) {
    return join q{,}, $row->{argument} // q{}, $row->{count} // 0,
      map { number($_) } @{$row}{qw(time time_all)}, @{ $row->{node_times} // [] };
}

# The rows that a merge takes: the first row of every argument, in order.
sub rows_of ($suite) {
    my %seen;
    my @rows =
      grep { !$seen{ $_->{argument} // q{} }++ } grep { !has_wrong_count($_) } @{ $suite->{rows} };
    return map { row_text($_) } sort { ( $a->{argument} // 0 ) <=> ( $b->{argument} // 0 ) } @rows;
}

sub can_be_merged ($suite) {
    my @columns = map { $_->{name} } @{ $suite->{columns} };
    return $suite->{complete} && ( !@columns || grep { $_ eq 'time_cleaned' } @columns );
}

# The first complete block of each suite.
sub view ($text) {
    my %seen;
    my @suites = grep { !$seen{ $_->{label} }++ }
      grep { can_be_merged($_) } SKaMPI::Read::Output->from_text($text)->suites;
    return [ map { join q{ }, $_->{label}, rows_of($_) } @suites ];
}

my @texts = map { read_file("$DATA/$_.out") } qw(old unfinished);
my $dir   = scratch();
srand 2002;
for my $number ( 1 .. $FILES ) {
    my $text = damaged( $texts[ rand @texts ] );
    write_file( "$dir/x.out", $text );
    my $run = skampi( $dir, qw(--postprocess --force x.out -o -) );
    is $run->{signal}, 0, "file $number: no crash";
    is_deeply view( $run->{out} ), view($text), 'the same' or diag $text;
}

done_testing;
