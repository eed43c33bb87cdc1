# skampi --status in odd directories: it says what a start would find, and refuses what that
# refuses.
use v5.36;

use POSIX qw(mkfifo);
use Test::More;
use SKaMPI::Test qw(keep_journal interrupt read_file write_file files_in skampi mpirun workplace);

my $FILE = <<'END';
@VERSION 4.1
@TIMERUN 0.5
@MEASUREMENTS
A { Type = 1; Scale = Fixed_log; End_Argument = 16; Stepwidth = 4; Parameters = "passes=5"; }
B { Type = 24; Parameters = "passes=5"; }
END
my @FILES = qw(.skampi .journal skampi.log skampi.out);

my $done = workplace( '.skampi' => $FILE );
keep_journal($done);
is mpirun( $done, 2, '-q' )->{status}, 0, 'a run';

# The run as if its end had not been reached.
sub unfinished ($change) {
    return sub ($dir) {
        interrupt( $dir, 'simple_B' );
        $change->($dir);
    };
}

sub edit ( $name, $change ) {
    return sub ($dir) {
        local $_ = read_file("$dir/$name");
        $change->();
        write_file( "$dir/$name", $_ );
    };
}

sub instead ( $name, $make ) {
    return sub ($dir) {
        rename "$dir/$name", "$dir/old" or die "$name: $!\n";
        $make->("$dir/$name");
    };
}

my $A_LINK      = sub ($path) { symlink 'old', $path  or die "$path: $!\n" };
my $A_DIRECTORY = sub ($path) { mkdir $path           or die "$path: $!\n" };
my $A_PIPE      = sub ($path) { mkfifo( $path, 0600 ) or die "$path: $!\n" };
my $NOTHING     = sub ($path) { };

# Changes to the directory, arguments, exit status, message.
my @CASES = (
    [ sub ($dir) { }, [], 0, 'skampi.out: complete, 2 of 2 suites done' ],
    [ sub ($dir) { }, [ '-n', 2 ], 0, 'complete' ],
    [ sub ($dir) { }, [ '-n', 3 ], 3, 'skampi.out: results of 2 processes, which will be kept; 2' ],
    [
        edit( '.skampi', sub { s/16/64/ } ),
        [], 3, 'skampi.out: results of other parameters, which will be kept; 2 suites left'
    ],
    [
        edit( '.skampi', sub { s/^A.*\n//m } ),
        [], 3, 'results of other parameters, which will be kept; 1 suite left'
    ],
    [ edit( '.skampi', sub { s/0[.]5/0.6/ } ),           [], 3, 'results of other parameters' ],
    [ edit( '.skampi', sub { $_ = "\@MACHINE x\n$_" } ), [], 0, 'complete' ],
    [ instead( 'skampi.log', $NOTHING ),                 [], 0, 'complete' ],
    [ edit( 'skampi.out', sub { $_ .= "my words\n" } ),  [], 0, 'complete' ],
    [ instead( 'skampi.out', $NOTHING ), [], 3, 'skampi.out: nothing yet, 2 suites left' ],
    [ unfinished( sub ($dir) { } ),      [], 3, 'not finished, 1 of 2 suites done' ],
    [ unfinished( instead( 'skampi.out', $NOTHING ) ), [], 3, 'not finished, 1 of 2 suites done' ],
    [
        unfinished( instead( 'skampi.out.journal', $NOTHING ) ),
        [], 1, q{has no 'skampi.out.journal'}
    ],
    [
        unfinished( instead( 'skampi.out.journal', $A_LINK ) ),
        [], 1, q{is a symbolic link; name another}
    ],
    [ unfinished( instead( 'skampi.out.journal', $A_PIPE ) ), [], 1, q{not a regular file} ],
    [
        unfinished( edit( 'skampi.out.journal', sub { s/suite-end/x/ } ) ),
        [], 1, q{'skampi.out.journal' is damaged in line}
    ],
    [
        unfinished( edit( 'skampi.out.journal', sub { $_ = "hello\n" } ) ),
        [], 1, q{'skampi.out.journal' is not a journal of skampi and is left unchanged}
    ],
    [ instead( 'skampi.out', $A_LINK ), [], 1, q{'skampi.out' is a symbolic link; name another} ],
    [ instead( 'skampi.out', $A_DIRECTORY ), [], 1, q{cannot write 'skampi.out': } ],
    [ instead( 'skampi.out', $A_PIPE ), [], 1, q{cannot write 'skampi.out': neither a plain file} ],
    [
        sub ($dir) { rename "$dir/.journal", "$dir/skampi.out.journal" or die "journal: $!\n" },
        [],
        3,
        'skampi.out: complete, but not merged with earlier runs; the next start merges it, 2 of'
    ],
);

for my $case (@CASES) {
    my ( $change, $args, $status, $message ) = @{$case};
    my $dir = workplace( map { $_ => read_file("$done/$_") } @FILES );
    $change->($dir);
    my @before = files_in($dir);
    my $run    = skampi( $dir, '--status', @{$args} );
    is $run->{status}, $status, $message;
    like $run->{ $status == 1 ? 'err' : 'out' }, qr/^[^\n]*\Q$message\E/, 'the message';
    is $run->{ $status == 1 ? 'out' : 'err' }, q{}, 'nothing else';
    is_deeply [ files_in($dir) ], \@before, 'nothing is written';
    next if $status != 1;
    like mpirun( $dir, 2, '-q' )->{err}, qr/^skampi: [^\n]*\Q$message\E/m, 'a start refuses it';
}

done_testing;
