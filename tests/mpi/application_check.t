#!/usr/bin/perl
# Wrong data in an application's arrays are found, and a datatype that the library rejects is named.
use v5.36;

use Test::More;
use SKaMPI::Test qw(mpi_program);

my $run = mpi_program( 2, 'application_check' );
is( $run->{status}, 0, 'two processes' ) or diag( $run->{err} );
is( scalar( () = $run->{out} =~ /^ok /mg ), 32, 'all faults in all suites' );
is_deeply( [ $run->{out} =~ /^(not ok .*)$/mg ], [], 'are found' );

done_testing();
