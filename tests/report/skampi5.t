# Results of SKaMPI 5: the programs read them as values.
use v5.36;

use SKaMPI::Database::Anonymous qw(anonymous_text);
use SKaMPI::ReportTest          qw(tool workplace);
use SKaMPI::Test                qw($ROOT);
use Test::More;

# Two loops around a call; one, and none.
my $RUN = <<'END';
# SKaMPI Version 5.0.4 rev. 355

# Started at Thu Apr 17 11:03:38 2008

# begin result "MPI_Bcast-length"
nodes= 2 count= 1        4      67.3       1.4        9      11.3      67.3
nodes= 2 count= 2        8      65.3       0.9       13       9.1      65.3
nodes= 3 count= 64     256     133.9       0.1       11      12.5     133.9    ---   
# end result "MPI_Bcast-length"
# begin result "MPI_Barrier-nodes"
nodes= 4        0       9.9       0.2       21       9.0       9.1       9.8       9.9
# end result "MPI_Barrier-nodes"

# Finished at Thu Apr 17 11:03:41 2008
# Total runtime 3 seconds
END

# The first versions: no time, no # and no size.
my $OLD = <<'END';
# SKaMPI Version 5.0 rev. 191

begin result "Wtime"
      0.3       0.0       40       0.3
end result "Wtime"
END
my $other = $RUN =~ s/11:03/12:04/r;
my $dir   = workplace( 'run.sko' => $RUN, 'old.sko' => $OLD, 'other.sko' => $other );

sub program ( $name, @words ) { return tool( $dir, $^X, "$ROOT/report/$name.pl", @words ) }

my $shown = program(qw(show -a run.sko))->{out};
like $shown, qr/^  MPI_Bcast-length-nodes=2 .*\n +count 1 +67[.]3 us +2[.]1 % +4 B +9\n +count 2 /m,
  'outer loop';
like $shown, qr/^  MPI_Barrier-nodes +4 processes +9[.]9 us +2[.]0 % +0 B +21$/m, 'nodes';
like $shown, qr/no\s+quantiles, settings or\s+facts/,                             'what is missing';
like program( 'show', 'old.sko' )->{out}, qr/^  Wtime +300[.]0 ns +0[.]0 % +40$/m, 'no loop';
my @lines = split /\r\n/, program(qw(export run.sko))->{out};
is @lines, 5, 'CSV';
like $lines[1], qr/,2008-04-17T11:03:38,.*,SKaMPI 5[.]0[.]4 |/, 'a row';
like $lines[1], qr/"?,,,,,count,number,1,67[.]3,1[.]4,9,,/, 'what the file does not say is unknown';
like program(qw(compare run.sko other.sko -- old.sko))->{err}, qr/no suite/, 'nothing in common';
my $compared = program(qw(compare --force run.sko -- other.sko));
like $compared->{out}, qr/^  MPI_Bcast-length-nodes=2 +count 1 +67[.]30 us +67[.]30 us +1[.]000$/m,
  'a comparison';

my $own = anonymous_text($RUN);
like $own, qr/^1 67[.]3 1[.]4 9 [#] size=4$/m, 'rows of an anonymous result';
like $own, qr/\n#skampi finished[.]\n\z/,      'its end';
is anonymous_text($own), $own, 'nothing is left to do';

my %wrong = (
    '        8 '   => [ '        x ', qr/:7: damaged: column 26: expected a number, got 'x'$/ ],
    'count= 2'     => [ 'count= INT', qr/:7: damaged: column 17: expected a number, got 'INT'$/ ],
    '21       9.0' => [ q{},          qr/:11: damaged: column 52: expected a count$/ ],
    '# Finished'   => [ '# ',         qr/: the run is not finished/ ],
    "# begin result \"MPI_B" =>
      [ "# ", qr/:6: damaged: a row outside|column 1: a row outside of a result/ ],
);

for my $text ( sort keys %wrong ) {
    my ( $bad, $message ) = @{ $wrong{$text} };
    my $place = workplace( 'run.sko' => $RUN =~ s/\Q$text\E/$bad/r );
    my $got   = tool( $place, $^X, "$ROOT/report/export.pl", 'run.sko' );
    is "$got->{status} $got->{out}", '5 ', "not '$text'";
    like $got->{err}, $message, 'a message';
}

done_testing;
