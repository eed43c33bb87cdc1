#!/usr/bin/perl
# Writes what the programs print on fixed input to files of a directory: what the program knows and says, simulated runs
# of shipped files, and reports and pages of these runs and of the stored one. Dates, paths and what the real machine
# decides are masked, so that two versions that behave alike write equal files ("make same").
#
#   usage: outputs.pl                    the names of its parts
#          outputs.pl DIRECTORY PART     writes DIRECTORY/PART, unless it is there
use v5.36;

use Cwd        qw(getcwd);
use File::Find qw(find);
use File::Temp qw(tempdir);
use IPC::Run   qw(run);
use Mojo::File qw(path);

use SKaMPI::Sim qw(build simulate);

my $to;
my $root      = getcwd;
my $elsewhere = tempdir( CLEANUP => 1 );              # some programs leave files where they start
my $stored    = "$root/docs/examples/standard.out";

# Commands that print the tables of the program.
my @KNOWN = (
    map( { ["--$_"] } qw(catalog help help-params help-output list version) ),
    map( { [ '--check', '--processes', 8, $_ ] }
        map { path($_)->basename('.skampi') } glob "$root/configs/*.skampi" )
);

# Simulated runs: a shipped file, number of processes, platform, what is set (two are whole); the longest first.
my @FEW  = map { ( '--set', $_ ) } qw(passes=1 Max_Repetition=8);
my @RUNS = (
    [ 'all-collectives' => 8, 'two_level', @FEW ],
    [ quick             => 2, 'flat' ],
    [ reductions        => 3, 'flat' ],
    [ 'one-sided'       => 4, 'flat',      @FEW ],
    [ nonblocking       => 5, 'two_level', @FEW ],
    [ irregular         => 6, 'flat',      @FEW ],
    [ network           => 4, 'two_level', '--set', 'passes=1' ],
    [ ddtbench          => 2, 'flat',      @FEW ],
);

my @MASKS = (
    qr{\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?\S*},
    qr{\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}},
    qr{^\#\@(?:CPUSHARE|STEAL|MEMORY|LOAD|WALLTIME|TIMER|CPUTIME|RUN)\b.*}m,
    qr{\Q$root\E},
    qr{/tmp/\w+},
    qr{\b[0-9a-f]{64}\b},
    qr{\b\d[.]\d[.]\d(?:-dev)?(?![\w.])|\b[0-9a-f]{12}\b(?:, modified)?|\(D:\d+Z\)},
    qr{\d+ [A-Z]{3} \d{4} \d\d:\d\d|TeX output \S+|\d+ bytes},
);

sub keep_text ( $name, $text ) {
    my $path = $to->child($name);
    $path->dirname->make_path;
    my $file = $path->open('>');
    print {$file} masked($text) or die "$path: $!\n";
    close $file                 or die "$path: $!\n";
    return;
}

sub masked ($text) {
    $text =~ s/$_/MASKED/g for @MASKS;
    return $text;
}

# Keeps what a command prints, and its exit status, as NAME.
sub keep ( $name, @command ) {
    my ( $out, $err ) = ( q{}, q{} );
    run \@command, '<', \undef, '>', \$out, '2>', \$err, init => sub { chdir $elsewhere };
    keep_text( $name, $out . $err . 'status ' . ( $? >> 8 ) . "\n" );
    return;
}

# Keeps the texts below a directory as NAME/...
sub keep_directory ( $name, $directory ) {
    my $keep = sub {
        return if !-f || !-T;
        keep_text( "$name/" . path($File::Find::name)->to_rel($directory), path($_)->slurp );
    };
    find( $keep, $directory );
    return;
}

sub program ( $name, @words ) {
    return ( $^X, "$root/report/$name.pl", @words );
}

# Commands of the reports' programs on one result file.
sub keep_reports ( $name, $file ) {
    my $scratch = tempdir( CLEANUP => 1 );
    keep( "$name.show",    program( show    => $file ) );
    keep( "$name.all",     program( show    => '--all',    $file ) );
    keep( "$name.health",  program( show    => '--health', '--format', 'json', $file ) );
    keep( "$name.$_",      program( export  => '--format', $_, $file ) ) for qw(csv json gbench);
    keep( "$name.compare", program( compare => $file,      $stored, q{--}, $stored,       $file ) );
    keep( "$name.dorep",   program( dorep => '--format', 'html', '-o', "$scratch/report", $file ) );
    keep_directory( "$name.files", $scratch );
    return;
}

# The pages of a database that has it.
sub keep_site ( $name, $file ) {
    my $scratch = tempdir( CLEANUP => 1 );
    my @base    = ( '--database', "$scratch/runs.db" );
    keep( "$name.add",  program( db => @base, 'add',  $file ) );
    keep( "$name.site", program( db => @base, 'site', "$scratch/site" ) );
    keep_directory( "$name.pages", "$scratch/site" );
    return;
}

# The LaTeX and the plots' data of its report.
sub keep_document ( $name, $file ) {
    my $scratch = tempdir( CLEANUP => 1 );
    keep( "$name.dorep-pdf", program( dorep => '--keep', '-o', "$scratch/report", $file ) );
    keep_directory( "$name.document", $scratch );
    return;
}

sub keep_run ( $config, $np, $platform, @set ) {
    my ($skampi) = build('truth');
    my $out = tempdir( CLEANUP => 1 ) . "/$config.out";
    chdir $elsewhere or die "$elsewhere: $!\n";
    my @printed = ( "$root/skampi", '-q', '--print-config', '-f', $config, @set );
    run \@printed, '>', "$config.skampi" or die "@printed: $?\n";
    simulate( $platform, $np, $skampi, '-q', '-o', $out, '-f', "$config.skampi" );
    keep_text( "$config.out", path($out)->slurp );
    keep_reports( $config, $out );
    keep_site( $config, $out ) if $config eq 'quick';
    return;
}

my %PARTS = (
    document => sub { keep_document( 'stored', $stored ) },
    stored   => sub { keep_reports( 'stored', $stored ) },
    known    => sub { keep( join( q{}, @{$_} ) =~ s/\W+/-/gr, "$root/skampi", @{$_} ) for @KNOWN },
);
for my $run (@RUNS) {
    $PARTS{ $run->[0] } = sub { keep_run( @{$run} ) };
}
my ( $directory, $name ) = @ARGV;
print map( { "$_->[0]\n" } @RUNS ), "document\nstored\nknown\n" if !$name;
exit if !$name || -d "$directory/$name";
$to = path("$directory/$name.new")->remove_tree->make_path->to_abs;
$PARTS{$name}->();
rename $to, "$directory/$name" or die "$to: $!\n";
