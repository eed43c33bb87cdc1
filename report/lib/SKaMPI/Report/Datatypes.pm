package SKaMPI::Report::Datatypes;

use v5.36;

use Exporter qw(import);

our @EXPORT_OK = qw(datatype_name is_derived);

# MPI's other types, from this number on.
my $FIRST_OTHER = 101;
my @OTHERS      = qw(
  MPI_SIGNED_CHAR MPI_UNSIGNED_CHAR MPI_SHORT
  MPI_UNSIGNED_SHORT MPI_UNSIGNED MPI_LONG
  MPI_UNSIGNED_LONG MPI_LONG_LONG MPI_UNSIGNED_LONG_LONG
  MPI_LONG_DOUBLE MPI_WCHAR MPI_C_BOOL
  MPI_INT8_T MPI_INT16_T MPI_INT32_T
  MPI_INT64_T MPI_UINT8_T MPI_UINT16_T
  MPI_UINT32_T MPI_UINT64_T MPI_C_FLOAT_COMPLEX
  MPI_C_DOUBLE_COMPLEX MPI_C_LONG_DOUBLE_COMPLEX MPI_AINT
  MPI_OFFSET MPI_COUNT MPI_FLOAT_INT
  MPI_DOUBLE_INT MPI_LONG_INT MPI_2INT
  MPI_SHORT_INT MPI_LONG_DOUBLE_INT MPI_INTEGER
  MPI_REAL MPI_DOUBLE_PRECISION MPI_COMPLEX
  MPI_DOUBLE_COMPLEX MPI_LOGICAL MPI_2INTEGER
  MPI_2REAL MPI_2DOUBLE_PRECISION
);

# The datatype numbers of the manual. tests/report/subject.t compares them with "skampi --list".
my %NAME = (
    1  => 'MPI_BYTE',
    2  => 'MPI_CHAR',
    3  => 'MPI_FLOAT',
    4  => 'MPI_DOUBLE',
    5  => 'MPI_INT',
    20 => 'basetype',
    30 => 'contiguous',
    31 => 'vector',
    32 => 'hvector',
    33 => 'indexed',
    34 => 'indexed_block',
    35 => 'hindexed',
    36 => 'struct',
    37 => 'subarray',
    50 => 'vector with growing blocks',
    51 => 'growing vector of large blocks',
    52 => 'growing vector of small blocks',
    53 => 'growing struct of small blocks',
    54 => 'growing struct of large blocks',
    55 => 'struct with growing blocks',
    56 => 'vector of vectors with growing blocks',
    57 => 'vector of growing vectors',
    58 => 'growing vector of vectors',
    61 => 'vector of vectors',
    62 => 'vector of indexed',
    63 => 'indexed of vectors',
    64 => 'indexed of indexed',
    70 => 'struct of nested types',
    map { $FIRST_OTHER + $_ => $OTHERS[$_] } 0 .. $#OTHERS
);

# The basetype; the numbers from here on are derived from it.
my $FIRST_DERIVED = 20;

# An unknown number is printed as a number.
sub datatype_name ($number) {
    return $NAME{$number} // "datatype $number";
}

sub is_derived ($number) {
    return $number >= $FIRST_DERIVED && $number < $FIRST_OTHER ? 1 : 0;
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Datatypes - names of the datatype numbers of suites

=head1 DESCRIPTION

C<datatype_name(NUMBER)> returns the constructor, such as C<vector> for 31, including what grows with the
message. C<is_derived(NUMBER)> is true for the basetype and all datatypes derived from it.

=cut
