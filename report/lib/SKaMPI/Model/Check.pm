package SKaMPI::Model::Check;

# Measures a platform under SMPI with the parameters of results, and compares. check_twin(SKAMPI, TWIN, OUTPUT) takes the
# path of a skampi that was built with MPI=smpi, a twin (SKaMPI::Model::Twin) and results; it returns rows of name,
# count, ratio (the geometric mean of measured / simulated), low and high, or dies with what went wrong.
use v5.36;

use Cwd        qw(abs_path);
use Exporter   qw(import);
use File::Temp ();
use List::Util qw(max min sum0);

use SKaMPI::Base::NewFile qw(write_new_file);
use SKaMPI::Base::Process qw(is_there run_command);
use SKaMPI::Read::Output;

our @EXPORT_OK = qw(check_twin);

# Computing takes no time, and a process that polls looks every 10 ns.
my @SETTINGS = qw(--cfg=smpi/simulate-computation:no --cfg=smpi/iprobe:1e-8
  --cfg=smpi/grow-injected-times:no --log=root.thres:critical);

sub check_twin ( $skampi, $twin, $output ) {
    die "'smpirun' is missing; install libsimgrid-dev\n" if !is_there('smpirun');
    die "'$skampi' is missing; 'make MPI=smpi' makes it, and --skampi says where it is\n"
      if !is_there($skampi);
    my $directory = File::Temp->newdir;
    my %file      = map { $_ => "$directory/$_" } qw(twin.xml twin.hosts parameters.skampi out);
    write_new_file( $file{'twin.xml'},          $twin->{platform} );
    write_new_file( $file{'twin.hosts'},        $twin->{hosts} );
    write_new_file( $file{'parameters.skampi'}, _parameters($output) );
    my $processes = () = $twin->{hosts} =~ /\n/g;
    my $result    = run_command(
        [
            'smpirun',   '-np', $processes, '-hostfile', $file{'twin.hosts'},
            '-platform', $file{'twin.xml'}, @SETTINGS, abs_path($skampi), '--quiet', '-f',
            $file{'parameters.skampi'}
        ],
        directory => "$directory",
        output    => $file{out}
    );
    return _rows( $output, SKaMPI::Read::Output->from_file("$directory/skampi.out") )
      if !$result->{failed};
    open my $said, '<', $file{out} or die "cannot read '$file{out}': $!\n";
    my @lines = grep { /^skampi:/ || /parameters[.]skampi/ } <$said>;
    close $said or die "cannot read '$file{out}': $!\n";
    die join q{}, "the simulation $result->{failed}\n", @lines;
}

sub _parameters ($output) {
    my @sections = grep { !/^\@(?:OUTFILE|LOGFILE|SHUFFLE)\b/ } split /\n/,
      $output->field('PARAMETERS') // q{};
    my $suites = $output->field('SUITES') // die "the results do not say what was measured\n";
    return join "\n", @sections, '@OUTFILE skampi.out', '@LOGFILE skampi.log', '@MEASUREMENTS',
      $suites, q{};
}

sub _rows ( $measured, $simulated ) {
    my @rows;
    for my $suite ( $measured->results ) {
        my $twin  = $simulated->suite( $suite->{label} ) or next;
        my %twins = map { _key($_) => $_->{time} } @{ $twin->{rows} };
        my @logs =
          map { log( $_->{time} / $twins{ _key($_) } ) }
          grep { ( $_->{time} // 0 ) > 0 && ( $twins{ _key($_) } // 0 ) > 0 } @{ $suite->{rows} };
        push @rows,
          {
            name  => $suite->{label},
            count => scalar @logs,
            ratio => exp( sum0(@logs) / @logs ),
            low   => exp min(@logs),
            high  => exp max(@logs),
          }
          if @logs;
    }
    return @rows;
}

sub _key ($row) { return join q{-}, @{ $row->{arguments} // [ $row->{argument} // q{} ] } }

1;
