# A directory with a stranger's results may also contain links and a .dorep file.
use v5.36;

use Cwd qw(abs_path);
use Test::More;
use SKaMPI::Document::Options;
use SKaMPI::ReportTest qw(files_in tool workplace);
use SKaMPI::Results    qw(results_text);
use SKaMPI::Safe::ReportDirectory;
use SKaMPI::Test qw(slurp write_file);

sub link_to ( $target, $path ) {
    symlink $target, $path or die "$path: $!";
    return;
}

my $directory = SKaMPI::Safe::ReportDirectory->new;
$directory->put( 'report.pdf', 'new' );

subtest 'a report' => sub {
    my $place = workplace( mine => 'old', 'thesis.pdf' => 'my thesis' );
    link_to( 'mine', "$place/x.pdf" );
    link_to( 'none', "$place/none.pdf" );
    mkdir "$place/y.pdf" or die $!;
    my @kept = (
        [ x      => 'is a link' ],
        [ none   => 'is a link' ],
        [ y      => 'is not a regular file' ],
        [ thesis => 'was not made by dorep' ]
    );
    for my $case (@kept) {
        my ( $name, $reason ) = @{$case};
        ok !eval { $directory->deliver( 'report.pdf', "$place/$name.pdf" ); 1 },
          "$name.pdf is kept";
        like $@, qr/\A'\S+$name[.]pdf' $reason.*; move it away or choose another name\n\z/, $reason;
    }
    is slurp("$place/mine"),       'old',       'the target of a link is unchanged';
    is slurp("$place/thesis.pdf"), 'my thesis', 'a file of the user is unchanged';

    for my $time ( 1, 2 ) {
        $directory->deliver( 'report.pdf', "$place/z.pdf" );
        is sprintf( '%o', ( stat "$place/z.pdf" )[2] & oct 777 ),
          sprintf( '%o', oct(666) & ~umask ), "with the usual permissions, time $time";
    }
    like slurp("$place/z.pdf"), qr/\Anew% made by dorep[.]pl, SHA-256 [0-9a-f]{64}\n\z/,
      'dorep.pl replaces its own file';
    write_file( "$place/z.pdf", slurp("$place/z.pdf") =~ s/new/New/r );
    ok !eval { $directory->deliver( 'report.pdf', "$place/z.pdf" ); 1 }, 'a changed file is kept';
    like $@, qr/changed since/, 'with a message';
    ok !eval { $directory->deliver( 'report.pdf', "$place/no/z.pdf" ); 1 }, 'a missing directory';
    like $@, qr/\Acannot write '\S+z[.]pdf': [^\n]+\n\z/, 'a message of one line';
    is_deeply [ files_in($place) ], [qw(mine none.pdf thesis.pdf x.pdf y.pdf z.pdf)],
      'no other file is left';
};

subtest 'temporary files' => sub {
    my $place = workplace( mine => 'old' );
    my $keep  = sub ($name) {
        return eval { $directory->keep( "$place/$name.files", "$place/kill_temp" ); 1 };
    };
    mkdir "$place/$_" or die $! for qw(home x.files);
    link_to( 'home', "$place/y.files" );
    ok !$keep->('y'), 'a link is not followed';
    is_deeply [ files_in("$place/home") ], [], 'its target is still empty';
    write_file( "$place/x.files/report.pdf", 'mine' );
    ok !$keep->('x'), 'a directory of the user is kept';
    is slurp("$place/x.files/report.pdf"), 'mine', 'with its files';

    ok $keep->('z') && $keep->('z'), 'dorep.pl replaces its own directory';
    like slurp("$place/kill_temp"), qr{\A#!/bin/sh.*rm -f '.*/z[.]files/report[.]pdf'}s,
      'the script removes its files';
    write_file( "$place/z.files/$_", 'mine' ) for 'notes';
    ok !$keep->('z'), 'a directory with an added file is kept';
    like $@, qr{z[.]files/notes' was not made by dorep}, 'the message names it';
    unlink "$place/z.files/notes" or die $!;
    write_file( "$place/z.files/report.pdf", 'changed' );
    ok !$keep->('z'), 'a directory with a changed file is kept';
    is slurp("$place/z.files/report.pdf"), 'changed', 'with that file';

    unlink "$place/kill_temp" or die $!;
    link_to( 'mine', "$place/kill_temp" );
    ok !$keep->('w'), 'a script that is a link is not replaced';
    is slurp("$place/mine"), 'old', 'its target is unchanged';
};

subtest 'names of files on standard output' => sub {
    my $evil   = "\e[31mX\xc3\xa9";
    my $report = __FILE__ =~ s{[^/]+\z}{../../report}r;
    my $place  = workplace( $evil => results_text( {}, [ 'p2p_x', 'length', ['8 1 0.1'], {} ] ) );
    for my $words (
        [ 'db',     '--database', 'x.db', 'add', $evil ],
        [ 'launch', '-n',         1,      '-d',  "$evil.d", q{--}, 'false' ],
        [ 'launch', '--confirm',  $evil,  q{--}, 'true' ],
        [ 'tune',   'check',      $evil ],
        [ 'show',   $evil ],
        [ 'show',   "$evil\n" ],
        [ 'show',   "--$evil" ]
      )
    {
        my ( $program, @words ) = @{$words};
        my $run = tool( $place, $^X, abs_path("$report/$program.pl"), @words );
        like "$run->{out}$run->{err}",   qr/[?]\[31mX/, "$program names it";
        unlike "$run->{out}$run->{err}", qr/\e/,        '... as plain text';
    }
    my $other = qr/(?:^|[;{])\s*say\b|\\p[{]C\w[}][^\/]*\/[?]\//m;
    my @files = map { glob "$report/$_" } qw(*.pl lib/SKaMPI/*/*.pm lib/SKaMPI/*/*/*.pm);
    is_deeply [ grep { !/(?:Program|Table)[.]pm/ && slurp($_) =~ $other } @files ], [],
      'print_plain and printable are the only ways';
};

subtest 'options in a file' => sub {
    my $add = sub ( $is_named, @words ) {
        my $options = SKaMPI::Document::Options->from_command_line;
        return eval { $options->add_from_file( $is_named, @words ); $options };
    };
    for my $words ( ['-u'], ['-bu'], [qw(-o x)], ['-t'], [qw(-d x)] ) {
        ok !$add->( 0, @{$words} ), "@{$words} is not allowed";
        like $@, qr/\A-[uotd] .*on the command line/, 'with a message';
        ok eval { SKaMPI::Document::Options->from_command_line( @{$words} ); 1 },
          'it is allowed on the command line';
        my $is_chosen = !grep { /u/ } @{$words};
        is !!$add->( 1, @{$words} ), $is_chosen,
          'and, except for -u, in a file that the user names';
    }
    is $add->( 0, qw(--no-own -b --format ps) )->get('format'), 'ps', 'others are allowed';
};

done_testing;
