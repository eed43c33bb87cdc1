package SKaMPI::Document::Prose;

# The texts of one report (SKaMPI::Document::Texts), each printed once. The introduction of a section defines the times
# of its pattern.
use v5.36;

use SKaMPI::Document::Texts qw(intro_parts text_parts);

# Results of version 4.2 and later define their times (#@TIMEOF). For older results, the texts describe
# only the measured calls.
my $OF_ANY_VERSION = qr{\A(?:operation/|word/[0-9]|common/datatype\z)};

# A suite without such a part refers to the suite that has it.
my $WHAT_IS_DONE = qr{\A(?:operation/|[^/]+\z)};

sub new ( $class, @directories ) {
    return bless { directories => \@directories, printed_at => {} }, $class;
}

# The introduction of a section: how its pattern measures, and what its times are.
sub intro_for ( $self, $prefix, @suites ) {
    my @directories = @{ $self->{directories} };
    return q{} if !grep { _defines_its_time($_) } @suites;

    # The text for an operation whose time is defined differently is printed with its suite.
    my $name   = 'time/' . $prefix =~ s/\Avt//r;
    my @parts  = map  { @{$_} } map { text_parts( $_, @directories ) } @suites;
    my ($time) = grep { $_->{name} eq $name } @parts;
    return $self->_text( undef, intro_parts( $prefix, @directories ), $time ? [$time] : () );
}

# The text that has not been printed yet, and the id (a LaTeX label) of the suite that describes the operation or q{}.
sub text_for ( $self, $suite, $id ) {
    my @paragraphs = text_parts( $suite, @{ $self->{directories} } );
    @paragraphs = map { _of_any_version($_) } @paragraphs if !_defines_its_time($suite);
    my ($see) = map { $self->{printed_at}{ $_->{name} } // () }
      grep { $_->{name} =~ $WHAT_IS_DONE } map { @{$_} } @paragraphs;
    return ( $self->_text( $id, @paragraphs ), $see // q{} );
}

sub _defines_its_time ($suite) {
    return defined $suite->{notes}{TIMEOF};
}

sub _of_any_version ($paragraph) {
    my @parts = grep { $_->{name} =~ $OF_ANY_VERSION || $_->{name} !~ m{/} } @{$paragraph};
    return @parts ? \@parts : ();
}

# The parts that have not been printed yet. ID is where they are printed now, or undef.
sub _text ( $self, $id, @paragraphs ) {
    my @texts;
    for my $paragraph (@paragraphs) {
        my @new = grep { !exists $self->{printed_at}{ $_->{name} } } @{$paragraph};
        $self->{printed_at}{ $_->{name} } = $id for @new;
        push @texts, join "\n", map { $_->{text} } @new if @new;
    }
    return join "\n\n", @texts;
}

1;
