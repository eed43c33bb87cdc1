package SKaMPI::Base::Later;

# "use SKaMPI::Base::Later 'MODULE' => qw(NAME ...)" imports functions of a module that is loaded when one of them is
# called: for what a program needs with some of its options only.
use SKaMPI::Base;

sub _import ( $, $module, @names ) {
    my $package = caller;
    no strict 'refs';    ## no critic (ProhibitNoStrict): the names of the functions are data
    for my $name (@names) {
        *{"${package}::$name"} = sub (@arguments) {
            require( ( $module =~ s{::}{/}gr ) . '.pm' );
            return $module->can($name)->(@arguments);
        };
    }
    return;
}

no warnings 'redefine';    ## no critic (ProhibitNoWarnings): SKaMPI::Base makes it, too
*import = \&_import;

1;
