package SKaMPI::Base::Program;

# Options, messages and exit status of the programs that read results.
use SKaMPI::Base;

use Cwd          qw(abs_path);
use Getopt::Long ();
use List::Util   qw(first min);

use SKaMPI::Base::Json  qw(decode_own);
use SKaMPI::Base::Table qw(printable shorten);
use SKaMPI::Base::TextFile
  qw(characters check_new_file open_regular read_bytes shipped_path utf8_bytes write_new_file);

# Places of the catalogue: in the source tree, and after installing or in a distribution.
my @PLACES  = map { shipped_path($_) } '../build/catalog.json', 'catalog.json';
my $MISSING = "'catalog.json' is missing; run make in the source tree, or install SKaMPI again\n";

my $LONGEST = 500;
my %SECONDS = ( h => 3600, m => 60, s => 1 );
my %BYTES   = ( K => 2**10, M => 2**20, G => 2**30 );
my ( $FAILED, $USAGE ) = ( 1, 2 );

my $program = 'skampi';

# Calls MAIN. Returns the exit status of the program: what MAIN returns, or that of the failure.
sub run_program ( $name, $main ) {
    $program = $name;
    binmode $_, ':utf8' for *STDOUT, *STDERR;
    local $| = 1;
    my $status = eval { $main->() };
    return close_output($status) if defined $status;
    my $failure = $@;
    complain( ref $failure            ? $failure->{text}   : $failure );
    return close_output( ref $failure ? $failure->{status} : 1 );
}

# Like run_program, for the command that the first word names, a function of COMMANDS.
sub run_command_of ( $name, $commands ) {
    return run_program(
        $name,
        sub {
            my $command = @ARGV && $ARGV[0] !~ /\A-/ ? shift @ARGV : q{};
            read_options( \@ARGV, {} ) if $command eq q{};
            check_choice( 'command', $command, sort keys %{$commands} );
            return $commands->{$command}->();
        }
    );
}

# Takes -- and what follows it from the end of WORDS. Returns what follows.
sub take_command ($words) {
    my $at = first { $words->[$_] eq q{--} } keys @{$words};
    my ( undef, @command ) = splice @{$words}, $at // @{$words};
    return @command;
}

# Returns the exit status. A failed print is remembered, since an encoding layer of Perl would
# forget it. A pipe that its reader has closed needs no message.
sub close_output ($status) {
    return $status                          if close STDOUT;
    complain("cannot write the output: $!") if !$!{EPIPE};
    return 1;
}

# Ends MAIN with this exit status, after TEXT as a message on standard error.
sub fail ( $text, $status = $FAILED ) {
    die { status => $status, text => $text };
}

sub fail_usage ($text) { return fail( $text, $USAGE ) }

# Prints each line of TEXT as a message on standard error.
sub complain ($text) {
    print {*STDERR} "$program: ", message_line($_), "\n" for split /\n/, $text;
    return;
}

sub message_line ($line) { return shorten( _plain($line), $LONGEST ) }

sub print_plain (@lines) {
    say _plain($_) for map { $_ eq q{} ? q{} : split /\n/ } @lines;
    return;
}

# The line without characters that control a terminal. File names in it are bytes.
sub _plain ($line) { return printable( utf8::is_utf8($line) ? $line : characters($line) ) }

# A hash of options (see Getopt::Long) and, for each part of the words between --, a list of the
# remaining words. Prints the page for --help, its beginning for -h, and the version for --version. With the option
# format, --json is short for --format json.
sub read_options ( $words, $defaults, @known ) {
    my %given = %{$defaults};
    my @parts = parts_of( @{$words} );
    my @json  = ( json => sub { $given{format} = 'json' } ) x grep { /\Aformat\b/ } @known;
    my @wrong = map { parse_options( $_, \%given, @known, @json, qw(help h version) ) } @parts;
    fail_usage( join( q{}, @wrong ) . see_help() ) if @wrong;
    show_help( $given{h} )                         if $given{help} || $given{h};
    show_version()                                 if $given{version};
    return ( \%given, @parts );
}

# Puts the options of WORDS into the hash GIVEN, leaves the other words, and returns messages about
# wrong options.
sub parse_options ( $words, $given, @known ) {
    my $parser =
      Getopt::Long::Parser->new( config => [qw(bundling no_ignore_case no_auto_abbrev permute)] );
    my @names = map { /\A([\w-]{2,})/ ? "--$1" : () } @known;
    my @wrong;
    local $SIG{__WARN__} = sub ($text) {
        my ($name) = $text =~ /\AUnknown option: (\S+)/;
        push @wrong,
          lcfirst( $text =~ s/\n\z//r ) . ( $name ? meant( "--$name", @names ) : q{} ) . "\n";
    };
    $parser->getoptionsfromarray( $words, $given, @known );
    return @wrong;
}

# Fails if the value of an option is not among those allowed.
sub check_choice ( $option, $value, @allowed ) {
    return if grep { $_ eq $value } @allowed;
    my $got = length $value ? "; got '$value'" . meant( $value, @allowed ) : q{};
    return fail_usage( "$option: expected " . join( ', ', @allowed ) =~ s/.*\K, / or /r . $got );
}

# Fails if the output PATH (undef: standard output) is one of INPUTS, or a file that may not be replaced.
sub check_output ( $path, @inputs ) {
    return if !defined $path;
    fail_usage("'$path' is also read; choose another name for the output")
      if grep { $_ eq $path } @inputs;
    eval { check_new_file($path); 1 } or fail_usage($@);
    return;
}

# Writes TEXT to the file PATH, or to standard output. Returns 0, the exit status.
sub deliver ( $path, $text ) {
    return deliver_bytes( $path, utf8_bytes($text) ) if defined $path;
    print $text;
    return 0;
}

# Like deliver, for bytes, or a function that prints them to a handle; nothing may be printed afterwards.
sub deliver_bytes ( $path, $bytes ) {
    if ( defined $path ) { write_new_file( $path, $bytes ) }
    else {
        binmode STDOUT;
        ref $bytes ? $bytes->(*STDOUT) : print $bytes;
    }
    return 0;
}

# Prints the manual page or, of it, the short help between "=begin help" and "=end help".
sub show_help ($is_short) {
    my $path = shipped_path("../docs/man/$program.1.pod");
    my ($short) = read_bytes($path) =~ /^=begin help\n\n(.*?)\n=end help$/ms;
    exit close_output( deliver_bytes( undef, $short ) ) if $is_short;
    require Pod::Usage;
    open my $page, '>:encoding(UTF-8)', \my $bytes or die "cannot write the help: $!\n";
    Pod::Usage::pod2usage(
        -input     => open_regular($path),
        -verbose   => 2,
        -noperldoc => 1,
        -exitval   => 'NOEXIT',
        -output    => $page,
    );
    close $page or die "cannot write the help: $!\n";
    exit close_output( deliver_bytes( undef, $bytes ) );
}

# The end of a message about wrong usage.
sub see_help () {
    return 'see ' . ( $program eq 'dorep' ? 'skampi report' : $program =~ s/-/ /r ) . ' -h';
}

sub show_version {
    say "$program ", catalog()->{version};
    exit close_output(0);
}

# Returns the tables of the program (SKaMPI::Meaning::Catalog) and its version.
sub catalog () {
    state $catalog = decode_own( read_bytes( catalog_path() // die $MISSING ) );
    return $catalog;
}

# The path of the catalogue, for programs that can read only files that they are given; undef if it does not exist.
sub catalog_path () {
    my $path = first { -e } @PLACES;
    return defined $path ? abs_path($path) : undef;
}

# The words before the first --, and those after each: a list for each.
sub parts_of (@words) {
    my @parts = ( [] );
    for my $word (@words) {
        if ( $word eq q{--} ) { push @parts, [] }
        else                  { push @{ $parts[-1] }, $word }
    }
    return @parts;
}

# A pattern with * and ? as an expression for the whole of a text, by default with capitals as they are.
sub whole_match ( $pattern, $flags = 's' ) {
    my $text = quotemeta($pattern) =~ s/\\[*]/.*/gr =~ s/\\[?]/./gr;
    return qr/(?^$flags:\A$text\z)/;
}

# The fraction that a percentage such as 5% means.
sub percentage ( $option, $text ) {
    return $1 / 100 if $text =~ /\A([0-9]{1,6}(?:[.][0-9]{1,6})?|[.][0-9]{1,6})\s*%\z/ && $1 > 0;
    return fail_usage("$option: expected a percentage above 0 such as 5%, got '$text'");
}

# The seconds of "1h30m"; undef if TEXT is undefined.
sub duration ( $option, $text ) {
    return undef if !defined $text;    ## no critic (ProhibitExplicitReturnUndef): a value of a hash
    my $total = 0;
    $total += $1 * $SECONDS{$2} while $text =~ /\G([0-9]{1,6})([hms])/gc;
    return $total if $total && ( pos($text) // 0 ) == length $text;
    return fail_usage("$option: expected a time such as 90s, 20m or 1h30m, got '$text'");
}

# The first and the last argument of "64", "4K-1M", "-64" or "4096-", which may be sizes; undef for a missing one. Dies
# with what is wrong.
sub argument_range ($text) {
    my ( $from, $to ) = split /-/, $text, 2;
    my @ends = map { ( $_ // q{} ) eq q{} ? undef : _size($_) } $from, $to // $from;
    die "expected an argument or a range such as 4K-1M, got '$text'\n" if !grep { defined } @ends;
    return @ends;
}

sub _size ($text) {
    return $1 * ( $2 ? $BYTES{$2} : 1 )
      if $text =~ /\A([0-9]{1,15}(?:[.][0-9]{1,6})?)(?:([KMG])(?:iB)?|B)?\z/;
    my ( $number, $letter ) = $text =~ /\A([0-9.]+)([kKmMgG])[bB]?\z/
      or die "expected a number such as 512, 64K or 1M, got '$text'\n";
    my $upper = uc $letter;
    die "'$text' is ambiguous: some take it for a power of 1000, some of 1024; "
      . "write $number$upper or $number${upper}iB for $BYTES{$upper} times $number\n";
}

# The end of a message about an unknown WORD: the name of which it is probably a misspelling, by the rule of skampi.
sub meant ( $word, @names ) {
    my $fewest = int( length($word) / 3 ) + 2;
    my $nearest;
    for my $name (@names) {
        next if abs( length($name) - length $word ) >= $fewest;
        my $edits = _edits( lc $word, lc $name );
        ( $fewest, $nearest ) = ( $edits, $name ) if $edits < $fewest;
    }
    return defined $nearest ? "; did you mean '$nearest'?" : q{};
}

# The number of single-character edits between two texts.
sub _edits ( $from, $to ) {
    my @row = 0 .. length $to;
    for my $i ( 1 .. length $from ) {
        my @next = ($i);
        for my $j ( 1 .. length $to ) {
            my $differs = substr( $from, $i - 1, 1 ) ne substr( $to, $j - 1, 1 );
            push @next, min( $row[ $j - 1 ] + $differs, $row[$j] + 1, $next[ $j - 1 ] + 1 );
        }
        @row = @next;
    }
    return $row[-1];
}

1;
