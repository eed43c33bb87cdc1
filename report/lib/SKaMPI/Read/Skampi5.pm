package SKaMPI::Read::Skampi5;

# The lines of results of SKaMPI 5 as lines of this version's results, with their numbers in the file, so that no other
# module knows the difference. A suite is a result, or a combination of its outer loops; the innermost loop is its
# argument. A row has NAME= VALUE for each loop, the size of the message in bytes (not in the first versions), the mean
# of the middle half of the repetitions, its standard error and the number of repetitions. The times of processes that
# follow are left out, since those of more than 16 processes are quantiles.
use SKaMPI::Base;

use parent 'SKaMPI::Read::Lines';

use SKaMPI::Base::TextFile qw(number_of utf8_bytes);

# How much of a file says what it is.
my $START    = 64 * 1024;
my $FINISHED = '#skampi finished.';

my $TIME_OF = 'the slowest process, mean of the middle half of the repetitions; '
  . 'results of SKaMPI 5 have no quantiles, settings or facts about the machine';

# Whether a file begins like results of SKaMPI 5. Returns to its beginning.
sub is_of_skampi5 ($file) {
    read $file, my ($start), $START;
    seek $file, 0, 0 or return 0;
    return $start !~ m{^\#?(?:\@|/\*\@in)}m
      && $start   =~ /^(?:[#] SKaMPI Version 5|[#]?\s*begin result ")/m;
}

# The text of results; those of SKaMPI 5 as this version's.
sub own_text ($text) {
    my @own;
    open my $file, '<:raw', \utf8_bytes($text) or die "cannot read a text: $!\n";
    if ( is_of_skampi5($file) ) {
        my $lines = __PACKAGE__->new( $file, 'a text', 'inf', 'inf' );
        while ( defined( my $line = $lines->next_line ) ) { push @own, $line }
        push @own, grep { $_ eq $FINISHED } ( $lines->last_line )[0];
    }
    close $file or die "cannot read a text: $!\n";
    return @own ? join( "\n", @own ) : $text;
}

sub next_line ($self) {
    my $ready = $self->{ready} //= [];
    while ( !@{$ready} ) {
        my $line = $self->SUPER::next_line // return;
        delete $self->{wrong};
        push @{$ready}, $self->_translated($line);
    }
    return shift @{$ready};
}

# Returns what is wrong with the line.
sub problem ($self) { return $self->{wrong} // $self->SUPER::problem }

# A file is complete if its results are and, if it says when the run began, also when it ended.
sub last_line ($self) {
    my @last = $self->SUPER::last_line;
    return defined $self->{name_of} || $self->{began} ? @last : ( $FINISHED, 1 );
}

sub _translated ( $self, $line ) {
    return $self->_row($line) if $line !~ /^\s*(?:[#]|\z|(?:begin|end) result ")/;
    if ( $line =~ /^[#]?\s*(begin|end) result "(.*)"\s*$/ ) {
        my $ended = defined $self->{suite} ? '#eol' : '#-----';
        @{$self}{qw(name_of suite)} = ( $1 eq 'begin' ? $2 : undef, undef );
        return $1 eq 'begin' ? '#-----' : $ended;
    }
    $self->{began} = $1 eq 'Started' if $line =~ /^[#] (Started|Finished) at /;
    return "#\@SKAMPIVERSION SKaMPI $1" if $line =~ /^[#] SKaMPI Version (5.*)/;
    return $line =~ /^[#] Started at (.*)/ ? "#\@DATE $1" : ();
}

sub _row ( $self, $line ) {
    my ( @loops, @values, @places );
    push @loops, [ $1, $2, $-[2] ] while $line =~ /\G\s*([A-Za-z_]\w*)=\s+(\S+)/gc;
    while ( $line =~ /\G\s*(\S+)/g ) {
        push @values, $1;
        push @places, $-[1];
        return $self->_wrong( "expected a number, got '$1'", $-[1] )
          if !defined number_of($1) && !( @values > 3 && $1 eq '---' );
    }
    my $size = ( $values[0] // q{.} ) =~ /[.]/ ? undef : shift @values;
    return $self->_wrong( 'expected a count', $places[ defined $size ? 3 : 2 ] // length $line )
      if ( $values[2] // q{} ) !~ /\A[0-9]+\z/;
    my ( $name, $argument, $place ) = @{ pop @loops // [q{}] };
    return $self->_wrong( "expected a number, got '$argument'", $place )
      if $name ne q{} && !defined number_of($argument);
    return $self->_wrong( 'a row outside of a result', 0 ) if !defined $self->{name_of};
    return (
        $self->_header( $name, join q{-}, $self->{name_of}, map { "$_->[0]=$_->[1]" } @loops ),
        join q{ },
        $argument // (),
        @values[ 0 .. 2 ],
        defined $size ? "# size=$size" : ()
    );
}

# The lines before the first row of a suite, after those of the suite before in the same result.
sub _header ( $self, $name, $label ) {
    my $last = $self->{suite} // q{};
    return if $last eq "$label $name";
    $self->{suite} = "$label $name";
    my $of = $name eq q{} ? q{} : "$name [number] (%d) ";
    return (
        $last eq q{} ? () : '#eol',
        "#/*\@in$label.ski*/",
        '#Pattern: SKaMPI 5',
        '#max. allowed standard error is 0 %, cut quantile is 25 %',
        "#Format: <args> $of<results> time_cleaned [microsec.] (%f) standard_error_cleaned"
          . ' [microsec.] (%f) count_cleaned [number] (%d)',
        "#\@TIMEOF $TIME_OF",
        '#@EXTRA size [bytes] size of the message',
    );
}

sub _wrong ( $self, $text, $place ) {
    $self->{wrong} = 'column ' . ( 1 + $place ) . ": $text";
    return '#';
}

1;
