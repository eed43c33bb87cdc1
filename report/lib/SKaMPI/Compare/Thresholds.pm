package SKaMPI::Compare::Thresholds;

# The threshold of each suite, a fraction: smaller differences do not matter.
use SKaMPI::Base;

use List::Util qw(any);

use SKaMPI::Base::Program  qw(argument_range fail_usage whole_match);
use SKaMPI::Base::TextFile qw(read_text);

my @WORDS = (
    [ 'a suite or a pattern',     qr/\S+/,                           'pattern' ],
    [ 'arguments, * or FROM-TO',  qr/\S+/,                           'arguments' ],
    [ 'a percentage such as 15%', qr/[0-9]{1,6}(?:[.][0-9]{1,6})?%/, 'threshold' ],
);

# Takes the threshold of all suites and a file of thresholds for some of the suites LABELS: lines
# PATTERN ARGUMENTS THRESHOLD, such as *_MPI_Barrier* * 15% or p2p_* 0-1024 10%. Fails with file,
# line and column for a mistake, and for a pattern that matches no suite.
sub new ( $class, $default, $path = undef, @labels ) {
    my $self = bless { default => $default, rows => [] }, $class;
    return $self if !defined $path;
    my $text   = eval { read_text($path) } // fail_usage($@);
    my $number = 0;
    for my $line ( split /\n/, $text ) {
        $number++;
        next if $line !~ /\A\s*[^\s#]/;
        my $row = _row( "$path:$number", $line );
        _wrong( $row->{place}, $line, $row->{column}, "no suite matches '$row->{pattern}'" )
          if !any { $_ =~ $row->{expression} } @labels;
        push @{ $self->{rows} }, $row;
    }
    return $self;
}

# The last line that matches counts.
sub for_all ($self) { return $self->{default} }

sub of ( $self, $label, $argument ) {
    for my $row ( reverse @{ $self->{rows} } ) {
        next if $label !~ $row->{expression};
        next if defined $row->{from} && ( $argument // 0 ) < $row->{from};
        next if defined $row->{to}   && ( $argument // 0 ) > $row->{to};
        return $row->{threshold};
    }
    return $self->{default};
}

sub _row ( $place, $line ) {
    my %row = ( place => $place );
    pos($line) = 0;
    for my $word (@WORDS) {
        my ( $expected, $expression, $name ) = @{$word};
        $line =~ /\G\s*/gc;
        my $column = pos $line;
        $row{column} //= $column;
        my $text = $line =~ /\G((?:(?!\#)\S)+)/gc ? $1 : q{};
        _wrong( $place, $line, $column, "expected $expected, got '$text'" )
          if $text !~ /\A$expression\z/ || $text eq q{};
        $row{$name} = $text;
    }
    my $column = $line =~ /\G\s*(?=[^#\s])/gc ? pos $line : undef;
    _wrong( $place, $line, $column, 'expected the end of the line' ) if defined $column;
    return _understood( \%row, $line );
}

sub _understood ( $row, $line ) {
    $row->{expression} = whole_match( $row->{pattern} );
    my $arguments = $row->{arguments};
    @{$row}{qw(from to)} = eval { argument_range($arguments) }
      or _wrong(
        $row->{place}, $line,
        index( $line, $arguments, length $row->{pattern} ),
        $@ =~ s/\n//r
      ) if $arguments ne q{*};
    $row->{threshold} = ( $row->{threshold} =~ tr/%//dr ) / 100;
    _wrong( $row->{place}, $line, index( $line, q{%} ), 'expected a percentage above 0' )
      if $row->{threshold} == 0;
    return $row;
}

# Fails with a message, the line, and a mark below the place.
sub _wrong ( $place, $line, $column, $text ) {
    my $blanks = substr( $line, 0, $column ) =~ s/[^\t]/ /gr;
    return fail_usage( "$place:" . ( $column + 1 ) . ": $text\n$line\n$blanks^" );
}

1;
