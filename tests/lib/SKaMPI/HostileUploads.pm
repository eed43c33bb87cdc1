package SKaMPI::HostileUploads;

# Files that an attacker might send to a result database: one list for the command line, the form and the API.
use v5.36;

use Compress::Zlib ();
use Encode         qw(encode);
use Exporter       qw(import);

use SKaMPI::DatabaseTest qw(generated_run);
use SKaMPI::Hostile      qw(hostile_text kinds_of_text suite_head);

our @EXPORT_OK = qw(hostile_texts hostile_uploads $MARK);

# A file that a successful attack would create, and the name of a variable of a script that ran.
our $MARK = '/tmp/mark-of-the-attack';

# Texts that do harm where they are not taken as texts.
my %TEXTS = (
    'script'                 => '<script>window.attacked=1</script>',
    'image'                  => '<img src=x onerror=window.attacked=1>',
    'svg'                    => '<svg onload=window.attacked=1><title>x</title></svg>',
    'end of a script'        => '</script><script>window.attacked=1</script>',
    'end of an attribute'    => q{" onmouseover="window.attacked=1" x="},
    'end of another'         => q{' autofocus onfocus='window.attacked=1},
    'end of a text area'     => '</textarea></title></style><script>window.attacked=1</script>',
    'comment'                => '--><script>window.attacked=1</script><!--',
    'address'                => 'javascript:window.attacked=1',
    'template'               => "<%= `touch $MARK` %>{{7*7}}\${7*7}",
    'lines of a template'    => "% `touch $MARK`; <% system 'touch $MARK' %>",
    'SQL'                    => q{'; DROP TABLE run; --},
    'SQL of a number'        => q{1 OR 1=1; DELETE FROM run WHERE '1'='1},
    'wildcards'              => q{%_!\\'"},
    'TeX'                    => '\input{/etc/passwd}\write18{touch ' . $MARK . '}\end{document}',
    'TeX with carets'        => '^^5cinput{/etc/passwd}$\relax',
    'gnuplot'                => q{"; system("touch } . $MARK . q{"); set output "x},
    'gnuplot and backquotes' => "`touch $MARK` \@{touch} \$(touch $MARK)",
    'shell'                  => "; touch $MARK | touch $MARK && touch $MARK > $MARK",
    'formula'                => q{=cmd|' /C calc'!A0},
    'formula with a link'    => '=HYPERLINK("http://example.org/"&A1,"x")',
    'formula after a tab'    => "\t=1+1",
    'formula with plus'      => '+1+cmd|x',
    'formula with at'        => '@SUM(1+1)',
    'header line'            => "a\rSet-Cookie: x=1\r\rbody",
    'path'                   => '../../../../etc/passwd',
    'absolute path'          => '/etc/passwd',
    'Windows path'           => '..\\..\\boot.ini%00.out',
    'encoded path'           => '%2e%2e%2fetc%2fpasswd%00',
    'terminal'               => "\e]0;attacked\a\e[31m\x{9b}2J",
    'direction'              => "\x{202e}abc\x{2066}\x{200b}\x{feff}",
    'NUL'                    => "before\0after",
    'separators'             => "a\x{2028}b\x{2029}c\x{85}d",
    'many'                   => 'A' x 5000,
    'many accents'           => 'Z' . "\x{0301}" x 500,
    'beyond 16 bits'         => "\x{1f4a9}\x{10ffff}",
    'JSON'                   => '","state":"published","x":"\\u0000',
    'XML'                    => ']]><!ENTITY x SYSTEM "file:///etc/passwd">&x;',
    'format'                 => '%s%s%n%p{0}{1}',
    'Perl'                   => '@{[system "touch ' . $MARK . '"]}${\ `touch ' . $MARK . '`}',
);

# Where a text of the user may be: functions from the text to a run.
my %PLACES = (
    'machine' => sub ($text) { return generated_run( facts => { MACHINE => $text } ) },
    'library, hosts and more' => sub ($text) {
        return generated_run(
            facts => {
                map { $_ => $text }
                  qw(MPILIBRARY PROCESSESPERHOST BINDING NODE NETWORK USER WARNING DATE SKAMPIVERSION OWN)
            }
        );
    },
    'notes' => sub ($text) {
        return generated_run(
            notes => { map { $_ => $text } qw(TIMEOF PARTNER NOTE TOPOLOGY OWN) } );
    },
    'extra values' => sub ($text) {
        return generated_run( notes => { EXTRA => "x [$text] $text" } ) =~
          s/stop=accuracy/"stop=" . encode( 'UTF-8', $text =~ tr{ \r\n}{__}r )/er;
    },
    'pattern and arguments' => sub ($text) {
        my $plain = encode( 'UTF-8', $text =~ tr/[]()<>\r\n/        /r );
        return generated_run() =~
s/Point-to-Point varied over the message length \[bytes\]/$plain varied over $plain [$plain]/r
          =~ s/<args> message length \[bytes\]/<args> $plain [$plain]/r;
    },
);

sub hostile_texts () {
    return map { $TEXTS{$_} } sort keys %TEXTS;
}

sub _of_texts () {
    my @cases;
    for my $place ( sort keys %PLACES ) {
        push @cases, map {
            {
                name   => "$_ as $place",
                file   => "$_.out",
                bytes  => $PLACES{$place}->( $TEXTS{$_} ),
                expect => 'either'
            }
        } sort keys %TEXTS;
    }
    return @cases;
}

# Suites whose name is a text: the reader takes file names only.
sub _of_labels () {
    return map {
        my $label = encode( 'UTF-8', $TEXTS{$_} =~ tr/\r\n/  /r );
        {
            name   => "$_ as label",
            file   => 'label.out',
            bytes  => generated_run() =~ s/p2p_Suite01/p2p_$label/gr,
            expect => 'either'
        }
    } sort keys %TEXTS;
}

sub _of_names () {
    return map {
        {
            name   => "$_ as file name",
            file   => $TEXTS{$_} =~ s/\0.*//sr,
            bytes  => generated_run( factor => 1 + ord( substr $_, -1 ) / 100 ),
            expect => 'accepted'
        }
    } sort keys %TEXTS;
}

# Bytes that are not a sound file: name, bytes, and a part of the message.
sub _no_runs () {
    my $good   = generated_run();
    my $packed = Compress::Zlib::memGzip($good);
    my $bomb   = Compress::Zlib::memGzip( "\0" x 60_000_000 );
    my @cases  = (
        [ 'nothing',    q{},                                      qr/not a result file/ ],
        [ 'one byte',   "\0",                                     qr/not a result file/ ],
        [ 'NUL bytes',  "\0" x 100_000,                           qr/not a result file/ ],
        [ 'all bytes',  join( q{}, map { chr } 0 .. 255 ) x 20,   qr/:[0-9]+: / ],
        [ 'a program',  "\x7fELF" . "\1" x 4000,                  qr/not a result file/ ],
        [ 'a page',     '<html><script>attack()</script></html>', qr/not a result file/ ],
        [ 'a ZIP file', "PK\3\4" . "\0" x 400,                    qr/not a result file/ ],
        [ 'a bomb',     $bomb,                                    qr/more than 50000000 bytes/ ],
        [ 'a bomb in a bomb', Compress::Zlib::memGzip($bomb),     qr/not a result file/ ],
        [
            'half of a compressed file',
            substr( $packed, 0, length($packed) / 2 ),
            qr/not complete|damaged/
        ],
        [ 'a wrong checksum',        substr( $packed, 0, -8 ) . "\0" x 8, qr/damaged/ ],
        [ 'the first bytes of gzip', "\x1f\x8b",                          qr/damaged/ ],
        [ 'a compressed file twice', Compress::Zlib::memGzip($packed),    qr/not a result file/ ],
        [ 'too large',               "#x\n" x 17_000_000, qr/more than 50000000 bytes/ ],
        [
            'a million suites',
            '/*@inp2p_a.ski*/' . "\n/*\@inp2p_a.ski*/" x 1_000_000,
            qr/more than 2000 suites/
        ],
        [ 'too many rows', suite_head('p2p_a') . "1 1 1 1\n" x 200_001, qr/more than 200000 rows/ ],
        [
            'a line of 2 MB', '#@MACHINE ' . 'x' x 2_000_000 . "\n$good",
            qr/line longer than 1 MiB/
        ],
        [ 'two suites of a name', $good =~ s/p2p_Suite02/p2p_Suite01/gr, qr/duplicate suite/ ],
        [ 'no trailer',           $good =~ s/#skampi finished.*//sr,     qr/not finished/ ],
        [
            'a newer version',
            $good =~ s/SKAMPIVERSION 4/SKAMPIVERSION 99/r,
            qr/newer than this program/
        ],
        [ 'a time below 0',           $good =~ s/^8 /8 -/mr,        qr/the time is below 0/ ],
        [ 'words instead of numbers', $good =~ s/^8 .*/8 x y z/mr,  qr/:[0-9]+: / ],
        [ 'a script instead of rows', $good =~ s/^8 .*/<script>/mr, qr/:[0-9]+: / ],
        [ 'no rows',        $good =~ s/^[0-9].*\n//mgr, qr/no suite has a row|no column/ ],
        [ 'only a trailer', "#skampi finished.\n", qr/not a result file/ ],
    );
    push @cases,
      map { [ "cut after $_ %", substr( $good, 0, $_ * length($good) / 100 ), qr/:[0-9]+: / ] } 5,
      15 .. 25, 50, 75, 99;
    return map {
        {
            name   => $_->[0],
            file   => 'x.out',
            bytes  => $_->[1],
            expect => 'refused',
            match  => $_->[2]
        }
    } @cases;
}

sub _odd_runs () {
    my $good  = generated_run();
    my %cases = (
        'carriage returns'  => $good =~ s/\n/\r\n/gr,
        'a byte order mark' => "\xef\xbb\xbf$good",
        'invalid UTF-8'     => $good =~ s/Some machine/M\xfcller \xff\xfe \xc0\xaf \xed\xa0\x80/r,
        'huge numbers'      => $good =~ s/^8 .*/8 1e308 1e308 99999999999999999999/mr,
        'no numbers'        => $good =~ s/^8 .*/8 nan nan 0/mr,
        'infinite'          => $good =~ s/^8 .*/8 inf inf 1/mr,
        'many processes'    => $good =~ s/PROCESSES 2/PROCESSES 99999999999999999999/r,
        'no date'           => $good =~ s/#\@DATE.*\n//r,
        'a date of the future' => $good =~ s/2026/9999/r,
        'unsorted arguments'   => $good =~ s/^8 /1000000000000000000000 /mr,
        'an argument below 0'  => $good =~ s/^8 /-8 /mr,
        'two equal arguments'  => $good =~ s/^8 /12 /mr,
        'a compressed file'    => Compress::Zlib::memGzip($good),
    );
    return map { { name => $_, file => 'x.out', bytes => $cases{$_}, expect => 'either' } }
      sort keys %cases;
}

sub _heavy () {
    return map {
        {
            name   => "many: $_",
            file   => 'x.out',
            bytes  => encode( 'UTF-8', hostile_text( $_, 200_000 ) ),
            expect => 'either'
        }
    } kinds_of_text();
}

# A list of name, file (its name), bytes, expect (accepted, refused, either) and, if refused, match (the message).
sub hostile_uploads () {
    return ( _no_runs(), _odd_runs(), _of_names(), _of_texts(), _of_labels(), _heavy() );
}

1;
