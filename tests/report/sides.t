# Comparisons of sides of several launches: the merged values, verdicts, and what the summary shows.
use v5.36;

use Test::More;
use SKaMPI::Document::SidesContent qw(compared_suites);
use SKaMPI::Document::Sides;
use SKaMPI::Document::SidesSummary;
use SKaMPI::Document::Sections qw(name_maker);
use SKaMPI::Document::Options;
use SKaMPI::Generated qw(launch_text launches random_from);
use SKaMPI::Read::Output;
use SKaMPI::Results qw(results);

# COUNT launches of a side. Its 30 points are slower by these factors.
sub side ( $name, $count, $slower = {}, %with ) {
    my $random = random_from( length $name );
    my @times =
      launches( $random, launches => $count, points => 30, between => 0.01, slower => $slower );
    return [
        map {
            my $text = launch_text( $times[$_], minute => 2 * $_ + length $name, %with );
            SKaMPI::Read::Output->from_text( $text, "$name/$_/skampi.out" )
        } 0 .. $#times
    ];
}

sub summary_of (@sides) {
    my $sides = SKaMPI::Document::Sides->of(@sides);
    return SKaMPI::Document::SidesSummary->new(
        sides   => $sides,
        members => compared_suites( [], $sides->outputs )->{members},
        names   => name_maker(),
        mono    => 0,
    );
}

subtest 'files of each side' => sub {
    my @cases = (
        [ [qw(--compare a b)],            'a|b' ],
        [ [qw(--compare a b -- c)],       'a b|c' ],
        [ [qw(--compare a -- b c -- -d)], 'a|b c|-d' ],
        [ [qw(a -- -b)],                  'a|-b' ],
    );
    for my $case (@cases) {
        my ( $words, $wanted ) = @{$case};
        my $options = SKaMPI::Document::Options->from_command_line( @{$words} );
        is join( q{|}, map { "@{$_}" } $options->sides ), $wanted, "@{$words}";
    }
};

subtest 'several launches as one result' => sub {
    my @launches = map {
        results(
            { MACHINE => 'X' },
            [ 'p2p_x', 'length', [ "8 $_ 0.5", $_ == 40 ? '9 1 0' : () ] ],
            [ 'p2p_y', 'length', ['8 3 0'] ]
        )
    } 10, 40;
    my ($merged) = SKaMPI::Document::Sides->of( \@launches, \@launches )->outputs;
    my ( $row, @more ) = @{ $merged->suite('p2p_x')->{rows} };
    cmp_ok abs( $row->{time} - 20 ),          '<', 1e-9, 'the geometric mean';
    cmp_ok abs( $row->{error} - 20 * log 2 ), '<', 1e-9, 'the standard error between launches';
    is scalar @more, 0, 'a point of one launch is left out';
    ok $merged->is_postprocessed, 'it counts as a merge';
    is scalar( @{ $launches[1]->suite('p2p_x')->{rows} } ), 2, 'the launches are unchanged';
    my @sides = map { side( @{$_} ) } [ 'base', 5 ], [ 'a new one', 5 ];
    is join( q{ }, map { $_->name } SKaMPI::Document::Sides->of(@sides)->outputs ),
      'base/*/skampi.out a new one/*/skampi.out', 'what the names have in common';
};

subtest 'verdicts' => sub {
    my $summary = summary_of( side( 'base', 5 ), side( 'newer', 5, { 4 => 1.2, 15 => 1.5 } ) );
    my ($pair) = @{ $summary->data->{pairs} };
    like $pair->{headline}, qr/\A30 common points: 2 slower, 0 faster, /, 'counts';
    is $pair->{why}, q{}, 'no reason against verdicts';
    is_deeply [ map { "$_->{title} $_->{points} @{$_->{verdicts}}[0, 1]" } @{ $pair->{groups} } ],
      ['Point-to-point 30 2 0'], 'points of each pattern';
    my @largest = @{ $pair->{differences} };
    is scalar @largest, 10, 'ten differences';
    is join( q{, }, map { "$_->{label} $_->{argument} $_->{colour}" } @largest[ 0, 1 ] ),
      'p2p_Suite02 24 B slower, p2p_Suite01 20 B slower', 'the largest first';
    like $largest[0]{interval}, qr/\A1[.][45]\d\d to 1[.][56]\d\d\z/, 'with an interval';
    my ($plot) = $summary->plots;
    is scalar( grep { /\A\d+ \S+ \S+ \S+ 2\z/ } split /\n/, $plot->data ), 2,
      'both are coloured in the plot';
    cmp_ok $plot->{width_cm}, '>',
      0.15 * length 'Collective operations, synchronised (SM): (2) / (1)',
      'which is wider than titles, of 1.5 mm a character';
    like $plot->commands('pdf'), qr/first 0[.]952381 to graph 1, first 1[.]05 /, 'the threshold';
};

subtest 'a difference with a verdict precedes a larger one without' => sub {
    my $new = side( 'newer', 5, { 4 => 1.2 } );
    my $row = $new->[0]->suite('p2p_Suite03')->{rows}[2];
    $row->{time} *= 9;
    my ($pair) = @{ summary_of( side( 'base', 5 ), $new )->data->{pairs} };
    my @shown = map { "$_->{label} $_->{verdict}" } @{ $pair->{differences} }[ 0, 1 ];
    is_deeply \@shown, [ 'p2p_Suite01 slower', 'p2p_Suite03 undecided' ], 'the order';
    cmp_ok $pair->{differences}[0]{ratio}, '<', $pair->{differences}[1]{ratio}, 'the ratios';
};

subtest 'no verdicts' => sub {
    my %other = ( facts => { PROCESSES => 4 } );
    my @cases = (
        [ 'one launch each', 1, 1,  {}, qr/\Aeach side is a single launch; at least 4 launches/ ],
        [ 'a single base',   1, 20, {}, qr/\A\(1\) is a single launch/ ],
        [ 'a single new',    5, 1,  {}, qr/\A\(2\) is a single launch/ ],
        [ 'too few',         3, 3,  {}, qr/\Aat least 4 launches a side/ ],
        [ 'processes',       5, 5,  \%other, qr/\Aprocesses: '4' in 'newer.*, '2' in/ ],
    );
    for my $case (@cases) {
        my ( $name, $base, $new, $with, $wanted ) = @{$case};
        my @sides = ( side( 'base', $base ), side( 'newer', $new, { 3 => 2 }, %{$with} ) );
        my ($pair) = @{ summary_of(@sides)->data->{pairs} };
        like $pair->{why}, $wanted, $name;
        is_deeply [ @{$pair}{qw(headline has_verdicts)} ], [ '30 common points.', 0 ], 'none';
        is scalar( grep { $_->{verdict} ne q{} } @{ $pair->{differences} } ), 0,
          'nor in the list of differences';
        is $pair->{has_interval}, $base + $new > 2 ? 1 : 0, 'intervals need a second launch';
    }
};

# Each ratio of the sections has the verdict that the first page counts, and no other.
subtest 'verdicts of all pages' => sub {
    for my $count ( 1, 5 ) {
        my $sides = SKaMPI::Document::Sides->of( side( 'base', $count ),
            side( 'newer', $count, { 3 => 1.5, 7 => 0.6 } ) );
        my $content = SKaMPI::Document::SidesContent->new( $sides,
            style => { fewest => 4, mono => 0, bars => 0 } );
        my $data   = $content->data;
        my ($pair) = @{ $data->{summary}{pairs} };
        my @views  = map { ( @{ $_->{comparisons} }, @{ $_->{brief} } ) } @{ $data->{sections} };
        my %ratios;
        $ratios{ $_->{cells}[1]{verdict} }++
          for map { @{ $_->{rows} } } map { @{ $_->{tables} } } @views;
        my ($all) = grep { $_->{title} ne 'All' } @{ $pair->{groups} };
        my ( $slower, $faster, $open, $equal ) = @{ $all->{verdicts} };
        my $words = join q{ }, map { @{ $_->{sentences} } } @views;
        is_deeply [ map { $ratios{$_} // 0 } qw(slower faster open equal) ],
          $count > 1 ? [ $slower, $faster, $open, $equal ] : [ 0, 0, 30, 0 ], "$count: colours";
        is scalar( () = $words =~ /\b1 slower\b/g ), $count > 1 ? 1 : 0, "$count: slower in words";
        is scalar( () = $words =~ /\b1 faster\b/g ), $count > 1 ? 1 : 0, "$count: faster in words";
        unlike $words, qr/ is faster|equal within/, "$count: no other verdict";
    }
};

subtest 'suites that differ in their definition' => sub {
    my $new = side( 'newer', 5, {}, notes => { CACHE => 'x' } );
    $_->suite('p2p_Suite02')->{notes}{TIME} = 'something_else' for @{$new};
    my ($pair) = @{ summary_of( side( 'base', 5 ), $new )->data->{pairs} };
    like $pair->{headline}, qr/\A20 common points: /, 'are left out';
    my @left = grep { /\Aleft out:/ } @{ $pair->{warnings} };
    is scalar @left, 1, 'with a single warning';
    like $left[0], qr/suite 'p2p_Suite02': time of is 'something_else'/, 'that says why';
};

subtest 'a merge as a side' => sub {
    my @sides = ( side( 'base', 5 ), side( 'newer', 1 ) );
    $sides[1][0]{postprocessed} = 1;
    my $data = summary_of(@sides)->data;
    is $data->{sides}[1]{count}, 'a merge of several runs', 'is not called a launch';
    like $data->{pairs}[0]{why}, qr/is a merge of several runs; name the runs/, 'no verdicts';
};

subtest 'sides without common points' => sub {
    my @sides = map { [ results( {}, [ $_, 'length', ['8 1 0'] ] ) ] } qw(p2p_x p2p_y);
    my ($pair) = @{ summary_of(@sides)->data->{pairs} };
    is $pair->{headline}, 'No points can be compared.', 'have a sentence';
    is_deeply [ @{$pair}{qw(why groups plots differences)} ], [ q{}, [], [], [] ], 'and no table';
};

sub figures (@times) {
    return map {
        results( { PROCESSES => $_->[1] },
            [ 'syncol_MPI_Barrier', 'nodes', ["$_->[1] $_->[0] 0.1"] ] )
    } @times;
}

subtest 'key figures side by side' => sub {
    my ($table) =
      SKaMPI::Document::SidesSummary->tables_of( 4, figures( [ 10, 2 ], [ 25, 2 ], [ 5, 3 ] ) );
    is_deeply [ map { $_->{what} } @{ $table->{rows} } ], ['MPI_Barrier'], 'a row';
    my @cells = @{ $table->{rows}[0]{cells} };
    is join( q{|}, map { "$_->{value} $_->{ratio}" } @cells ),
      "10.00 \x{b5}s |25.00 \x{b5}s 2.50|5.000 \x{b5}s \x{2020}",
      'ratios, but none between different numbers of processes';
    my @tables =
      SKaMPI::Document::SidesSummary->tables_of( 2, figures( map { [ $_, 2 ] } 1 .. 5 ) );
    is_deeply [ map { "@{$_->{numbers}}" } @tables ], [ '1 2', '3 4', '5' ], 'several tables';
    is_deeply [ SKaMPI::Document::SidesSummary->tables_of( 4, figures( [ 1, 2 ] ) ) ], [],
      'none for figures that one side has';
};

subtest 'facts side by side' => sub {
    my $data = summary_of(
        side( 'base',  2, {}, facts => { GOVERNOR => 'performance' } ),
        side( 'newer', 2, {}, facts => { GOVERNOR => 'powersave' } )
    )->data;
    my %cells = map { $_->{title} => $_->{cells} } @{ $data->{facts}[0]{rows} };
    is_deeply $cells{Governor},      [qw(performance powersave)], 'what differs';
    is_deeply $cells{'MPI library'}, ['Some MPI 1.0'],            'what is equal has one cell';
    is_deeply [ map { $_->{count} } @{ $data->{sides} } ], [ ('2 launches') x 2 ], 'launches';
};

done_testing;
