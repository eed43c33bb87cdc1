# A failing disk: whichever call fails that writes or renames, the run stops with a message, complete
# suites are kept, and the next launch resumes; likewise if the process is killed in such a call. This
# test runs everything of skampi but the measurements; write.t runs all of it.
use v5.36;

use Test::More;
use SKaMPI::Faults qw(torture copies_of dummy_labels dummy counted blocks_of unsound);
use SKaMPI::Test   qw(read_file write_file);

my $SUITES = 3;
my @LABELS = dummy_labels($SUITES);
my $runs   = 0;
my $faults = 0;

my $situation = -1;

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

sub calls_in ( $copy, $io, @args ) {
    my $dir = $copy->();
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
      /\A(?:'skampi[.]out' was .*\n)?(?:skampi: (?:fresh|resuming:) .*\n)?skampi: .*cannot .*\n\z/;
}

# The run is complete, and the next one starts over.
sub at_the_end ($dir) {
    return 'never complete' if dummy( $dir, q{}, $SUITES, 'status' )->{status};
    my @wrong = unsound( $dir, @LABELS );
    my $next  = dummy( $dir, q{}, $SUITES );
    push @wrong, "next run: $next->{err}" if $next->{err} !~ /\Askampi: fresh start.*\n\z/;
    return ( @wrong, unsound( $dir, @LABELS ) );
}

# A launch with a fault, then launches without. Returns what went wrong.
sub after_fault ( $copy, $io, @args ) {
    my $dir    = $copy->();
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

# Every fault of $call, in every such call of a launch, or in every sixth in the short form, others in each
# situation; errors also in all calls from that one on.
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
    } grep { torture() || $_ % 6 == $situation || $calls < 3 } 1 .. $calls;
    return @faults if !torture();
    return map { /:E(?!INTR)/ ? ( $_, s/:(\d+):/:$1+:/r ) : $_ } @faults;
}

sub check_all ( $name, $with, @args ) {
    $situation++;
    local $ENV{DUMMY_RESULT} = 1;
    my $copy  = copies_of( $SITUATIONS{$name} );
    my %calls = calls_in( $copy, $with, @args );
    for my $call (qw(write fsync close ftruncate open link unlink rename any)) {
        my @bad;
        for my $io ( faults_of( $call, $calls{$call} ) ) {
            my $wrong = after_fault( $copy, $with ? "$io,$with" : $io, @args );
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
diag("$faults faults, $runs runs after them");

done_testing;
