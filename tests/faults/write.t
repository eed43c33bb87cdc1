#!/usr/bin/perl
# A failing disk: whichever call fails that writes or renames, the run stops with a message, complete
# suites are kept, and the next launch resumes; likewise if the process is killed in such a call.
use v5.36;

use Test::More;
use SKaMPI::Faults qw(torture memory_scratch dummy_labels dummy blocks_of unsound config_of
  labels_of);
use SKaMPI::Test qw(files_in read_file write_file skampi mpirun preloaded_mpirun scratch);

my $SUITES = 3;
my @LABELS = dummy_labels($SUITES);
my $runs   = 0;
my $faults = 0;

# How to prepare a directory for a launch, by name.
my %SITUATIONS = (
    'first run'      => sub ($dir) { },
    'second run'     => sub ($dir) { dummy( $dir, q{}, $SUITES ) },
    'unfinished run' => sub ($dir) { dummy( $dir, q{}, $SUITES, 'crash=col_01' ) },
    'torn block'     => sub ($dir) {
        dummy( $dir, q{}, $SUITES, 'crash=col_01' );
        write_file( "$dir/skampi.out", read_file("$dir/skampi.out") . "#-----\n#/*\@incol" );
    },
    'killed run' => sub ($dir) { dummy( $dir, 'any:26:kill', $SUITES ) },
);

sub counted ($dir) {
    return map { split } split /\n/, read_file("$dir/counts");
}

# The number of calls of each kind in a launch there.
sub calls_in ( $prepare, $io, @args ) {
    my $dir = memory_scratch();
    $prepare->($dir);
    dummy( $dir, $io, $SUITES, @args );
    return counted($dir);
}

# All complete blocks of results in the directory, in files of any name.
sub all_blocks ($dir) {
    my %all;
    for my $file ( glob "$dir/skampi.out*" ) {
        my $blocks = blocks_of( read_file($file) );
        $all{$_} = 1 for map { @{$_} } values %{$blocks};
    }
    return \%all;
}

sub lost ( $before, $dir ) {
    my $after = all_blocks($dir);
    return grep { !$after->{$_} } keys %{$before};
}

# Is the fault reported at once, or does it not need to be?
sub is_reported ( $run, $io ) {
    return 1                   if $io =~ /:kill/ && $run->{signal} == 9;
    return $run->{status} == 0 if $io =~ /:(?:EINTR|short)\b/;
    return 1                   if $io =~ /close/ && $run->{status} == 0;
    return $run->{status} == 1
      && $run->{err} =~
      /\A(?:skampi: (?:fresh|resuming|'skampi[.]out' was) .*\n)?skampi: cannot .*\n\z/;
}

# The run is complete, perhaps except for the log's last line, and the next one starts over.
sub at_the_end ($dir) {
    return 'never complete' if dummy( $dir, q{}, $SUITES, 'status' )->{status};
    if ( read_file("$dir/skampi.log") !~ /run-end skampi[.]out\n\z/ ) {
        my $end = dummy( $dir, q{}, $SUITES );
        return "completing: $end->{err}" if $end->{err} !~ /was complete except for the log/;
    }
    my @wrong = unsound( $dir, @LABELS );
    my $next  = dummy( $dir, q{}, $SUITES );
    push @wrong, "next run: $next->{err}" if $next->{err} !~ /\Askampi: fresh start.*\n\z/;
    return ( @wrong, unsound( $dir, @LABELS ) );
}

# A launch with a fault, then launches without. Returns what went wrong.
sub after_fault ( $prepare, $io, @args ) {
    my $dir = memory_scratch();
    local $ENV{DUMMY_RESULT} = 1;
    $prepare->($dir);
    my $before = all_blocks($dir);
    local $ENV{DUMMY_RESULT} = 2;
    my $run = dummy( $dir, $io, $SUITES, @args );
    $faults++;
    my @wrong;
    push @wrong, 'lost at once'                       if lost( $before, $dir );
    push @wrong, "signal $run->{signal}"              if $run->{signal} && $io !~ /:kill/;
    push @wrong, "status $run->{status}: $run->{err}" if !is_reported( $run, $io );
    my $complete = all_blocks($dir);
    local $ENV{DUMMY_RESULT} = 3;
    my $restarts = 0;

    while ( dummy( $dir, q{}, $SUITES, 'status' )->{status} == 3 ) {
        my $again = dummy( $dir, q{}, $SUITES );
        push @wrong, "restart: $again->{err}" if $again->{status};
        last if ++$restarts == 3 || $again->{status};
    }
    $runs += 1 + $restarts;
    push @wrong, 'lost later' if lost( $complete, $dir );
    push @wrong, at_the_end($dir);
    return join '; ', grep { length } @wrong;
}

# Every fault of $call, in every such call of a launch; errors also in all calls from that one on.
sub faults_of ( $call, $calls ) {
    my %what = (
        any   => [qw(kill killed)],
        write => [ qw(ENOSPC short EINTR), torture() ? qw(EIO EROFS EDQUOT pipe) : () ],
        fsync => [ qw(EIO EINTR),          torture() ? qw(ENOSPC EROFS)          : () ],
        close => [qw(EIO EINTR)],
    );
    my @faults = map {
        my $n = $_;
        map { "$call:$n:$_" } @{ $what{$call} // ['EIO'] }
    } 1 .. $calls;
    return @faults if !torture();
    return map { /:E(?!INTR)/ ? ( $_, s/:(\d+):/:$1+:/r ) : $_ } @faults;
}

sub check_all ( $name, $with, @args ) {
    my %calls = calls_in( $SITUATIONS{$name}, $with, @args );
    cmp_ok $calls{fsync}, '>=', $calls{write}, "$name: every write is synced";
    for my $call (qw(write fsync close ftruncate open link unlink rename any)) {
        my @bad;
        for my $io ( faults_of( $call, $calls{$call} ) ) {
            my $wrong = after_fault( $SITUATIONS{$name}, $with ? "$io,$with" : $io, @args );
            push @bad, "$io: $wrong" if length $wrong;
        }
        is_deeply \@bad, [], "$name @args: each of $calls{$call} calls of $call";
    }
    return;
}

# The unfinished run differs little from the torn block: only in the long form.
for my $name ( grep { torture() || $_ ne 'unfinished run' } sort keys %SITUATIONS ) {
    check_all( $name, q{} );
}
check_all( 'second run', 'link:1+:EPERM' );    # a file system without hard links
check_all( 'unfinished run', q{}, 'fresh' );

# The real program, in which all ranks must exit together.
my %calls = do {
    my $dir = scratch();
    write_file( "$dir/.skampi", config_of() );
    local $ENV{SKAMPI_IO_COUNT} = "$dir/counts";
    is preloaded_mpirun( $dir, 2, 'libio.so', '-q' )->{status}, 0, 'a run without faults';
    counted($dir);
};
my @io =
  torture()
  ? ( map { ( "write:$_:ENOSPC", "write:$_+:EIO", "fsync:$_:EIO" ) } 1 .. $calls{write} )
  : qw(write:3:ENOSPC write:12+:EIO fsync:9:EIO write:5:short);
for my $io (@io) {
    my $dir = scratch();
    write_file( "$dir/.skampi", config_of() );
    local $ENV{SKAMPI_IO} = $io;
    my $run  = preloaded_mpirun( $dir, 2, 'libio.so', '-q' );
    my @said = grep { /^skampi: (?!warning: )/ } split /\n/, $run->{err};
    my $fine = $io =~ /short|EINTR/;
    $faults++;
    is $run->{status}, ( $fine ? 0 : 1 ), "$io: status";
    is scalar @said, ( $fine ? 0 : 1 ), "$io: one message" or diag( $run->{err} );
    local $ENV{SKAMPI_IO} = q{};
    next if $fine;
    $run = mpirun( $dir, 2, '-q' );
    $runs++;
    is $run->{status},               0,   "$io: the run is resumed" or diag( $run->{err} );
    is unsound( $dir, labels_of() ), q{}, "$io: complete";
}

subtest 'a full disk' => sub {
    my $dir   = scratch();
    my $mount = sub (@options) {
        return system( 'mount', '-t', 'tmpfs', '-o', @options, 'tmpfs', $dir ) == 0;
    };
    plan skip_all => 'needs a tmpfs of its own' if $> != 0 || !$mount->('size=16k');
    write_file( "$dir/.skampi", config_of() );
    my $run = mpirun( $dir, 2, '-q' );
    is $run->{status}, 1, 'the run ends';
    like $run->{err}, qr/^skampi: cannot write 'skampi[.](?:out|log)': No space left on device$/m,
      'the message says why';
    is mpirun( $dir, 2, '-q' )->{status},    1, 'again';
    is skampi( $dir, '--status' )->{status}, 3, 'not finished';
    ok $mount->('remount,size=1m'), 'with free space';
    $run = mpirun( $dir, 2, '-q' );
    is $run->{status},               0,   'the run is resumed' or diag( $run->{err} );
    is unsound( $dir, labels_of() ), q{}, 'complete';
    system 'umount', $dir;
};

# The second link gives the run its name next to the merge.
subtest 'a merge that fails' => sub {
    my $dir = scratch();
    write_file( "$dir/.skampi", config_of() =~ s/\@POSTPROC no/\@POSTPROC yes/r );
    is mpirun( $dir, 2, '-q' )->{status}, 0, 'a run';
    local $ENV{SKAMPI_IO} = 'link:2:EIO';
    my $run = preloaded_mpirun( $dir, 2, 'libio.so', '-q' );
    is $run->{status}, 1, 'a second run';
    like $run->{err}, qr/^skampi: this run is complete, but not merged with earlier ones: cannot /m,
      'the message says what failed';
    is unsound( $dir, labels_of() ), q{}, 'the run is complete';
    local $ENV{SKAMPI_IO} = q{};
    is mpirun( $dir, 2, '-q' )->{status}, 0, 'the next run';
    like read_file("$dir/skampi.out"), qr/ # runs=3 of=3 /, 'merges all runs';
};
subtest '--postprocess that fails' => sub {
    my $dir = scratch();
    write_file( "$dir/.skampi", config_of() );
    is mpirun( $dir, 2, '-q' )->{status}, 0, 'a run';
    my @before = files_in($dir);
    local $ENV{LD_PRELOAD} = "$ENV{SKAMPI_BUILD}/tests/libio.so";
    for my $io (qw(fsync:1:EIO fsync:1:ENOSPC link:1:EIO)) {
        local $ENV{SKAMPI_IO} = $io;
        my $run = skampi( $dir, qw(--postprocess skampi.out -o skampi.out.m) );
        $faults++;
        is $run->{status}, 1, "$io: status";
        like $run->{err}, qr/\Askampi: cannot (?:write|move) [^\n]*\n\z/, 'the message says why';
        is_deeply [ files_in($dir) ], \@before, 'no file is left';
    }
};
diag("$faults faults, $runs runs after them");

done_testing;
