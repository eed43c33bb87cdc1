package SKaMPI::Report::Options;

use v5.36;

use Getopt::Long ();

# Those that a .dorep file may hold, too.
my @EVERYWHERE = (
    'bars|b!',      'directory|d=s@', 'fewest|m=i', 'format=s',
    'messages|p=s', 'mono!',          'output|o=s', 'quiet|q!',
    'keep|t!',      'own|u!',
);
my @COMMAND_LINE = ( 'compare', 'help|h', 'version' );

my %DEFAULT = (
    bars      => 0,
    compare   => 0,
    directory => [],
    fewest    => 4,
    format    => 'both',
    keep      => 0,
    mono      => 0,
    own       => 0,
    quiet     => 0,
);

my %FORMATS = ( ps => ['ps'], pdf => ['pdf'], both => [ 'pdf', 'ps' ] );

# The options of the command line, and what else stands there. Dies with all that is wrong.
sub from_command_line ( $class, @words ) {
    my ( $given, $rest ) = _parse( \@words, @EVERYWHERE, @COMMAND_LINE );
    return bless { given => $given, files => $rest, file => {} }, $class;
}

# What stands in a .dorep file counts where the command line says nothing. The file may have come with
# a stranger's results: it starts no program and writes nowhere else.
sub add_from_file ( $self, @words ) {
    my ( $given, $rest ) = _parse( \@words, @EVERYWHERE );
    die "unexpected '$rest->[0]'\n"                       if @{$rest};
    die "-u runs programs; give it on the command line\n" if $given->{own};
    for my $path ( grep { defined } @{$given}{qw(messages output)} ) {
        die "'$path' is in another directory; name it on the command line\n" if $path =~ m{/};
    }
    $self->{file} = { %{ $self->{file} }, %{$given} };
    return;
}

sub _parse ( $words, @known ) {
    my $parser =
      Getopt::Long::Parser->new( config => [qw(bundling no_ignore_case no_auto_abbrev)] );
    my ( %given, @wrong );
    local $SIG{__WARN__} = sub ($text) { push @wrong, lcfirst $text };
    $parser->getoptionsfromarray( $words, \%given, @known );
    push @wrong, _wrong_values( \%given );
    die join q{}, @wrong if @wrong;
    return ( \%given, $words );
}

sub _wrong_values ($given) {
    my @wrong;
    my $format = $given->{format};
    push @wrong, "expected ps, pdf or both, got '$format'\n"
      if defined $format && !$FORMATS{$format};
    push @wrong, "expected at least 1 point for a plot, got $given->{fewest}\n"
      if defined $given->{fewest} && $given->{fewest} < 1;
    return @wrong;
}

sub get ( $self, $name ) {
    return $self->{given}{$name} // $self->{file}{$name} // $DEFAULT{$name};
}

sub files   ($self) { return @{ $self->{files} } }
sub formats ($self) { return @{ $FORMATS{ $self->get('format') } } }

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Options - options of dorep.pl, from the command line and from a .dorep file

=head1 DESCRIPTION

=over

=item from_command_line(WORDS)

Dies with all complaints, each in a line of its own.

=item add_from_file(WORDS)

takes a line of options of a F<.dorep> file; the command line wins. Dies as above, and for options that
are for the user alone: C<-u>, and files in other directories.

=item get(NAME), formats, files

C<bars>, C<compare>, C<directory> (a list), C<fewest>, C<help>, C<keep>, C<messages>, C<mono>,
C<output>, C<own>, C<quiet>, C<version>; the formats (C<pdf>, C<ps>); the names of result files.

=back

=cut
