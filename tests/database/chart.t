# Comparisons of several series: what shares axes, colours, values, files.
use v5.36;

use Cpanel::JSON::XS qw(decode_json);
use List::Util       qw(uniq);
use Test::More;

use SKaMPI::Findings::References qw(lines_of);
use SKaMPI::Read::Output;
use SKaMPI::Database::Chart::Changes qw(change_points);
use SKaMPI::Generated                qw(normal random_from);
use SKaMPI::Database::Chart::Gnuplot qw(slots);
use SKaMPI::Database::Chart::State;
use SKaMPI::Database::Reader;
use SKaMPI::DatabaseTest qw(generated_run);
use SKaMPI::ReportTest   qw(tool workplace);
use SKaMPI::Test         qw($ROOT read_file);
use SKaMPI::WebTest      qw(database_of runs_of_machines tester);

my $PING   = 'p2p_Suite01';
my $SAMPLE = "$ROOT/docs/examples/standard.out";

sub state_of (%params) {
    return SKaMPI::Database::Chart::State->new( map { $_ => [ $params{$_} ] } keys %params );
}

subtest 'the state of the address' => sub {
    my $default = SKaMPI::Database::Chart::State->new;
    is_deeply [ $default->pairs ], [], 'defaults are not in the address';
    my @cases = (
        [ { x    => 'linear' },  [ x => 'linear' ], 0 ],
        [ { x    => 'wrong' },   [],                1 ],
        [ { xmin => '1e3' },     [ xmin => 1000 ],  0 ],
        [ { xmin => q{} },       [],                0 ],
        [ { xmin => '1;2' },     [],                1 ],
        [ { xmin => '1e99999' }, [],                1 ],
        [ { xmin => 5, xmax => 4 },              [],                                    1 ],
        [ { ymin => -1, ymax => '.5' },          [ ymin => -1, ymax => 0.5 ],           0 ],
        [ { s => "1:$PING" },                    [ s => "1:$PING" ],                    0 ],
        [ { s => '1:../../etc/passwd' },         [],                                    0 ],
        [ { s => "x:$PING" },                    [],                                    0 ],
        [ { hide => "1:$PING" },                 [],                                    0 ],
        [ { s => "1:$PING", hide => "1:$PING" }, [ s => "1:$PING", hide => "1:$PING" ], 0 ],
    );
    for my $case (@cases) {
        my ( $params, $pairs, $notes ) = @{$case};
        my $state = state_of( %{$params} );
        my $name  = join q{ }, map { "$_=$params->{$_}" } sort keys %{$params};
        is_deeply [ $state->pairs ], $pairs, $name;
        is scalar $state->notes, $notes, "$name: notes";
    }
    my $many = SKaMPI::Database::Chart::State->new( s => [ map { "$_:$PING" } 1 .. 20 ] );
    is scalar $many->series, 12, 'at most 12 series';
    is_deeply [ $many->notes ], ['at most 12 series; the last 8 were ignored'], 'and a note';
};

subtest 'colours stay with a series' => sub {
    my @names = map { "machine $_" } 1 .. 12;
    my @all   = slots(@names);
    is uniq(@all), 12, '12 series have 12 colours';
    is_deeply [ slots( @names[ 0 .. 4 ] ) ], [ @all[ 0 .. 4 ] ],
      'another series at the end changes none';
    is( ( slots( $names[3] ) )[0], ( slots( $names[3], 'other' ) )[0], 'nor does what follows' );
};

subtest 'a suite is held against something' => sub {
    my $kept       = qr/(?:p2p_MPI_Send-MPI_Recv|syncol_memcpy-length-SM)[.]ski/;
    my $text       = read_file($SAMPLE) =~ s{^\#/\*\@in(?!$kept).*?^\#eol\n}{}gmsr;
    my $read       = SKaMPI::Read::Output->from_text($text);
    my ($farthest) = map { ( $_->{text} // q{} ) =~ /to ([\d.]+).* times as long as memcpy/ }
      lines_of( $read, $read->suite('p2p_MPI_Send-MPI_Recv') );
    my $t = tester( database_of($text), public => 1 );
    for my $time (qw(first second)) {
        $t->get_ok('/compare/plot.json?s=1:p2p_MPI_Send-MPI_Recv&value=ratio');
        my ( $own, $fitted, $copy ) = @{ $t->tx->res->json->{panels}[0]{series} };
        is_deeply [ map { s/,.*//r } map { $_->{name} } $fitted, $copy ],
          [ 'fitted', 'memcpy of as many bytes' ], "its lines, the $time time";
        is_deeply [ map { $_->{unmarked} ? 1 : 0 } $own, $fitted, $copy ], [ 0, 1, 1 ],
          'without marks';
        my ($most) = sort { $a <=> $b } map { $_->{y} } @{ $copy->{points} };
        cmp_ok abs( 1 / $most - $farthest ), '<', 0.05, 'as far apart as in the report';
        my ( $above, $low, @others ) = @{ $t->tx->res->json->{panels} };
        ok $low->{is_low} && !$above->{is_low} && !@others, 'a low plot';
        my ($at) = grep { $_->{at} eq '1 KiB' } @{ $low->{series}[0]{points} };
        my ($y)  = map  { $_->{y} } grep { $_->{at} eq '1 KiB' } @{ $fitted->{points} };
        cmp_ok abs( $at->{y} - 1 / $y + 1 ), '<', 1e-9, 'with residuals';
        is_deeply [ $low->{x}{range}, -$low->{y}{range}[0] ],
          [ $above->{x}{range}, $low->{y}{range}[1] ], 'its axes';
    }
    $t->get_ok('/compare/plot.json?s=1:p2p_MPI_Send-MPI_Recv&s=1:syncol_memcpy-length-SM');
    is scalar( map { @{ $_->{series} } } @{ $t->tx->res->json->{panels} } ), 2,
      'several suites have no reference';
    $t->get_ok('/compare/plot.svg?s=1:p2p_MPI_Send-MPI_Recv')
      ->content_like(qr/memcpy of as many bytes.*measured \/ fitted - 1/s);
};

subtest 'times by different rules are drawn together with a note' => sub {
    my $other = generated_run( minute => 3, notes => { RULE => 1, ESTIMATE => 'median' } );
    my $t     = tester( database_of( generated_run(), $other ), public => 1 );
    $t->get_ok("/compare?s=1:$PING&s=2:$PING")
      ->content_like(qr/times by different rules, so no verdicts: cut: /);
    is scalar @{ $t->get_ok("/compare/plot.json?s=1:$PING&s=2:$PING")->tx->res->json->{panels} }, 1,
      'one plot';
};

subtest 'what is not comparable has axes of its own' => sub {
    my @apart = (
        [ { TIMEOF => 'half of it' }, qr/the definition of the time is 'half of it' here/ ],
        [ { TYPE   => '47 syncol_MPI_Bcast' }, qr/the pattern is 'syncol' here, 'p2p' there/ ],
    );
    my @texts = (
        generated_run(),
        map { generated_run( minute => 3, notes => $_->[0], facts => { MACHINE => 'Other' } ) }
          @apart
    );
    my $t = tester( database_of(@texts), public => 1 );
    for my $i ( 0 .. $#apart ) {
        my $id = $i + 2;
        $t->get_ok("/compare/plot.json?s=1:$PING&s=$id:$PING");
        my @panels = @{ $t->tx->res->json->{panels} };
        is @panels,            2,     'two plots';
        is $panels[0]{reason}, undef, 'no reason for the first one';
        like $panels[1]{reason}, $apart[$i][1], 'the reason of the other one';
        $t->get_ok("/compare?s=1:$PING&s=$id:$PING")->text_like( '.reason' => $apart[$i][1] );
    }
    $t->get_ok("/compare/plot.json?s=1:$PING&s=1:p2p_Suite02");
    is @{ $t->tx->res->json->{panels} }, 1, 'suites with the same definition share axes';
};

subtest 'rows of an older version' => sub {
    my $database = database_of( generated_run() );
    my $store    = $database->{store};
    $store->{handle}->do(q{UPDATE meaning SET data = REPLACE(data, '"estimate":"cut",', '')});
    my ($suite) = SKaMPI::Database::Reader->new($store)->suites(1);
    is "$suite->{estimate} $suite->{definition}{estimate}", 'median median',
      'are medians of visits';
};

subtest 'values' => sub {
    my $t = tester(
        database_of(
            generated_run(),
            generated_run( minute => 2, factor => 2, facts => { MACHINE => 'Slow' } )
        ),
        public => 1
    );
    my @cases = (
        [ 'value=time',      4 ],            # the last point of ten: 40 B
        [ 'value=oneway',    2 ],
        [ 'value=bandwidth', 2 * 40 / 4 ],
        [ 'value=ratio',     2 ],
    );
    for my $case (@cases) {
        my ( $query, $expected ) = @{$case};
        $t->get_ok("/compare/plot.json?s=1:$PING&s=2:$PING&$query");
        my $point = $t->tx->res->json->{panels}[0]{series}[1]{points}[-1];
        is $point->{at}, '40 B', "$query: the argument";
        cmp_ok abs( $point->{y} / $expected - 1 ), '<', 0.001, "$query: $point->{text}"
          or diag "expected $expected";
        cmp_ok $point->{low},  '<', $point->{y}, 'below';
        cmp_ok $point->{high}, '>', $point->{y}, 'above';
    }
    $t->get_ok("/compare/plot.json?s=1:simple_MPI_Wtime&value=bandwidth")
      ->json_like( '/notes/0' => qr/is not drawn: its messages have no length/ );
    $t->get_ok("/compare?s=1:$PING&s=7:$PING")->content_like(qr/run 7 has no suite/);
};

subtest 'files of what is shown' => sub {
    my $t =
      tester( database_of( runs_of_machines( 1, Alpha => 1, q{B'`touch x`"} => 2 ) ), public => 1 );
    my $query = "s=1:$PING&s=2:$PING";
    my %begin = (
        svg => qr/\A<\?xml/,
        png => qr/\A\x89PNG/,
        pdf => qr/\A%PDF/,
        eps => qr/\A%!PS-Adobe.*EPSF/
    );
    for my $format ( sort keys %begin ) {
        $t->get_ok("/compare/plot.$format?$query")->status_is(200)->content_like( $begin{$format} )
          ->header_like( 'Content-Disposition' => qr/comparison[.]$format/ );
    }
    my $place = workplace( 'plot.eps' => $t->get_ok("/compare/plot.eps?$query")->tx->res->body );
    my $drawn = tool( $place,
        qw(gs -q -dBATCH -dNOPAUSE -dSAFER -sDEVICE=png16m -sOutputFile=plot.png plot.eps) );
    is $drawn->{status}, 0, 'Ghostscript reads the EPS';
    my $all = () = $t->get_ok("/compare/table.csv?$query")->tx->res->body =~ /\r\n/g;
    is $all, 21, 'a line for each point, and a title';
    my $some = () =
      $t->get_ok("/compare/table.csv?$query&xmax=20&hide=2:$PING")->tx->res->body =~ /\r\n/g;
    is $some, 6, 'only what is shown';
    is_deeply [
        sort keys %{
            decode_json( $t->get_ok("/compare/table.json?$query")->tx->res->body )
              ->{panels}[0]{rows}[0]{cells}[1]
        }
      ],
      [qw(error inexact interpolated marks ratio ratio_error time)], 'the table as JSON';
    $t->get_ok('/compare/plot.svg')->status_is( 200, 'an empty plot' );
};

subtest 'verdicts about groups of launches' => sub {
    my $t = tester( database_of( runs_of_machines( 5, Fast => 1, Slow => 1.5 ) ), public => 1 );
    $t->get_ok("/compare?s=1:$PING&s=6:$PING")->text_is( 'td strong.slower' => 'slower' )
      ->content_like(qr/tested: 5 against 5 launches/);
    $t->get_ok("/compare?s=1:$PING&s=6:$PING")
      ->text_is( 'td strong.slower' => 'slower', 'from the cache' );
    $t->get_ok("/compare?s=1:$PING&s=2:$PING")->content_like(qr/both are launches of one group/);
    my $few = tester( database_of( runs_of_machines( 2, Fast => 1, Slow => 1.5 ) ), public => 1 );
    $few->get_ok("/compare?s=1:$PING&s=3:$PING")
      ->content_like(qr/descriptive: at least 4 launches each/)->element_exists_not('td strong');
};

# The changes of times, several in a unit.
sub changes ( $of_a_unit, @times ) {
    return change_points( map { { time => $times[$_], unit => int $_ / $of_a_unit } }
          0 .. $#times );
}

subtest 'changes of level' => sub {
    my @noise = ( 1, 1.02, 0.99, 1.01, 0.98, 1, 1.01, 0.99 );
    my @cases = (
        [ 'none',              [@noise],                                        [] ],
        [ 'one',               [ @noise, map { 1.3 * $_ } @noise ],             [8] ],
        [ 'two',               [ @noise, ( map { 1.3 * $_ } @noise ), @noise ], [ 8, 16 ] ],
        [ 'a single slow run', [ @noise, 3, @noise ],                           [] ],
        [ 'few runs',          [ 1, 2, 1, 2 ],                                  [] ],
        [ 'less than 5 %',     [ @noise, map { 1.03 * $_ } @noise ],            [] ],
    );
    for my $case (@cases) {
        my ( $name, $times, $expected ) = @{$case};
        is_deeply [ map { $_->{index} } changes( 1, @{$times} ) ], $expected, $name;
    }
    is_deeply [ map { $_->{index} } changes( 3, (@noise) x 3, map { 1.3 * $_ } (@noise) x 3 ) ],
      [24],
      'the first run of a unit';
    is_deeply [ changes( 8, @noise, map { 1.3 * $_ } @noise ) ], [],
      'a job is one unit, however many runs it has';
    my ($change) = changes( 1, @noise, map { 1.3 * $_ } @noise );
    ok $change->{low} > 1.05 && $change->{low} < 1.3 && $change->{high} > 1.3, 'the interval';
};

# 200 histories without a change, in which each upload looks again: at most one alarm in 100 looks.
subtest 'noise' => sub {
    for my $noise ( 0.05, 0.25 ) {
        my $alarms = 0;
        for my $history ( 1 .. 200 ) {
            my $random = random_from( 7919 * $history );
            $alarms += changes( 1, map { exp( $noise * normal($random) ) } 1 .. 20 );
        }
        cmp_ok $alarms, '<=', 40, "spread $noise: $alarms alarms of 4,000 looks";
    }
};

done_testing;
