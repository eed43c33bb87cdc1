package SKaMPI::Prestarted;

# Runs the programs of the folder report without loading their modules and the catalogue each time, which takes longer
# than most of what the tests make them do. A server for each program has loaded it, up to its call of run_program; a
# child of the server goes on from there, with the arguments, environment and directory of the run.
use v5.36;

use Cwd        qw(abs_path);
use Exporter   qw(import);
use File::Spec ();
use File::Temp ();
use IPC::Open2 qw(open2);
use SKaMPI::FatalWarnings;

our @EXPORT_OK = qw(prestarted);

# Where a run writes instead of to a file: a device, or 'closed', a pipe that nobody reads.
our $OUTPUT;

# The seconds after which a run is ended by SIGALRM; 0: never.
our $SECONDS = 0;

# The command that starts a server, perhaps with switches of Perl that load a module before the program.
our @PERL = ($^X);

my $THIS = abs_path(__FILE__);

# A server is this process's own; a child of the test starts others.
my ( %servers, $owner );

# Runs report/NAME.pl, at PATH, in a directory. Returns the bytes of its output and messages, and its wait status.
sub prestarted ( $directory, $path, @arguments ) {
    %servers = () if ( $owner // 0 ) != $$;
    $owner   = $$;
    my $server = $servers{$path} //= _start($path);
    my @kept   = map { File::Temp->new } 1 .. 2;
    my @parts  = (
        File::Spec->rel2abs($directory),
        $OUTPUT // $kept[0]->filename,
        $kept[1]->filename, $SECONDS, scalar %ENV, %ENV, @arguments
    );
    my $request = pack '(N/a)*', map { _as_bytes($_) } @parts;
    print { $server->{in} } pack 'N/a', $request;
    my $answer = readline $server->{out} // die "$path: the server has ended\n";
    return ( ( map { _bytes_of($_) } @kept ), 0 + $answer );
}

# As exec passes them.
sub _as_bytes ($text) {
    utf8::encode($text) if utf8::is_utf8($text);
    return $text;
}

sub _bytes_of ($file) {
    local $/ = undef;
    seek $file, 0, 0;
    return readline $file // q{};
}

sub _start ($path) {
    my $pid = open2( my $out, my $in, @PERL, $THIS, $path );
    binmode $in;
    $in->autoflush;
    return { in => $in, out => $out, pid => $pid };
}

# A server ends when nobody can ask it any more.
END {
    my $status = $?;
    for my $server ( ( $owner // 0 ) == $$ ? values %servers : () ) {
        close $server->{in};
        waitpid $server->{pid}, 0;
    }
    $? = $status;    ## no critic (RequireLocalizedPunctuationVars): the test's own
}

## no critic (RequireLocalizedPunctuationVars): it becomes the other program

sub _serve ($path) {
    $0 = $path;
    {
        local @INC = ( $path =~ s{[^/]+\z}{lib}r, @INC );
        require SKaMPI::Base::Program;
    }
    my $run = \&SKaMPI::Base::Program::run_program;
    no warnings 'redefine';    ## no critic (ProhibitNoWarnings)
    *SKaMPI::Base::Program::run_program = sub (@what) {
        my $read = SKaMPI::Meaning::Catalog->can('rows_of');
        eval { $read->('types') } if $read;    # if this fails, a run says so
        _wait_for_a_run();
        return $run->(@what);
    };
    do $path;
    die "$path: ", $@ || $!, "\n";
}

# Returns in a child that is to run the program.
sub _wait_for_a_run () {
    binmode STDIN;
    STDOUT->autoflush;
    while ( read STDIN, my $length, 4 ) {
        read STDIN, my $request, unpack 'N', $length;
        my $child = fork // die "fork: $!\n";
        return _become( unpack '(N/a)*', $request ) if !$child;
        waitpid $child, 0;
        say $?;
    }
    exit 0;
}

sub _become ( $directory, $output, $messages, $seconds, $pairs, @words ) {
    %ENV  = splice @words, 0, 2 * $pairs;
    @ARGV = @words;
    $^T   = time;
    alarm $seconds;
    srand;
    my $writer;
    pipe my $reader, $writer if $output eq 'closed';
    open STDIN,  '<',                  '/dev/null'        or die "STDIN: $!\n";
    open STDOUT, $writer ? '>&' : '>', $writer // $output or die "STDOUT: $!\n";
    open STDERR, '>',                  $messages          or die "STDERR: $!\n";
    chdir $directory or die "$directory: $!\n";
    return;
}

_serve(@ARGV) if !caller;

1;
