# On a simulated machine, the CPUs, governors and clock source of the host cause no warning. Clocks that were apart
# cause one in the first suite, and at the end the number of rows.
use v5.36;

use Test::More;
use SKaMPI::Sim     qw(build_in_scratch needs_simgrid_3 build_shim simulator);
use SKaMPI::SimRows qw(output_of);
use SKaMPI::Test    qw(command write_file sections);

needs_simgrid_3();
my ($skampi) = build_in_scratch('truth');
my $output = output_of( $skampi, 'flat', 8, sections( VERSION => 4.1, MEMORY => 64 ) . <<'END');
A { Type = 1; Scale = Fixed_linear; Start_Argument = 8; End_Argument = 8; }
END
is_deeply [ map { $_->{value} } grep { $_->{name} eq 'WARNING' } $output->fields ], [],
  'no warnings';
is $output->field($_), 'unknown', $_ for qw(GOVERNOR CLOCKSOURCE);
like $output->field('BINDING'), qr/^rank host cpus(?:\n\d \S+ unknown){8}$/, 'BINDING';
is $output->field('OVERSUBSCRIBED'), 'no', 'OVERSUBSCRIBED';

my $SUITE = "{ Type = 54; Variation = Length; Scale = Fixed_linear; Start_Argument = 8;"
  . " End_Argument = 16; Stepwidth = 8; }\n";

sub warnings_of (@names) {
    unlink glob 'skampi.*';
    write_file(
        'p.skampi',
        "\@VERSION 4.1\n\@MEMORY 64\n\@POSTPROC no\n\@STANDARDERRORDEFAULT 0.01\n\@MEASUREMENTS\n"
          . join q{},
        map { "$_ $SUITE" } @names
    );
    local $ENV{SKAMPI_SHIM} = 'jitter=0.2e-6';
    my ($shimmed) = build_shim();
    my @run = ( simulator( 'fat_tree', 4 ), $shimmed, '--quiet', '-f', 'p.skampi' );
    return [ command( q{.}, @run )->{err} =~ /^skampi: warning: (clocks: .*)$/mg ];
}

my $FIRST =
  "clocks: syncol_A: in 2 of 2 rows, they were apart (residual) by more than half of the requested"
  . " error; skampi show marks these with '*'";
is_deeply warnings_of('A'), [$FIRST], 'one suite whose clocks were apart: one warning';
is_deeply warnings_of(qw(A B C)), [ $FIRST, 'clocks: they were apart in 6 rows of 3 suites' ],
  'three suites: also the number at the end';

done_testing;
