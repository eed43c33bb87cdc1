package SKaMPI::Base::Later;

# "use SKaMPI::Base::Later 'MODULE' => qw(NAME ...)" imports functions of a module that is loaded when one of them is
# called: for what a program needs with some of its options only. The first call puts the function in its place.
use SKaMPI::Base;

sub _import ( $, $module, @names ) {
    my $package = caller;
    no strict 'refs';    ## no critic (ProhibitNoStrict): the names of the functions are data
    for my $name (@names) {
        my $place = "${package}::$name";
        *{$place} = sub (@arguments) {
            require( ( $module =~ s{::}{/}gr ) . '.pm' );
            my $function = $module->can($name);
            no warnings 'redefine';    ## no critic (ProhibitNoWarnings): of the first one
            *{$place} = $function;
            return $function->(@arguments);
        };
    }
    return;
}

no warnings 'redefine';    ## no critic (ProhibitNoWarnings): SKaMPI::Base makes it, too
*import = \&_import;

1;
