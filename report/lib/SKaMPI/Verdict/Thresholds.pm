package SKaMPI::Verdict::Thresholds;

# The threshold of each suite: smaller differences do not matter. It is a part of the value, a time, or both: then only
# a difference beyond both matters.
use SKaMPI::Base;

use List::Util qw(any max);

use SKaMPI::Base::Program  qw(argument_range fail_usage whole_match);
use SKaMPI::Base::TextFile qw(read_text);
use SKaMPI::Base::Units    qw(exact_percent format_time);

my $NUMBER = qr/(?:[0-9]{1,6}(?:[.][0-9]{1,6})?|[.][0-9]{1,6})/;

my %US = ( ns => 1e-3, us => 1, ms => 1e3, s => 1e6 );

# "5%", "10us", "15 % and 10 us" as a hash of part and us. Dies with what is wrong.
sub threshold_of ($text) {
    my ( %of, $is_wrong );
    for my $word ( split /\s*(?:,|\band\b)\s*/, $text, -1 ) {
        my ( $number, $unit ) = $word =~ /\A($NUMBER)\s*(%|[num]?s)\z/;
        my $key = ( $unit // q{} ) eq q{%} ? 'part' : 'us';
        $is_wrong ||= !$number || $of{$key};
        $of{$key} =
          $key eq 'part' ? ( $number // 0 ) / 100 : ( $number // 0 ) * $US{ $unit // 's' };
    }
    return \%of if %of && !$is_wrong;
    die
"expected a percentage above 0 such as 5%, a time such as 10us, or 15% and 10us, got '$text'\n";
}

# Takes the threshold of all suites, a hash or a part, and a file of thresholds for some of the suites LABELS: lines
# PATTERN ARGUMENTS THRESHOLD, such as *_MPI_Barrier* * 15% or p2p_* 0-1024 10% and 2us. Fails with file, line and
# column for a mistake, and for a pattern that matches no suite.
sub new ( $class, $default, $path = undef, @labels ) {
    $default = { part => $default } if !ref $default;
    my $self = bless { default => $default, rows => [] }, $class;
    return $self if !defined $path;
    my $text   = eval { read_text($path) } // fail_usage($@);
    my $number = 0;
    for my $line ( split /\n/, $text ) {
        $number++;
        next if $line !~ /\A\s*[^\s#]/;
        push @{ $self->{rows} }, _row( "$path:$number", $line, @labels );
    }
    return $self;
}

# The part of the value for all suites; 0 if only a time is given.
sub for_all ($self) { return $self->{default}{part} // 0 }

sub text ($self) {
    my ( $part, $us ) = @{ $self->{default} }{qw(part us)};
    return join ' and ', defined $part ? exact_percent($part) : (),
      defined $us ? format_time($us) : ();
}

# The threshold as a part of a value of this many microseconds. The last line that matches counts.
sub of ( $self, $label, $argument, $value_us ) {
    my $of    = $self->{default};
    my $where = $argument || 0;
    for my $row ( grep { $label =~ $_->{expression} } @{ $self->{rows} } ) {
        my $is_within = $where >= ( $row->{from} // 0 ) && $where <= ( $row->{to} // 'inf' );
        $of = $row->{threshold} if $is_within;
    }
    return max( $of->{part} // 0, ( $of->{us} // 0 ) / $value_us );
}

sub _row ( $place, $line, @labels ) {
    my ( $pattern, $arguments, $threshold ) =
      $line =~ /\A\s*([^\s#]+)\s*([^\s#]*)\s*([^#]*?)\s*(?:\#|\z)/;
    my @columns = @-[ 1 .. 3 ];
    my %row     = ( expression => whole_match($pattern) );
    if ( $arguments ne q{*} ) {
        @row{qw(from to)} = eval { argument_range($arguments) }
          or _wrong( $place, $line, $columns[1], $@ );
    }
    $row{threshold} = eval { threshold_of($threshold) }
      or _wrong( $place, $line, $columns[2], $@ );
    _wrong( $place, $line, $columns[0], "no suite matches '$pattern'" )
      if !any { $_ =~ $row{expression} } @labels;
    return \%row;
}

# Fails with a message, the line, and a mark below the place.
sub _wrong ( $place, $line, $column, $text ) {
    my $blanks = substr( $line, 0, $column ) =~ s/[^\t]/ /gr;
    chomp $text;
    return fail_usage( "$place:" . ( $column + 1 ) . ": $text\n$line\n$blanks^" );
}

1;
