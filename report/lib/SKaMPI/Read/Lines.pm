package SKaMPI::Read::Lines;

# The lines of a file of unknown size, one at a time. Reads any file in a few megabytes of memory. A
# line is cut at 1 MiB; is_cut is true if this happened to the line that next_line returned last.
# After MOST_LINES, next_line returns undef and has_more is true; last_line still finds the last
# line of the file. Lines that are not UTF-8 are read as Latin-1. The methods die if the file cannot
# be read or is larger than MOST_BYTES.
use SKaMPI::Base qw(number);

use SKaMPI::Base::TextFile qw(characters);

my $CHUNK = 64 * 1024;

# A row with the times of 50000 processes fits.
my $LONGEST = 1024 * 1024;

sub new ( $class, $file, $name, $most_lines, $most_bytes ) {
    return bless {
        lines  => $most_lines,
        most   => $most_bytes,
        file   => $file,
        name   => $name,
        buffer => q{},
        place  => 0,
        bytes  => 0,
        number => 0,
        last   => q{},
        ended  => 1,
    }, $class;
}

sub is_cut   ($self) { return $self->{cut} }
sub problem  ($self) { return $self->{cut} ? 'line longer than 1 MiB; cut' : undef }
sub has_more ($self) { return $self->{number} >= $self->{lines} && $self->_has_bytes }

# The next line as characters, without its line end; undef after the last one or after the limit.
sub next_line ($self) {
    return if $self->{number} >= $self->{lines};
    my $line = $self->_next_bytes // return;
    $self->{number}++;
    chop $line            if substr( $line, -1 ) eq "\r";
    $self->{last} = $line if $line ne q{};
    return $line =~ tr/\x00-\x7f//c ? characters($line) : $line;
}

# The last line of the whole file that is not empty, and whether it ends with a line end.
sub last_line ($self) {
    my $tail = q{};
    while ( $self->_has_bytes ) {
        $tail = substr $tail . substr( $self->{buffer}, $self->{place} ), -$CHUNK;
        $self->{place} = length $self->{buffer};
    }
    $self->{ended} = $tail =~ /\n\z/ if $tail ne q{};
    $self->{last}  = $1 if $tail =~ /([^\r\n]+)[\r\n]*\z/;
    return ( characters( $self->{last} ), $self->{ended} );
}

sub _next_bytes ($self) {
    my $line = q{};
    $self->{cut} = 0;
    while ( $self->{place} < length $self->{buffer} || $self->_has_bytes ) {
        my $end  = index $self->{buffer}, "\n", $self->{place};
        my $stop = $end < 0 ? length $self->{buffer} : $end;
        $line .= substr $self->{buffer}, $self->{place}, $stop - $self->{place};
        $self->{place} = $end < 0 ? $stop : $stop + 1;
        $self->{ended} = $end >= 0;
        ( $line, $self->{cut} ) = ( substr( $line, 0, $LONGEST ), 1 ) if length $line > $LONGEST;
        return $line if $end >= 0;
    }
    return $line eq q{} ? undef : $line;
}

sub _has_bytes ($self) {
    return 1 if $self->{place} < length $self->{buffer};
    my $got = read $self->{file}, $self->{buffer}, $CHUNK;
    die "cannot read '$self->{name}': $!\n" if !defined $got;
    $self->{place} = 0;
    $self->{bytes} += $got;
    die "'$self->{name}' is larger than $self->{most} bytes\n" if $self->{bytes} > $self->{most};
    return $got > 0;
}

1;
