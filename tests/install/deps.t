# The packages that "make demo" and "make check" install, with programs in the place of dpkg-query and apt-get that
# only write down what they are asked.
use v5.36;

use SKaMPI::Install qw(make_in);
use SKaMPI::Test    qw($ROOT read_file scratch write_file);
use Test::More;

my $dir = scratch();

sub program ( $name, $text ) {
    return write_file( "$dir/$name", "#!/bin/sh\n$text\n" );
}

program( 'dpkg-query', qq{cat "$dir/installed"} );
program( 'apt-get',    qq{case \$1 in install) echo "\$@" >"$dir/asked" ;; esac} );
program( 'id',         'echo 0' );

# The packages that a target asks for where these are installed.
sub asked_for ( $target, @installed ) {
    write_file( "$dir/installed", join q{ }, map { "installed:$_" } @installed, q{} );
    write_file( "$dir/asked", q{} );
    local $ENV{PATH} = "$dir:$ENV{PATH}";
    make_in( $ROOT, $target );
    my @packages = sort grep { !/^-|^install$/ } split q{ }, read_file("$dir/asked");
    return @packages;
}

my @demo    = asked_for('deps-demo');
my @check   = asked_for('deps-check');
my @all     = asked_for('deps');
my %in_demo = map { $_ => 1 } @demo;
my %in_all  = map { $_ => 1 } @all;

ok $in_demo{$_}, "make demo: $_" for qw(gcc libopenmpi-dev libhwloc-dev gnuplot-nox lmodern);
my @not = qw(clang valgrind mpich libsimgrid-dev libcmocka-dev poppler-utils cppcheck perltidy);
ok !$in_demo{$_} && $in_all{$_}, "only for tests and lint: $_" for @not;
is_deeply [ asked_for( 'deps-check', @demo ) ], [ grep { !$in_demo{$_} } @check ],
  'make check adds the rest';
is_deeply [ asked_for( 'deps',      @all ) ], [], 'nothing, where all is installed';
is_deeply [ asked_for( 'deps-demo', grep { $_ ne 'gcc' } @demo ) ], ['gcc'], 'only what is missing';

done_testing;
