package SKaMPI::Meaning::Applications;

# The tests of what applications send. Names and options of the suites do not matter.
use v5.36;

use Exporter qw(import);

use SKaMPI::Meaning::Subject qw(operation_of option_of subject_of);

our @EXPORT_OK = qw(access_classes application_part is_building test_named);

# The type numbers: exchanging messages of applications, and building their datatypes.
my ( $FIRST_EXCHANGE, $FIRST_BUILD, $LAST_BUILD ) = ( 120, 140, 159 );

# The access classes of the paper, in its order.
my @CLASSES = (
    [ face         => 'Cartesian faces' ],
    [ unstructured => 'Unstructured access' ],
    [ interleaved  => 'Interleaved data' ],
    [ other        => 'Other messages' ],
);

# Name, application and class. tests/report/applications.t compares the names with the program's.
my @TESTS = (
    [ WRF_x_vec     => 'WRF',       'face' ],
    [ WRF_y_vec     => 'WRF',       'face' ],
    [ WRF_x_sa      => 'WRF',       'face' ],
    [ WRF_y_sa      => 'WRF',       'face' ],
    [ MILC_su3_zd   => 'MILC',      'face' ],
    [ NAS_LU_x      => 'NAS LU',    'face' ],
    [ NAS_LU_y      => 'NAS LU',    'face' ],
    [ NAS_MG_x      => 'NAS MG',    'face' ],
    [ NAS_MG_y      => 'NAS MG',    'face' ],
    [ NAS_MG_z      => 'NAS MG',    'face' ],
    [ LAMMPS_full   => 'LAMMPS',    'unstructured' ],
    [ LAMMPS_atomic => 'LAMMPS',    'unstructured' ],
    [ SPECFEM3D_oc  => 'SPECFEM3D', 'unstructured' ],
    [ SPECFEM3D_cm  => 'SPECFEM3D', 'unstructured' ],
    [ SPECFEM3D_mt  => 'SPECFEM3D', 'interleaved' ],
    [ FFT           => 'FFT',       'interleaved' ],
);
my %ORDER = map { $TESTS[$_][0] => $_ } keys @TESTS;

# The access classes of ddtbench in the order of the paper, each a hash of class and title.
sub access_classes () {
    return map { { class => $_->[0], title => $_->[1] } } @CLASSES;
}

# A hash of name, application, class and order (the place among the tests).
# A test that this version does not know has a class and a colour of its own.
sub test_named ($name) {
    my %test = ( order => $ORDER{$name} // scalar @TESTS );
    @test{qw(name application class)} = @{ $TESTS[ $test{order} ] // [ $name, $name, 'other' ] };
    return \%test;
}

# A hash of test (such as WRF_x_vec) and part: exchange, or create or free for building and freeing
# datatypes. Nothing for suites of other types.
sub application_part ($suite) {
    my $number = subject_of($suite)->{number} // 0;
    return if $number < $FIRST_EXCHANGE || $number > $LAST_BUILD;
    return { test => operation_of($suite), part => 'exchange' } if $number < $FIRST_BUILD;
    my $call =
      $suite->{requested} ? option_of( $suite, 'call' ) : $suite->{name} =~ s/.*-//sr;
    return {
        test => operation_of($suite) =~ s/\ABuild_//r,
        part => $call eq 'free' ? 'free' : 'create'
    };
}

# Whether it measures building or freeing datatypes.
sub is_building ($suite) {
    my $part = application_part($suite) or return 0;
    return $part->{part} ne 'exchange';
}

1;
