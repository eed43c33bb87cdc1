# skampi-launch --sweep: its words, the commands of the settings, the bound of the budget, and the fastest setting.
# A program of the test's own takes the place of skampi.
use v5.36;

use File::Path qw(remove_tree);
use Test::More;
use SKaMPI::Base::Json qw(decode_json);
use SKaMPI::Verdict::Thresholds;
use SKaMPI::Launch::Configuration qw(command_of only_configuration);
use SKaMPI::Launch::Fastest       qw(fastest_lines judged_sweep);
use SKaMPI::Launch::Sweep
  qw(alpha_of launches_for line_to_set sweep_configurations sweep_of unseen_settings);
use SKaMPI::ReportTest qw(tool workplace);
use SKaMPI::Test       qw($ROOT read_file refusals);

my $LAUNCH = "$ROOT/report/launch.pl";

# Prints a plan for --check, or else writes a launch whose times depend on WAY: a is fast up to the middle of the
# lengths and slow beyond it, b is slow, c crashes; with HANG, its first launch hangs.
my $PROGRAM = <<"END_OF_PROGRAM";
#!$^X -I$ROOT/tests/lib
use v5.36;
use SKaMPI::Generated qw(launch_text launches random_from);
say \$ENV{PLAN} // q{} and exit if grep { /--check/ } \@ARGV;
my \$file = \$0 =~ s{[^/]+\\z}{order}r;
open my \$order, '>>', \$file or die "order: \$!\\n";
say {\$order} join ' ', ( map { \$ENV{\$_} // '-' } qw(WAY OMPI_MCA_btl) ), \@ARGV;
close \$order or die "order: \$!\\n";
sleep 1000 if \$ENV{HANG} && ( \$ENV{WAY} // q{} ) eq 'c' && mkdir "\$file.hung";
exit 7 if ( \$ENV{WAY} // q{} ) eq 'c';
open \$order, '<', \$file or die "order: \$!\\n";
my \$number = () = <\$order>;
my %FACTORS = ( a => [ 0.5, 0.5, 0.5, 2, 2, 2 ], b => [ (1.6) x 6 ] );
my \$factors = \$FACTORS{ \$ENV{WAY} // q{} } // [ (1) x 6 ];
my (\$times) =
  launches( random_from( 77 * \$number ), launches => 1, points => 6, between => 0.01 );
my \@times = map { \$times->[\$_] * \$factors->[\$_] } 0 .. 5;
open my \$out, '>', 'skampi.out' or die "out: \$!\\n";
print {\$out} launch_text( \\\@times, minute => \$number );
close \$out or die "out: \$!\\n";
END_OF_PROGRAM

# A launcher that says it is of Open MPI, and shows its own words.
my $MPIEXEC = <<'END';
#!/bin/sh
[ "$1" = --version ] && { echo "mpiexec (OpenRTE) 4.1.4"; exit; }
echo "$0 $*" >> "${0%/*}/started"
while [ "$1" = -x ] || [ "$1" = -np ]; do shift 2; done
exec "$@"
END

sub place () {
    return workplace( 'skampi-fake' => $PROGRAM, mpiexec => $MPIEXEC );
}

sub launch ( $dir, @words ) { return tool( $dir, $^X, $LAUNCH, @words ) }

sub settings_of (@texts) {
    my $command = [ 'true', 'x' ];
    return sweep_configurations( only_configuration($command), $command, sweep_of(@texts) );
}

subtest 'settings' => sub {
    my @cases = (
        [ ['UCX_TLS=shm,tcp'],           'UCX_TLS=shm|UCX_TLS=tcp' ],
        [ ['btl=self,vader;self,tcp'],   'OMPI_MCA_btl=self,vader|OMPI_MCA_btl=self,tcp' ],
        [ ['btl=self,vader;'],           'OMPI_MCA_btl=self,vader' ],
        [ [ 'A=1,2', 'b=,3' ],           'A=1|A=1 OMPI_MCA_b=3|A=2|A=2 OMPI_MCA_b=3' ],
        [ [ 'A=,1', 'B=,2' ],            'B=2|A=1|A=1 B=2' ],
        [ ['FI_PROVIDER=verbs;ofi_rxm'], 'FI_PROVIDER=verbs|FI_PROVIDER=ofi_rxm' ],
    );
    for my $case (@cases) {
        my ( $default, @settings ) = settings_of( @{ $case->[0] } );
        is "$default->{name} @{[ %{ $default->{environment} } ]}", 'default ',
          "@{ $case->[0] }: the command as it is";
        my @texts = map {
            my $environment = $_->{environment};
            join q{ }, map { "$_=$environment->{$_}" } sort keys %{$environment}
        } @settings;
        is join( q{|}, @texts ), $case->[1], 'and the settings';
    }
    is join( q{ }, map { $_->{name} } settings_of('A=a/b,a:b') ), 'default A_a_b A_a_b-1',
      'names of directories differ';
    is line_to_set( ( settings_of( q{A=it's it}, 'b=1' ) )[1] ),
      q{export A='it'\''s it' OMPI_MCA_b=1}, 'the line for a shell';
};

subtest 'the launcher of Open MPI' => sub {
    my $dir   = place();
    my @all   = ( "$dir/mpiexec", qw(-np 2 skampi) );
    my @given = (
        [ 'UCX_TLS=shm',      '-x UCX_TLS -np 2 skampi' ],
        [ 'btl=tcp',          '-np 2 skampi' ],
        [ 'OMPI_MCA_btl=tcp', '-np 2 skampi' ],
        [ 'B=1;',             'A=2', '-x A -x B -np 2 skampi' ],
    );
    for my $case (@given) {
        my ( @sweep, $wanted );
        ( @sweep[ 0 .. $#{$case} - 1 ], $wanted ) = @{$case};
        my ( $default, $setting ) =
          sweep_configurations( only_configuration( \@all ), \@all, sweep_of(@sweep) );
        is join( q{ }, command_of( $setting, @all ) ), "$dir/mpiexec $wanted", "@sweep";
        is join( q{ }, command_of( $default, @all ) ), "@all",                 'and without it';
    }
    chdir $dir;
    mkdir 'quick';    # no parameter file
    my @words = qw(x -f mpiexec -f quick skampi-fake);
    is join( q{ }, command_of( only_configuration( \@words ), @words ) ),
      "@words" =~ s/ \Kmpiexec/$dir\/mpiexec/r, 'the file after -f is found elsewhere, too';
};

subtest 'settings without effect' => sub {
    my $seen  = "btl_tcp_links=2 (environment, not in use)\nUCX_TLS=tcp (environment)";
    my @cases = (
        [ 'UCX_TLS=tcp',              $seen, q{} ],
        [ 'UCX_NET_DEVICES=ib0',      $seen, 'UCX_NET_DEVICES did not reach the processes' ],
        [ 'btl_tcp_links=2',          $seen, 'the MPI library does not use btl_tcp_links' ],
        [ 'OMPI_MCA_btl_tcp_links=2', $seen, 'the MPI library does not use btl_tcp_links' ],
        [ 'OMP_NUM_THREADS=2',        $seen, q{} ],
        [ 'UCX_TLS=tcp',              undef, q{} ],
    );
    for my $case (@cases) {
        my ( $given, $facts, $wanted ) = @{$case};
        my @found =
          unseen_settings( ( settings_of($given) )[1], { facts => { SETTINGS => $facts } } );
        is "@found", $wanted && "$given: $wanted", $given;
    }
};

subtest 'launches and errors' => sub {
    my @two = settings_of('A=1');
    my @ten = settings_of('A=1,2,3,4,5,6,7,8,9');
    is alpha_of(@two), 0.05, 'one comparison has the whole error';
    cmp_ok abs( alpha_of(@ten) - 0.05 / 9 ), '<', 1e-12, 'nine share it';
    is launches_for( 5, @two ), 5, 'five launches';
    is launches_for( 5, @ten ), 6, 'more for smaller errors';
};

# A launch of one suite with these times.
sub made (@times) {
    return {
        suites => {
            Suite => {
                column => { name => 'Length', unit => 'bytes' },
                map( { $_ => {} } qw(definition errors marks fast slow) ),
                values => { map { ( 2**$_ => $times[$_] ) } 0 .. $#times }
            }
        }
    };
}

sub side ( $configuration, $count, @times ) {
    return {
        configuration => $configuration,
        launches      => [
            map {
                my $i = $_;
                made( map { $_ * ( 1 + 0.001 * $i ) } @times )
            } 1 .. $count
        ]
    };
}

subtest 'the fastest' => sub {
    my @all   = settings_of('A=1,2');
    my $limit = SKaMPI::Verdict::Thresholds->new(0.05);
    my @times = ( [ 1, 1, 1, 1 ], [ 0.5, 0.8, 2, 1.001 ], [ 0.7, 0.4, 1.01, 1 ] );
    my $sweep = judged_sweep( $limit, map { side( $all[$_], 6, @{ $times[$_] } ) } 0 .. 2 );
    my @names = map { $_->{setting} ? $_->{setting}{name} : 'default' } @{ $sweep->{rows} };
    is "@names",             'A=1 A=2 default default', 'at each argument';
    is $sweep->{best}{name}, 'A=2',                     'over all';
    my $text = join "\n", fastest_lines($sweep);
    like $text, qr/^ +1 B  A=1 +501[.]7 ns  1[.]003 us  2[.]000 [(]1[.]9\d+ to 2[.]0\d+[)]$/m,
      'a row';
    like $text, qr/^ +4 B  default +1[.]003 us/m,    'the default';
    like $text, qr/^  A=1 +0[.]946 .* 1 +2 +0 +1$/m, 'the verdicts';
    like $text, qr/^To set it: export A=2\z/m,       'the line to set';
    $sweep = judged_sweep( $limit, map { side( $all[$_], 3, @{ $times[$_] } ) } 0 .. 2 );
    like join( "\n", fastest_lines($sweep) ),
      qr/\ANo verdicts: 5 launches of each setting are needed for verdicts[.]\n/,
      'too few launches';
    is $sweep->{best}, undef, 'have no winner';
};

my $PLAN = "time limits: at most 9.0 s for 1 suite\nrun time: about 7 s on a quiet machine";

subtest 'launches' => sub {
    my $dir = place();
    my @run = ( "$dir/mpiexec", qw(-np 2), "$dir/skampi-fake" );
    local $ENV{PLAN} = $PLAN;
    my $refused =
      launch( $dir, qw(--budget 1m --sweep), 'WAY=a,b', qw(--sweep), 'btl=x,y', q{--}, @run );
    is "$refused->{status} $refused->{out}",
      "2 at least 5 launches of each of 5 settings, for at most 1m; in sweep\n", 'bounded';
    is $refused->{err},
      'skampi-launch: --sweep: 5 settings with 5 launches each take about 3.75 min, more than the '
      . "budget of 1m; list fewer values, or give more time with --budget\n", 'by the estimate';
    ok !-e "$dir/order", 'before any launch';
    my $run = launch( $dir, qw(sweep -d here), 'WAY=a,b', q{--}, @run );
    is "$run->{status} $run->{err}", '0 ', 'a sweep';
    my @order = map { ( split q{ } )[0] } split /\n/, read_file("$dir/order");
    is "@order[ 0 .. 5 ]", '- a b b a -', 'interleaved';
    like $run->{out},
      qr/^3 settings with 5 launches each take about 2[.]25 min on a quiet machine$/m,
      'the cost';
    like $run->{out}, qr/^ +4 B  WAY=a +.* us  1[.]9\d+|2[.]0/m, 'faster at short lengths';
    like $run->{out}, qr/^ +24 B  default /m,                    'not at long ones';
    like $run->{out}, qr/^  WAY=b +1[.]\d+  .*6 +0 +0 +0$/m,     'always slower';
    like read_file("$dir/started"), qr/mpiexec -x WAY -np 2 /m,  'given to all processes';
    my $data =
      decode_json( launch( $dir, qw(--json -d here --sweep), 'WAY=a,b', q{--}, @run )->{out} );
    is join( q{ }, map { $_->{fastest} // 'default' } @{ $data->{sweep}{points} } ),
      'WAY_a WAY_a WAY_a default default default', 'as JSON';
    is $data->{comparison}{comparisons}[1]{counts}{slower}, 6, 'with counts';
};

subtest 'a setting that crashes' => sub {
    my $dir   = place();
    my @sweep = ( '--sweep', 'WAY=c,b', q{--}, "$dir/skampi-fake" );
    local $ENV{HANG} = 1;
    my $run = launch( $dir, '--timeout', '5s', @sweep );
    like $run->{err}, qr/^skampi-launch: WAY_c took longer than --timeout; /m,
      'not by a time limit';
    like $run->{out}, qr/^  WAY=c +time limit +0 /m, 'which is marked';
    $run = launch( $dir, @sweep );
    is $run->{status}, 0, 'the others go on';
    is scalar( () = $run->{err} =~ m{: WAY_c crashes; .* remove sweep/WAY_c$}mg ), 1,
      'with a message';
    like $run->{out}, qr/^  WAY=c +crashes +0 +0 +0 +0$/m,   'it is marked';
    like $run->{out}, qr/^  WAY=b +1[.]\d+  .*6 +0 +0 +0$/m, 'beside the verdicts of the other';
    my $count = () = read_file("$dir/order") =~ /\n/g;
    is $count, 2 * 5 + 2 + 2, 'two tries of each start, and all launches of the others';
    my $again = launch( $dir, '--json', @sweep );
    is_deeply [ map { $_->{crashes} ? 1 : 0 } decode_json( $again->{out} )->{configurations}->@* ],
      [ 0, 1, 0 ], 'known to the next start';
    is scalar( () = read_file("$dir/order") =~ /\n/g ), $count, 'which does not try again';
    remove_tree("$dir/sweep/WAY_c");
    launch( $dir, @sweep );
    is scalar( () = read_file("$dir/order") =~ /\n/g ), $count + 2, 'without its folder, it does';
};

subtest 'bad input' => sub {
    my $dir = place();
    refusals( <<'END', sub (@words) { launch( $dir, ( map { tr/_/ /r } @words ), '--', 'true' ) } );
2 --sweep x : --sweep: expected NAME=VALUE,VALUE[.]{3}, got 'x'
2 sweep : --sweep: expected NAME=VALUE,VALUE[.]{3}
2 --sweep A= : --sweep: expected NAME=VALUE,VALUE[.]{3}, got 'A='
2 --sweep a_b=1 : --sweep: expected NAME=VALUE,VALUE[.]{3}, got 'a b=1'
2 --sweep A=1,1 : --sweep A: the value '1' is given twice
2 --sweep A=1 --sweep A=2 : --sweep: 'A' is given twice; list all values in one
2 --sweep A=; : --sweep: expected a value
2 --sweep A=1 file : --sweep takes no configuration, got 'file'
2 --sweep A=1 --health : --sweep and --health exclude each other
2 --sweep A=1 --confirm x : --sweep and --confirm exclude each other
2 --sweep A=,1,2,3 --sweep B=,1,2,3 --sweep C=,1,2,3 --sweep D=,1,2,3 --sweep E=,1,2,3 : 1024 settings are more than 1000; list fewer values
2 --sweep A=1 --quick Bcast -- true : --sweep takes one command
END
};

done_testing;
