# A run is killed, or its disk fails, while it is merged with earlier runs (@POSTPROC): the next launch
# completes the merge, no run is lost or measured again, and no temporary file is left.
use v5.36;

use Test::More;
use SKaMPI::Faults qw(torture copies_of dummy);
use SKaMPI::Test   qw(files_in read_file write_file);

my $SUITES = 2;
my @KILLS  = qw(kill killed);
local $ENV{DUMMY_MERGE} = 1;

# The third run is disturbed; its results and its date are 3.
my $two_runs = copies_of(
    sub ($dir) {
        for my $run ( 1, 2 ) {
            local $ENV{DUMMY_RESULT} = $run;
            my $done = dummy( $dir, q{}, $SUITES );
            die "run $run: $done->{err}" if $done->{status};
        }
    }
);

sub third_run ( $dir, $io ) {
    local $ENV{DUMMY_RESULT} = 3;
    return dummy( $dir, $io, $SUITES );
}

# Like the loop in README; results measured now are 4.
sub start_until_complete ($dir) {
    local $ENV{DUMMY_RESULT} = 4;
    for my $starts ( 0 .. 4 ) {
        return $starts if dummy( $dir, q{}, $SUITES, 'status' )->{status} == 0;
        my $run = dummy( $dir, q{}, $SUITES );
        die "launch: $run->{err}" if $run->{status};
    }
    die "never complete\n";
}

# The distinct results in a file; 3 and 4 are those of the third run.
sub results_in ($file) {
    my %seen = map { $_ => 1 } read_file($file) =~ /^\d+ (\d)[.]5/mg;
    return join q{ }, sort keys %seen;
}

# Without hard links, an empty file may have reserved a name for a moment.
sub kept ($dir) {
    return grep { /^skampi[.]out[.]\d\z/ && -s "$dir/$_" } files_in($dir);
}

sub temporaries ($dir) {
    return grep { /^skampi[.]out[.](?!journal)\D/ } files_in($dir);
}

sub results ($dir) {
    return [ sort map { results_in("$dir/$_") } kept($dir) ];
}

sub what_is_wrong ($dir) {
    my @wrong;
    my $merged = read_file("$dir/skampi.out");
    my @kept   = kept($dir);
    my $runs   = join q{ }, @{ results($dir) };
    push @wrong, "the files @kept"   if @kept != 3;
    push @wrong, 'no merge of three' if ( () = $merged =~ / # runs=3 of=3 /g ) != 2 * $SUITES;
    push @wrong, "the runs $runs"    if $runs !~ /\A1 2 (?:3|4|3 4)\z/;
    return @wrong;
}

# Disturbs the third run once. Whatever happens, the merge of three runs is complete in the end, and a
# complete run is not measured again.
sub after ($io) {
    my $dir      = $two_runs->();
    my $run      = third_run( $dir, $io );
    my ($last)   = read_file("$dir/skampi.log") =~ /.*(?: run-begin )(.*)/s;
    my $complete = $last =~ / run-end /;
    third_run( $dir, q{} ) if ( () = read_file("$dir/skampi.log") =~ / run-begin /g ) == 2;
    my @wrong;
    push @wrong, $@ =~ s/\n//r if !eval { start_until_complete($dir); 1 };
    push @wrong, what_is_wrong($dir);
    push @wrong, 'measured again'  if $complete         && "@{ results($dir) }" =~ /4/;
    push @wrong, 'temporary files' if temporaries($dir) && ( $io !~ /link/ || stay($dir) );
    return join '; ', map { "$io: $_" } @wrong;
}

# Without hard links, a temporary file may remain until the next run is merged.
sub stay ($dir) {
    dummy( $dir, q{}, $SUITES );
    return temporaries($dir);
}

my %CALLS = do {
    my $dir = $two_runs->();
    third_run( $dir, q{} );
    map { split } split /\n/, read_file("$dir/counts");
};
cmp_ok $CALLS{any}, '>', 40, 'there are calls to disturb';

# In the short form before one call and after another, others without hard links.
sub kills ($with) {
    my $rest = $with ? 1 : 0;
    my @io   = map {
        my $n = $_;
        map { "any:$n:$_$with" } torture() ? @KILLS : $KILLS[ $n / 2 % 2 ]
    } grep { torture() || $_ % 2 == $rest } 1 .. $CALLS{any} + 8;
    return grep { length } map { after($_) } @io;
}

is_deeply [ kills(q{}) ],              [], 'killed in each call';
is_deeply [ kills(',link:1+:EPERM') ], [], 'killed in each call, without hard links';

# A failed merge is reported, and its run is part of the next merge.
for my $io (qw(rename:1:EIO link:2:EIO)) {
    my $dir = $two_runs->();
    my $run = third_run( $dir, $io );
    is $run->{status}, 1, "$io: status";
    like $run->{err}, qr/^skampi: cannot move [^\n]+\n\z/m, 'the message says why';
    ok !temporaries($dir), 'no temporary file is left';
}

# A file that the user has edited is kept, wherever skampi is killed.
{
    my $dir    = $two_runs->();
    my $edited = read_file("$dir/skampi.out") =~ s/runs=2/runs=2 (sic)/r;
    write_file( "$dir/skampi.out", $edited );
    third_run( $dir, 'any:50:kill' );
    start_until_complete($dir);
    ok scalar( grep { read_file("$dir/$_") eq $edited } files_in($dir) ), 'an edited merge is kept';
}

done_testing;
