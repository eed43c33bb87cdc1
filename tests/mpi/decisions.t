#!/usr/bin/perl
# Each pattern and variation, with processes that sit out: each suite ends.
use v5.36;

use Test::More;
use SKaMPI::Combinations qw(combinations unfinished);
use SKaMPI::Test         qw(mpirun scratch write_file);

for my $np ( 3 .. 5 ) {
    for my $absolute (qw(yes no)) {
        my $dir = scratch();
        chdir $dir or die "$dir: $!\n";
        write_file( '.skampi', combinations( $np, $absolute ) );
        my $run = mpirun( $dir, $np, '-q' );
        is_deeply [ unfinished() ], [], "$np processes, \@ABSOLUTE $absolute: each suite ends"
          or diag "status $run->{status}\n$run->{err}";
    }
}

done_testing;
