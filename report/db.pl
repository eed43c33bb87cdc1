#!/usr/bin/perl

use FindBin;

use lib "$FindBin::RealBin/lib";
use SKaMPI::Base;
use SKaMPI::Base::Program  qw(run_program);
use SKaMPI::Database::Main qw(main);

exit run_program( 'skampi-db', sub () { return main(@ARGV) } );
