package SKaMPI::Report::Summary;

use v5.36;

use SKaMPI::Report::KeyFigures;
use SKaMPI::Report::Words qw(argument_text);
use SKaMPI::Units         qw(format_bytes format_percent format_time);

my %GROUP = (
    'point-to-point' => 'Point-to-point',
    collective       => 'Collective operations, all processes',
    local            => 'Local calls',
);

# ids: what the suites' labels are called in the document.
sub new ( $class, $output, $ids ) {
    return bless { output => $output, ids => $ids }, $class;
}

sub data ($self) {
    return { groups => [ $self->_groups ], findings => [], left_out => 0 };
}

sub _groups ($self) {
    my @groups;
    for my $row ( SKaMPI::Report::KeyFigures->rows_of( $self->{output} ) ) {
        push @groups, { name => $row->{group}, title => $GROUP{ $row->{group} }, rows => [] }
          if !@groups || $groups[-1]{name} ne $row->{group};
        push @{ $groups[-1]{rows} }, $self->_row($row);
    }
    return @groups;
}

sub _row ( $self, $row ) {
    my $known = defined $row->{error} && $row->{value} > 0;
    return {
        what       => _what($row),
        value      => _value($row),
        error      => $known ? "\x{b1} " . format_percent( $row->{error} / $row->{value} ) : q{},
        definition => $row->{definition},
        id         => $self->{ids}{ $row->{where}{label} },
    };
}

sub _what ($row) {
    return $row->{what} if !defined $row->{length};
    return "$row->{what}, " . format_bytes( $row->{length} );
}

sub _value ($row) {
    return format_time( $row->{value} ) =~ s/ us\z/ \x{b5}s/r               if $row->{unit} eq 'us';
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
