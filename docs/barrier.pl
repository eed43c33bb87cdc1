#!/usr/bin/perl
# The data of "make barrier-figure": what OSU's and IMB's numbers become when another barrier precedes the call,
# divided by the same statistic with a simultaneous start.
#   barrier.pl list                  the simulated runs: MACHINE-PROCESSES-OPERATION-BARRIER, the chosen barrier first
#   barrier.pl run FOLDER NAME       simulates one, unless FOLDER has it; writes FOLDER/NAME.csv
#   barrier.pl real FOLDER LIBRARY LAUNCHER   launches skampi with openmpi or mpich; writes FOLDER/real-LIBRARY.csv
#   barrier.pl csv FOLDER            prints all of the folder
#   barrier.pl caption CSV           prints the caption, in LaTeX, with the figures of this file
use v5.36;

use Cwd                            qw(abs_path);
use File::Path                     qw(make_path);
use List::Util                     qw(max min pairs sum0);
use Text::Wrap                     qw(wrap);
use SKaMPI::Meaning::PlottedPoints qw(grouped);
use SKaMPI::Read::Output;
use SKaMPI::Read::Times;
use SKaMPI::Sim  qw(simulate);
use SKaMPI::Test qw($ROOT read_file write_file);

# The algorithm of MPI_Barrier in Open MPI below this number of processes, by ompi_coll_tuned_barrier_intra_dec_fixed in
# ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, the same in all of 4.1.0 to 4.1.8 and 5.0.0 to 5.0.10. The component
# han of 5.0 has a higher priority, but leaves a communicator with one process on each host to it (coll_han_subcomms.c).
my @RULE = pairs
  qw(4 recursivedoubling 8 basic_linear 64 recursivedoubling 256 bruck 512 tree 1024 bruck 4096 tree
  inf bruck);

# Barriers: Open MPI's number (coll_tuned_barrier_algorithm) by SMPI's name. IMB's own (imb_barrier on: IMB_Barrier in
# IMB_utils.c) sends the messages of Open MPI's Bruck.
my %BARRIERS =
  ( basic_linear => 1, doublering => 2, recursivedoubling => 3, bruck => 4, tree => 6 );
my $IMBS = 'bruck';

# The barriers of a library that is measured, the default first, and the variables that choose them. On one host MPICH
# 4.0 chooses dissemination; the nonblocking barrier is recursive doubling.
my $TUNED = 'OMPI_MCA_coll_tuned';
my %REAL  = (
    openmpi => [
        map {
            [
                $_,
                "${TUNED}_use_dynamic_rules" => 1,
                "${TUNED}_barrier_algorithm" => $BARRIERS{$_}
            ]
        } qw(basic_linear doublering recursivedoubling bruck tree)
    ],
    mpich => [ ['dissemination'], [ 'nonblocking', MPIR_CVAR_BARRIER_INTRA_ALGORITHM => 'nb' ] ],
);

# Operations are those that Open MPI selects, but the simulator's k-nomial broadcast takes a minute to begin.
my @SELECTED = map { "--cfg=smpi/$_" } qw(coll-selector:ompi bcast:binomial_tree);

# Types of skampi, and the most processes for each length: the simulator keeps all messages of all processes.
my %TYPES   = ( bcast => 47, reduce => 54, allgather => 64, alltoall => 55 );
my @LENGTHS = ( 8, 1024, 65_536 );
my %MOST    = (
    bcast     => [ 4096, 1024, 256 ],
    reduce    => [ 4096, 256,  64 ],
    allgather => [ 2048, 128,  64 ],
    alltoall  => [ 512,  64,   64 ],
);
my ( $MOST_FORCED, $MOST_IMB, $MOST_SKAMPI, $MOST_FLAT ) = ( 64, 1024, 64, 1024 );

my $MOST_BYTES =
  2**20;    # of skampi: while it waits in long calls, it reads the clock every 10 simulated ns
my ( $LAUNCHES, $REPETITIONS, $SETTLED ) = ( 8, 300, 4 );

$Text::Wrap::columns = 119;

my @COLUMNS =
  qw(machine processes operation bytes barrier chosen average_us maximum_us start_average_us
  start_maximum_us average_ratio average_error maximum_ratio maximum_error spread_us skampi_us skampi_error clocks_us);

sub barrier_of ($np) {
    my ($first) = grep { $np < $_->[0] } @RULE;
    return $first->[1];
}

sub barriers_of ($np) {
    my $chosen = barrier_of($np);
    my @others = $np <= $MOST_FORCED ? sort keys %BARRIERS : ($IMBS) x ( $np <= $MOST_IMB );
    return $chosen, grep { $_ ne $chosen } @others;
}

# A machine without distances has the broadcast alone. Long runs come first.
sub list () {
    my @runs;
    for my $np ( map { 2**$_ } reverse 4 .. 12 ) {
        for my $operation ( grep { $np <= $MOST{$_}[0] } sort keys %TYPES ) {
            push @runs, map { "tree-$np-$operation-$_" } barriers_of($np);
        }
        push @runs, "flat-$np-bcast-" . barrier_of($np) if $np <= $MOST_FLAT;
    }
    return @runs;
}

# A parameter file with a suite for each list of keys; its reduction is of bytes, as OSU's.
sub parameters ( $operation, $repetitions, $lengths, @keys ) {
    my $arguments = join q{,}, @{$lengths};
    my $data      = $operation eq 'reduce' ? ' elem=signed_char"' : '"; Send_Datatype_Number = 1';
    my $range     = "Start_Argument = $lengths->[0]; End_Argument = $lengths->[-1]";
    return join "\n", '@VERSION 4.2', '@MEMORY 65536', "\@MAXREPDEFAULT $repetitions",
      '@BASETYPE1 (1,1,MPI_BYTE)', '@MEASUREMENTS', map {
qq(s$_ { Type = $TYPES{$operation}; $range; Parameters = "arguments=$arguments $keys[$_]$data; }\n)
      } keys @keys;
}

# Runs skampi by a function in a folder, where it writes its log, too. Returns the results.
sub measured ( $folder, $parameters, $run ) {
    make_path($folder);
    chdir $folder or die "barrier.pl: cannot enter $folder: $!\n";
    unlink glob 'skampi.*';
    write_file( 'p.skampi', $parameters );
    $run->(qw(-q -f p.skampi));
    return SKaMPI::Read::Output->from_file('skampi.out');
}

sub line (%row) {
    $row{chosen}       //= $row{barrier} eq barrier_of( $row{processes} ) ? 'yes' : 'no';
    $row{"${_}_ratio"} //= $row{"${_}_us"} / $row{"start_${_}_us"} for qw(average maximum);
    return join( q{,},
        map { /^[\d.]+$/ ? 0 + sprintf '%.5g', $_ : $_ } map { $_ // q{} } @row{@COLUMNS} )
      . "\n";
}

sub run_one ( $folder, $name ) {
    return if -s "$folder/$name.csv";
    my %row;
    @row{qw(machine processes operation barrier)} = split /-/, $name;
    my ( $operation, $np ) = @row{qw(operation processes)};
    my $flat    = $row{machine} eq 'flat';
    my @lengths = map { $LENGTHS[$_] } grep { $np <= $MOST{$operation}[$_] } keys @LENGTHS;
    @lengths = 8 if $flat;
    my @machine = (
        $flat ? 'flat' : "$ROOT/docs/examples/barrier",
        $np, @SELECTED, "--cfg=smpi/barrier:ompi_$row{barrier}"
    );
    my @others = ( "$ROOT/build/smpi/tests/others", "osu_$operation", @lengths );
    my %us;

    for ( split /\n/, simulate( @machine, @others ) ) {
        my ( $way, $length, @us ) = split;
        my $of = $way eq 'start' ? 'start_' : q{};
        @{ $us{$length} }{ "${of}average_us", "${of}maximum_us" } = @us[ 0, 2 ];
        $us{$length}{spread_us} //= $us[3];
    }
    if ( $np <= $MOST_SKAMPI && !$flat ) {
        my @short = grep { $_ * $np <= $MOST_BYTES } @lengths;
        my $run   = sub (@words) { simulate( @machine, "$ROOT/build/smpi/skampi", @words ) };
        my ($suite) =
          measured( "$folder/$name", parameters( $operation, $SETTLED, \@short, q{} ), $run )
          ->suites;
        $us{ $_->{argument} }{skampi_us} = $_->{time} for @{ $suite->{rows} };
    }
    write_file( "$folder/$name.new", join q{},
        map { line( %row, bytes => $_, %{ $us{$_} } ) } @lengths );
    return rename "$folder/$name.new", "$folder/$name.csv";
}

# Results of one launch.
sub launched ($output) {
    my @suites = $output->suites;
    my ( $start, $osu ) = map { $_->{rows}[0] } @suites;
    my $times   = SKaMPI::Read::Times->new( 'skampi.out', $suites[0] );
    my ($own)   = $times->runs(8);
    my @means   = map { $own->{$_}{mean} } $times->processes(8);
    my ($clock) = $output->field('CLOCKBOUND') =~ /^([\d.]+)/;
    my %of      = (
        average_us       => $osu->{time},
        maximum_us       => $osu->{extras}{longest},
        start_average_us => sum0(@means) / @means,
        start_maximum_us => max(@means),
        skampi_us        => $start->{time},
    );
    $of{"${_}_ratio"} = $of{"${_}_us"} / $of{"start_${_}_us"} for qw(average maximum);
    return {
        %of,
        clocks    => $clock,
        processes => scalar @means,
        machine   => $output->field('MPILIBRARY') =~ s{[,\n].*}{}sr =~ s{ Version:}{}r
    };
}

# Means of launches with one barrier, and their standard errors.
sub real_line ( $barrier, $chosen, @runs ) {
    my %row = (
        machine   => $runs[0]{machine},
        processes => $runs[0]{processes},
        chosen    => $chosen,
        operation => 'bcast',
        bytes     => 8,
        barrier   => $barrier,
        clocks_us => max( map { $_->{clocks} } @runs )
    );
    for my $what ( grep { /_us$|_ratio$/ } keys %{ $runs[0] } ) {
        my @values = map { $_->{$what} } @runs;
        my $mean   = $row{$what} = sum0(@values) / @values;
        $row{ $what =~ s/[^_]*$/error/r } =
          sqrt( sum0( map { ( $_ - $mean )**2 } @values ) / ( @values - 1 ) / @values )
          if $what =~ /ratio|skampi/;
    }
    return line(%row);
}

# Launches with each barrier in turns.
sub launch ( $folder, $library, @launcher ) {
    my %runs;
    my @barriers   = @{ $REAL{$library} };
    my $parameters = parameters( 'bcast', $REPETITIONS, [8], 'histogram=yes', 'as=osu' );
    for my $chosen ( (@barriers) x $LAUNCHES ) {
        my ( $barrier, %variables ) = @{$chosen};
        local @ENV{ keys %variables } = values %variables;
        my $run = sub (@words) { system( @launcher, @words ) == 0 or die "failed: @launcher\n" };
        push @{ $runs{$barrier} }, launched( measured( "$folder/real", $parameters, $run ) );
    }
    my @names = map { $_->[0] } @barriers;
    return write_file( "$folder/real-$library.csv",
        join q{}, map { real_line( $_, $_ eq $names[0] ? 'yes' : 'no', @{ $runs{$_} } ) } @names );
}

sub csv ($folder) {
    my @files = grep { -s } map { "$folder/$_.csv" } reverse( list() ),
      map { "real-$_" } reverse sort keys %REAL;
    return join q{}, join( q{,}, @COLUMNS ) . "\n", map { read_file($_) } @files;
}

# "0.34 to 1.7": the range of a column.
sub range ( $column, @rows ) {
    my @values = map { $_->{$column} } @rows;
    return sprintf '%.3g to %.3g', min(@values), max(@values);
}

# By how many per cent skampi's number of one argument differs between barriers at most.
sub moved (@rows) {
    my %of;
    push @{ $of{"@{$_}{qw(processes operation bytes)}"} }, $_->{skampi_us}
      for grep { $_->{skampi_us} } @rows;
    return 100 * max map { max( @{$_} ) / min( @{$_} ) - 1 } values %of;
}

sub measured_with (@rows) {
    my $usual = $rows[0];
    my $text  = sprintf <<'END', @{$usual}{qw(machine processes average_ratio)},
with %s and %d processes, OSU's average is %.2g times with the default barrier (%s; standard error %.1g), and %s with
all, and \skampi's number %s~$\mu$s
END
      $usual->{barrier} =~ s{basic_}{}r, $usual->{average_error}, range( average_ratio => @rows ),
      range( skampi_us => @rows );
    chomp $text;
    return $text;
}

sub caption ($path) {
    my ( undef, @lines ) = split /\n/, read_file($path);
    my @all       = map  { my %row; @row{@COLUMNS} = split /,/; \%row } @lines;
    my @simulated = grep { $_->{machine} eq 'tree' } @all;
    my @real      = grep { $_->{skampi_error} } @all;
    my @bcast     = grep { $_->{operation} eq 'bcast' && $_->{bytes} == 8 } @simulated;
    my @chosen    = grep { $_->{chosen} eq 'yes' } @bcast;
    my @imb       = grep { $_->{barrier} eq $IMBS && $_->{processes} <= $MOST_IMB } @bcast;
    my @flat      = grep { $_->{machine} eq 'flat' } @all;
    my $text = sprintf <<'END', map( { range( "${_}_ratio" => @chosen ) } qw(average maximum) ),
With the barriers that Open~MPI selects by default, OSU's average of an 8~B broadcast is %s times its value for a
simultaneous start, and its maximum (\code{-f}) %s times, with 16 to %d simulated processes; in a network without
distances, where only the tree lets processes go one after the other, the average is %s times. IMB's t\_avg and t\_max
are the same; with its best switch, \code{imb\_barrier}, they are %s and %s times. The last process leaves these
barriers %s~$\mu$s after the first. \skampi\ calls no barrier: its number moves by %.1f\,\%% (up to %d processes).
Measured %s; \skampi's clocks agree within %.2g~$\mu$s. Bars are standard errors
between launches. Most processes that were simulated with 8/1024/65536~B: %s.
END
      max( map { $_->{processes} } @chosen ), range( average_ratio => @flat ),
      map( { range( "${_}_ratio" => @imb ) } qw(average maximum) ), range( spread_us => @chosen ),
      moved(@simulated), max( map { $_->{processes} } grep { $_->{skampi_us} } @simulated ),
      join( '; ',
        map { measured_with( @{$_} ) } grouped( sub ($row) { return $row->{machine} }, @real ) ),
      max( map { $_->{clocks_us} } @real ),
      join ', ', map { "$_ " . join q{/}, @{ $MOST{$_} } } sort keys %MOST;
    return
      "\\newcommand{\\barriercaption}{%\n"
      . wrap( q{}, q{}, $text =~ s/\n\z//r =~ s/\n/ /gr ) . "}\n";
}

my ( $what, $folder, @arguments ) = @ARGV;
my %DO = (
    list    => sub { say for list() },
    run     => \&run_one,
    real    => \&launch,
    csv     => sub ($path) { print csv($path) },
    caption => sub ($path) { print caption($path) },
);
( $DO{ $what // q{} } // die "barrier.pl: its first lines say what to give it\n" )
  ->( defined $folder ? abs_path($folder) : (), @arguments );
