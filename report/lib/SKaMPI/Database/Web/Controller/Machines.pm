package SKaMPI::Database::Web::Controller::Machines;

use v5.36;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;

use SKaMPI::Meaning::RunFacts qw(tidied_lines);

# Header fields that describe a machine.
my @FACTS =
  qw(MACHINE NODE NETWORK USER HARDWARE PROCESSESPERHOST MPILIBRARY BINDING OSRELEASE CLOCKSOURCE GOVERNOR);

sub all ($self) {
    my $search = $self->param('q');
    my @filter = length( $search // q{} ) ? ( search => $search ) : ();
    my $list   = $self->page_of( sub (%part) { return $self->reader->machines( @filter, %part ) } );
    return $self->answer( 'machines', search => $search, list => $list );
}

sub one ($self) {
    my $slug    = $self->param('slug');
    my $machine = $self->reader->machine($slug)
      // return $self->refuse( 404, "there is no machine '$slug'" );
    my $list =
      $self->page_of( sub (%part) { return $self->reader->runs( machine => $slug, %part ) } );
    my %value = map { $_->{name} => join "\n", tidied_lines( @{$_}{qw(name value)} ) }
      reverse $self->reader->facts( $machine->{newest_run} );
    my @facts =
      map { { name => $_, value => $value{$_} } } grep { length( $value{$_} // q{} ) } @FACTS;
    return $self->answer( 'machine', machine => $machine, list => $list, facts => \@facts );
}

1;
