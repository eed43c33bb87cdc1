package SKaMPI::Verdict::OddRuns;

# Which of several runs of the same suites is odd, where, by how much, and what is different about it.
use SKaMPI::Base;

use List::Util qw(uniq);

use SKaMPI::Base::Table       qw(shorten wrapped);
use SKaMPI::Base::Units       qw(counted exact_percent format_argument format_ratio list_text);
use SKaMPI::Verdict::Points   qw(points_of without_suites);
use SKaMPI::Verdict::Text     qw(first_rows interval_of);
use SKaMPI::Meaning::Likeness qw(differences obstacles_of_files unlike_suites);
use SKaMPI::Stat::OddRun      qw(fewest_runs odd_runs);
use SKaMPI::Stat::Estimate    qw($ALPHA);

my ( $NONE, $ODD, $CANNOT_TELL ) = ( 'none is odd', 'odd', 'cannot tell' );
my %STATUS = ( $NONE => 0, $ODD => 1, $CANNOT_TELL => 3 );

# The most rows of the table, and the longest value of a fact.
my ( $MOST, $LONGEST ) = ( 20, 200 );

# The most reasons for leaving out suites that are printed.
my $MOST_REASONS = 3;

# Takes launches (SKaMPI::Verdict::Launch) of the runs. Returns the document skampi-odd/1 (report/schema.txt).
sub found_odd (@launches) {
    my %reason = map { @{$_} } reverse unlike_suites(@launches);
    my @alike  = without_suites( [ keys %reason ], @launches );
    my @points =
      grep { !$_->{part} && !defined $_->{unjudged} } @{ ( points_of( \@alike, \@alike ) )[0] };
    my ( $runs, $needed ) = ( scalar @launches, fewest_runs() );
    my ($why) = obstacles_of_files(@launches);
    $why = counted( $runs, 'run' ) . "; at least $needed are needed" if $runs < $needed;
    $why //= 'no suite and argument in common' if !@points;
    my %document = (
        schema   => 'skampi-odd/1',
        alpha    => $ALPHA,
        runs     => [ map { $_->{name} } @launches ],
        points   => scalar @points,
        left_out => [ map { $reason{$_} } sort keys %reason ],
        why      => $why,
    );
    return { %document, state => $CANNOT_TELL, odd => [], differences => [] }
      if defined $why;
    my @found = @{ odd_runs( map { +{ label => $_->{label}, values => $_->{base} } } @points ) };
    my @odd   = sort { $a <=> $b } uniq map { $_->{run} } @found;
    return {
        %document,
        state       => @found ? $ODD : $NONE,
        odd         => [ map { _row( $_, $launches[ $_->{run} ], \@points ) } @found ],
        differences => [ map { _own_facts( $_, @launches ) } @odd ],
    };
}

sub _row ( $of, $launch, $points ) {
    my ( $first, $last ) = $of->{whole} ? () : @{$points}[ @{$of}{qw(from to)} ];
    my $suite  = $first ? $launch->{suites}{ $first->{label} } : {};
    my %ratios = ( ratio => 'log', ratio_low => 'low', ratio_high => 'high' );
    return {
        run           => $launch->{name},
        number        => $of->{run} + 1,
        whole         => $of->{whole} ? \1 : \0,
        suite         => $first->{label},
        operation     => $suite->{definition}{operation},
        argument_from => $first->{argument},
        argument_to   => $last->{argument},
        argument_name => $first->{column}{name},
        argument_unit => $first->{column}{unit},
        points        => $of->{to} - $of->{from} + 1,
        p_adjusted    => 0 + sprintf( '%.3g', $of->{p} ),
        map { $_ => 0 + sprintf '%.6g', exp $of->{ $ratios{$_} } } keys %ratios,
    };
}

# The facts that no other run has like this one.
sub _own_facts ( $run, @launches ) {
    my ($odd) = splice @launches, $run, 1;
    my %count;
    $count{ $_->[0] }++ for map { differences( [$odd], [$_] ) } @launches;
    return map {
        {
            run    => $odd->{name},
            number => $run + 1,
            what   => $_->[0],
            value  => $_->[1],
            others => $_->[2]
        }
      }
      grep { ( $count{ $_->[0] } // 0 ) == @launches } differences( [$odd], \@launches );
}

sub odd_status ($document) { return $STATUS{ $document->{state} } }

# The answer in a sentence. If DOCUMENT has the member about, it names the runs that are asked for.
sub odd_headline ($document) {
    my $runs = counted( scalar @{ $document->{runs} }, 'run' );
    return "cannot tell which run is odd: $document->{why}" if $document->{state} eq $CANNOT_TELL;
    my @odd   = uniq map { $_->{run} } sort { $a->{number} <=> $b->{number} } @{ $document->{odd} };
    my $about = $document->{about};
    my $which =
        @odd           ? list_text(@odd) . ( @odd > 1 ? ' are odd' : ' is odd' )
      : defined $about ? $about . ( $about =~ / and / ? ' are' : ' is' ) . ' not odd'
      :                  $NONE;
    return "$runs, " . counted( $document->{points}, 'point' ) . ": $which";
}

# Returns a part of DOCUMENT, that about the runs of these names.
sub odd_of ( $document, @names ) {
    my %wanted = map { $_ => 1 } @names;
    my %of     = map {
        my $list = $_;
        ( $list => [ grep { $wanted{ $_->{run} } } @{ $document->{$list} } ] )
    } qw(odd differences);
    my $state = @{ $of{odd} } || $document->{state} eq $CANNOT_TELL ? $document->{state} : $NONE;
    return { %{$document}, %of, state => $state, about => list_text(@names) };
}

# The arguments of a row of odd: "8 B to 1 MiB".
sub odd_arguments ($row) {
    my %column = ( name => $row->{argument_name}, unit => $row->{argument_unit} );
    my @ends   = uniq map { format_argument( $_, \%column ) }
      grep { defined } @{$row}{qw(argument_from argument_to)};
    return join ' to ', @ends;
}

sub odd_interval ($row) {
    return interval_of( { low => $row->{ratio_low}, high => $row->{ratio_high} } );
}

# The lines for the terminal; with ALL, every row.
sub odd_lines ( $document, $all = 0 ) {
    my @reasons = @{ $document->{left_out} };
    splice @reasons, $MOST_REASONS if !$all;
    my @lines = map { wrapped($_) } odd_headline($document), map { "left out: $_" } @reasons;
    my @rows  = map {
        [
            "  $_->{run}",
            $_->{suite} // 'all',
            odd_arguments($_),
            format_ratio( $_->{ratio} ),
            odd_interval($_)
        ]
    } @{ $document->{odd} };
    return @lines if !@rows;
    my $alpha = exact_percent( $document->{alpha} );
    my @columns =
      ( '  run', qw(suite arguments:26 ratio>), exact_percent( 1 - $document->{alpha} ) );
    return (
        @lines, q{},
        first_rows( $all ? undef : $MOST, \@columns, @rows ),
        _facts($document),
        wrapped(
"ratio: the run's times / those of the other runs, relative to the run as a whole; in at most $alpha of sets in which no run is odd, any is named"
        )
    );
}

sub _facts ($document) {
    my @rows = @{ $document->{differences} }
      or return ( 'No fact of the header is special to it.', q{} );
    my @lines = '  what only this run has';
    for my $row (@rows) {
        push @lines,
          wrapped( "  $row->{run}, $row->{what}: " . shorten( $row->{value}, $LONGEST ), q{    } );
        push @lines, wrapped( '    the others: ' . shorten( $row->{others}, $LONGEST ), q{ } x 6 );
    }
    return ( @lines, q{} );
}

1;
