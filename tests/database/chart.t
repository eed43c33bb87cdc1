# Comparisons of several series: what shares axes, colours, values, files.
use v5.36;

use Cpanel::JSON::XS qw(decode_json);
use List::Util       qw(uniq);
use Test::More;

use SKaMPI::Findings::References qw(lines_of);
use SKaMPI::Figure::Style        qw(colour_of);
use SKaMPI::Read::Output;
use SKaMPI::Database::OddRuns qw(change_points);
use SKaMPI::Generated         qw(normal random_from);
use SKaMPI::Database::Chart;
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

# The panels of a comparison of these series.
sub panels ( $database, $series, %params ) {
    my $state = SKaMPI::Database::Chart::State->new(
        s => $series,
        map { $_ => [ $params{$_} ] } keys %params
    );
    my $chart =
      SKaMPI::Database::Chart->new( SKaMPI::Database::Reader->new( $database->{store} ), $state );
    return map { +{ %{$_}, plot => $chart->plot($_) } } $chart->panels;
}

subtest 'colours stay with a series' => sub {
    my @names = map { "machine $_" } 1 .. 12;
    my @all   = SKaMPI::Database::Chart::styles_of(@names);
    is uniq(@all),                                   12, '12 series look different';
    is uniq( map { colour_of($_) } @all[ 0 .. 5 ] ), 6,  'six have colours of their own';
    is_deeply [ SKaMPI::Database::Chart::styles_of( @names[ 0 .. 4 ] ) ], [ @all[ 0 .. 4 ] ],
      'another series at the end changes none';
};

subtest 'a suite is held against something' => sub {
    my $kept       = qr/(?:p2p_MPI_Send-MPI_Recv|syncol_memcpy-length-SM)[.]ski/;
    my $text       = read_file($SAMPLE) =~ s{^\#/\*\@in(?!$kept).*?^\#eol\n}{}gmsr;
    my $read       = SKaMPI::Read::Output->from_text($text);
    my ($farthest) = map { ( $_->{text} // q{} ) =~ /to ([\d.]+).* times as long as memcpy/ }
      lines_of( $read, $read->suite('p2p_MPI_Send-MPI_Recv') );
    my $database = database_of($text);
    for my $time (qw(first second)) {
        my ($panel) = panels( $database, ['1:p2p_MPI_Send-MPI_Recv'], value => 'ratio' );
        my ( undef, $fitted, $copy ) = @{ $panel->{series} };
        is_deeply [ map { s/,.*//r } map { $_->{name} } $fitted, $copy ],
          [ 'fitted', 'memcpy of as many bytes' ], "its lines, the $time time";
        is_deeply [ map { $_->{is_line} // 0 } @{ $panel->{series} } ], [ 0, 1, 1 ],
          'without marks';
        my ($most) = sort { $a <=> $b } map { $_->{y} } @{ $copy->{values}{points} };
        cmp_ok abs( 1 / $most - $farthest ), '<', 0.05, 'as far apart as in the report';
        my ( $above, $low ) = $panel->{plot}->panels;
        my ($y) =
          map { $_->{y} } grep { $_->{x} == 1024 } @{ $fitted->{values}{points} };
        my ($at) = grep { $_->[2] =~ /\A1 KiB/ } map { @{$_}[ 1 .. $#{$_} ] } @{ $low->[6] };
        my $value = $low->[5][2] + $at->[1] * ( $low->[5][3] - $low->[5][2] );
        cmp_ok abs( $value - 1 / $y + 1 ), '<', 1e-4, 'a low panel with residuals';
        is_deeply [ $low->[4], -$low->[5][2] ], [ $above->[4], $low->[5][3] ], 'its axes';
    }
    my @several = panels( $database, [qw(1:p2p_MPI_Send-MPI_Recv 1:syncol_memcpy-length-SM)] );
    is scalar( map { @{ $_->{series} } } @several ), 2, 'several suites have no reference';
    tester( $database, public => 1 )->get_ok('/compare/plot.svg?s=1:p2p_MPI_Send-MPI_Recv')
      ->content_like(qr/memcpy of as many bytes.*Measured \/ fitted - 1/s);
};

subtest 'times by different rules are drawn together with a note' => sub {
    my $other = generated_run( minute => 3, notes => { RULE => 1, ESTIMATE => 'median' } );
    my $t     = tester( database_of( generated_run(), $other ), public => 1 );
    $t->get_ok("/compare?s=1:$PING&s=2:$PING")
      ->content_like(qr/times by different rules, so no verdicts: cut: /);
    $t->element_count_is( 'figure.plot' => 1, 'one plot' );
};

subtest 'what is not comparable has axes of its own' => sub {
    my @apart = (
        [
            { TIME => 'half', TIMEOF => 'half of it' },
            qr/the definition of the time is 'half of it' here/
        ],
        [
            { TYPE => '47 syncol_MPI_Bcast', TIME => 'round_trip' },
            qr/the pattern is 'syncol' here, 'p2p' there/
        ],
    );
    my @texts = (
        generated_run(),
        map { generated_run( minute => 3, notes => $_->[0], facts => { MACHINE => 'Other' } ) }
          @apart
    );
    my $t = tester( database_of(@texts), public => 1 );
    for my $i ( 0 .. $#apart ) {
        my $id = $i + 2;
        $t->get_ok("/compare?s=1:$PING&s=$id:$PING")
          ->element_count_is( 'figure.plot svg' => 2, 'two plots' )
          ->element_count_is( 'figure .reason'  => 1, 'the second one has a reason' )
          ->text_like( 'figure ~ figure .reason' => $apart[$i][1] );
        my ($file) =
          $t->tx->res->dom->find('figure ~ figure a[href*=svg]')->map( attr => 'href' )->each;
        $t->get_ok($file)->content_like( qr/run $id\b|Other/, 'its file' );
    }
    $t->get_ok("/compare?s=1:$PING&s=1:p2p_Suite02")
      ->element_count_is( 'figure.plot' => 1, 'suites with the same definition share axes' );
};

subtest 'values' => sub {
    my $database = database_of( generated_run(),
        generated_run( minute => 2, factor => 2, facts => { MACHINE => 'Slow' } ) );
    my $t     = tester( $database, public => 1 );
    my @cases = (
        [ time      => 4 ],            # the last point of ten: 40 B
        [ oneway    => 2 ],
        [ bandwidth => 2 * 40 / 4 ],
        [ ratio     => 2 ],
    );
    for my $case (@cases) {
        my ( $value, $expected ) = @{$case};
        my ($panel) = panels( $database, [ "1:$PING", "2:$PING" ], value => $value );
        my $point = $panel->{series}[1]{values}{points}[-1];
        cmp_ok abs( $point->{y} / $expected - 1 ), '<', 0.001, "$value: $point->{y}";
        ok $point->{low} < $point->{y} && $point->{y} < $point->{high}, 'within its bar';
        my $read = ( $panel->{plot}->panels )[0][6][1][-1][2];
        like $read, qr/\A40 B: [0-9.]+.* \x{b1} .*, 8 repetitions\z/, 'in words';
        my ($number) = $read =~ /: ([0-9.]+)/;
        cmp_ok abs( $number / $expected - 1 ), '<', 0.01, 'the same number';
    }
    my ($zoomed) = panels( $database, ["1:$PING"], xmin => 10, xmax => 30 );
    my ( $x, $y ) = @{ ( $zoomed->{plot}->panels )[0] }[ 4, 5 ];
    is_deeply [ @{$x}[ 2, 3 ] ], [ 10, 30 ], 'chosen ends of the axis';
    my @seen =
      map { $_->{y} }
      grep { $_->{x} >= 10 && $_->{x} <= 30 } @{ $zoomed->{series}[0]{values}{points} };
    ok $y->[2] < $seen[0]
      && $y->[2] > 0.9 * $seen[0]
      && $y->[3] > $seen[-1]
      && $y->[3] < 1.1 * $seen[-1], 'the other axis spans what is seen';
    $t->get_ok("/compare?s=1:simple_MPI_Wtime&value=bandwidth")
      ->text_like( '.notes li' => qr/is not drawn: its messages have no length/ )
      ->element_exists_not('figure.plot');
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
    $t->get_ok('/compare/plot.svg')->status_is( 404, 'nothing to draw' );
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
