package SKaMPI::DatabaseTest;

# Databases for tests: files, and a PostgreSQL server of their own.
use v5.36;

use Encode     qw(decode encode);
use Exporter   qw(import);
use File::Temp ();
use POSIX      qw(_exit);

use SKaMPI::Base::Program qw(run_program);
use SKaMPI::Database::Commands;
use SKaMPI::Database::Lists;
use SKaMPI::Database::Main qw(main);
use SKaMPI::Generated      qw(launch_text);
use SKaMPI::Test           qw($ROOT read_file);

our @EXPORT_OK = qw(db generated_run $DB $SAMPLE);

our $DB     = "$ROOT/report/db.pl";
our $SAMPLE = "$ROOT/docs/examples/standard.out";

# Runs skampi-db in a directory, in a child that need not load the modules; a hash of out, err and status.
sub db ( $directory, @arguments ) {
    my @kept  = map { File::Temp->new } 1 .. 2;
    my $child = fork // die "fork: $!\n";
    _run_here( $directory, \@kept, @arguments ) if !$child;
    waitpid $child, 0;
    my ( $status, $signal ) = ( $? >> 8, $? & 127 );
    my ( $out,    $err )    = map { decode( 'UTF-8', read_file( $_->filename ) ) } @kept;
    return { out => $out, err => $err, status => $status, signal => $signal };
}

sub _run_here ( $directory, $kept, @arguments ) {
    open STDOUT, '>', $kept->[0]->filename or die "STDOUT: $!\n";
    open STDERR, '>', $kept->[1]->filename or die "STDERR: $!\n";
    chdir $directory or die "$directory: $!\n";
    return _exit( run_program( 'skampi-db', sub () { return main(@arguments) } ) );
}

# The bytes of a small run: FACTS of the header and FACTOR of the times.
sub generated_run (%with) {
    my $factor = $with{factor} // 1;
    return encode(
        'UTF-8',
        launch_text(
            [ map { $factor * ( 1 + $_ / 10 ) } 1 .. $with{points} // 30 ],
            minute => $with{minute} // 0,
            local  => 0.02,
            facts  =>
              { MACHINE => 'Some machine', PROCESSESPERHOST => 'a:2', %{ $with{facts} // {} } },
            notes => $with{notes} // {},
        )
    );
}

1;
