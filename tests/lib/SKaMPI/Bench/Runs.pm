package SKaMPI::Bench::Runs;

# A whole run: the time and the memory of the standard suites here.
use v5.36;

use Exporter               qw(import);
use List::Util             qw(max);
use SKaMPI::Bench::Figures qw(row);
use SKaMPI::Bench::Launch  qw(ended_well mpirun output_of program progress root);
use SKaMPI::Test           qw(read_file);

our @EXPORT_OK = qw(standard);

# The largest of a process, which "peak" prints among the messages.
sub _peak_kib ($messages) {
    return max( $messages =~ /^peak (\d+) KiB/mg );
}

# The memory is without the message buffers, and less that of a program that only starts and ends.
sub standard ($) {
    progress('standard.skampi, 2 processes');
    my @start = ( mpirun(2), program('peak') );
    my ( $output, $messages ) = output_of( @start, program('skampi'), qw(-q -f standard) );
    my ( undef, $of_empty ) = ended_well( @start, program('bare_loop') );
    my $text       = read_file( root() . '/configs/standard.skampi' );
    my ($pool_kib) = $text =~ /^\@MEMORY (\d+)/m;
    my $more_kib   = _peak_kib($messages) - $pool_kib - _peak_kib($of_empty);
    my ( $wall_s, $measuring, @others ) =
      $output->field('WALLTIME') =~ /^([\d.]+) s, ([\d.]+) %.*? ([\d.]+) %.*? ([\d.]+) %/;
    my $planned        = () = $text =~ /^\s*Type\s*=/mg;
    my $complete       = grep { $_->complete } $output->suites;
    my @rows           = map  { @{ $_->rows } } $output->suites;
    my $unsynchronised = grep { $_->{extras}{stop} eq 'unsynchronised' } @rows;
    return (
        row( 'np = 2: wall time',              [ undef, 180 ], '%.1f s',           $wall_s ),
        row( 'np = 2: measuring',              [40],           '%.1f %%',          $measuring ),
        row( 'np = 2: synchronising; waiting', [],             '%.1f %%; %.1f %%', @others ),
        row( 'np = 2: complete suites',        [$planned],     '%d',               $complete ),
        row( 'np = 2: rows unsynchronised', [ undef, 0 ],  '%d of %d', $unsynchronised, 0 + @rows ),
        row( 'np = 2: memory of a process', [ undef, 40 ], '%.1f MiB', $more_kib / 1024 )
    );
}

1;
