package SKaMPI::Report::Summary;

use v5.36;

use List::Util qw(uniq);

use SKaMPI::Report::Findings;
use SKaMPI::Report::KeyFigures;
use SKaMPI::Report::Words qw(argument_text);
use SKaMPI::Units         qw(format_bytes format_percent format_time with_mu);

# ids: what the suites' labels are called in the document.
sub new ( $class, $output, $ids ) {
    return bless { output => $output, ids => $ids }, $class;
}

sub data ($self) {
    my @rows  = SKaMPI::Report::KeyFigures->rows_of( $self->{output} );
    my $found = SKaMPI::Report::Findings->of( $self->{output} );
    return {
        figures     => [ map { $self->_figure($_) } grep { $_->{group} ne 'collective' } @rows ],
        collectives => $self->_collectives( grep { $_->{group} eq 'collective' } @rows ),
        findings    => [ map { $self->_finding($_) } @{ $found->{findings} } ],
        left_out    => $found->{left_out},
        cautions    => $found->{warnings},
    };
}

# With the labels of all suites that it is about.
sub _finding ( $self, $finding ) {
    my @labels = map { $_->{suite}{label} } $finding->{slow}, @{ $finding->{fast} };
    return {
        text    => with_mu( $finding->{text} ),
        ids     => [ uniq map { $self->{ids}{$_} // () } @labels ],
        is_weak => $finding->{is_weak},
    };
}

sub _figure ( $self, $row ) {
    return {
        what       => ucfirst $row->{what} =~ s{1/2}{\x{bd}}r,
        definition => $row->{definition}   =~ s/10\^6/a million/r,
        $self->_cell($row)
    };
}

# A row for each operation, a column for each length; an operation without a length has one cell.
sub _collectives ( $self, @rows ) {
    my @whats   = uniq map { $_->{what} } @rows;
    my @lengths = sort { $a <=> $b } uniq map { $_->{length} // () } grep { !$_->{nearest} } @rows;
    my @table;
    for my $what (@whats) {
        my @own = grep { $_->{what} eq $what } @rows;
        push @table, {
            what  => $what,
            cells => [
                map {
                    { $self->_cell($_) }
                } @own
            ]
        };
    }
    return {
        lengths     => [ map { format_bytes($_) } @lengths ],
        rows        => \@table,
        definitions => [ uniq map { $_->{definition} } @rows ],
    };
}

sub _cell ( $self, $row ) {
    my $known = defined $row->{error} && $row->{value} > 0;
    my $value = _value($row);
    $value .= ' (at ' . format_bytes( $row->{length} ) . ')' if $row->{nearest};
    return (
        value => $value,
        error => $known ? "\x{b1} " . format_percent( $row->{error} / $row->{value} ) : q{},
        id    => $self->{ids}{ $row->{where}{label} },
    );
}

sub _value ($row) {
    return with_mu( format_time( $row->{value} ) )                          if $row->{unit} eq 'us';
    return argument_text( int( $row->{value} + 0.5 ), { unit => 'bytes' } ) if $row->{unit} eq 'B';
    return sprintf '%.2f GB/s', $row->{value} / 1000 if $row->{value} >= 1000;
    return sprintf '%.1f %s', $row->{value}, $row->{unit};
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Summary - the page of key figures and findings

=cut
