package SKaMPI::Database::Web::Controller::Matrix;

use v5.36;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;

my $ARGUMENT = 1024;

sub show ($self) {
    my @operations = $self->reader->operations;
    my %what       = map { $_ => $self->param($_) }
      grep { length( $self->param($_) // q{} ) } qw(operation variation pattern axis_key since);
    my $first = $operations[0] // {};
    $what{$_} //= $first->{$_} for qw(operation variation);
    my $argument = $self->param('argument') // $ARGUMENT;
    $argument = $ARGUMENT if $argument !~ /\A[0-9]{1,12}\z/;
    my @rows =
      defined $what{operation} ? $self->reader->matrix( %what, argument => 0 + $argument ) : ();
    return $self->answer(
        'matrix',
        what       => { %what, argument => 0 + $argument },
        operations => \@operations,
        groups     => [ _groups(@rows) ]
    );
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
