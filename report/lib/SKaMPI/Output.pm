package SKaMPI::Output;

use v5.36;

use Encode qw(encode);

use SKaMPI::Suite;
use SKaMPI::TextFile qw(characters read_bytes);

my $MOST_BYTES    = 256 * 1024 * 1024;
my $MOST_ROWS     = 200_000;
my $MOST_PROBLEMS = 100;

# What a line is; the first that fits holds.
my @LINES = (
    [ qr{^\#?/\*\@in(.*)[.]ski\*/\s*$},                 \&_begin_suite ],
    [ qr/^\#-{3,}\s*$/,                                 \&_leave_suite ],
    [ qr/^\#eol\b/,                                     \&_end_suite ],
    [ qr/^\#?\s?skampi finished[.]/,                    \&_leave_suite ],
    [ qr/^\#\@(\S+)\s*(.*)/,                            \&_add_field ],
    [ qr/^\#\ (.*)/,                                    \&_continue_field ],
    [ qr/^\#(.*)/,                                      \&_add_header ],
    [ qr/^\s*$/,                                        \&_ignore ],
    [ qr/^\s*([+-]?[.]?[0-9].*|[+-]?(?:nan|inf)\b.*)/i, \&_add_row ],
    [ qr/^(.*)/,                                        \&_continue_header ],
);

sub from_file ( $class, $path ) {
    return $class->_from_bytes( read_bytes( $path, $MOST_BYTES ), characters($path) );
}

sub from_text ( $class, $text, $name = 'skampi.out' ) {
    return $class->_from_bytes( encode( 'UTF-8', $text ), $name );
}

sub _from_bytes ( $class, $bytes, $name ) {
    my $self = bless {
        name     => $name,
        fields   => [],
        suites   => [],
        by_label => {},
        problems => [],
        rows     => 0,
        line     => 0,
    }, $class;
    my $last = $self->_take_lines( \$bytes );
    $self->_judge_end( $last, scalar $bytes =~ /\n\z/ );
    return $self;
}

# One after the other: all lines of a large file, each a scalar, are several times the file. Returns the
# last one that is not empty.
sub _take_lines ( $self, $bytes ) {
    my $last = q{};
    open my $file, '<:raw', $bytes or die "cannot read '$self->{name}': $!\n";
    while ( my $line = readline $file ) {
        $line =~ s/\r?\n\z//;
        $self->_take( characters($line) );
        $last = $line if $line ne q{};
    }
    close $file or die "cannot read '$self->{name}': $!\n";
    return characters($last);
}

sub name     ($self) { return $self->{name} }
sub suites   ($self) { return @{ $self->{suites} } }
sub fields   ($self) { return @{ $self->{fields} } }
sub problems ($self) { return @{ $self->{problems} } }
sub is_finished      ($self) { return $self->{finished}      // 0 }
sub is_postprocessed ($self) { return $self->{postprocessed} // 0 }

sub field ( $self, $name ) {
    my ($field) = grep { $_->{name} eq $name } $self->fields;
    return $field ? $field->{value} : undef;
}

sub suite ( $self, $label ) {
    return $self->{by_label}{$label};
}

# The names of suites that the parameters ask for (#@SUITES has a line for each, with its type) and that
# have no complete result list.
sub missing_suites ($self) {
    my %there;
    for my $suite ( grep { $_->{complete} } $self->suites ) {
        my ($type) = ( $suite->{notes}{TYPE} // q{} ) =~ /\A([0-9]+)/;
        $there{ _planned( $suite->{name}, $type // q{} ) } = 1;
    }
    my @planned = ( $self->field('SUITES') // q{} ) =~ /^(\S+)[ ]\{(?:[ ]Type[ ]=[ ]([0-9]+);)?/mg;
    my @missing;
    while ( my ( $name, $type ) = splice @planned, 0, 2 ) {
        push @missing, $name
          if !grep { $there{ _planned( $name, $_ ) } } $type // (), q{};
    }
    return @missing;
}

sub planned_count ($self) {
    my $count = () = ( $self->field('SUITES') // q{} ) =~ /^\S+[ ]\{/mg;
    return $count;
}

sub _planned ( $name, $type ) {
    return "$type $name";
}

sub _take ( $self, $text ) {
    $self->{line}++;
    for my $kind (@LINES) {
        my ( $expression, $action ) = @{$kind};
        next if $text !~ $expression;
        return $self->$action( $1, $2 );
    }
    return;
}

sub _problem ( $self, $text ) {
    push @{ $self->{problems} }, { line => $self->{line}, text => $text }
      if @{ $self->{problems} } < $MOST_PROBLEMS;
    return;
}

sub _begin_suite ( $self, $label, @ ) {
    $self->_leave_suite;
    $self->{skipping} = !SKaMPI::Suite::label_is_sound($label);
    return $self->_problem('a suite whose name is no file name is left out') if $self->{skipping};
    $self->_problem("suite '$label' is there twice") if $self->suite($label);
    $self->{suite} = SKaMPI::Suite->new( $label, $self->{line} );
    push @{ $self->{suites} }, $self->{suite};
    $self->{by_label}{$label} //= $self->{suite};
    return;
}

sub _leave_suite ( $self, @ ) {
    my $suite = delete $self->{suite};
    delete @{$self}{qw(field skipping)};
    return if !$suite;
    $suite->end_header;
    $self->_problem("suite '$suite->{label}' is not complete") if !$suite->{complete};
    return;
}

sub _end_suite ( $self, @ ) {
    $self->{suite}{complete} = 1 if $self->{suite};
    return $self->_leave_suite;
}

# Of the run or, within a suite, of the suite.
sub _add_field ( $self, $name, $value ) {
    return if $self->{skipping};
    if ( my $suite = $self->{suite} ) {
        $suite->{notes}{$name} = $value;
        $self->{field} = \$suite->{notes}{$name};
        return;
    }
    push @{ $self->{fields} }, { name => $name, value => $value, line => $self->{line} };
    $self->{field} = \$self->{fields}[-1]{value};
    return;
}

sub _continue_field ( $self, $text, @ ) {
    ${ $self->{field} } .= "\n$text" if $self->{field};
    return;
}

sub _add_header ( $self, $text, @ ) {
    delete $self->{field};
    $self->{suite}->add_header($text) if $self->{suite} && !@{ $self->{suite}{rows} };
    return;
}

sub _ignore ( $self, @ ) {
    return;
}

sub _add_row ( $self, $text, @ ) {
    delete $self->{field};
    my $suite = $self->{suite};
    return                                             if $self->{skipping};
    return $self->_problem('a row outside of a suite') if !$suite;
    return $self->_leave_out_row                       if $self->{rows} >= $MOST_ROWS;
    my $wrong = $suite->add_row( $text, $self->{line} );
    return $self->_problem($wrong) if $wrong;
    $self->{rows}++;
    return;
}

# Told once.
sub _leave_out_row ($self) {
    $self->_problem( 'more than ' . $MOST_ROWS . ' rows; the others are left out' )
      if !$self->{full};
    $self->{full} = 1;
    return;
}

sub _continue_header ( $self, $text, @ ) {
    my $suite = $self->{suite};
    return if $self->{skipping};
    return if $suite && !@{ $suite->{rows} } && $suite->continue_header($text);
    return $self->_problem('neither a row nor a comment');
}

sub _judge_end ( $self, $last, $ended ) {
    if ( $last =~ /^\#?\s?skampi finished[.](.*)/ ) {
        $self->{finished}      = 1;
        $self->{postprocessed} = $1 =~ /-postprocessed/ ? 1 : 0;
    }
    elsif ( !$ended && $last !~ /^(?:\#eol)?$/ ) {
        $self->_problem('the file ends within a line');
        $self->_forget_torn_row;
    }
    return $self->_leave_suite;
}

# Its last number may lack digits.
sub _forget_torn_row ($self) {
    my $suite = $self->{suite} or return;
    my $last  = $suite->{rows}[-1];
    pop @{ $suite->{rows} } if $last && $last->{line} == $self->{line};
    return;
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Output - reads the results of a SKaMPI run

=head1 SYNOPSIS

    use SKaMPI::Output;

    my $output = SKaMPI::Output->from_file('skampi.out');
    say $output->field('MACHINE');
    for my $suite ( $output->suites ) {
        say "$suite->{label}: ", scalar @{ $suite->{rows} }, ' rows';
    }

=head1 DESCRIPTION

Reads result files of this and of older versions, complete or not, edited or not. A file comes from
anywhere: nothing in it is executed, and what is wrong with it is told, but does not stop the
reading. What comes out may still hold any character but line ends; whoever prints it has to take
care.

=head2 Methods

=over

=item from_file(PATH), from_text(TEXT, NAME)

An object with all that the file, or the text (characters, not bytes), tells. C<from_file> dies when the
file cannot be read or is larger than 256 MB.

=item field(NAME), fields

The value of the header line C<#@NAME value> with its further lines, or undef; and all of them in
their order, each a hash of name, value and line.

=item suites, suite(LABEL)

The suites in the order of the file, objects of L<SKaMPI::Suite>.

=item is_finished, is_postprocessed

What the trailer, the last line, says. A file without it comes from a run that goes on or was interrupted.

=item missing_suites, planned_count

The names of suites that C<#@SUITES> asks for and that have no complete result list; and how many
suites it asks for, 0 in files without such a line.

=item problems

What was left out or looks wrong, each a hash of line and text; at most 100.

=item name

Of the file.

=back

=cut
