package SKaMPI::Findings::Selection;

# Finds suites by what they measure.
use SKaMPI::Base qw(@all);

use List::Util qw(first uniq);

use SKaMPI::Meaning::Curve;
use SKaMPI::Meaning::Subject
  qw(attribute axis_of memories_of operation_of option_of pattern_of variant_of);

# Times of the slowest process are preferred to those that contain a barrier.
my @COLLECTIVE_PREFIXES = qw(syncol col);

sub of ( $class, $output ) {
    return $output->once( selection => sub ($) { $class->among( $output->suites ) } );
}

sub among ( $class, @suites ) {
    my $self = bless { all => [], suites => {}, curves => {} }, $class;
    for my $suite ( grep { @{ $_->rows } } @suites ) {
        push @{ $self->{all} }, $suite;
        next if option_of( $suite, 'as' ) ne 'no';
        my $key = _key( pattern_of($suite), operation_of($suite), axis_of($suite) );
        push @{ $self->{suites}{$key} }, $suite;
    }
    return $self;
}

# The suites that measure this (SKaMPI::Meaning::Subject), with any datatype, but not as another benchmark defines it.
sub suites ( $self, $prefix, $operation, $axis ) {
    return @{ $self->{suites}{ _key( $prefix, $operation, $axis ) } // [] };
}

# Suites measured synchronously, then those measured by barriers, none of them on a virtual topology.
sub collective_suites ( $self, $operation, $axis ) {
    return map { $self->suites( $_, $operation, $axis ) } @COLLECTIVE_PREFIXES;
}

# The first suite with this operation, SUITE's axis, and its attributes except for those given; undef without one. An
# operation without messages, as a barrier, is like one with the shortest.
sub like ( $self, $suite, $operation = operation_of($suite), %other ) {
    my $wanted = variant_of( $suite, %other );
    my $axis   = axis_of($suite);
    my @suites = $self->suites( pattern_of($suite), $operation, $axis );
    my %any    = $axis ne 'length'
      && attribute( $suite, 'message_length' ) eq q{} ? ( message_length => q{} ) : ();
    @suites = sort { _length_of($a) <=> _length_of($b) } @suites if %any;
    return first { variant_of( $_, %any ) eq $wanted } @suites;
}

sub _length_of ($suite) { return attribute( $suite, 'message_length' ) || 0 }

# Suites in which a process copies between the memories of SUITE's messages, then between one of these and the host's.
sub copies_like ( $self, $suite ) {
    my ( $from, $to ) = memories_of($suite);
    my %copies;
    push @{ $copies{ join q{ }, memories_of($_) } }, $_
      for $self->suites( 'simple', 'memcpy', 'length' );
    return map { @{ $copies{$_} // [] } } uniq "$from $to", "pinned $to", "$from pinned";
}

sub curve_of ( $self, $suite ) {
    return $self->{curves}{$suite} //= SKaMPI::Meaning::Curve->new($suite);
}

sub _key (@parts) { return join "\n", @parts }

# The place of a number in the results: a hash of the suite's label, argument (undef if nothing is varied), column (its
# name and unit, for format_argument of SKaMPI::Base::Units) and interpolated (0 or 1).
sub where_in ( $suite, $point ) {
    return {
        label        => $suite->label,
        argument     => axis_of($suite) eq 'none' ? undef : $point->{argument},
        column       => $suite->arguments->[0],
        interpolated => $point->{interpolated},
    };
}

# A key figure (SKaMPI::Findings::KeyFigures) from this point of a suite: by default its time.
sub figure_at ( $suite, $point, %figure ) {
    return {
        value => $point->{time},
        error => $point->{error},
        unit  => 'us',
        where => where_in( $suite, $point ),
        marks => $point->{marks},
        ( defined $suite->note('CONTENDED') ? ( contended => 1 ) : () ),
        %figure
    };
}

1;
