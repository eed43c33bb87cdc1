package SKaMPI::Profile::File;

# Reads what libskampi-record.so has written: the text of a complete recording, or, if the program ended without
# MPI_Finalize, the files of its processes in FILE.parts. The manual defines both.
#
# A profile is a hash: path; head, the values of the lines #@NAME; complete; ranks, a hash of the processes with host,
# seconds (from MPI_Init to the last call), own (the recorder's), calls and lost; cells, a list of hashes: call,
# processes, hosts, low and high (bytes), root, data, place, op, requests, coarse, key (all of these as a text), calls,
# bytes and us (of all processes), most_us (of the process with most) and of, a hash of the processes with calls, bytes,
# us, max_us and the words key=value of the line.
use SKaMPI::Base;

use Fcntl      qw(O_NOFOLLOW);
use List::Util qw(max sum0);

use SKaMPI::Base::TextFile qw(beginning_of characters names_in open_regular read_bytes $NUMBER);

my $LARGEST = 256 * 1024 * 1024;
my $VERSION = 1;

# The columns of a cell's line, before its words.
my @KEY     = qw(call processes hosts low high root data place op requests);
my @NUMBERS = qw(calls bytes us max_us);

# The file of a process: sizes, and the formats of the data after its lines: the last, of a cell's numbers @PART.
my %PART = (
    text   => 3072,
    head   => 4096,
    cell   => 256,
    live   => 'd2q3',
    format => 'x4l3sC2x4q2d2x8qd2x24Z40'
);
my @PART = qw(processes hosts requests bin root marks calls bytes sum most split wait after name);
my %MARK = (
    data  => [ 1,  2,  qw(gaps contiguous) ],
    op    => [ 4,  8,  qw(own predefined) ],
    place => [ 16, 32, qw(inplace apart) ]
);
my @ROOTS  = qw(- fixed rotating elsewhere);
my $OCTAVE = 64;

# Dies with the place of the first error.
sub read_profile ($path) {
    my $parts = "$path.parts";
    my @lines;
    if ( -e $path || !-d $parts ) {
        my $n = 0;
        @lines = map { [ "$path:" . ++$n, $_ ] } split /\n/, read_bytes( $path, $LARGEST );
        return _profile( $path, @lines );
    }
    my @files = parts_of($parts);
    for my $file (@files) {
        my @of    = _lines_of_part( $file, read_bytes( $file, $LARGEST ) );
        my $first = @lines ? 0 : 1;
        push @lines, map { [ $file, $_ ] }
          grep { $first || !/\A\#\@(?!RANK|SECONDS|OWN_SECONDS|CALLS|LOST)/ } @of;
    }
    die "$parts: no file of a process\n" if !@lines;
    return _profile( $path, @lines, [ $parts, '#@PARTS ' . @files ] );
}

sub _profile ( $path, @lines ) {
    my $p     = { path => $path, head => {}, ranks => {}, cells => [], by_key => {} };
    my $first = $lines[0] // [ "$path:1", q{} ];
    die "$first->[0]: not a recording; expected the line #\@PROFILE $VERSION\n"
      if $first->[1] !~ /\A\#\@PROFILE /;
    for (@lines) {
        my ( $place, $line ) = @{$_};
        if    ( $line =~ /\A\#\@(\w+)\s*(.*)/ ) { _take_fact( $p, $place, $1, $2 ) }
        elsif ( $line =~ /\A[^\#]/ )            { _take_cell( $p, $place, split q{ }, $line ) }
    }
    $p->{complete} = ( $p->{head}{COMPLETE} // q{} ) eq 'yes';
    for my $cell ( @{ $p->{cells} } ) {
        my @of = values %{ $cell->{of} };
        for my $name (qw(calls bytes us more_us split wait_us after_us arrivals lead_us)) {
            $cell->{$name} = sum0( map { $_->{$name} // 0 } @of );
        }
        $cell->{most_us} = max( map { $_->{us} } @of );
    }
    return $p;
}

# Facts of a process, by their members here; and the forms of facts that are numbers.
my %OF_RANK = ( SECONDS => 'seconds', OWN_SECONDS => 'own', CALLS => 'calls', LOST => 'lost' );
my %FORM    = ( RANK    => qr/\A[0-9]{1,9}(?: |\z)/, map { $_ => qr/\A$NUMBER\z/ } keys %OF_RANK );

sub _take_fact ( $p, $place, $name, $value ) {
    die "$place: version '$value' of recordings; this program reads version $VERSION\n"
      if $name eq 'PROFILE' && $value ne $VERSION;
    die "$place: expected a number after #\@$name, got '$value'\n"
      if $name eq 'PROCESSES' && $value !~ /\A[1-9][0-9]{0,8}\z/
      || $FORM{$name} && $value !~ $FORM{$name};
    my $member = $OF_RANK{$name};
    if ( $name eq 'RANK' ) {
        my ( $rank, $host ) = split q{ }, $value, 2;
        $p->{rank} = $p->{ranks}{$rank} = { rank => $rank, host => characters( $host // q{} ) };
    }
    elsif ( $member && $p->{rank} ) { $p->{rank}{$member} = $value }
    else                            { $p->{head}{$name}   = characters($value) }
    return;
}

# Whether this number of processes is that of the program, and all are recorded.
sub are_all ( $p, $processes ) {
    return $processes == ( $p->{head}{PROCESSES} // 0 ) && $processes == keys %{ $p->{ranks} };
}

sub _take_cell ( $p, $place, @columns ) {
    my ( %cell, %own );
    @cell{@KEY}    = splice @columns, 0, scalar @KEY;
    @own{@NUMBERS} = splice @columns, 0, scalar @NUMBERS;
    my @numbers = ( @cell{qw(processes hosts low high requests)}, @own{@NUMBERS} );
    die "$place: not a line of a recording\n"
      if !$p->{rank}
      || ( grep { ( $_ // q{} ) !~ /\A$NUMBER\z/ } @numbers )
      || $own{calls} <= 0
      || grep { !/\A\w+=(?:$NUMBER|[0-9:,]+)\z/ } @columns;
    %own = ( %own, map { split /=/ } @columns );

# Calls after a barrier are not in the sum of waiting times. They are a random sample of the others; more_us is the
# time by which the others exceed these calls and barriers.
    if ( $own{split} ) {
        my $others = $own{calls} - $own{split};
        my $passed = sum0( map { $_ // 0 } @own{qw(us wait_us after_us)} );
        $own{us}      = $others > 0 ? $own{us} * $own{calls} / $others : $passed;
        $own{more_us} = $own{us} - $passed;
    }
    $cell{coarse} = delete $own{coarse} // 0;
    $cell{key}    = join q{ }, @cell{ @KEY, 'coarse' };
    push @{ $p->{cells} }, $p->{by_key}{ $cell{key} } = \%cell if !$p->{by_key}{ $cell{key} };
    $p->{by_key}{ $cell{key} }{of}{ $p->{rank}{rank} } = \%own;
    return;
}

# Whether a recorder wrote a file: its beginning is that of a recording, or zeros if it ended at once.
sub is_part ($path) {
    return eval { open_regular( $path, O_NOFOLLOW ) }
      && beginning_of( $path, 4 ) =~ /\A(?:\#\@PR|\0{4}|)\z/;
}

# The files of processes in a directory, in the order of the ranks.
sub parts_of ($dir) {
    return map { "$dir/$_" } sort { $a <=> $b } grep { /\A[0-9]+\z/ } eval { names_in($dir) };
}

sub _lines_of_part ( $path, $bytes ) {
    my ($text) = unpack "Z$PART{text}", $bytes;
    die "$path: not the file of a process that was recorded\n"
      if $text !~ /\A\#\@PROFILE / || length $bytes < $PART{head};
    my ( $seconds, $own, $calls, $lost ) = unpack $PART{live}, substr $bytes, $PART{text};
    my @lines = (
        split( /\n/, $text ),
        sprintf( '#@SECONDS %.6f',     $seconds ),
        sprintf( '#@OWN_SECONDS %.6f', $own ),
        "#\@CALLS $calls",
        "#\@LOST $lost"
    );
    for ( my $at = $PART{head} ; $at + $PART{cell} <= length $bytes ; $at += $PART{cell} ) {
        my $line = _line_of_cell( unpack $PART{format}, substr $bytes, $at, $PART{cell} );
        push @lines, $line if defined $line;
    }
    return @lines;
}

sub _line_of_cell (@numbers) {
    my %cell;
    @cell{@PART} = @numbers;
    my ( $bin, $marks ) = @cell{qw(bin marks)};
    return if !$cell{calls};
    my %word = map {
        my ( $has, $is, $yes, $no ) = @{ $MARK{$_} };
        $_ => $marks & $has ? $marks & $is ? $yes : $no : q{-}
    } keys %MARK;
    my $next = $bin + ( $marks & $OCTAVE ? 4 : 1 );
    my @ends = $bin < 0         ? ( 0, 0 )   : ( _low($bin), max( _low($bin), _low($next) - 1 ) );
    my @more = $marks & $OCTAVE ? 'coarse=1' : ();
    push @more, sprintf 'split=%d wait_us=%.3f after_us=%.3f', $cell{split},
      map { 1e6 * $_ } @cell{qw(wait after)}
      if $cell{split};
    return join q{ }, @cell{qw(name processes hosts)}, @ends, $ROOTS[ $cell{root} ],
      @word{qw(data place op)}, @cell{qw(requests calls bytes)},
      ( map { sprintf '%.3f', 1e6 * $_ } @cell{qw(sum most)} ), @more;
}

# The smallest number of bytes of a bin.
sub _low ($bin) {
    my $low = 2**( $bin / 4 );
    return $bin % 4 ? int( $low + 1 ) : sprintf '%.0f', $low;
}

# Microseconds in MPI, and between MPI_Init and MPI_Finalize, of all processes together; both as without --split.
sub mpi_us ($p) {
    return sum0( map { $_->{us} } @{ $p->{cells} } );
}

sub program_us ($p) {
    return sum0( map { 1e6 * ( $_->{seconds} // 0 ) } values %{ $p->{ranks} } ) +
      sum0( map { $_->{more_us} } @{ $p->{cells} } );
}

1;
