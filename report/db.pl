#!/usr/bin/perl

BEGIN {    ## no critic (RequireUse)
    eval { require FindBin } || exit print {*STDERR} "$0 needs the package perl\n";
    unshift @INC, "$FindBin::RealBin/lib";
}
use SKaMPI::Base;

use SKaMPI::Base::Program  qw(run_program);
use SKaMPI::Database::Main qw(main);

exit run_program( 'skampi-db', sub () { return main(@ARGV) } );
