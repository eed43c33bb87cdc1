package SKaMPI::Base;

# The pragmas of every program and module of the report: strict, warnings, signatures, say and state.
# "use SKaMPI::Base qw(NAME ...)" also gives the package a method NAME for each name, which returns this member of the
# object, a hash.
use v5.36;

use feature ();

sub import ( $class, @members ) {
    my $package = caller;
    strict->import;
    warnings->import;
    feature->unimport(':all');
    feature->import(':5.36');
    no strict 'refs';    ## no critic (ProhibitNoStrict): the names of the methods are data
    for my $name (@members) {
        *{"${package}::$name"} = sub ($self) { $self->{$name} };
    }
    return;
}

1;
