package SKaMPI::Table;

use v5.36;

use Exporter   qw(import);
use List::Util qw(max);

our @EXPORT_OK = qw(printable shorten);

my $GAP = q{  };

# Replaces characters that move the cursor, or change colours or the direction of writing.
sub printable ($text) {
    return $text =~ s/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/?/gr;
}

sub shorten ( $text, $width ) {
    return $text if length $text <= $width;
    return substr( $text, 0, max( 0, $width - 3 ) ) . '...';
}

# A row is kept as one string, as large results have many rows.
my $BETWEEN = "\t";

sub new ( $class, @columns ) {
    return bless { columns => \@columns, widths => [ (0) x @columns ], lines => [] }, $class;
}

sub add_row ( $self, @cells ) {
    my @clean = map { shorten( printable( $cells[$_] // q{} ), $self->_limit($_) ) }
      0 .. $#{ $self->{columns} };
    my $widths = $self->{widths};
    $widths->[$_] = max( $widths->[$_], length $clean[$_] ) for 0 .. $#clean;
    push @{ $self->{lines} }, join $BETWEEN, @clean;
    return;
}

# Of the first columns, or of all.
sub add_titles ( $self, $count = @{ $self->{columns} } ) {
    return $self->add_row(
        map  { $_->{title} }
        grep { defined } @{ $self->{columns} }[ 0 .. $count - 1 ]
    );
}

sub add_text ( $self, $text ) {
    push @{ $self->{lines} }, printable($text);
    return;
}

# Texts cannot contain $BETWEEN, as it is not printable.
sub lines ($self) {
    return map { /$BETWEEN/ ? $self->_align( split /$BETWEEN/, $_, -1 ) : $_ } @{ $self->{lines} };
}

sub _limit ( $self, $i ) {
    return $self->{columns}[$i]{limit} // 1000;
}

sub _align ( $self, @cells ) {
    my @aligned;
    for my $i ( 0 .. $#cells ) {
        my $sign = $self->{columns}[$i]{right} ? q{} : q{-};
        push @aligned, sprintf "%$sign*s", $self->{widths}[$i], $cells[$i];
    }
    return join( $GAP, @aligned ) =~ s/\s+\z//r;
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Table - aligned columns of text for a terminal

=head1 SYNOPSIS

    my $table = SKaMPI::Table->new(
        { title => 'suite', limit => 30 },
        { title => 'time', right => 1 },
    );
    $table->add_titles;
    $table->add_row( 'MPI_Bcast', '12.10 us' );
    say for $table->lines;

=head1 DESCRIPTION

A column is as wide as its widest cell; a cell longer than the column's limit (in characters) is
shortened. C<add_text> adds a line without columns.

C<printable(TEXT)> replaces characters that could control a terminal by question marks. Tables apply it
to all texts. C<shorten(TEXT, WIDTH)> cuts a text that is too long and marks the end with three dots.

=cut
