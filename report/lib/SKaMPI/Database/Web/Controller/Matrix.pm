package SKaMPI::Database::Web::Controller::Matrix;

use v5.36;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;

my $ARGUMENT = 1024;

sub show ($self) {
    my @operations = $self->reader->common_operations;
    my %what       = map { $_ => $self->param($_) }
      grep { length( $self->param($_) // q{} ) } qw(operation variation pattern axis_key since);
    my $chosen = _chosen( \%what, @operations );
    $what{$_} = $chosen->{$_} // $what{$_} for qw(operation variation);
    my $argument = $self->param('argument') // q{};
    $argument = _usual($chosen) if $argument !~ /\A[0-9]{1,12}\z/;
    my @rows =
      defined $what{operation} ? $self->reader->matrix( %what, argument => 0 + $argument ) : ();
    return $self->answer(
        'matrix',
        what       => { %what, argument => 0 + $argument },
        range      => [ @{$chosen}{qw(first last)} ],
        operations => \@operations,
        groups     => [ _groups(@rows) ]
    );
}

# The operation that was asked for, or the one that most machines have.
sub _chosen ( $what, @operations ) {
    my ( $operation, $variation ) = map { $what->{$_} // q{} } qw(operation variation);
    @operations = grep { $_->{operation} eq $operation } @operations if length $operation;
    my ($exact) = grep { $_->{variation} eq $variation } @operations;
    return $exact // $operations[0] // {};
}

# An argument that all machines reach.
sub _usual ($chosen) {
    my ( $first, $last ) = map { $_ // $ARGUMENT } @{$chosen}{qw(first last)};
    return int( $last < $ARGUMENT ? $last : $first > $ARGUMENT ? $first : $ARGUMENT );
}

# Rows with different definitions are tables of their own.
sub _groups (@rows) {
    my ( @groups, %group_of );
    for my $row (@rows) {
        my $group = $group_of{ $row->{suite}{axis_key} } //= do {
            push @groups, { axis => $row->{suite}{axis}, rows => [] };
            $groups[-1];
        };
        push @{ $group->{rows} }, $row;
    }
    return @groups;
}

1;
