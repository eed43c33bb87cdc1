use v5.36;

use Test::More;
use SKaMPI::Document::SidesContent qw(compared_suites);
use SKaMPI::Read::Output;
use SKaMPI::Results qw(results);

sub output ( $fields, $name = 'made.out' ) {
    my $text = join "\n", ( map { "#\@$_ $fields->{$_}" } sort keys %{$fields} ), q{};
    return SKaMPI::Read::Output->from_text( $text, $name );
}

sub legend (@outputs) {
    return [ map { $_->{name} } @{ compared_suites( [], @outputs )->{members} } ];
}

subtest 'what is compared' => sub {
    my %same  = ( MACHINE => 'X', MPILIBRARY => "Open MPI v4.1.4, built\n# here", PROCESSES => 2 );
    my @cases = (
        [ machines  => { MACHINE    => 'Y',                  MPILIBRARY => 'MPICH Version: 4.0' } ],
        [ libraries => { MPILIBRARY => 'MPICH Version: 4.0', PROCESSES  => 4 } ],
        [ versions  => { MPILIBRARY => 'Open MPI v5.0.1, built', PROCESSES => 4 } ],
        [ versions  => { SKAMPIVERSION => '4.3.0' } ],
        [ settings  => { PROCESSES     => 4 } ],
        [ settings  => { ENVIRONMENT   => 'OMPI_MCA_x=1' } ],
        [ launches  => { ENVIRONMENT   => 'OMPI_ARGV=x', DATE => 'later' } ],
    );
    for my $case (@cases) {
        my ( $what, $other ) = @{$case};
        my @outputs = map { output($_) } \%same, { %same, %{$other} };
        is( compared_suites( [], @outputs )->{what}, $what, "$what: @{[ %{$other} ]}" );
    }
};

# The results of a text "MACHINE; FACT=VALUE; ... @ FILE".
sub output_of ($text) {
    my ( $facts,   $file )  = split / @ /,   $text =~ s/\\n/\n/r;
    my ( $machine, @facts ) = split /;[ ]*/, $facts;
    return output( { MACHINE => $machine, map { split /=/, $_, 2 } @facts }, $file // 'made.out' );
}

subtest 'names' => sub {
    my $cases = <<'END';
X | Y\n# Z => X | Y
NAME OF YOUR MACHINE; HOSTNAME=h | ; USER=x @ dir/f.out => h | f.out
X; PROCESSES=2 | X; PROCESSES=4 | Y => X (2 processes) | X (4 processes) | Y
X; MPILIBRARY=Open MPI v4, built | X; MPILIBRARY=MPICH 4 => X (Open MPI v4) | X (MPICH 4)
X @ d/a | X @ d/b => X (a) | X (b)
X @ /p/d/a | X @ /p/e/a => X (d/a) | X (e/a)
X @ p/d/a | X @ q/d/a => X (p/d/a) | X (q/d/a)
X | X => X (1) | X (2)
X @ a | X @ b | X (a) => X (a) (a) | X (b) | X (a) (made.out)
X (a) | X @ a | X @ b => X (a) (1) | X (a) (2) | X (b) (3)
\input{x}$(id)`%#~^{_ => \input{x}$(id)`%#~^{_
END
    for my $case ( split /\n/, $cases ) {
        my ( $outputs, $wanted ) = split / => /, $case;
        is join( ' | ', @{ legend( map { output_of($_) } split / [|] /, $outputs ) } ), $wanted,
          $outputs;
    }
    is_deeply legend( output_of( 'x' x 1000 ) ), [ 'x' x 37 . '...' ], 'a long name is cut';
};

subtest 'suites' => sub {
    my $a = results(
        { MACHINE => 'A', PROCESSES => 4 },
        [ 'p2p_x',          'length', [ '8 10 0', '16 20 0' ] ],
        [ 'p2p_y',          'length', ['8 10 0'] ],
        [ 'p2p_z',          'length', ['8 10 0'] ],
        [ 'internal_timer', undef,    ['0 1 0'] ],
    );
    my $b = results(
        { MACHINE => 'B', PROCESSES => 4 },
        [ 'internal_timer', undef,    ['0 1 0'] ],
        [ 'p2p_w',          'length', ['8 10 0'] ],
        [ 'p2p_z',          'nodes',  ['8 10 0'] ],
        [ 'p2p_x',          'length', [ '8 20 0', '16 20 0' ] ],
    );
    my $c = results(
        { MACHINE => 'C' },
        [ 'p2p_w', 'length', ['8 10 0'] ],
        [ 'p2p_x', 'length', ['8 40 0'] ]
    );
    my $members = compared_suites( [], $a, $b, $c );
    is_deeply [ map { join q{ }, $_->{label}, @{ $_->{members} } } @{ $members->{suites} } ],
      [ 'p2p_x 0 1 2', 'p2p_w 1 2' ], 'are matched by label and quantity';
    my $comparison = $members->{suites}[0]{comparison};
    is $comparison->title, 'p2p_x', 'the title is the label';
    is_deeply [ map { $_->{name} } $comparison->members ], [qw(A B C)],
      'members have the names of the machines';
    is(
        ( $comparison->sentences )[0],
        'At 8 B, A takes the shortest time; B takes 2.00 and C 4.00 times as long.',
        'a sentence'
    );
    is_deeply $members->{notes}, ['Omitted: 1 suite that only one of the runs has.'], 'a note';
};

subtest 'numbers of processes' => sub {
    my @cases = (
        [ 'equal', 4, 4 ],
        [
            'unequal',
            4,
            8,
'The runs have different numbers of processes (4 and 8); suites over the length use all of them.'
        ],
        [ 'unknown', 4, 'many' ],
    );
    for my $case (@cases) {
        my ( $name, $few, $many, @notes ) = @{$case};
        my @outputs = (
            output( { MACHINE => 'A', PROCESSES => $few } ),
            output( { MACHINE => 'B', PROCESSES => $many } )
        );
        is_deeply( compared_suites( [], @outputs )->{notes}, \@notes, $name );
    }
    my @results = map { results( {}, [ 'p2p_x', 'length', ['8 1 0'], { nodes => $_ } ] ) } 2, 4;
    my ($pair)  = @{ compared_suites( [], @results )->{suites} };
    is_deeply [ $pair->{comparison}->notes ],
      ['the suites differ in their default number of processes: 2, 4'],
      'a suite with different numbers has a note';
};

subtest 'fewer than two files' => sub {
    my $one = compared_suites( [], results( {}, [ 'p2p_x', 'length', ['8 1 0'] ] ) );
    is_deeply [ $one->{suites}, $one->{notes} ], [ [], [] ], 'nothing to compare';
    is_deeply( compared_suites( [] )->{members}, [], 'no machine' );
};

done_testing;
