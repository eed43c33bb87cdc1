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

subtest 'a report' => sub {
    my $place = workplace( mine => 'old' );
    link_to( 'mine', "$place/$_" ) for 'x.pdf', 'x.pdf.new';
    $workshop->deliver( 'report.pdf', "$place/x.pdf" );
    is slurp("$place/mine"), 'old', 'is not written through a link';
    ok !-l "$place/x.pdf" && slurp("$place/x.pdf") eq 'new', 'but takes its place';
    is_deeply [ files_in($place) ], [qw(mine x.pdf x.pdf.new)], 'and nothing else is there';
    is sprintf( '%o', ( stat "$place/x.pdf" )[2] & oct 777 ), sprintf( '%o', oct(666) & ~umask ),
      'with the usual rights';
    mkdir "$place/y.pdf" or die $!;
    ok !eval { $workshop->deliver( 'report.pdf', "$place/y.pdf" ); 1 }, 'a directory stays';
    like $@, qr/\Acannot write '\S+y[.]pdf': /, 'which is told';
    ok !eval { $workshop->deliver( 'report.pdf', "$place/no/z.pdf" ); 1 }, 'nowhere';
    like $@, qr/\Acannot write '\S+z[.]pdf': [^\n]+\n\z/, 'is told in a line';
    is_deeply [ files_in($place) ], [qw(mine x.pdf x.pdf.new y.pdf)], 'nothing is left';
};

subtest 'temporary files' => sub {
    my $place = workplace( mine => 'old' );
    mkdir "$place/$_" or die $! for qw(x.files home);
    link_to( '../mine', "$place/x.files/report.pdf" );
    link_to( 'mine',    "$place/kill_temp" );
    link_to( 'home',    "$place/y.files" );
    $workshop->keep( "$place/x.files", "$place/kill_temp" );
    is slurp("$place/mine"),               'old', 'are not written through links';
    is slurp("$place/x.files/report.pdf"), 'new', 'but kept';
    like slurp("$place/kill_temp"), qr{\A#!/bin/sh}, 'with the script';
    ok !eval { $workshop->keep( "$place/y.files", "$place/kill_temp" ); 1 }, 'nor to another place';
    is_deeply [ files_in("$place/home") ], [], 'that a link names';
};

subtest 'names of files' => sub {
    my $place    = workplace;
    my $path     = "$place/said";
    my $messages = SKaMPI::Report::Messages->new($path);
    $messages->inform("uml\xc3\xa4ut.pdf");
    $messages->inform("\x{e4}\x{3b1}");
    $messages->{file}->close;
    is slurp($path), "uml\xc3\xa4ut.pdf\n\xc3\xa4\xce\xb1\n", 'are told as they are written';
};

subtest 'options in a file' => sub {
    my @cases = (
        [ '-u'            => qr/-u runs programs/ ],
        [ '-bu'           => qr/-u runs programs/ ],
        [ '-o', '../x'    => qr{'../x' is in another directory} ],
        [ '--messages=/x' => qr{'/x' is in another directory} ],
    );
    for my $case (@cases) {
        my $wanted  = pop @{$case};
        my $options = SKaMPI::Report::Options->from_command_line;
        ok !eval { $options->add_from_file( @{$case} ); 1 }, "not @{$case}";
        like $@, $wanted, 'which is told';
        ok eval { SKaMPI::Report::Options->from_command_line( @{$case} ); 1 }, 'only by the user';
    }
    my $options = SKaMPI::Report::Options->from_command_line;
    $options->add_from_file(qw(-o x -p y --no-own -b));
    is $options->get('output'), 'x', 'others are taken';
};

done_testing;
