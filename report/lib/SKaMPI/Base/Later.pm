package SKaMPI::Base::Later;

# "use SKaMPI::Base::Later 'MODULE' => qw(NAME ...)" imports functions of a module that is loaded when one of them is
# called: for what a program needs with some of its options only.
use 5.026;
use strict;
use warnings;

sub import {
    my ( undef, $module, @names ) = @_;
    my $package = caller;
    no strict 'refs';    ## no critic (ProhibitNoStrict): the names of the functions are data
    for my $name (@names) {
        *{"${package}::$name"} = sub {
            require( ( $module =~ s{::}{/}gr ) . '.pm' );
            goto &{"${module}::$name"};
        };
    }
    return;
}

1;
