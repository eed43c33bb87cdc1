# Allocations of skampi fail, one in each start, while it reads files, plans and merges: it ends with a message and
# another status, and no file has another answer. SKAMPI_LONG: each of them.
use v5.36;

use SKaMPI::DatabaseTest qw(generated_run $SAMPLE);
use SKaMPI::Faults       qw(config_of torture);
use SKaMPI::Test         qw(command read_file slurp workplace);
use Test::More;

local $ENV{LD_PRELOAD} = "$ENV{SKAMPI_BUILD}/tests/libmemory.so";
my @FILES = ( s => read_file($SAMPLE), a => generated_run(), p => config_of() );

sub run_with ( $number, @words ) {
    my $dir = workplace( @FILES, b => generated_run( minute => 9 ) );
    local $ENV{SKAMPI_MEMORY} = $number;
    return { command( $dir, $ENV{SKAMPI_PROGRAM}, @words )->%*, merged => slurp("$dir/m") };
}

my $COMMANDS =
'--check p, --print-config Bcast, --print-config -f p --set passes=2, --visits s, --postprocess a b -o m';

for my $command ( split /, /, $COMMANDS ) {
    my @words = split q{ }, $command;
    my $whole = my $run = run_with( 0, @words );
    is $whole->{status}, 0, $command or diag $whole->{err};
    my ( $number, @wrong ) = (1);
    while ( ( $run = run_with( $number, @words ) )->{err} =~ s/^[(]no memory[)]$//m ) {
        push @wrong, "$number: $run->{status} $run->{signal} $run->{err}"
          if $run->{status} !~ /[12]/
          || $run->{err} !~ /memory/
          || ( $run->{merged} && $run->{merged} ne $whole->{merged} );
        $number += torture() ? 1 : 7;
    }
    is_deeply \@wrong, [], 'each failure is said';
    cmp_ok $number, '>', 20, 'and there are many';
}

done_testing;
