#!/usr/bin/perl
# On a simulated machine, the CPUs, governors and clock source of the host cause no warning.
use v5.36;

use File::Temp qw(tempdir);
use Test::More;
use SKaMPI::Read::Output;
use SKaMPI::Sim  qw(why_not build simulate);
use SKaMPI::Test qw(write_file);

plan skip_all => why_not() if why_not();

my ($skampi) = build('truth');
chdir tempdir( CLEANUP => 1 ) or die "$!\n";
write_file( 'p.skampi', <<'END');
@VERSION 4.1
@MEMORY 64
@POSTPROC no
@MEASUREMENTS
A { Type = 1; Scale = Fixed_linear; Start_Argument = 8; End_Argument = 8; }
END
simulate( 'flat', 8, 60, $skampi, '--quiet', '-f', 'p.skampi' );
my $output = SKaMPI::Read::Output->from_file('skampi.out');
is_deeply [ map { $_->{value} } grep { $_->{name} eq 'WARNING' } $output->fields ], [],
  'no warnings';
is $output->field($_), 'unknown', $_ for qw(GOVERNOR CLOCKSOURCE);
like $output->field('BINDING'), qr/^rank host cpus(?:\n\d \S+ unknown){8}$/, 'BINDING';
is $output->field('OVERSUBSCRIBED'), 'no', 'OVERSUBSCRIBED';

chdir q{/} or die "/: $!\n";
done_testing;
