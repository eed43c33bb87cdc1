package SKaMPI::Bench::Path;

# Instructions of a repetition on rank 0, by valgrind's callgrind: those of skampi's own functions, without those of the
# MPI library and of the statistics after the series. The difference of two lengths of a series.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(sum0);
use SKaMPI::Bench::Figures qw(row);
use SKaMPI::Bench::Launch  qw(mpirun program progress);
use SKaMPI::Test           qw(command scratch sections write_file);

our @EXPORT_OK = qw(path);

# Between the two clock readings: the calls of the pattern, the operation and the clock.
my $INSIDE = qr/\A(?:pattern_calls|own_calls|send_receive|hostclock_now)\z/;

# Functions that are called once a batch, a series or a run.
my $ASIDE =
qr/\A(?:stats_|moments_|by_double|kept_|shape_|stop_|quantile|error_|summary_|batch_|measure\z|ask\z|clock_wait)/;

sub path ($) {
    my %own     = _a_repetition(q{});
    my $outside = sub (%of) {
        return sum0 @of{ grep { !/$INSIDE|$ASIDE/ } keys %of };
    };
    return (
        row(
            'ping-pong: instructions inside the time',
            [ undef, 80 ],
            '%.0f',
            sum0 @own{ grep { /$INSIDE/ } keys %own }
        ),
        row( 'ping-pong: around it', [ undef, 150 ], '%.0f', $outside->(%own) ),
        row(
            'ping-pong, --as osu: around it',
            [ undef, 150 ],
            '%.0f',
            $outside->( _a_repetition('as=osu') )
        ),
    );
}

# Instructions by function.
sub _a_repetition ($keys) {
    my ( $few, $many ) = map {
        { _functions( $keys, $_ ) }
    } 1000, 33_000;
    return map { $_ => ( $many->{$_} - ( $few->{$_} // 0 ) ) / 32_000 } keys %{$many};
}

sub _functions ( $keys, $count ) {
    my $dir = scratch();
    progress("path: $count repetitions, $keys");
    write_file( "$dir/p.skampi", sections( MEMORY => 4096, POSTPROC => 'no' ) . <<"END" );
* { Type = 1; Variation = Length; Scale = Fixed_linear; Start_Argument = 8; End_Argument = 8; Standard_error = 0.0001;
Max_Repetition = $count; Min_Repetition = $count; Parameters = "passes=1 $keys"; }
END
    my $valgrind =
"exec valgrind -q --tool=callgrind --callgrind-out-file=of.\$OMPI_COMM_WORLD_RANK '@{[ program('skampi') ]}' -q -f p.skampi";
    my $run = command( $dir, mpirun(2), 'sh', '-c', $valgrind );
    my $of  = command( $dir, qw(callgrind_annotate --threshold=100 --show-percs=no of.0) );
    die "callgrind: $run->{err}$of->{err}\n" if $of->{status} || $of->{out} !~ /skampi\]/;
    my %found;

    while ( $of->{out} =~ m{^\s*([0-9,]+) \s+ \S+?:(\w+) .* /skampi\]$}gmx ) {
        $found{$2} += $1 =~ tr/,//dr;
    }
    return %found;
}

1;
