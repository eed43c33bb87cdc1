#!/usr/bin/perl
# Large files that are made to cost a reader much time and memory: 50 kB, or 10 MB in make check-long.
use v5.36;

use FindBin;
use IPC::Run qw(run);
use Test::More;

use SKaMPI::Hostile qw(hostile_text kinds_of_text);
use SKaMPI::Test    qw(scratch write_file);

my $SHOW   = "$FindBin::Bin/../../report/show.pl";
my $BYTES  = $ENV{SKAMPI_LONG} ? 10_000_000 : 50_000;
my $CPU_S  = $ENV{SKAMPI_LONG} ? 10         : 2;
my $MEMORY = 250 * 1024 * 1024;

plan skip_all => 'prlimit is missing' if !grep { -x "$_/prlimit" } split /:/, $ENV{PATH};

# The system enforces the limits: a process that needs more fails.
sub show (@arguments) {
    my @limits = ( 'prlimit', "--as=$MEMORY", "--cpu=$CPU_S", q{--} );
    run [ @limits, $^X, $SHOW, @arguments ], \undef, \my $out, \my $err;
    return { out => $out, err => $err, status => $? };
}

my $place = scratch();
my @kinds = @ARGV ? @ARGV : kinds_of_text();
for my $kind (@kinds) {
    my $path = "$place/results";
    write_file( $path, hostile_text( $kind, $BYTES ) );
    my $got = show($path);
    is $got->{status}, 0, "$kind: shown within $CPU_S s and 250 MB" or diag $got->{err};
    like $got->{out}, qr/^  good .*4 B +1[.]00 us/m, "$kind: the suite before is printed";
    unlike $got->{out} . $got->{err}, qr/[^\n -~\x80-\xff]/,
      "$kind: output does not control the terminal";
    cmp_ok length $got->{err}, '<', 3000, "$kind: few complaints";
    cmp_ok length $got->{out}, '<', 40_000, "$kind: few lines"
      if $kind !~ /suites|patterns|numbers|formats/;
    unlink $path;
}

subtest 'file names' => sub {
    my $name  = "$place/\e[31m\xc3\xa9\n";
    my @cases = ( [$name], ["--\e]0;x\a"], [ $name, 'nothing' ] );
    like show($name)->{err}, qr/\Askampi-show: cannot read '[^']*[?]\[31m\xc3\xa9[?]': /,
      'a missing file';
    write_file( $name, hostile_text( 'rows', 1000 ) );
    for my $case (@cases) {
        my $got = show( @{$case} );
        unlike $got->{out} . $got->{err}, qr/[\x00-\x09\x0b-\x1f\x7f]/,
          'output does not control the terminal';
    }
    like show($name)->{out}, qr/^Results in \S*[?]\[31m\xc3\xa9[?]$/m, 'the name is printed';
};

done_testing;
