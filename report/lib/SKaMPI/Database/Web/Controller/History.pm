package SKaMPI::Database::Web::Controller::History;

use v5.36;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;

use SKaMPI::Database::Chart::Changes qw(change_points);

# What is marked where it differs from the run before: name in the run, title.
my @MARKED = (
    [ library   => 'MPI library' ],
    [ version   => 'SKaMPI' ],
    [ hosts     => 'hosts' ],
    [ processes => 'processes' ]
);

# The same of the header.
my @FACTS = ( [ OSRELEASE => 'kernel' ], [ PROCESSESPERHOST => 'hosts' ] );

sub show ($self) {
    my ( $slug, $label ) = map { $self->param($_) } qw(slug label);
    my $argument = $self->param('argument');
    $argument = undef if ( $argument // q{} ) !~ /\A[0-9]{1,12}\z/;
    my $reader  = $self->reader;
    my $machine = $reader->machine($slug)
      // return $self->refuse( 404, "there is no machine '$slug'" );
    my @rows = $reader->history( $slug, $label, $argument );
    if ( !@rows && !defined $argument ) {
        $argument = $self->_first_argument( $machine, $label );
        @rows     = defined $argument ? $reader->history( $slug, $label, $argument ) : ();
    }
    $self->_mark(@rows);
    my %changes = map { $_->{index} => $_ } change_points( map { $_->{point}{time_us} } @rows );
    $rows[$_]{change} = $changes{$_} for keys %changes;
    return $self->answer(
        'history',
        machine  => $machine,
        label    => $label,
        argument => $argument,
        rows     => \@rows
    );
}

sub _first_argument ( $self, $machine, $label ) {
    my ($found) = grep { $_->{label} eq $label } $self->reader->suites( $machine->{newest_run} );
    return $found && $found->{first};
}

# What differs from the run before.
sub _mark ( $self, @rows ) {
    my %before;
    for my $row (@rows) {
        my %fact =
          map { $_->{name} => $_->{value} } reverse $self->reader->facts( $row->{run}{id} );
        my %now = (
            ( map { $_->[1] => $row->{run}{ $_->[0] } } @MARKED ),
            ( map { $_->[1] => $fact{ $_->[0] } } @FACTS )
        );
        $row->{marks} = [
            map  { { what => $_, from => $before{$_}, to => $now{$_} } }
            grep { exists $before{$_} && ( $before{$_} // q{} ) ne ( $now{$_} // q{} ) }
            sort keys %now
        ];
        %before = %now;
    }
    return;
}

1;
