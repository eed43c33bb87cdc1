#!/usr/bin/perl
# The data of "make barrier-figure": what OSU's and IMB's numbers become when another barrier precedes the call,
# divided by the same statistic with a simultaneous start.
#   barrier.pl list                  the simulated runs: MACHINE-PROCESSES-OPERATION-BARRIER
#   barrier.pl run FOLDER NAME       simulates one, unless FOLDER has it
#   barrier.pl real FOLDER LAUNCHER  launches skampi with another library, four processes
#   barrier.pl csv FOLDER            all of the folder as CSV
#   barrier.pl caption CSV           the caption, in LaTeX, with the figures of this file
use v5.36;

use Cwd        qw(abs_path);
use File::Path qw(make_path);
use FindBin    qw($Bin);
use List::Util qw(max min sum0);
use SKaMPI::Read::Output;
use SKaMPI::Read::Times;
use SKaMPI::Sim  qw(simulator);
use SKaMPI::Test qw(read_file write_file);

# What MPI_Barrier is in Open MPI below this number of processes, by ompi_coll_tuned_barrier_intra_dec_fixed in
# ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, the same in all of 4.1.0 to 4.1.8 and 5.0.0 to 5.0.10. The component
# han of 5.0 has a higher priority, but leaves a communicator with one process on each host to it (coll_han_subcomms.c).
my @RULE = (
    [ 4    => 'recursivedoubling' ],
    [ 8    => 'basic_linear' ],
    [ 64   => 'recursivedoubling' ],
    [ 256  => 'bruck' ],
    [ 512  => 'tree' ],
    [ 1024 => 'bruck' ],
    [ 4096 => 'tree' ],
    [ inf  => 'bruck' ],
);

# Barriers: Open MPI's number (coll_tuned_barrier_algorithm) by SMPI's name. IMB's own (imb_barrier on: IMB_Barrier in
# IMB_utils.c) sends the messages of Open MPI's Bruck.
my %BARRIERS = ( basic_linear => 1, doublering => 2, recursivedoubling => 3, bruck => 4, tree => 6 );
my $IMBS     = 'bruck';

# Types of skampi, and the most processes for each length: the simulator keeps all messages of all processes.
my %TYPES   = ( bcast => 47, reduce => 54, allgather => 64, alltoall => 55 );
my @LENGTHS = ( 8, 1024, 65_536 );
my %MOST    = (
    bcast     => [ 4096, 1024, 256 ],
    reduce    => [ 4096, 1024, 256 ],
    allgather => [ 1024, 256,  64 ],
    alltoall  => [ 512,  64,   64 ],
);
my ( $MOST_FORCED, $MOST_IMB, $MOST_SKAMPI, $MOST_FLAT ) = ( 256, 1024, 64, 1024 );
my ( $REAL_PROCESSES, $LAUNCHES, $REPETITIONS ) = ( 4, 8, 300 );

my @COLUMNS = qw(machine processes operation bytes barrier chosen average_us maximum_us start_average_us
  start_maximum_us average_ratio average_error maximum_ratio maximum_error spread_us skampi_us skampi_error clocks_us);

sub barrier_of ($np) {
    for (@RULE) {
        return $_->[1] if $np < $_->[0];
    }
    return;
}

sub lengths_of ( $operation, $np ) {
    return map { $LENGTHS[$_] } grep { $np <= $MOST{$operation}[$_] } keys @LENGTHS;
}

# The barriers of a number of processes; the chosen one first.
sub barriers_of ($np) {
    my $chosen = barrier_of($np);
    my @others = $np <= $MOST_FORCED ? sort keys %BARRIERS : $np <= $MOST_IMB ? $IMBS : ();
    return $chosen, grep { $_ ne $chosen } @others;
}

# A machine without distances has the broadcast alone. Long runs first.
sub list () {
    my @runs;
    for my $np ( map { 2**$_ } reverse 4 .. 12 ) {
        for my $operation ( sort keys %TYPES ) {
            next if $np > $MOST{$operation}[0];
            push @runs, map { "tree-$np-$operation-$_" } barriers_of($np);
        }
        push @runs, "flat-$np-bcast-" . barrier_of($np) if $np <= $MOST_FLAT;
    }
    return @runs;
}

sub parameters ( $operation, $definition, @lengths ) {
    my $length = join q{,}, @lengths;
    return
        "$definition { Type = $TYPES{$operation}; Start_Argument = $lengths[0]; End_Argument = $lengths[-1]; "
      . qq(Send_Datatype_Number = 1; Parameters = "arguments=$length )
      . ( $definition eq 'osu' ? 'as=osu' : 'histogram=yes' )
      . ( $operation eq 'reduce' ? ' elem=signed_char' : q{} ) . qq("; }\n);
}

sub parameter_file ( $repetitions, @suites ) {
    return "\@VERSION 4.2\n\@MEMORY 65536\n\@MAXREPDEFAULT $repetitions\n\@BASETYPE1 (1,1,MPI_BYTE)\n\@MEASUREMENTS\n"
      . join q{}, @suites;
}

# Runs a command and returns what it printed.
sub output_of (@command) {
    open my $pipe, '-|', @command or die "barrier.pl: cannot run $command[0]: $!\n";
    my $text = do { local $/ = undef; <$pipe> };
    close $pipe or die "barrier.pl: failed: @command\n";
    return $text;
}

# Simulates skampi in a folder of its own. Returns its number for each length.
sub skampis ( $folder, $lengths, $operation, @simulator ) {
    make_path($folder);
    write_file( "$folder/p.skampi",
        parameter_file( 4, parameters( $operation, 'start', @{$lengths} ) ) );
    output_of( @simulator, "$Bin/../build/smpi/skampi", '-q', '-f', "$folder/p.skampi", '-o',
        "$folder/skampi.out" );
    my ($suite) = SKaMPI::Read::Output->from_file("$folder/skampi.out")->suites;
    return { map { $_->{argument} => $_->{time} } @{ $suite->{rows} } };
}

# Writes a file with lines of LENGTH, the columns from average_us to start_maximum_us, spread_us, skampi_us.
sub simulate ( $folder, $name ) {
    my $path = "$folder/$name.txt";
    return if -s $path;
    my ( $machine, $np, $operation, $barrier ) = split /-/, $name;
    my @lengths = $machine eq 'flat' ? 8 : lengths_of( $operation, $np );
    my @simulator = (
        simulator( $machine eq 'flat' ? 'flat' : "$Bin/examples/barrier", $np ),
        '--cfg=smpi/coll-selector:ompi',
        "--cfg=smpi/barrier:ompi_$barrier"
    );
    my %us;
    for ( split /\n/, output_of( @simulator, "$Bin/../build/smpi/tests/others", "osu_$operation", @lengths ) ) {
        my ( $way, $length, @us ) = split;
        $us{$length}{$way} = \@us;
    }
    my $skampi =
      $np <= $MOST_SKAMPI && $machine ne 'flat'
      ? skampis( "$folder/$name", \@lengths, $operation, @simulator )
      : {};
    write_file( "$path.new", join q{},
        map { join( q{ }, $_, @{ $us{$_}{barrier} }[ 0, 2 ], @{ $us{$_}{start} }[ 0, 2 ],
            $us{$_}{barrier}[3], $skampi->{$_} // '-' ) . "\n" } @lengths );
    return rename "$path.new", $path;
}

# The mean of numbers and the standard error of the mean.
sub estimate (@numbers) {
    my $mean = sum0(@numbers) / @numbers;
    return $mean, sqrt( sum0( map { ( $_ - $mean )**2 } @numbers ) / ( @numbers - 1 ) / @numbers );
}

# One launch: what is measured.
sub launched ($path) {
    my $output = SKaMPI::Read::Output->from_file($path);
    my ( $start, $osu ) = $output->suites;
    my $times = SKaMPI::Read::Times->new( $path, $start );
    my ($of)  = $times->runs(8);
    my @means = map { $of->{$_}{mean} } $times->processes(8);
    my %of;
    @of{qw(start_average_us start_maximum_us)} = ( sum0(@means) / @means, max(@means) );
    @of{qw(average_us maximum_us)} = ( $osu->{rows}[0]{time}, $osu->{rows}[0]{extras}{longest} );
    $of{"${_}_ratio"} = $of{"${_}_us"} / $of{"start_${_}_us"} for qw(average maximum);
    $of{skampi_us}    = $start->{rows}[0]{time};
    ( $of{clocks_us} ) = $output->field('RESIDUAL') =~ /^([\d.]+)/;
    $of{machine} = $output->field('MPILIBRARY') =~ s/,.*//sr;
    return \%of;
}

# Several launches with each barrier in turns; writes the rows of them as CSV.
sub launch ( $folder, @launcher ) {
    make_path("$folder/real");
    my $file = "$folder/real/p.skampi";
    write_file( $file,
        parameter_file( $REPETITIONS, map { parameters( 'bcast', $_, 8 ) } qw(start osu) ) );
    my %runs;
    local $ENV{OMPI_MCA_coll_tuned_use_dynamic_rules} = 1;
    for my $launch ( 1 .. $LAUNCHES ) {
        for my $barrier ( sort keys %BARRIERS ) {
            local $ENV{OMPI_MCA_coll_tuned_barrier_algorithm} = $BARRIERS{$barrier};
            unlink glob "$folder/real/skampi.*";
            output_of( @launcher, '-q', '-f', $file, '-o', "$folder/real/skampi.out" );
            push @{ $runs{$barrier} }, launched("$folder/real/skampi.out");
        }
    }
    write_file( "$folder/real.csv", join q{}, map { real_row( $_, @{ $runs{$_} } ) } sort keys %runs );
    return;
}

sub real_row ( $barrier, @runs ) {
    my %row = (
        machine    => $runs[0]{machine},
        processes  => $REAL_PROCESSES,
        operation  => 'bcast',
        bytes      => 8,
        barrier    => $barrier,
        chosen     => $barrier eq barrier_of($REAL_PROCESSES) ? 'yes' : 'no',
        clocks_us  => max( map { $_->{clocks_us} } @runs ),
    );
    for my $what ( map { ( "${_}_us", "start_${_}_us", "${_}_ratio" ) } qw(average maximum) ) {
        my $error = $what =~ s/ratio/error/r;
        @row{ $what, $error } = estimate( map { $_->{$what} } @runs );
    }
    @row{qw(skampi_us skampi_error)} = estimate( map { $_->{skampi_us} } @runs );
    return line(%row);
}

sub line (%row) {
    return join( q{,}, map { defined $_ && /^[\d.]+$/ ? 0 + sprintf '%.5g', $_ : $_ // q{} } @row{@COLUMNS} ) . "\n";
}

# Rows of the simulated runs that a folder has, and of the real one.
sub csv ($folder) {
    my @lines = join( q{,}, @COLUMNS ) . "\n";
    for my $name ( reverse list() ) {
        next if !-s "$folder/$name.txt";
        my ( $machine, $np, $operation, $barrier ) = split /-/, $name;
        for ( split /\n/, read_file("$folder/$name.txt") ) {
            my %row = (
                machine   => $machine,
                processes => $np,
                operation => $operation,
                barrier   => $barrier,
                chosen    => $barrier eq barrier_of($np) ? 'yes' : 'no'
            );
            @row{ qw(bytes average_us maximum_us start_average_us start_maximum_us spread_us skampi_us) } = split;
            $row{skampi_us} =~ s/^-$//;
            $row{"${_}_ratio"} = $row{"${_}_us"} / $row{"start_${_}_us"} for qw(average maximum);
            push @lines, line(%row);
        }
    }
    return join q{}, @lines, map { read_file($_) } glob "$folder/real*.csv";
}

my ( $what, @arguments ) = @ARGV;
my %DO = (
    list    => sub { say for list() },
    run     => \&simulate,
    real    => \&launch,
    csv     => sub ($folder) { print csv($folder) },
);
( $DO{ $what // q{} } // die "barrier.pl: see its first lines\n" )->(@arguments);
