package SKaMPI::Meaning::Datatypes;

# Names of the datatype numbers of suites.
use SKaMPI::Base;

use SKaMPI::Meaning::Catalog qw(row_of);

our @EXPORT_OK = qw(datatype_name is_derived);

# Short names of datatypes that MPI does not define.
my %NAME = (
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
);

# The constructor, such as vector for 31, including the part that grows with the message; an unknown number as a number.
sub datatype_name ($number) {
    return $NAME{$number} // ( row_of( datatypes => $number ) // {} )->{text} // "datatype $number";
}

# Whether it is the basetype or derived from it.
sub is_derived ($number) { return $NAME{$number} ? 1 : 0 }

1;
