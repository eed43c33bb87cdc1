# Result files may come from anyone. Whatever they contain, each program that reads them prints what they say, or one
# clear error. Nothing in them is executed, and no file is written except the one that was asked for.
use v5.36;

use Cpanel::JSON::XS ();
use Cwd              qw(abs_path);
use Encode           qw(encode);
use Mojo::DOM;
use SKaMPI::Hostile    qw(foreign_parts hostile_files hostile_run $MARK %TEXTS);
use SKaMPI::ReportTest qw(dorep files_in pdf_text result_text tool why_not workplace);
use SKaMPI::Test       qw(slurp);
use Test::More;
use Text::CSV_XS ();

plan skip_all => why_not() if why_not();

my $LONG   = $ENV{SKAMPI_LONG};
my $REPORT = abs_path( __FILE__ =~ s{[^/]+\z}{../../report}r );

# Functions that return the faults of an output, by its kind.
my %SOUND = (
    json => sub ($text) {
        return eval { Cpanel::JSON::XS->new->decode($text); 1 } ? () : 'no JSON';
    },
    csv => sub ($text) {
        my $bytes  = encode( 'UTF-8', $text );
        my $number = qr/\A-?[0-9.]+(?:e[+-]?[0-9]+)?\z/;
        return grep { /\A[=+\-\@\t\r]/ && !/$number/ }
          map { @{$_} } @{ Text::CSV_XS::csv( in => \$bytes, encoding => 'UTF-8', binary => 1 ) };
    },
    html => sub ($text) { return foreign_parts( Mojo::DOM->new($text), 2, 1 ) },
);

# Readers: words, what they make of every run, and the file that they write.
my @READERS = (
    [ 'show -a r.out',                                'text' ],
    [ 'show --format json r.out',                     'json' ],
    [ 'show --health r.out',                          'text' ],
    [ 'export r.out',                                 'csv' ],
    [ 'export --format json r.out',                   'json' ],
    [ 'dorep --format html r.out',                    'html', 'r.out.html' ],
    [ 'compare --force --format json r.out -- r.out', 'json' ],
    ['model fit r.out'],
);

# The faults in how a reader took the bytes of a file.
sub faults_of ( $bytes, $is_run, $words, $kind = q{}, $written = undef ) {
    my $dir = workplace( 'r.out' => $bytes );
    my ( $program, @arguments ) = split q{ }, $words;
    my $got     = tool( $dir, $^X, "$REPORT/$program.pl", @arguments );
    my $is_done = $got->{status} =~ /\A[013]\z/;
    my $text    = $written ? slurp("$dir/$written") : $got->{out};
    my @made    = grep { $_ ne 'r.out' } files_in($dir);
    my $said    = ( $kind eq 'text' ? $got->{out} : q{} ) . $got->{err};
    my @wrong   = $is_done && $SOUND{$kind} ? $SOUND{$kind}->($text) : ();
    push @wrong, "status $got->{status}, signal $got->{signal}: $got->{err}"
      if $got->{signal} || $got->{status} > 5 || $is_run && $kind && !$is_done;
    push @wrong, 'no message' if !$is_done && $got->{err}            !~ /\A(?:skampi-\w+|dorep): /;
    push @wrong, "a place in the source: $got->{err}" if $got->{err} =~ / at \S+ line [0-9]+/;
    push @wrong, 'control of the terminal'            if $said       =~ /[^\n[:print:]]|\p{Cf}/;
    push @wrong, "files: @made"                       if "@made" ne ( $is_done && $written // q{} );
    push @wrong, 'a program ran'                      if -e $MARK;
    return @wrong;
}

subtest 'all texts in all places' => sub {
    for my $first ( $LONG ? sort keys %TEXTS : qw(formula script) ) {
        my $run = hostile_run($first);
        is_deeply [ faults_of( $run, 1, $_->@* ) ], [], "$_->[0], the machine is a $first"
          for @READERS;
    }
};

# In the short form, each file for one reader in turn.
subtest 'files that are no run, and odd ones' => sub {
    my $number = 0;
    for my $file ( grep { $LONG || length $_->{bytes} < 1e6 } hostile_files() ) {
        $number++;
        for my $reader ( $LONG ? @READERS : $READERS[ $number % @READERS ] ) {
            is_deeply [ faults_of( $file->{bytes}, 0, $reader->@* ) ], [],
              "$reader->[0]: $file->{name}";
        }
    }
};

# Texts without blanks and line ends, which LaTeX may place anywhere.
sub squeezed ($text) { return $text =~ s/\s+//gr }

sub pdf_of ( $what, $bytes ) {
    my $dir = workplace( 'r.out' => $bytes );
    my $got = dorep( $dir, '--format', 'pdf', 'r.out' );
    is "$got->{status} $got->{signal}", '0 0', "$what: a report is made" or diag $got->{err};
    is_deeply [ files_in($dir) ], [qw(r.out r.out.pdf)], 'and no other file';
    return squeezed( pdf_text("$dir/r.out.pdf") );
}

subtest 'in a PDF' => sub {
    my $text   = pdf_of( 'texts', hostile_run('TeX') );
    my @texts  = grep { /\A[\x20-\x7e\xa1-\xff]{1,200}\z/ } values %TEXTS;
    my @absent = grep { index( $text, squeezed($_) ) < 0 } @texts;
    is_deeply \@absent, [], 'texts are printed unchanged';
    unlike $text, qr/root:x:0/, 'no other file is read';
    ok !-e $MARK, 'nothing is executed';
};

subtest 'numbers' => sub {
    my @odd = ( '4 nan nan 0', '8 inf 1 4', '16 -3 .1 8', '32 0 0 8', '64 2 inf 8', '128 2 -5 8' );
    my @more =
      ( '256 1e300 1e299 8', '512 1e-300 0 8', '1024 2 50 8', '2048 3 .1 nan', '4096 4 .1 8' );
    my @same = map { [ ($_) x 5 ] } '4 -1 0 8', '4 0 0 8', '4 nan nan 8', '4 1 0 8', '1e15 5 1 8',
      '-4 5 1 8';
    for my $scale ( 'logarithmic', $LONG ? 'linear' : () ) {
        my @suites = map { { label => "p2p_$_", rows => $same[$_], scale => $scale } } keys @same;
        my $text   = pdf_of(
            $scale,
            result_text(
                {},
                { label => 'p2p_x', rows => [ '0 1.5 .1 8', @odd, @more ], scale => $scale },
                {
                    label => 'p2p_y',
                    rows  => [ '2 -1 .1 8', '3 0 0 8', '4 1 .1 8', '1e6 9e5 1 8' ]
                },
                @suites
            )
        );
        like $text, qr/4rowshavenovalidtime/, 'with a note';
        like $text, qr/Notshownonthelogarithmicaxis:2points/,
          'and one about times without a logarithm';
    }
};

subtest 'much' => sub {
    my $count  = $LONG ? 100_000 : 2_000;
    my @rows   = map { "$_ " . ( 1 + $_ / 1e5 ) . ' 0.01 8' } 1 .. $count;
    my @suites = map { { label => "p2p_$_", rows => ["4 1 0.1 8"] } } 1 .. ( $LONG ? 600 : 1 );
    my %fields = ( NODE => "a\e[31m\a\b\0\x{7f}b", map { $_ => 'x' x 2**20 } qw(MACHINE WARNING) );
    my $text   = pdf_of( "$count rows",
        result_text( \%fields, { label => 'p2p_x', rows => \@rows }, @suites ) );
    like $text, qr/Theplotshows500of${count}points/, 'with a note';
    like $text, qr/first500suitesandomits101more/,   'and one about suites' if $LONG;
};

done_testing;
