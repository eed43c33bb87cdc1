package SKaMPI::Model::Check;

# Measures a platform under SMPI with the parameters of results, and compares.
use SKaMPI::Base;

use Cwd        qw(abs_path);
use File::Temp ();
use List::Util qw(max min);

use SKaMPI::Base::Process    qw(is_there run_command);
use SKaMPI::Base::TextFile   qw(read_bytes write_new_file);
use SKaMPI::Read::PointsFile qw(kept_sections);
use SKaMPI::Read::Output;
use SKaMPI::Stat::Estimate qw(estimate_mean);

our @EXPORT_OK = qw(check_twin);

# Settings of SMPI: computing takes no time, and a process that polls looks every 10 ns.
my @SETTINGS = qw(--cfg=smpi/simulate-computation:no --cfg=smpi/iprobe:1e-8
  --cfg=smpi/grow-injected-times:no --log=root.thres:critical);

# Takes the path of a skampi that was built with MPI=smpi, a twin (SKaMPI::Model::Twin) and results. Returns rows of
# name, count, ratio (the geometric mean of measured / simulated), low and high, or dies with an error message.
sub check_twin ( $skampi, $twin, $output ) {
    die "'smpirun' is missing; install libsimgrid-dev\n" if !is_there('smpirun');
    die "'$skampi' is missing; 'make MPI=smpi' makes it, and --skampi says where it is\n"
      if !is_there($skampi);
    my $suites    = $output->field('SUITES') // die "the results do not say what was measured\n";
    my $directory = File::Temp->newdir;
    write_new_file( "$directory/twin.xml",   $twin->{platform} );
    write_new_file( "$directory/twin.hosts", $twin->{hosts} );
    write_new_file( "$directory/.skampi", join "\n", kept_sections($output), '@MEASUREMENTS',
        $suites, q{} );
    my @command = (
        qw(smpirun -hostfile twin.hosts -platform twin.xml),
        @SETTINGS, abs_path($skampi), '--quiet'
    );
    splice @command, 1, 0, '-np', $twin->{hosts} =~ tr/\n//;
    my $run  = run_command( \@command, directory => "$directory", output => 'said' );
    my @said = split /^/m, read_bytes("$directory/said");
    die join q{}, "the simulation $run->{failed}\n", grep { /^skampi:|[.]skampi/ } @said
      if $run->{failed};
    my $simulated = SKaMPI::Read::Output->from_file("$directory/skampi.out");
    return map { _row( $_, $simulated->suite( $_->label ) // () ) } $output->results;
}

sub _row ( $suite, $twin = undef ) {
    my %twins = map { _key($_) => $_->{time} } $twin ? @{ $twin->rows } : ();
    my @logs  = map { log( $_->{time} / $twins{ _key($_) } ) }
      grep { ( $_->{time} // 0 ) > 0 && ( $twins{ _key($_) } // 0 ) > 0 } @{ $suite->rows }
      or return;
    my %row = ( name => $suite->label, count => scalar @logs );
    @row{qw(low ratio high)} = map { exp } min(@logs), ( estimate_mean(@logs) )[0], max(@logs);
    return \%row;
}

sub _key ($row) { return join q{-}, @{ $row->{arguments} // [ $row->{argument} // q{} ] } }

1;
