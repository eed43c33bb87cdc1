#!/usr/bin/perl

# Result files may come from anyone. Whatever they contain, there is a report or one clear error. Nothing in
# them is executed, and no file is written except the report.
use v5.36;

use Test::More;
use SKaMPI::ReportTest qw(dorep files_in pdf_pages pdf_text result_text why_not workplace);

binmode $_, ':encoding(UTF-8)'
  for map { Test::More->builder->$_ } qw(output failure_output todo_output);

plan skip_all => why_not() if why_not();

# The file that a successful attack would create.
my $MARK = 'mark-of-the-attack';

my @ROWS = map { "$_ " . ( 1 + $_ / 1000 ) . ' 0.01 8 # stop=accuracy' } 4, 8, 16, 32, 64;

sub is_long () { return $ENV{SKAMPI_LONG} }

# Makes the report of a text and checks that no other file is written. Returns the messages of dorep.pl and
# the text of the PDF.
sub report_of ( $what, $text, @options ) {
    my $directory = workplace( 'skampi.out' => $text );
    my $got       = dorep( $directory, '--format', 'pdf', @options );
    is $got->{signal}, 0, "$what: exits without a signal";
    my @made = grep { $_ ne 'skampi.out' } files_in($directory);
    is_deeply \@made, $got->{status} == 0 ? ['skampi.out.pdf'] : [], 'only the report is written';
    ok !-e "/tmp/$MARK", 'nothing is executed';
    unlike $got->{out} . $got->{err}, qr/[^\n[:print:]]/, 'messages do not control the terminal';
    my $pdf = "$directory/skampi.out.pdf";
    return { %{$got}, text => -e $pdf ? pdf_text($pdf) : q{}, pages => scalar pdf_pages($pdf) };
}

# Without blanks and line ends, which LaTeX may place anywhere.
sub squeezed ($text) { return $text =~ s/\s+//gr }

my @PRINTED = (
    '\input{/etc/passwd}',
    '\immediate\write18{touch /tmp/' . $MARK . '}',
    '\openout5=' . $MARK . '\write5{x}',
    '$(touch /tmp/' . $MARK . ')',
    '`touch /tmp/' . $MARK . '`',
    '"; system("touch /tmp/' . $MARK . '"); "',
    q{'; system('touch /tmp/} . $MARK . q{'); '},
    '| touch /tmp/' . $MARK,
    '100 % # ~ ^ & _ $ { } < > | \\ " \' `',
    '}}}} \end{document}',
    '{{{{',
    '\\\\\\',
    '[% INCLUDE /etc/passwd %]',
    '^^5cinput{/etc/passwd}',
    "K\x{f6}nig, Stra\x{df}e, \x{c5}ngstr\x{f6}m, \x{e9}t\x{e9}",
);

subtest 'texts are printed unchanged' => sub {
    my %fields = map { ( "WARNING $_:" => $PRINTED[$_] ) } 0 .. $#PRINTED;
    $fields{MACHINE} = $PRINTED[0];
    $fields{USER}    = $PRINTED[-1];
    my $got = report_of(
        'all texts',
        result_text(
            \%fields,
            {
                label   => 'p2p_MPI_Send-MPI_Recv',
                rows    => [ map { "$_ \\input{x}=2.5 $MARK\$%=3" } @ROWS ],
                extra   => [ '\input{x} [$%&_#] \write18{id}', "$MARK\$% [`id`] ~^" ],
                varied  => '\input{/etc/passwd}`touch /tmp/mark`$(id) [bytes]',
                pattern => '"; system("id"); "'
            }
        )
    );
    is $got->{status}, 0, 'a report is made';
    my $text = squeezed( $got->{text} );
    like $text, qr/\Q@{[squeezed($_)]}\E/, $_ for @PRINTED;
    like $text, qr/\Q$_\E/, "an extra value: $_"
      for '\input{x}', '2.5$%&_#', '\write18{id}', "$MARK\$%:~^";
    unlike $text, qr/root:x:0/, 'no other file is read';
};

subtest 'names of suites' => sub {
    my @labels = (
        'p2p_\input{passwd}',     'p2p_$(touch mark)',
        'p2p_`touch mark`',       q{p2p_'; system "id"},
        'p2p_"; system("id"); "', 'p2p_%',
        'p2p_#',                  'p2p_~^',
        'p2p_{{{',                'p2p_}}}',
        'p2p_[% 1 %]',            'p2p_| touch mark',
        '< touch mark',           '-shell-escape',
        'report',                 'dvips',
        "p2p_\x{e4}",
    );
    my $text = result_text( {}, map { { label => $_, rows => \@ROWS } } @labels, '../x', 'a/b' );
    my $got  = report_of( 'a suite for each', $text );
    is $got->{status}, 0, 'a report is made';
    like $got->{text}, qr/skipped a suite whose name is not a valid file name/, 'without two';
    like squeezed( $got->{text} ), qr/\Q@{[ squeezed( s{^p2p_}{}r ) ]}\E/,      $_ for @labels;
};

subtest 'numbers' => sub {
    my @rows = (
        '0 1.5 0.1 8',
        '4 nan nan 0',
        '8 inf 1 4',
        '16 -3 0.1 8',
        '32 0 0 8',
        '64 2 inf 8',
        '128 2 -5 8',
        '256 1e300 1e299 8',
        '512 1e-300 0 8',
        '1024 2 50 8',
        '2048 3 0.1 nan',
        '4096 4 .1 8',
    );
    for my $scale ( 'logarithmic', is_long() ? 'linear' : () ) {
        my $text = result_text(
            {},
            { label => 'p2p_x', rows => \@rows, scale => $scale },
            { label => 'p2p_y', rows => [ '2 -1 .1 8', '3 0 0 8', @ROWS, '1e6 9e5 1 8' ] }
        );
        my $got = report_of( $scale, $text );
        is $got->{status}, 0, 'a report is made';
        like squeezed( $got->{text} ), qr/4rowshavenovalidtime/, 'with a note';
        like squeezed( $got->{text} ), qr/Notshownonthelogarithmicaxis:2points/,
          'and one about times without a logarithm';
    }
    my @odd = ( '4 -1 0 8', '4 0 0 8', '4 nan nan 8', '4 1 0 8', '1e15 5 1 8', '-4 5 1 8' );
    for my $file ( is_long() ? map { [$_] } @odd : \@odd ) {
        my @suites = map { { label => "p2p_$_", rows => [ ( $file->[$_] ) x 5 ] } } 0 .. $#{$file};
        is report_of( "@{$file}", result_text( {}, @suites ) )->{status}, 0,
          'a report of five equal rows';
    }
};

subtest 'odd files' => sub {
    my $suite    = { label => 'p2p_x', rows => \@ROWS };
    my $empty    = { label => 'p2p_y', rows => [] };
    my $controls = "a\e[31m\a\b\0\x{7f}b";
    my @cases    = (
        [ 'empty',         q{},              2 ],
        [ 'only a header', "#\@MACHINE x\n", 2 ],
        [
            'words of 1 MB',
            result_text( { map { $_ => 'x' x 2**20 } qw(MACHINE WARNING) }, $suite ), 0
        ],
        [ 'Latin-1', result_text( { MACHINE => "K\xf6nig", NODE => $controls }, $suite ), 0 ],
        [
            'other scripts, an empty and a duplicate suite',
            result_text(
                { MACHINE => "\x{4e2d}\x{202e}\x{1f600}\x{3b1}" }, $empty, $suite, $suite
            ),
            0
        ],
        [ 'bytes', join( q{}, map { chr } 0 .. 255 ) x 100, 2 ],
    );
    for my $case (@cases) {
        my ( $what, $text, $status ) = @{$case};
        my $got = report_of( $what, $text );
        is $got->{status},                      $status,         'exit status';
        is scalar( () = $got->{err} =~ /\n/g ), $status ? 1 : 0, 'one error or none';
        like $got->{text}, qr/K\x{f6}nig/, 'umlauts are printed' if $what eq 'Latin-1';
    }
};

subtest 'many' => sub {
    my $count = is_long() ? 100_000 : 5_000;
    my @rows  = map { "$_ " . ( 1 + $_ / 1e5 ) . ' 0.01 8' } 1 .. $count;
    my $got   = report_of( 'rows', result_text( {}, { label => 'p2p_x', rows => \@rows } ) );
    is $got->{status}, 0, 'a report is made';
    like $got->{text}, qr/The\s+plot\s+shows\s+500\s+of\s+$count\s+points/, 'with a note';
    return if !is_long();
    my @suites = map { { label => "p2p_$_", rows => ['4 1 0.1 8'] } } 1 .. 600;
    $got = report_of( 'suites', result_text( {}, @suites ) );
    is $got->{status}, 0, 'a report is made';
    like $got->{text}, qr/omits 100 more/, 'with a note';
};

done_testing;
