#!/usr/bin/perl
# Simulated repetitions are all equal. In every pattern, measuring ends at the least number that the
# accuracy requires, with an error of 0, far below Max_Repetition.
use v5.36;

use File::Temp qw(tempdir);
use Test::More;
use SKaMPI::Output;
use SKaMPI::Sim  qw(why_not build simulate);
use SKaMPI::Test qw(write_file);

plan skip_all => why_not() if why_not();

# Of the patterns Point-to-Point, Master-Worker, Collective, Synchronous Collective, Pairs.
my @TYPES = ( 1, 10, 17, 47, 160 );

my ($skampi) = build('truth');
chdir tempdir( CLEANUP => 1 ) or die "$!\n";

sub suites ( $fields, $options = q{} ) {
    my $arguments =
      'Variation = Length; Scale = Fixed_linear; Start_Argument = 4096; End_Argument = 4096;';
    return map { "T$_ { Type = $_; $arguments $fields Parameters = \"$options\"; }\n" } @TYPES;
}

sub measured ( $most, @suites ) {
    write_file(
        'p.skampi',
        "\@VERSION 4.1\n\@MEMORY 64\n\@POSTPROC no\n\@MINREPDEFAULT 8\n\@MAXREPDEFAULT $most\n"
          . "\@STANDARDERRORDEFAULT 0.1\n\@MEASUREMENTS\n"
          . join q{},
        @suites
    );
    unlink glob 'skampi.*';
    simulate( 'flat', 4, 300, $skampi, '--quiet', '-f', 'p.skampi' );
    my $output = SKaMPI::Output->from_file('skampi.out');
    is scalar( $output->suites ), scalar @TYPES, 'all suites are measured';
    return $output;
}

# [ fields, Max_Repetition, options, repetitions, stop, relative error, fact ]
my @CASES = (
    [ 'Cut_Quantile = 0.25;', 500, q{},           30,  'accuracy',    0,   'winsorised' ],
    [ 'Cut_Quantile = 0;',    500, q{},           120, 'accuracy',    0,   'winsorised' ],
    [ 'Cut_Quantile = 0.25;', 20,  q{},           20,  'repetitions', 0,   'winsorised' ],
    [ 'Cut_Quantile = 0;',    20,  q{},           20,  'repetitions', 0.1, 'winsorised' ],
    [ 'Cut_Quantile = 0;',    500, 'error=paper', 8,   'accuracy',    0,   'paper' ],
);

for my $case (@CASES) {
    my ( $fields, $most, $options, $count, $stop, $error, $fact ) = @{$case};
    subtest "$fields Max_Repetition $most, '$options'" => sub {
        my $output = measured( $most, suites( $fields, $options ) );
        is $output->field('ERROR'), $fact, '#@ERROR';
        for my $suite ( $output->suites ) {
            my ($row) = @{ $suite->{rows} };
            is_deeply [ $row->{count_all}, $row->{extras}{stop} ], [ $count, $stop ],
              "$suite->{label}: number of repetitions and why they ended";
            cmp_ok abs( $row->{error} / $row->{time} - $error ), '<', 1e-3, 'and the error';
        }
    };
}

chdir q{/} or die "/: $!\n";
done_testing;
