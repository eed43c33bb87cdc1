package SKaMPI::Findings::ApplicationGuidelines;

# Which messages of applications, and which irregular collectives, should not cost more than others. The manual lists
# them; these kinds are less obvious:
# - stride: NAS_MG_y sends as many rows as NAS_MG_z, but further apart. This is not a guideline: it
#     shows what that costs.
# - padded: the regular operation with all parts as long as the longest moves more data, and a
#     program can pad its parts.
# - unequal counts: the regular operation of the same total. This is not a guideline: it shows what
#     unequal parts cost.
use SKaMPI::Base;

use SKaMPI::Meaning::Applications qw(application_part);
use SKaMPI::Meaning::Subject      qw(attribute axis_of operation_of);

# A test (undef: every test) and a method, the kind of the guideline, and the test and method that should not be faster.
my @GUIDELINES = (
    [ undef, 'ddt', 'packed', undef, 'pack' ],
    [ undef, 'put', 'put',    undef, 'ddt' ],
    [ NAS_LU_x  => 'ddt', 'one piece',  'NAS_LU_x',  'contiguous' ],
    [ WRF_x_vec => 'ddt', 'same bytes', 'WRF_x_sa',  'ddt' ],
    [ WRF_x_sa  => 'ddt', 'same bytes', 'WRF_x_vec', 'ddt' ],
    [ WRF_y_vec => 'ddt', 'same bytes', 'WRF_y_sa',  'ddt' ],
    [ WRF_y_sa  => 'ddt', 'same bytes', 'WRF_y_vec', 'ddt' ],
    ( map { [ NAS_MG_y => $_, 'stride', 'NAS_MG_z', $_ ] } qw(ddt manual) ),
);

# The meaning of the difference, where it is not obvious.
my %REASON = (
    'one piece'    => 'The datatype has one piece, so nothing needs to be packed.',
    'same bytes'   => 'These datatypes describe the same bytes.',
    'same layout'  => 'These datatypes describe the same bytes.',
    'equal counts' => 'With equal counts, both do the same.',
    'one type'     => 'With one datatype, both do the same.',
    'padded'       => 'So padding all parts to the longest one would be faster.',
    'one-sided'    =>
      'The ping-pong moves these bytes twice and notifies both sides; send messages instead.',
    'put' =>
'Two fences for each message are part of the time, but seldom most of it; send messages instead.',
    'stride' =>
'Both send as many rows of the same length; those of NAS_MG_y are further apart (TLB, prefetching).',
);

# Lists of kind, operation, factor and attributes: the operation, of the length times factor, should not be faster.
sub application_guidelines ($suite) {
    my $part = application_part($suite) // return _irregular_guidelines($suite);
    return if $part->{part} ne 'exchange';
    my ( $test, $method ) = ( operation_of($suite), attribute( $suite, 'method' ) );
    return map { [ $_->[2], $_->[3] // $test, 1, method => $_->[4] ] }
      grep     { ( $_->[0]          // $test ) eq $test && $_->[1] eq $method } @GUIDELINES;
}

sub reason_of ($kind) { return $REASON{$kind} }

# The spread of suites whose operation does not have this key.
my @NONE = ( spread => 'linear' );

sub _irregular_guidelines ($suite) {
    my ($call) = operation_of($suite) =~ /\AIrregular_([A-Z][a-z]{1,20}(?:_scatter)?)\z/ or return;
    my $spread = attribute( $suite, 'spread' );
    my $plain  = 'MPI_' . $call =~ s/[vw]\z//r;

    # The longest part, relative to the mean, if it is the same for the whole suite.
    my @parts   = @{ $suite->fact('SPREAD')->{list} };
    my $longest = @parts == 1 && axis_of($suite) eq 'length' ? $parts[0]{longest} : 0;
    return (
        [ $spread eq 'uniform' ? 'equal counts' : 'unequal counts', $plain, 1, @NONE ],
        $longest > 1         ? [ 'padded', $plain, $longest, @NONE ]                       : (),
        $call eq 'Alltoallv' ? [ 'variant', 'Irregular_Alltoallv_Isend_Irecv', 1 ]         : (),
        $call eq 'Alltoallw' ? [ 'one type', 'Irregular_Alltoallv', 1, spread => $spread ] : (),
    );
}

1;
