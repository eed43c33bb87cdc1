package SKaMPI::Document::Options;

# Options of dorep, from the command line and from a .dorep file.
use SKaMPI::Base qw(@files);

use SKaMPI::Base::Program qw(parse_options parts_of);

# Options that any .dorep file may have, those that read and write files, and those of the command line only.
my @HARMLESS     = ( 'bars|b!',        'fewest|m=i', 'format=s', 'mono!', 'quiet|q!' );
my @FILES        = ( 'directory|d=s@', 'output|o=s', 'keep|t!' );
my @COMMAND_LINE = ( 'baseline=s',     'own|u!',     'compare', 'help', 'h', 'version' );

# Defaults; all other options are off.
my %DEFAULT = ( directory => [], fewest => 2, format => 'both', mono => 0 );

my %FORMATS = (
    map( { $_ => [$_] } qw(html pdf ps) ),
    both => [qw(pdf ps)],
    all  => [qw(html pdf ps)],
);

# Dies with all errors, one per line.
sub from_command_line ( $class, @words ) {
    my ( $first, @others ) = parts_of(@words);
    my ( $given, $rest )   = _parse( $first, @HARMLESS, @FILES, @COMMAND_LINE );

    # With --compare, each -- begins another side.
    my @sides = ( $rest, @others );
    my $self  = bless { given => $given, files => [ map { @{$_} } @sides ], file => {} }, $class;
    return $self                                    if !@others || !$self->get('compare');
    die "expected files before and after each --\n" if grep { !@{$_} } @sides;
    $self->{sides} = \@sides;
    return $self;
}

# Adds a line of options of a .dorep file; the command line overrides them. Dies as above, for -u,
# and, unless IS_NAMED ($DOREP names the file), for options that read or write files.
sub add_from_file ( $self, $is_named, @words ) {
    my ( $given, $rest ) = _parse( \@words, @HARMLESS, @FILES, 'own|u!' );
    die "unexpected '$rest->[0]'\n"                                  if @{$rest};
    die "-u is allowed only on the command line: it runs programs\n" if $given->{own};
    for my $option ( $is_named ? () : @FILES ) {
        my ( $name, $letter ) = $option =~ /\A(\w+)[|](\w)/;
        die "-$letter is allowed only on the command line or in the file that \$DOREP names\n"
          if $given->{$name};
    }
    $self->{file} = { %{ $self->{file} }, %{$given} };
    return;
}

sub _parse ( $words, @known ) {
    my %given;
    my @wrong  = parse_options( $words, \%given, @known );
    my $format = $given{format};
    push @wrong, "expected html, pdf, ps, both or all, got '$format'\n"
      if defined $format && !$FORMATS{$format};
    push @wrong, "expected at least 1 point for a plot, got $given{fewest}\n"
      if defined $given{fewest} && $given{fewest} < 1;
    die join q{}, @wrong if @wrong;
    return ( \%given, $words );
}

sub get ( $self, $name ) {
    return $self->{given}{$name} // $self->{file}{$name} // $DEFAULT{$name};
}

# The names of each side of a comparison, a list for each.
sub sides ($self) {
    return @{ $self->{sides} // [ map { [$_] } $self->files ] };
}

# Without --format on the command line, the end of the output's name is one.
sub formats ($self) {
    my ( undef, $end ) = $self->name_of_output;
    return @{ $FORMATS{ $self->{given}{format} // $end // $self->get('format') } };
}

# The name without an end that is a format, and this format if there is one.
sub name_of_output ($self) {
    return ( $self->get('output') // q{} ) =~ /\A(.*?)(?:[.](pdf|ps|html))?\z/s;
}

1;
