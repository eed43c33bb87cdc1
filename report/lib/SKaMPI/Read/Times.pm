package SKaMPI::Read::Times;

# Reads the distributions and single times of a suite. With histogram=yes or raw=yes, the times of a
# suite's repetitions are in a file beside the results. The manual's chapter "Output" describes the
# file. This is its only reader. Times are in microseconds. A merge of several runs refers to the
# files of all of them. Their histograms, counts and times are added.
# problems are parts that could not be read, one text for each run: a file that is missing, cut or changed.
use SKaMPI::Base qw(@problems);

use File::Basename qw(basename dirname);
use List::Util     qw(any);

use SKaMPI::Base::TextFile qw(number_of open_regular);
use SKaMPI::Meaning::Facts qw(read_fact);
use SKaMPI::Stat::Distribution;

# The process whose times are those of the repetitions.
my $ALL = -1;

my $MAX_BYTES = 256 * 1024 * 1024;

# FNV-1a with 64 bits, as in the program.
my ( $HASH_OF_NOTHING, $PRIME ) = ( 14_695_981_039_346_656_037, 1_099_511_628_211 );

my $NAME    = qr/[.]times-[0-9a-f]{8}\z/;
my $TIME    = qr/-?[0-9]+(?:[.][0-9]+)?(?:e[-+]?[0-9]+)?/;
my $TIMES   = qr/\A$TIME(?:,$TIME)*+\z/;
my $BINS    = qr/\A-?[0-9]{1,4}:[0-9]{1,10}(?:,-?[0-9]{1,4}:[0-9]{1,10})*+\z/;
my @COLUMNS = qw(min p1 p5 p10 p25 p50 p75 p90 p95 p99 p99.9 max);

# Reads the times of a suite (SKaMPI::Read::Suite) of the result file at this path. Returns undef if
# the suite has kept no times. Reads only plain files whose name ends like those that skampi writes,
# and only parts whose length and hash agree with the results.
sub new ( $class, $path, $suite ) {
    my @references = @{ $suite->times // [] } or return;
    my $self       = bless { at => {}, problems => [] }, $class;
    for my $run ( 0 .. $#references ) {
        eval { $self->_add_run( $path, $suite->label, $references[$run], $run ); 1 }
          or push @{ $self->{problems} }, $@ =~ s/\n\z//r;
    }
    return $self;
}

# The arguments in ascending order, as the ranks below.
sub arguments ($self) {
    return _sorted( keys %{ $self->{at} } );
}

# The ranks that have times of their own.
sub processes ( $self, $argument ) {
    return grep { $_ != $ALL } $self->all_processes($argument);
}

# All processes with a row: first -1, the process of the repetitions' times.
sub all_processes ( $self, $argument ) {
    return _sorted( keys %{ $self->{at}{$argument} // {} } );
}

sub _sorted (@numbers) {
    my @sorted = sort { $a <=> $b } @numbers;
    return @sorted;
}

# The times of one process or, without a process, of the repetitions, as a
# SKaMPI::Stat::Distribution; undef without times.
sub distribution ( $self, $argument, $process = $ALL ) {
    my $at   = $self->{at}{$argument} // return;
    my $runs = $at->{$process}        // return;
    return SKaMPI::Stat::Distribution->new( @{$runs} );
}

sub together ( $self, $argument ) {
    return SKaMPI::Stat::Distribution->new( map { @{ $self->{at}{$argument}{$_} } }
          $self->processes($argument) );
}

# The rows of each run, hashes by process (-1 for the repetitions), empty if the run has no such rows. A row is a hash
# of argument, process, count, @COLUMNS, late, mean (missing in older files), and the texts bins, disturbed and times,
# undefined if the row does not have them.
sub runs ( $self, $argument ) {
    my @runs;
    for my $row ( map { @{$_} } values %{ $self->{at}{$argument} // {} } ) {
        $runs[ $row->{run} ]{ $row->{process} } //= $row;
    }
    return map { $_ // {} } @runs;
}

sub _add_run ( $self, $path, $label, $reference, $run ) {
    my $fact = read_fact( 1, 'TIMES', $reference );
    my ( $name, $place, $length, $hash ) = @{$fact}{qw(file place bytes hash)};
    die "the line #\@TIMES of '$label' is damaged\n"
      if $fact->{unknown} || any { !/\A[0-9]+\z/ } $place, $length;
    die "'$name' is not the name of a file with times\n" if $name !~ $NAME;

    # The file is beside the results, wherever these were moved, or has the name that a merge gives.
    my $beside  = dirname($path) . q{/} . basename($name);
    my ($found) = grep { -e } $beside, $name;
    my $bytes   = _bytes( $found // $beside, $place, $length );
    die "the times of '$label' in '$name' were changed\n" if _hash($bytes) ne $hash;
    for my $line ( split /\n/, $bytes ) {
        next if $line =~ /\A[#]/;
        my $row = _row($line) or die "the times of '$label' in '$name' are damaged\n";
        $row->{run} = $run;
        push @{ $self->{at}{ $row->{argument} }{ $row->{process} } }, $row;
    }
    return;
}

sub _bytes ( $path, $place, $length ) {
    die "'$path' has too many times to be read\n" if $length > $MAX_BYTES;
    my $file = open_regular($path);
    seek $file, $place, 0 or die "cannot read '$path': $!\n";
    my $got = read $file, ( my $bytes ), $length;
    close $file or die "cannot read '$path': $!\n";
    die "'$path' is shorter than its results say\n" if ( $got // 0 ) != $length;
    return $bytes;
}

sub _hash ($bytes) {
    my $hash = $HASH_OF_NOTHING;
    {
        use integer;
        $hash = ( $hash ^ $_ ) * $PRIME for unpack 'C*', $bytes;
    }
    return sprintf '%016x', $hash;
}

sub _row ($line) {
    my ( $numbers, $words ) = split /[ ][#][ ]/, $line, 2;
    my @numbers = split q{ }, $numbers // q{};
    return if @numbers != 3 + @COLUMNS || any { !defined number_of($_) } @numbers;
    my %row;
    @row{ qw(argument process count), @COLUMNS } = @numbers;
    my %word = map { /\A([a-z]+)=(.*)\z/s ? ( $1 => $2 ) : () } split q{ }, $words // q{};
    return if any { defined && $_ !~ $TIMES } @word{qw(disturbed times)};
    return if defined $word{bins} && $word{bins} !~ $BINS;
    @row{qw(late mean)}            = map { number_of( $word{$_} ) } qw(late mean);
    @row{qw(bins disturbed times)} = @word{qw(bins disturbed times)};
    return \%row;
}

1;
