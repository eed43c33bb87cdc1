package SKaMPI::Base;

# The pragmas of every program and module of the report: strict, warnings, signatures, say and state. A module exports
# what its @EXPORT_OK names. "use SKaMPI::Base qw(NAME ...)" is for classes whose objects are hashes that only they
# read: the package gets a method NAME for each name, which returns this member, and the two methods below.
use v5.36;

use Exporter ();
use feature  ();

sub import ( $class, @members ) {
    my $package = caller;
    strict->import;
    warnings->import;
    feature->unimport(':all');
    feature->import(':5.36');
    my %method = map { ( $_ => _reader($_) ) } @members;
    %method         = ( %method, with => \&_with, once => \&_once ) if @members;
    $method{import} = \&Exporter::import                            if $package ne 'main';
    no strict 'refs';    ## no critic (ProhibitNoStrict): the names of the methods are data
    *{"${package}::$_"} = $method{$_} for keys %method;
    return;
}

sub _reader ($name) {
    return sub ($self) { $self->{$name} };
}

# with(NAME => VALUE ...): a copy with other members.
sub _with ( $self, %other ) { return bless { %{$self}, %other }, ref $self }

# once(NAME, MAKE): what the function MAKE returns for the object. It is made once and kept under this name.
sub _once ( $self, $name, $make ) { return $self->{"once $name"} //= $make->($self) }

1;
