#!/usr/bin/perl

# A directory of a stranger's results may hold links and a .dorep file as well.
use v5.36;

use FindBin;
use Test::More;

use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../report/lib";
use SKaMPI::Report::Messages;
use SKaMPI::Report::Options;
use SKaMPI::Report::Workshop;
use SKaMPI::ReportTest qw(files_in workplace);

sub slurp ($path) {
    open my $file, '<:raw', $path or return q{};
    my $bytes = do { local $/ = undef; <$file> };
    close $file or die "$path: $!";
    return $bytes;
}

sub link_to ( $target, $path ) {
    symlink $target, $path or die "$path: $!";
    return;
}

my $workshop = SKaMPI::Report::Workshop->new;
$workshop->put( 'report.pdf', 'new' );

sub write_to ( $path, $text ) {
    open my $file, '>:raw', $path or die "$path: $!";
    print {$file} $text;
    close $file or die "$path: $!";
    return;
}

subtest 'a report' => sub {
    my $place = workplace( mine => 'old', 'thesis.pdf' => 'my thesis' );
    link_to( 'mine', "$place/x.pdf" );
    link_to( 'none', "$place/none.pdf" );
    mkdir "$place/y.pdf" or die $!;
    my @kept = (
        [ x      => 'is a link' ],
        [ none   => 'is a link' ],
        [ y      => 'is no regular file' ],
        [ thesis => 'was not made by dorep' ]
    );
    for my $case (@kept) {
        my ( $name, $reason ) = @{$case};
        ok !eval { $workshop->deliver( 'report.pdf', "$place/$name.pdf" ); 1 }, "$name.pdf stays";
        like $@, qr/\A'\S+$name[.]pdf' $reason.*; move it away or choose another name\n\z/, $reason;
    }
    is slurp("$place/mine"),       'old',       'nothing is written through a link';
    is slurp("$place/thesis.pdf"), 'my thesis', 'nor over a file of the user';

    $workshop->deliver( 'report.pdf', "$place/z.pdf" ) for 1, 2;
    like slurp("$place/z.pdf"), qr/\Anew% made by dorep[.]pl, SHA-256 [0-9a-f]{64}\n\z/, 'twice';
    is sprintf( '%o', ( stat "$place/z.pdf" )[2] & oct 777 ), sprintf( '%o', oct(666) & ~umask ),
      'with the usual rights';
    write_to( "$place/z.pdf", slurp("$place/z.pdf") =~ s/new/New/r );
    ok !eval { $workshop->deliver( 'report.pdf', "$place/z.pdf" ); 1 },
      'one that was changed stays';
    like $@, qr/changed since/, 'which is told';
    ok !eval { $workshop->deliver( 'report.pdf', "$place/no/z.pdf" ); 1 }, 'nowhere';
    like $@, qr/\Acannot write '\S+z[.]pdf': [^\n]+\n\z/, 'is told in a line';
    is_deeply [ files_in($place) ], [qw(mine none.pdf thesis.pdf x.pdf y.pdf z.pdf)],
      'nothing is left';
};

subtest 'temporary files' => sub {
    my $place = workplace( mine => 'old' );
    my $keep  = sub ($name) {
        return eval { $workshop->keep( "$place/$name.files", "$place/kill_temp" ); 1 };
    };
    mkdir "$place/$_" or die $! for qw(home x.files);
    link_to( 'home', "$place/y.files" );
    ok !$keep->('y'), 'not to where a link leads';
    is_deeply [ files_in("$place/home") ], [], 'where nothing is';
    write_to( "$place/x.files/report.pdf", 'mine' );
    ok !$keep->('x'), 'not into a directory of the user';
    is slurp("$place/x.files/report.pdf"), 'mine', 'whose files stay';

    ok $keep->('z') && $keep->('z'), 'into a directory of its own, twice';
    like slurp("$place/kill_temp"), qr{\A#!/bin/sh.*rm -f '.*/z[.]files/report[.]pdf'}s,
      'with the script';
    write_to( "$place/z.files/$_", 'mine' ) for 'notes';
    ok !$keep->('z'), 'not where the user has added a file';
    like $@, qr{z[.]files/notes' was not made by dorep}, 'which is named';
    unlink "$place/z.files/notes" or die $!;
    write_to( "$place/z.files/report.pdf", 'changed' );
    ok !$keep->('z'), 'nor where he has changed one';
    is slurp("$place/z.files/report.pdf"), 'changed', 'which stays';

    unlink "$place/kill_temp" or die $!;
    link_to( 'mine', "$place/kill_temp" );
    ok !$keep->('w'), 'not where the script is a link';
    is slurp("$place/mine"), 'old', 'which is not written through';
};

subtest 'messages' => sub {
    my $place = workplace( mine => 'old' );
    link_to( 'mine', "$place/notes" );
    for my $name (qw(mine notes)) {
        ok !eval { SKaMPI::Report::Messages->new("$place/$name"); 1 }, "not over $name";
        is slurp("$place/mine"), 'old', 'which stays';
    }
    my $messages = SKaMPI::Report::Messages->new("$place/said");
    $messages->inform("uml\xc3\xa4ut.pdf");
    $messages->inform("\x{e4}\x{3b1}\e[31m");
    ok $messages->finish, 'to a file of their own';
    like slurp("$place/said"), qr/\Auml\xc3\xa4ut[.]pdf\n\xc3\xa4\xce\xb1[?]\[31m\n# made by/,
      'with names as they are written';
};

subtest 'options in a file' => sub {
    my $add = sub ( $is_named, @words ) {
        my $options = SKaMPI::Report::Options->from_command_line;
        return eval { $options->add_from_file( $is_named, @words ); $options };
    };
    for my $words ( ['-u'], ['-bu'], [qw(-o x)], [qw(-p x)], ['--messages=x'], ['-t'], [qw(-d x)] )
    {
        ok !$add->( 0, @{$words} ), "not @{$words}";
        like $@, qr/\A-[uoptd] .*on the command line/, 'which is told';
        ok eval { SKaMPI::Report::Options->from_command_line( @{$words} ); 1 }, 'only by the user';
        my $is_chosen = !grep { /u/ } @{$words};
        is !!$add->( 1, @{$words} ), $is_chosen, 'or in a file that the user names';
    }
    is $add->( 0, qw(--no-own -b --format ps) )->get('format'), 'ps', 'others are taken';
};

done_testing;
