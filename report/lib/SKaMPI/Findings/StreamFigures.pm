package SKaMPI::Findings::StreamFigures;

# Key figures of streams and files (SKaMPI::Findings::KeyFigures): the largest over all lengths and
# windows that were measured. SKaMPI::Meaning::Rates has their formulas.
use v5.36;

use List::Util qw(all any);

use SKaMPI::Findings::Selection qw(where_in);
use SKaMPI::Meaning::Rates      qw(rate_symbols rate_texts rates_of);
use SKaMPI::Meaning::Subject    qw(attribute axis_of is_plain operation_of pattern_of);

# In the order of the table: what, of which operations and pattern, which rate, its unit, and attributes of the suite.
my @FIGURES = (
    [ 'stream bandwidth',              qr/\AStream_MPI_/,      'p2p',   'bandwidth', 'MB/s' ],
    [ 'bandwidth in both directions',  qr/\AStream_both_MPI_/, 'p2p',   'bandwidth', 'MB/s' ],
    [ 'message rate',                  qr/\AStream_MPI_/,      'p2p',   'rate',      '/s' ],
    [ 'stream bandwidth of all pairs', qr/\AStream_MPI_/,      'pairs', 'bandwidth', 'MB/s' ],
    [ 'message rate of all pairs',     qr/\AStream_MPI_/,      'pairs', 'rate',      '/s' ],
    [
        'writing files to the disk', qr/\AMPI_File_write/,
        'io',                        'bandwidth',
        'MB/s', { io_sync => 'yes' }
    ],
    [
        'reading files from the disk', qr/\AMPI_File_read/,
        'io',                          'bandwidth',
        'MB/s', { io_cache => 'dropped' }
    ],
    [
        'reading files from the page cache', qr/\AMPI_File_read/,
        'io',                                'bandwidth',
        'MB/s', { io_cache => 'kept' }
    ],
);

sub rows_of ( $class, $selection ) {
    my @suites = grep { _counts($_) } $selection->all;
    return map { _row( $selection, $_, @suites ) } @FIGURES;
}

# Pairs that are fewer than all would give less. Files that stayed in the page cache say nothing about a disk.
sub _counts ($suite) {
    return 0 if any { $suite->is_doubtful($_) } @{ $suite->{rows} };
    return
         ( pattern_of($suite) eq 'io' || operation_of($suite) =~ /\AStream_/ )
      && axis_of($suite) =~ /\A(?:length|window)\z/
      && is_plain($suite);
}

sub _has ( $suite, $figure ) {
    my ( $operation, $pattern, $attributes ) = @{$figure}[ 1, 2, 5 ];
    return
         pattern_of($suite) eq $pattern
      && operation_of($suite) =~ $operation
      && all { attribute( $suite, $_ ) eq $attributes->{$_} } keys %{ $attributes // {} };
}

# Programs seldom access the same place of a file again and again.
sub _advancing (@suites) {
    my @advancing = grep { attribute( $_, 'io_walk' ) ne 'no' } @suites;
    return @advancing ? @advancing : @suites;
}

# The highest of all suites and arguments.
sub _row ( $selection, $figure, @suites ) {
    my ( $what, undef, $pattern, $kind, $unit ) = @{$figure};
    my @found;
    for my $suite ( _advancing( grep { _has( $_, $figure ) } @suites ) ) {
        push @found,
          map { { suite => $suite, point => $_, value => rates_of( $suite, $_ )->{$kind} // 0 } }
          $selection->curve_of($suite)->points;
    }
    my ($best) = sort { $b->{value} <=> $a->{value} } @found;
    return if !$best || $best->{value} <= 0;
    my ( $suite, $point ) = @{$best}{qw(suite point)};
    my $error   = defined $point->{error} ? $point->{error} / $point->{time} : undef;
    my $formula = rate_texts($suite)->{$kind};
    return {
        group      => $pattern eq 'io' ? 'files' : 'streams',
        what       => $what,
        value      => $best->{value},
        error      => defined $error ? $best->{value} * $error : undef,
        unit       => $unit,
        where      => where_in( $suite, $point ),
        definition => "the largest $formula (" . rate_symbols($formula) . ')',
    };
}

1;

