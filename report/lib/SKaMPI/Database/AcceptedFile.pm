package SKaMPI::Database::AcceptedFile;

# The rules of the result database for new files: complete results (SKaMPI::Read::ResultFile) within
# bounds. Other files fail with NAME:LINE: TEXT (SKaMPI::Base::Program).
use SKaMPI::Base;

use File::Temp             ();
use IO::Uncompress::Gunzip qw($GunzipError);
use POSIX                  qw(_exit);

use SKaMPI::Base::Json       qw(decode_json encode_json);
use SKaMPI::Base::Program    qw(complain fail fail_usage);
use SKaMPI::Base::TextFile   qw(beginning_of characters is_present read_bytes);
use SKaMPI::Database::Fault  qw(fault);
use SKaMPI::Database::Record qw(record_of_run);
use SKaMPI::Read::Output;
use SKaMPI::Read::ResultFile qw(bytes_with_visits fail_at read_whole_results $DAMAGED);
use SKaMPI::Read::Beside     qw(path_file with_paths with_verdicts);

# Bounds of an upload. The reader of results has further bounds for lines and fields.
my %MOST = (
    bytes   => 50_000_000,
    suites  => 2000,
    rows    => 200_000,
    seconds => 15,
    memory  => 300_000_000,
    members => 2000,
);

# Waiting for the processor counts for little.
my $PATIENCE = 4;

my $FINISHED = qr/^\#skampi finished[^\n]*\n?\z/m;

my %BEGINS = ( suites => qr{^\#?/\*\@in}m, rows => qr{^[ \t]*[+-]?[.]?[0-9]}m );

my $GZIP = qr/\A\x1f\x8b/;

# Each member of a compressed file begins with these bytes, which are rare elsewhere.
my $MEMBER = qr/\x1f\x8b\x08/;

# The bytes of a file that may be compressed by gzip.
sub uncompressed ( $bytes, $name ) {
    $name = characters($name);
    _refuse_large($name) if length $bytes > $MOST{bytes};
    return $bytes        if $bytes !~ $GZIP;
    fail_at( $name, 1, "more than $MOST{members} compressed parts; compress it again with gzip" )
      if ( () = $bytes =~ /$MEMBER/g ) > $MOST{members};
    my $stream = IO::Uncompress::Gunzip->new( \$bytes, MultiStream => 1, Strict => 1 )
      or fail_at( $name, 1, "damaged: $GunzipError" );
    my $text = q{};
    while ( ( my $got = $stream->read( my $part, 65_536 ) ) > 0 ) {
        $text .= $part;
        _refuse_large($name) if length $text > $MOST{bytes};
    }
    fail_at( $name, 1, 'damaged: the compressed file has an error or is not complete' )
      if $stream->error || !$stream->eof;
    return $text;
}

# The uncompressed bytes of a file, with the verdicts beside it and, for an unfinished run, the visits in its log.
sub read_file ($path) {
    my $bytes = eval { read_bytes( $path, $MOST{bytes} ) } // fail_usage($@);
    my $more  = $bytes =~ /\A\#\@/ && $bytes !~ $FINISHED ? bytes_with_visits($path) : q{};
    $bytes = $more if $more ne q{};
    complain("warning: $path: the run is not finished; suites with some of their visits are marked")
      if $bytes !~ $FINISHED && $bytes =~ /^\#\@PASSES [0-9]+ of /m;
    $bytes = with_verdicts( uncompressed( $bytes, $path ), $path );
    return $bytes if !is_present( path_file($path) );
    return with_paths( $bytes,
        SKaMPI::Read::Output->from_text( characters($bytes), characters($path), $path ) );
}

sub _refuse_large ($name) {
    return fail_at( $name, 1, "more than $MOST{bytes} bytes; a database takes no larger file" );
}

# The record of a run (SKaMPI::Database::Record). A process of its own reads the file, with limits.
sub read_upload ( $bytes, $name ) {
    $name = characters($name);
    for my $things ( sort keys %BEGINS ) {    # counted first, as reading many suites takes long
        my $count = 0;
        while ( $bytes =~ /$BEGINS{$things}/g ) {
            fail_at( $name, 1, "more than $MOST{$things} $things; a database takes no larger file" )
              if ++$count > $MOST{$things};
        }
    }
    my $file = eval { File::Temp->new( TEMPLATE => 'skampi-XXXXXXXX', TMPDIR => 1 ) }
      // fault( 'full', "cannot create a temporary file: $!" );
    binmode $file;
    print {$file} $bytes or fault( 'full', "cannot write a temporary file: $!" );
    $file->flush         or fault( 'full', "cannot write a temporary file: $!" );
    my $child = open my $answer, q{-|};
    fault( 'busy', "cannot start a process: $!" ) if !defined $child;
    _answer( $file->filename, $name )             if !$child;
    binmode $answer, ':raw';
    my $text = do { local $/ = undef; readline $answer }
      // q{};
    close $answer;
    return _understood( $text, $name, $? );
}

# Writes the record or the failure as JSON, in the child process. Exits without the parent's destructors.
sub _answer ( $path, $name ) {
    local $SIG{ALRM} = 'DEFAULT';
    my $said = eval {
        _confine();
        my $output = read_whole_results( $path, $name, is_strict => 1, rows => $MOST{rows} );
        fail_at( $name, $output->line_count, 'no suite has a row' )
          if !grep { @{ $_->rows } } $output->results;
        +{ record => record_of_run($output) };
    } // { failure => ref $@ ? $@ : { status => $DAMAGED, text => "$name: $@" } };
    binmode STDOUT, ':raw';
    print encode_json($said);
    STDOUT->flush;
    return _exit(0);
}

# Limits this process: seconds of the processor, seconds, and memory beyond what it has now.
sub _confine () {
    open STDERR, '>:encoding(UTF-8)', '/dev/null' or die "cannot open /dev/null: $!\n";
    alarm $PATIENCE * $MOST{seconds};
    my ($pages) = split q{ }, beginning_of( '/proc/self/statm', 1000 ) or return;
    my $memory  = $pages * 4096 + $MOST{memory};
    system 'prlimit', "--pid=$$", "--cpu=$MOST{seconds}", "--as=$memory", '--core=0';
    return;
}

sub _understood ( $text, $name, $status ) {
    my $said = eval { decode_json($text) };
    return $said->{record}                         if $said && $said->{record};
    fail( @{ $said->{failure} }{qw(text status)} ) if $said;
    my $signal = $status & 127;
    my $why =
      $signal == 14 || $signal == 9 || $signal == 24
      ? "reading it takes more than $MOST{seconds} s"
      : "reading it takes more than $MOST{memory} bytes of memory";
    return fail( "$name: $why; a database takes no such file", $DAMAGED );
}

1;
