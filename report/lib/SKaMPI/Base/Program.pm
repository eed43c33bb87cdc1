package SKaMPI::Base::Program;

use v5.36;

use Exporter     qw(import);
use Getopt::Long ();

use SKaMPI::Base::Suggestion qw(meant);
use SKaMPI::Base::Table      qw(printable shorten);
use SKaMPI::Base::TextFile   qw(characters);

our @EXPORT_OK =
  qw(check_choice complain fail parse_options percentage program_name read_options run_program
  show_help show_version);

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

sub program_name { return $program }

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
    my %given = %{$defaults};
    my @parts = _parts( @{$words} );
    my @wrong = map { parse_options( $_, \%given, @known, 'help|h', 'version' ) } @parts;
    fail( $USAGE, join( q{}, @wrong ) . "see $program --help" ) if @wrong;
    show_help()                                                 if $given{help};
    show_version()                                              if $given{version};
    return ( \%given, @parts );
}

# Takes the options out of the words and returns messages about wrong ones.
sub parse_options ( $words, $given, @known ) {
    my $parser =
      Getopt::Long::Parser->new( config => [qw(bundling no_ignore_case no_auto_abbrev)] );
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

# Fails if the value of an option is not one of these.
sub check_choice ( $option, $value, @allowed ) {
    return if grep { $_ eq $value } @allowed;
    return fail( $USAGE,
            "$option: expected "
          . join( ', ', @allowed )
          . "; got '$value'"
          . meant( $value, @allowed ) );
}

sub show_help {
    require Pod::Usage;
    Pod::Usage::pod2usage( -verbose => 2, -noperldoc => 1, -exitval => 0, -output => \*STDOUT );
    return;
}

sub show_version {
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

SKaMPI::Base::Program - options, messages and exit status of the programs that read results

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

=item parse_options(WORDS, VALUES, KNOWN...)

Puts the options of WORDS into the hash VALUES, leaves the other words, and returns messages about wrong options.

=item check_choice(OPTION, VALUE, ALLOWED...)

Fails if an option has another value.

=item show_help, show_version

Print the program's page or version and exit.

=item percentage(OPTION, TEXT)

The fraction that a percentage such as C<5%> means.

=back

=cut
