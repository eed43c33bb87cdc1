package SKaMPI::Meaning::Applications;

# The tests of applications' messages, whatever the names and options of their suites.
use SKaMPI::Base;

use SKaMPI::Meaning::Subject qw(operation_of option_of subject_of);

# The type numbers: exchanging messages of applications, and building their datatypes.
my ( $FIRST_EXCHANGE, $FIRST_BUILD, $LAST_BUILD ) = ( 120, 140, 159 );

# The access classes of ddtbench with their tests, in the order of the paper. tests/report/applications.t compares the
# tests with the program's.
my @CLASSES = (
    [
        face => 'Cartesian faces',
        qw(WRF_x_vec WRF_y_vec WRF_x_sa WRF_y_sa MILC_su3_zd NAS_LU_x NAS_LU_y NAS_MG_x NAS_MG_y NAS_MG_z)
    ],
    [
        unstructured => 'Unstructured access',
        qw(LAMMPS_full LAMMPS_atomic SPECFEM3D_oc SPECFEM3D_cm)
    ],
    [ interleaved => 'Interleaved data', qw(SPECFEM3D_mt FFT) ],
    [ other       => 'Other messages' ],
);

# The name of a test begins with that of its application.
my @TESTS = map {
    my ( $class, undef, @names ) = @{$_};
    map { { name => $_, application => s/_[a-z].*//r =~ tr/_/ /r, class => $class } } @names
} @CLASSES;
my %ORDER = map { $TESTS[$_]{name} => $_ } keys @TESTS;

sub access_classes () {
    return map { { class => $_->[0], title => $_->[1] } } @CLASSES;
}

# A hash of name, application, class and order (the place among the tests). A test that this version
# does not know has a class and a colour of its own.
sub test_named ($name) {
    my $order = $ORDER{$name}  // @TESTS;
    my $test  = $TESTS[$order] // { name => $name, application => $name, class => 'other' };
    return { %{$test}, order => $order };
}

# A hash of test (such as WRF_x_vec) and part: exchange, or create or free for building and freeing
# datatypes. An empty list for suites of other types.
sub application_part ($suite) {
    my $number = subject_of($suite)->{number} // 0;
    return if $number < $FIRST_EXCHANGE || $number > $LAST_BUILD;
    return { test => operation_of($suite), part => 'exchange' } if $number < $FIRST_BUILD;
    my $call = $suite->requested ? option_of( $suite, 'call' ) : $suite->name =~ s/.*-//sr;
    my $test = operation_of($suite)                                           =~ s/\ABuild_//r;
    return { test => $test, part => $call eq 'free' ? 'free' : 'create' };
}

sub is_building ($suite) {
    my $part = application_part($suite) or return 0;
    return $part->{part} ne 'exchange';
}

1;
