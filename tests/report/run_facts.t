# Facts about a run on the first page.
use v5.36;

use Test::More;
use SKaMPI::Test              qw(blocks_of);
use SKaMPI::Meaning::Catalog  qw(rows_of);
use SKaMPI::Meaning::RunFacts qw(described machine_name run_facts run_notes visit_warnings);
use SKaMPI::Findings::Health  qw(health_of);
use SKaMPI::Meaning::Facts    qw(unknown_facts);
use SKaMPI::Results           qw(results);
use SKaMPI::ReportTest        qw(page_of);
use SKaMPI::Document::Content;

# "title: line|line" of each fact.
sub facts (%fields) {
    my @facts = run_facts( results( \%fields ) );
    return [
        map {
            my ( $title, @lines ) = @{$_};
            "$title: " . join q{|}, @lines
        } @facts
    ];
}

subtest 'facts' => sub {
    for my $case ( blocks_of(<<'END') ) {
units
  TIMER: x, tick 0.020000 microsec., cost 1.5 microsec. per call
  Timer: x, tick 20.00 ns, cost 1.500 us per call
a unit without a number
  STARTSKEW: unknown microsec.
  Start skew: unknown microsec.
lines about how the library was built are omitted
  MPILIBRARY: MPICH Version: 4.0.2|# MPICH configure: --x|# MPICH CC: gcc
  MPI library: MPICH Version: 4.0.2
neighbouring ranks are combined
  BINDING: rank host cpus|# 0 a 0-1|# 1 a 0-1|# 2 b 3|# 3 b unknown
  Binding: ranks 0 to 1: a, CPUs 0-1|rank 2: b, CPU 3|rank 3: b, CPUs unknown
another binding
  BINDING: rank host cpus|# 0 a
  Binding: rank host cpus|0 a
END
        my ( $name, $field, $expected ) = @{$case};
        is_deeply facts( split /: /, $field =~ tr/|/\n/r, 2 ), [ $expected =~ s/ us / \x{b5}s /r ],
          $name;
    }
    my $ranks = join q{}, map { "\n# $_ a $_" } 1 .. 100;
    like facts( BINDING => "rank host cpus$ranks" )->[0], qr/\|[.]{3} and 88 more\z/,
      'many lines are cut';
};

subtest 'placeholders' => sub {
    my %shipped = (
        MACHINE => "NAME OF YOUR MACHINE\n# Replace these lines: the name alone on the first",
        NODE    => "KIND OF YOUR NODES\n# Replace: processors",
        USER    => 'YOUR NAME',
    );
    my $output = results( { %shipped, HOSTNAME => 'there' } );
    is_deeply [ run_facts($output) ], [ [ 'Hosts', 'there' ] ], 'are not printed';
    is machine_name($output), 'there', 'the host replaces the name';
    is_deeply [ described( $output, 'USER' ) ], [], 'there is no user';
    my ($note) = run_notes($output);
    like $note, qr/the parameter file does not fill in \@MACHINE, \@NODE and \@USER[.]\z/,
      'a note lists them';
    $output =
      results( { %shipped, MACHINE => "Mine\n# Replace these lines: x\n# with two boards" } );
    is machine_name($output), 'Mine', 'the name is used';
    is_deeply [ ( run_facts($output) )[0] ], [ [ 'Machine', 'with two boards' ] ],
      'and the lines that are filled in';
    is_deeply [ grep { /fill in/ } run_notes( results( { MACHINE => 'x' } ) ) ], [],
      'no note about missing fields';
};

is_deeply [
    map  { $_->{name} }
    grep { defined $_->{title} != keys %{ $_->{shown} } > 0 } rows_of('facts')
  ],
  [],
  'facts have a title if a list shows them';

subtest 'a form that is not known' => sub {
    my $output = results( { CPUSHARE => '92.0 percent: rank 0', TIMER => 'none' } );
    my @known  = map { "the fact $_ has a form that is not known" } 'CPUSHARE', 'TIMER';
    is_deeply [ unknown_facts($output) ], [ "$known[0]: 92.0 percent: rank 0", "$known[1]: none" ],
      'is said';
    is scalar( grep { /form that is not known/ } run_notes($output),
        @{ health_of($output)->{notes} } ),
      4,
      'in the report and on page 1';
};

subtest 'page 1' => sub {
    my %fields =
      ( SUITES => join( "\n# ", ('A { Type = 61; }') x 3 ), WARNING => 'not bound: rank 0' );
    my @suites = map {
        [
            "syncol_$_", 'length',
            [ '1024 1 0.1', '131072 9 0.1' ], { type => $_, notes => '#@PASSES 2 of 5: x' }
        ]
    } '61 syncol_MPI_Allreduce', '47 syncol_MPI_Bcast';
    my $output = results( \%fields, @suites );
    is_deeply [ visit_warnings($output) ],
      [     'the run is not finished: visits are missing in 2 of 3 suites,'
          . ' syncol_61 syncol_MPI_Allreduce has 2 of 5; start skampi again to complete them' ],
      'suites of the parameter file are counted';
    my $content =
      SKaMPI::Document::Content->new( $output, style => { fewest => 4, mono => 0, bars => 0 } );
    is( ( () = page_of($content) =~ /not bound/gi ), 1, 'a note appears once' );
    my $commands = join q{}, map { $_->commands('pdf') } $content->plots;
    is_deeply [ $commands =~ /title '([0-9]+ K?i?B)'/g ], ['1 KiB'],
      'a legend has the lengths that were measured';
};

subtest 'range lines' => sub {
    my @rows = ( '4 1 0.1', '8 2 0.1', '16 3 0.1' );
    my $note = sub ($range) {
        return
          scalar grep { /range line leaves rows out of .*key figures.* in x[.]/ }
          run_notes( results( {}, [ 'p2p_x', 'length', \@rows, { range => $range } ] ) );
    };
    is $note->('4 - 8'),  1, 'rows that a range line leaves out are named';
    is $note->('4 - 16'), 0, 'none are left out';
};

done_testing;
