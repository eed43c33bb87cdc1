package SKaMPI::Program;

use v5.36;

use Exporter     qw(import);
use Getopt::Long ();

use SKaMPI::Table    qw(printable shorten);
use SKaMPI::TextFile qw(characters);

our @EXPORT_OK = qw(complain fail percentage read_options run_program);

our $VERSION = '4.2.0';

my $LONGEST = 500;
my $USAGE   = 2;

my $program = 'skampi';

# Runs a program's main function and returns its exit status; that of a failure is the one it names.
sub run_program ( $name, $main ) {
    $program = $name;
    binmode $_, ':encoding(UTF-8)' for *STDOUT, *STDERR;
    STDOUT->autoflush;
    my $status = eval { $main->() };
    return close_output($status) if defined $status;
    my $failure = $@;
    complain( ref $failure ? $failure->{text} : $failure );
    return ref $failure ? $failure->{status} : 1;
}

# Buffered output may fail only here.
sub close_output ($status) {
    return $status if close STDOUT;
    complain("cannot write the output: $!");
    return 1;
}

sub fail ( $status, $text ) {
    die { status => $status, text => $text };
}

# Prints a message. File names in it are bytes.
sub complain ($text) {
    for my $line ( split /\n/, $text ) {
        $line = characters($line) if !utf8::is_utf8($line);
        print {*STDERR} "$program: ", shorten( printable($line), $LONGEST ), "\n";
    }
    return;
}

# The values of the options, and the arguments: one list for each part of the words that a word "--"
# separates.
sub read_options ( $words, $defaults, @known ) {
    my %given  = %{$defaults};
    my $parser = Getopt::Long::Parser->new( config => [qw(no_ignore_case no_auto_abbrev)] );
    my ( @parts, @wrong );
    for my $part ( _parts( @{$words} ) ) {
        local $SIG{__WARN__} = sub ($text) { push @wrong, lcfirst $text };
        $parser->getoptionsfromarray( $part, \%given, @known, 'help|h', 'version' );
        push @parts, $part;
    }
    fail( $USAGE, join( q{}, @wrong ) . "see $program --help" ) if @wrong;
    _show_help()                                                if $given{help};
    _show_version()                                             if $given{version};
    return ( \%given, @parts );
}

sub _show_help {
    require Pod::Usage;
    Pod::Usage::pod2usage( -verbose => 2, -noperldoc => 1, -exitval => 0, -output => \*STDOUT );
    return;
}

sub _show_version {
    say "$program $VERSION";
    exit close_output(0);
}

sub _parts (@words) {
    my @parts = ( [] );
    for my $word (@words) {
        if ( $word eq q{--} ) { push @parts, [] }
        else                  { push @{ $parts[-1] }, $word }
    }
    return @parts;
}

# "5%" as a fraction.
sub percentage ( $option, $text ) {
    return $1 / 100 if $text =~ /\A([0-9]{1,6}(?:[.][0-9]{1,6})?|[.][0-9]{1,6})\s*%\z/ && $1 > 0;
    return fail( $USAGE, "$option: expected a percentage above 0 such as 5%, got '$text'" );
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Program - options, messages and exit status of the programs that read results

=head1 DESCRIPTION

=over

=item run_program(NAME, MAIN)

Calls MAIN and returns the exit status of the program: what MAIN returns, or the status of the failure.

=item fail(STATUS, TEXT)

Ends MAIN with this exit status, after TEXT as a message on standard error.

=item complain(TEXT)

Prints each line of TEXT as a message on standard error, without characters that control a terminal.

=item read_options(WORDS, DEFAULTS, KNOWN...)

Returns a hash of options (see L<Getopt::Long>) and, for each part of the words between C<-->, a list of the
remaining words. Prints the page for C<--help> and the version for C<--version>.

=item percentage(OPTION, TEXT)

The fraction that a percentage such as C<5%> means.

=back

=cut
