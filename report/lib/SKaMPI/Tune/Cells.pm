package SKaMPI::Tune::Cells;

# The results of launches of suites with Variation = Algorithm: for each collective, number of processes and length,
# the time of each algorithm. The program writes the names of the algorithms into the block (#@ALGORITHMS). And which
# algorithm is chosen in each cell: a candidate that is confirmed against the library's own choice, over launches and
# all cells together (SKaMPI::Verdict::Family): its interval is below 1. Along the length, a change of the algorithm
# has a price, so that neither noise nor a gain of 1 % makes a table.
use SKaMPI::Base;

use List::Util qw(any first max uniq);

use SKaMPI::Base::Program          qw(fail);
use SKaMPI::Meaning::PlottedPoints qw(grouped);
use SKaMPI::Read::Plausible        qw(is_process_count);
use SKaMPI::Read::ResultFile       qw(read_results);
use SKaMPI::Verdict::Family        qw(judge_pairs);

# How the rules of Open MPI count the length of a message, and their numbers of the collectives; MPICH's condition on
# the length, where it has one that counts bytes.
our %SIZES = (
    allgather            => { id => 0, per_process => 1, mpich => 'total_msg_size' },
    allreduce            => { id => 2, mpich       => 'avg_msg_size' },
    alltoall             => { id => 3, per_process => 1, mpich => 'avg_msg_size' },
    barrier              => { id => 6, none        => 1 },
    bcast                => { id => 7, mpich       => 'avg_msg_size' },
    exscan               => { id => 8 },
    gather               => { id => 9,  per_process => 1 },
    reduce               => { id => 11, mpich       => 'avg_msg_size' },
    reduce_scatter       => { id => 12, per_process => 1, mpich => 'total_msg_size' },
    reduce_scatter_block => { id => 13, per_process => 1 },
    scan                 => { id => 14 },
    scatter              => { id => 15, per_process => 1 },
);

# The value of a row, a low quantile: disturbances make repetitions longer.
sub own_value ($row) {
    my $value = $row->{extras}{p25} // $row->{time};
    return defined $value && $value > 0 && !$row->{few} ? $value : undef;
}

# Reads a launch: a hash of path, about (library, date, hosts) and cells, a hash by key.
sub launch_of ($path) {
    my $output = read_results($path);
    my %cells;
    for my $suite ( grep { defined $_->note('ALGORITHMS') } $output->suites ) {
        my $cell = _cell($suite) // next;
        $cells{ $cell->{key} } = $cell;
        $cell->{layout} = _layout( $output, $cell->{processes} );
    }
    my %about = (
        library   => $output->fact('MPILIBRARY')->{list}[0]{text} // q{},
        hosts     => $output->field('PROCESSESPERHOST')           // q{},
        processes => $output->field('PROCESSES')                  // q{},
        program   => $output->field('SKAMPIVERSION')              // q{},
        date      => $output->field('DATE')                       // q{},
    );
    return { path => $path, about => \%about, cells => \%cells };
}

# The layout of the first processes on hosts: "2x4" are 2 hosts with 4 each, "4+3" have unequal numbers.
sub _layout ( $output, $processes ) {
    my @hosts = map { $_->{host} } @{ $output->fact('BINDING')->{list} };
    return "?x$processes" if @hosts < $processes;
    my %count;
    $count{$_}++ for @hosts[ 0 .. $processes - 1 ];
    my @counts = sort { $b <=> $a } values %count;
    return $counts[0] == $counts[-1] ? @counts . "x$counts[0]" : join q{+}, @counts;
}

sub _cell ($suite) {
    my %fact = %{ $suite->fact('ALGORITHMS') };
    my %cell = ( %fact{qw(collective processes variable)}, type => $suite->fact('TYPE')->{number} );
    my @lines = @{ $fact{list} };
    return if ( grep { !defined } values %cell ) || !is_process_count( $cell{processes} );
    return if @lines < 2;
    $cell{length} = $SIZES{ $cell{collective} }{none} ? 0 : $suite->message_length // 0;
    $cell{key}    = join q{ }, @cell{qw(collective processes length)};
    my %times = map { ( $_->{argument} => own_value($_) ) }
      grep { defined $_->{argument} } @{ $suite->rows };
    return { %cell, names => { map { $_->{number} => $_->{name} } @lines }, times => \%times };
}

# Variables of a library that chooses only when it starts, each with the highest number of its presets.
sub starts_of ($path) {
    my %most;
    for my $suite ( grep { defined $_->note('ALGORITHMS') } read_results($path)->suites ) {
        my %fact = %{ $suite->fact('ALGORITHMS') };
        next if ( $fact{variable} // q{} ) !~ /\AI_MPI_/;
        $most{ $fact{variable} } = max map { $_->{number} } $fact{list}->@*;
    }
    return %most;
}

# A library that chooses only when it starts measures one algorithm of each cell in a launch. Such launches are joined:
# the first ones of all algorithms, then the second ones.
sub joined (@launches) {
    my @joined;
    for my $launch (@launches) {
        my $new  = $launch->{cells};
        my $into = first {
            my $old = $_->{cells};
            !any {
                my $key = $_;
                any { exists $old->{$key}{times}{$_} } keys $new->{$key}{times}->%*
              }
              keys %{$new}
        } @joined;
        push @joined, { %{$launch}, cells => {} } if !$into;
        my $cells = ( $into // $joined[-1] )->{cells};
        for my $key ( keys %{$new} ) {
            my %times = ( ( $cells->{$key}{times} // {} )->%*, $new->{$key}{times}->%* );
            $cells->{$key} = { $new->{$key}->%*, times => \%times };
        }
    }
    return @joined;
}

# The cells of all launches, in order: each with the algorithms and, for each of them, the logarithm of its time over
# that of the library's own choice in the same launch (undef without a value), whose median over the launches is own_us.
sub cells_of (@launches) {
    my @keys = uniq map { keys $_->{cells}->%* } @launches;
    fail('no suite with Variation = Algorithm in these results') if !@keys;
    my @libraries = uniq sort map { $_->{about}{library} } @launches;
    fail( 'these results are of different MPI libraries: ' . join '; ', @libraries )
      if @libraries > 1;
    my @cells = sort {
             $a->{collective} cmp $b->{collective}
          || $a->{processes} <=> $b->{processes}
          || $a->{length}    <=> $b->{length}
    } map { _all_launches( $_, @launches ) } @keys;
    return @cells;
}

sub _all_launches ( $key, @launches ) {
    my @own   = map { $_->{cells}{$key} } @launches;
    my ($one) = grep { defined } @own;
    my @times = sort { $a <=> $b } grep { defined } map { defined ? $_->{times}{0} : undef } @own;
    my %cell  = ( %{$one}, own_us => $times[ @times / 2 ] );
    for my $number ( uniq map { keys $_->{times}->%* } grep { defined } @own ) {
        next if $number == 0;
        $cell{logs}{$number} = [
            map {
                my ( $own, $other ) = defined $_ ? @{ $_->{times} }{ 0, $number } : ();
                defined $own && defined $other ? log( $other / $own ) : undef
            } @own
        ];
    }
    return \%cell;
}

# The fewest launches; and the gain that a change of the algorithm along the length needs, as a logarithm of a ratio.
our ( $FEWEST, $PRICE ) = ( 6, 0.02 );

# Adds to each cell: points (number => point of the test), chosen (a number), best (number of the shortest geometric
# mean).
sub choose_all ( $launches, @cells ) {
    fail( "at least $FEWEST launches are needed, got " . @{$launches} )
      if @{$launches} < $FEWEST;
    my @points;
    for my $cell (@cells) {
        for my $number ( sort { $a <=> $b } keys $cell->{logs}->%* ) {
            my @pairs = $cell->{logs}{$number}->@*;
            next if grep { !defined } @pairs;
            push @points, $cell->{points}{$number} = { pairs => \@pairs };
        }
    }
    judge_pairs(@points);
    for my $cell (@cells) {
        my $points = $cell->{points} // {};
        my ($best) =
          sort { $points->{$a}{log} <=> $points->{$b}{log} || $a <=> $b } keys %{$points};
        $cell->{best} = defined $best && $points->{$best}{log} < 0 ? $best : 0;
    }
    _along_length( @{$_} )
      for grouped( sub ($cell) { return "@{$cell}{qw(collective processes)}" }, @cells );
    return;
}

# The cost of an algorithm in a cell; it is infinite unless the algorithm is known to be equal or faster.
sub _cost ( $cell, $number ) {
    return 0 if $number == 0;
    my $point = $cell->{points}{$number} // return 'inf';
    return $point->{log} if $point->{high} < 1;
    return $point->{verdict} eq 'equal' ? 0 : 'inf';
}

# Chooses along the length by dynamic programming: the least sum of costs and prices, from the library's own choice on.
sub _along_length (@cells) {
    my %numbers = map  { $_ => 1 } 0, map { keys $_->{points}->%* } @cells;
    my @numbers = sort { $a <=> $b } keys %numbers;
    my @from;
    my %sum = ( 0 => 0 );
    for my $i ( 0 .. $#cells ) {
        my %next;
        for my $to (@numbers) {
            my ($way) = sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] }
              map { [ $sum{$_} + ( $_ == $to ? 0 : $PRICE ), $_ ] } sort keys %sum;
            $next{$to} = $way->[0] + _cost( $cells[$i], $to );
            $from[$i]{$to} = $way->[1];
        }
        %sum = %next;
    }
    my ($at) = sort { $sum{$a} <=> $sum{$b} || $a <=> $b } @numbers;
    for my $i ( reverse 0 .. $#cells ) {
        $cells[$i]{chosen} = $at;
        $at = $from[$i]{$at};
    }
    return;
}

1;
