package SKaMPI::Bench::Sides;

# skampi-compare with real launches, which skampi-launch makes: of one program twice, and of one operation that a
# preloaded library makes slower.
use v5.36;

use Exporter                 qw(import);
use List::Util               qw(any sum0);
use SKaMPI::Bench::Figures   qw(at_most plain);
use SKaMPI::Bench::Launch    qw(ended_well launches mpirun program progress root);
use SKaMPI::Compare::Launch  qw(read_launch);
use SKaMPI::Launch::Decision qw(compared);
use SKaMPI::Stat::Estimate   qw(geometric_mean);
use SKaMPI::Test             qw(scratch write_file);

our @EXPORT_OK = qw(halves_of_one_program same_program slower_operation);

my @PERCENT = ( 3, 5, 10, 20 );

# Allreduce of at least 5 us, a ping-pong and a broadcast: 24 points. Measured by barriers, since on a busy machine
# few repetitions start at an agreed instant.
my $SUITES = <<'END_OF_SUITES';
@VERSION 4.1
@MEMORY 4096
@POSTPROC no
@MINREPDEFAULT 200
@MAXREPDEFAULT 200
@MEASUREMENTS
Allreduce { Type = 36; Variation = Length; Scale = Fixed_log;
  Start_Argument = 16384; End_Argument = 1048576; Stepwidth = 2; }
Send { Type = 1; Variation = Length; Scale = Fixed_log;
  Start_Argument = 4; End_Argument = 65536; Stepwidth = 4; }
Bcast { Type = 17; Variation = Length; Scale = Fixed_log;
  Start_Argument = 4; End_Argument = 65536; Stepwidth = 4; }
END_OF_SUITES

# Launches by name of the configuration, a hash of name and the lines of its file.
sub launched ( $count, %configurations ) {
    my $dir = scratch();
    write_file( "$dir/p.skampi", $SUITES );
    write_file( "$dir/$_",       $configurations{$_} ) for keys %configurations;
    my @names = sort keys %configurations;
    progress("$count launches of each of @names");
    ended_well(
        $^X,             root() . '/report/launch.pl',
        '--quiet',       '-d',
        "$dir/launches", '-n',
        $count, ( map { "$dir/$_" } @names ),
        q{--},             mpirun(2),
        'env',             'LD_PRELOAD=' . program('slower.so'),
        program('skampi'), '-f',
        "$dir/p.skampi",   '--quiet'
    );
    return map {
        my $name = $_;
        $name => [ map { "$dir/launches/$name/$_/skampi.out" } 1 .. $count ]
    } @names;
}

sub compared_files ( $value, $threshold, @sides ) {
    my @launches = map {
        [ map { read_launch( $_, $value ) } @{$_} ]
    } @sides;
    return compared( @launches, $threshold, value => $value );
}

# 40 launches: ten comparisons of launches that alternate, and of launches that follow each other, in windows of
# 8, 10 and 40 launches.
sub same_program () {
    my $count    = launches(40);
    my %launched = launched( $count, same => "SLOWER=0\n" );
    my @files    = @{ $launched{same} };
    my @windows;
    for my $size ( 8, 10, 40 ) {
        push @windows,
          map { [ @files[ $_ * $size .. ( $_ + 1 ) * $size - 1 ] ] } 0 .. int( $count / $size ) - 1;
    }
    my @alternating = map { alarm_in( \&_abba,   @{$_} ) } @windows;
    my @consecutive = map { alarm_in( \&_halves, @{$_} ) } @windows;
    my $alarms      = sum0( map { $_->{alarm} } @alternating );
    my $others      = sum0( map { $_->{alarm} } @consecutive );
    my $trends      = sum0( map { $_->{trend} } @consecutive );
    return (
        at_most(
            'one program, launches alternate: alarms',
            '%d', $alarms,
            @windows / 10,
            ' in ' . @windows . ' comparisons'
        ),
        plain(
            'one program, one half after the other: alarms',
            '%d in %d comparisons, %d warnings of a trend',
            $others, scalar @windows, $trends
        ),
    );
}

# 40 launches in two halves, as they are: alternating and one after the other.
sub halves_of_one_program () {
    my %launched = launched( launches(40), same => "SLOWER=0\n" );
    return map { _verdicts_in( @{$_}, @{ $launched{same} } ) } [ alternating => \&_abba ],
      [ 'one after the other' => \&_halves ];
}

sub _verdicts_in ( $name, $split, @files ) {
    my $result = compared_files( 'time', 0.05, $split->(@files) );
    my $counts = $result->counts;
    return plain(
        @files . " real launches, $name",
        '%d slower, %d faster, %d undecided, %d equal',
        @{$counts}{qw(slower faster undecided equal)}
    );
}

# A B B A
sub _abba (@files) {
    my @is_new = map { ( $_ % 4 == 1 || $_ % 4 == 2 ) ? 1 : 0 } 0 .. $#files;
    return (
        [ map { $files[$_] } grep { !$is_new[$_] } 0 .. $#files ],
        [ map { $files[$_] } grep { $is_new[$_] } 0 .. $#files ]
    );
}

sub _halves (@files) {
    return ( [ @files[ 0 .. $#files / 2 ] ], [ @files[ @files / 2 .. $#files ] ] );
}

sub alarm_in ( $split, @files ) {
    my $result = compared_files( 'time', 0.05, $split->(@files) );
    return {
        alarm => ( any { $_->{p} <= 0.05 } $result->points ) ? 1 : 0,
        trend => ( any { /trend/ } $result->warnings )       ? 1 : 0,
    };
}

# How many of the seven points of the operation are found.
sub slower_operation () {
    my $count    = launches(10);
    my %launched = launched(
        $count,
        base => "SLOWER=0\n",
        map { ( sprintf( 'slower%02d', $_ ) => "SLOWER=$_\n" ) } @PERCENT
    );
    my @rows =
      map { injected( $_, $launched{base}, $launched{ sprintf 'slower%02d', $_ } ) } @PERCENT;
    for my $value (qw(time min)) {
        for my $percent (@PERCENT) {
            my $new   = $launched{ sprintf 'slower%02d', $percent };
            my @found = map { found( $value, $_, $launched{base}, $new ) } grep { $_ <= $count } 4,
              5, 7, 10;
            push @rows,
              plain( "Allreduce $percent % slower, $value: found at 4, 5, 7, 10",
                '%s', join '; ', @found );
        }
    }
    return @rows;
}

# The library's effect on the times: the mean ratio of the operation, and of the other points, which should be 1.
# The time of a point also contains a barrier, which is not slower.
sub injected ( $percent, @sides ) {
    my @points = compared_files( 'time', 0.01, @sides )->points;
    my @means  = map { geometric_mean( @{$_} )->{ratio} }
      [ grep { $_->{label} =~ /Allreduce/ } @points ],
      [ grep { $_->{label} !~ /Allreduce/ } @points ];
    return plain( "Allreduce $percent % slower: mean ratio, others", '%.3f, %.3f', @means );
}

sub found ( $value, $count, @sides ) {
    my $result = compared_files( $value, 0.01, map { [ @{$_}[ 0 .. $count - 1 ] ] } @sides );
    my @points = $result->points;
    my @slower = grep { $_->{verdict} eq 'slower' } @points;
    my $right  = grep { $_->{label} =~ /Allreduce/ } @slower;
    my $all    = grep { $_->{label} =~ /Allreduce/ } @points;
    my $others = @slower - $right;
    return "$right of $all" . ( $others ? " (+ $others)" : q{} );
}

1;
