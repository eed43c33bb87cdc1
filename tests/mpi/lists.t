# A parameter file with lists: a run of it is resumed suite by suite, also by a file that says the same
# without lists, and refused when a list has changed.
use v5.36;

use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Test
  qw(keep_journal interrupt read_file write_file skampi mpirun is_measured workplace succeeds);

my $HEAD = "\@VERSION 4.1\n\@MEMORY 64\n\@POSTPROC no\n\@BASETYPE1 MPI_INT\n\@MEASUREMENTS\n";
my $RANGE =
'Scale = Fixed_log; Stepwidth = 64; End_Argument = 256; Max_Repetition = 8; Parameters = "passes=1";';
my $LISTS = <<"END";
*-SM { Type = 47, 61; Default_Message_length = 8, 64; Variation = Nodes; Parameters = "passes=1"; }
ints { Type = 1; Send_Datatype_Number = 5, 20; $RANGE }
END
my @LABELS = (
    map( { ( "syncol_$_-SM-8", "syncol_$_-SM-64" ) } qw(MPI_Bcast MPI_Allreduce) ),
    qw(p2p_ints-5 p2p_ints-20)
);

# The same suites, one by one.
my $SINGLE = join "\n", map {
    my $type = $_;
    map { suite( $type, $_ ) } 8, 64
} [ 47, 'MPI_Bcast' ], [ 61, 'MPI_Allreduce' ];
$SINGLE .= "\n" . join "\n", map { "ints-$_ { Type = 1; Send_Datatype_Number = $_; $RANGE }" } 5,
  20;

sub suite ( $type, $length ) {
    my ( $number, $name ) = @{$type};
    return "$name-SM-$length { Type = $number; Default_Message_length = $length; "
      . 'Variation = Nodes; Parameters = "passes=1"; }';
}

# The labels of the blocks, in the order of the file.
sub labels_in ($dir) {
    return [ read_file("$dir/skampi.out") =~ m{^#/[*]\@in(\S+)[.]ski[*]/}mg ];
}

sub finished () {
    my $dir = workplace( '.skampi' => "$HEAD$LISTS" );
    keep_journal($dir);
    my $run = mpirun( $dir, 2, '--quiet' );
    is_measured( $run, 'a run of lists' );
    return $dir;
}

my $dir = finished();
is_deeply labels_in($dir), \@LABELS, 'has a block for each suite';
my $suites = SKaMPI::Read::Output->from_file("$dir/skampi.out")->field('SUITES');
is scalar( split /\n/, $suites ), scalar @LABELS, 'and the suites one by one in its header';
unlike $suites, qr/,/, 'without lists';

for my $n ( 1, 3, 5 ) {
    subtest "interrupted within suite $n" => sub {
        my $here = finished();
        interrupt( $here, $LABELS[$n] );
        my $status = skampi( $here, '--status' );
        is $status->{status}, 3, 'not finished';
        like $status->{out}, qr/^  crashed   \Q$LABELS[$n]\E /m, 'and says which one crashed';
        my $run = mpirun( $here, 2, '--quiet' );
        is_measured( $run, 'is resumed' );
        like $run->{err}, qr/resuming: $n of 6 suites done/, 'after those that are done';
        my @order = ( @LABELS[ grep { $_ != $n } 0 .. $#LABELS ], $LABELS[$n] );
        is_deeply labels_in($here), \@order, 'and the one that crashed comes last';
    };
}

subtest 'another way to say it' => sub {
    interrupt( $dir, $LABELS[2] );
    write_file( "$dir/.skampi", "$HEAD$SINGLE" );
    my $run = succeeds( mpirun( $dir, 2, '--quiet' ), 'is resumed' );
    is_deeply [ sort @{ labels_in($dir) } ], [ sort @LABELS ], 'and completed';
};

subtest 'another list' => sub {
    interrupt( $dir, $LABELS[2] );
    my $left = read_file("$dir/skampi.out");
    write_file( "$dir/.skampi", $HEAD . $LISTS =~ s/47, 61/47, 61, 55/r );
    my $run = mpirun( $dir, 2, '--quiet' );
    isnt $run->{status}, 0, 'is refused';
    like $run->{err}, qr/--fresh/, 'with the way out';
    is read_file("$dir/skampi.out"), $left, 'and nothing is lost';
};

done_testing;
