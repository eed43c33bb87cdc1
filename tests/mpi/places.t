#!/usr/bin/perl
# Each visit has its buffers at another place, also when a suite is resumed; placing=one keeps one.
use v5.36;

use Test::More;
use SKaMPI::Test qw(mpi_program);

my $run = mpi_program( 2, 'places' );
is( $run->{status},                         0, 'all suites' ) or diag( $run->{out}, $run->{err} );
is( scalar( () = $run->{out} =~ /^ok /mg ), 5, 'each of them' );

done_testing();
