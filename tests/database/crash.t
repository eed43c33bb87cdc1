# Whatever interrupts skampi-db, every run is in the database as a whole or not at all.
use v5.36;

use Digest::SHA qw(sha256_hex);
use POSIX       qw(_exit);
use Test::More;
use Time::HiRes qw(sleep time);

use SKaMPI::Database::Main  qw(main);
use SKaMPI::Database::Place qw(prepare_file);
use SKaMPI::Database::Reader;
use SKaMPI::Database::Store;
use SKaMPI::DatabaseTest qw(db generated_run $SAMPLE);
use SKaMPI::Database::Writer;
use SKaMPI::ReportTest qw(workplace);
use SKaMPI::Test       qw(read_file write_file);

my $KILLS   = $ENV{SKAMPI_LONG} ? 100 : 8;
my $WRITERS = 4;

my %files =
  map { ( sprintf( 'r%03d.out', $_ ) => generated_run( factor => 1 + $_ / 1000 ) ) } 1 .. $KILLS;
my $dir = workplace(%files);

sub started (@arguments) {
    my $child = fork // die "fork: $!\n";
    return $child if $child;
    open STDOUT, '>', '/dev/null'      or die "STDOUT: $!\n";
    open STDERR, '>', "$dir/errors.$$" or die "STDERR: $!\n";
    chdir $dir or die "$dir: $!\n";
    my $status = eval { main(@arguments) };
    print STDERR ref $@ ? $@->{text} : $@ if !defined $status;
    return _exit( $status // 1 );
}

sub damage ($path) {
    my $store  = SKaMPI::Database::Store->connect_to($path);
    my $reader = SKaMPI::Database::Reader->new($store);
    my @wrong  = map { $_->{integrity_check} } $store->query('PRAGMA integrity_check');
    @wrong = grep { $_ ne 'ok' } @wrong;
    for my $run ( $reader->runs( limit => 1000 ) ) {
        my @suites = $reader->suites( $run->{id} );
        my $points = 0;
        $points += @{ $reader->series( $run->{id}, $_->{label} )->{points} } for @suites;
        push @wrong, "run $run->{id}: suites" if @suites != $run->{suites} || !@suites;
        push @wrong, "run $run->{id}: points" if $points != $run->{points};
        push @wrong, "run $run->{id}: state"  if $run->{state} ne 'published';
        push @wrong, "run $run->{id}: facts"  if !$reader->facts( $run->{id} );
        push @wrong, "run $run->{id}: original"
          if sha256_hex( $reader->original( $run->{id} )->{bytes} ) ne $run->{sha256};
    }
    return \@wrong;
}

sub runs_in ($path) {
    return SKaMPI::Database::Reader->new( SKaMPI::Database::Store->connect_to($path) )
      ->counts->{runs};
}

subtest 'killed while it adds a run' => sub {
    my $begun = time;
    waitpid started( 'add', '--database', 'first.db', 'r001.out' ), 0;
    my $duration = time - $begun;
    my $answered = 0;
    for my $name ( sort keys %files ) {
        my $child = started( 'add', '--database', 'r.db', $name );
        sleep rand 1.3 * $duration;
        kill KILL => $child;
        waitpid $child, 0;
        $answered++ if $? == 0;
        my $there = -s "$dir/r.db" ? eval { runs_in("$dir/r.db") } // 0 : 0;
        cmp_ok $there, '>=', $answered, "$name: what was answered is there";
        is db( $dir, 'add', '--database', 'r.db', $name )->{status}, 0,
          'and the next start adds the file';
        $answered = runs_in("$dir/r.db");
    }
    is runs_in("$dir/r.db"), $KILLS, 'in the end, all runs are there, each once';
    is_deeply damage("$dir/r.db"), [], 'and whole';
};

subtest 'several writers at once' => sub {
    my @names    = ( sort keys %files )[ 0 .. 5 ];
    my @children = map { started( 'add', '--database', 'w.db', $_ % 2 ? @names : reverse @names ) }
      1 .. $WRITERS;
    my @status = map { waitpid $_, 0; $? } @children;
    is_deeply \@status, [ (0) x $WRITERS ], 'all end well'
      or diag map { read_file("$dir/errors.$_") } @children;
    is runs_in("$dir/w.db"), @names, 'each run is there once';
    is_deeply damage("$dir/w.db"), [], 'and whole';
};

# A path; when it is used for the time COUNT, another process creates the file.
package SKaMPI::PathMadeMeanwhile {
    use overload q{""} => sub ( $self, @ ) {
        SKaMPI::Test::write_file( $self->{path}, q{} ) if $self->{count}-- == 1;
        return $self->{path};
      },
      eq => sub ( $self, $text, @ ) { return "$self" eq $text };
}

subtest 'another process creates the file' => sub {
    my $uses = 0;
    for ( my $is_made = 1 ; $is_made ; $uses++ ) {
        my $path = "$dir/meanwhile.$uses";
        my $made = bless { path => $path, count => $uses + 1 }, 'SKaMPI::PathMadeMeanwhile';
        is eval { prepare_file( $made, 1 ); 1 }, 1, "at use $uses of its name" or diag $@;
        $is_made = $made->{count} <= 0;
    }
    cmp_ok $uses, '>', 3, 'at every moment';
};

subtest 'killed while it erases, reads again, and copies' => sub {
    db( $dir, 'copy', 'w.db', "e$_.db" ) for 1 .. $KILLS / 4;
    for my $number ( 1 .. $KILLS / 4 ) {
        for my $words ( ['reindex'], [ 'erase', 1 .. 3 ] ) {
            my $child = started( @{$words}, '--database', "e$number.db" );
            sleep rand 0.1;
            kill KILL => $child;
            waitpid $child, 0;
            is_deeply damage("$dir/e$number.db"), [], "@{$words}: runs are whole or gone";
        }
        my $child = started( 'copy', 'w.db', "c$number.db" );
        sleep rand 0.1;
        kill KILL => $child;
        waitpid $child, 0;
        my $there = -s "$dir/c$number.db" ? eval { runs_in("$dir/c$number.db") } // 0 : 0;
        ok $there == 0 || $there == 6, "copy: all or nothing, $there";
    }
};

# The process that reads a file for a process, when it has stopped itself.
sub stopped_reader ($parent) {
    my $reader;
    until ( $reader && read_file("/proc/$reader/stat") =~ /[)] T / ) {
        ($reader) = split q{ }, read_file("/proc/$parent/task/$parent/children");
        sleep 0.01;
    }
    return $reader;
}

# A process that takes a file, with a reader that stops itself; its answer is written to a file.
sub taking ( $path, $bytes, $answer ) {
    my $child = fork // die "fork: $!\n";
    return $child if $child;
    my $read = \&SKaMPI::Database::AcceptedFile::_answer;
    no warnings 'redefine';    ## no critic (ProhibitNoWarnings)
    local *SKaMPI::Database::AcceptedFile::_answer =
      sub (@file) { kill STOP => $$; return $read->(@file) };
    my $found = eval { writer( $path, 2 )->take( $bytes, 'same.out' ) };
    write_file( $answer, $found ? "$found->{id} $found->{state} $found->{is_new}" : $@->{text} );
    return _exit(0);
}

sub writer ( $path, $account ) {
    my $store = SKaMPI::Database::Store->connect_to( $path, create => 1 );
    return SKaMPI::Database::Writer->new( $store, account => $account );
}

subtest 'the same file twice at once' => sub {
    my $path = "$dir/same.db";
    db( $dir, 'token', '--database', $path, '--trusted', 'joe' );
    my @cases = (
        [ 'the second reader is killed', KILL => sub { }, '1 published 0' ],
        [ 'the second reader goes on',   CONT => sub { }, '2 published 0' ],
        [
            'the run is withdrawn between',
            CONT => sub ($id) { writer( $path, 1 )->withdraw( $id, 'x' ) },
            '3 withdrawn 0'
        ],
        [
            'the run is erased between',
            CONT => sub ($id) { writer( $path, 1 )->erase($id) },
            qr/was erased/
        ],
    );
    for my $case (@cases) {
        my ( $name, $signal, $between, $expected ) = @{$case};
        my $bytes  = generated_run( facts => { MACHINE => $name } );
        my $second = taking( $path, $bytes, "$dir/answer" );
        my $reader = stopped_reader($second);
        my $first  = writer( $path, 2 )->take( $bytes, 'same.out' );
        is $first->{state}, 'published', "$name: the first one is acknowledged";
        $between->( $first->{id} );
        kill $signal => $reader;
        waitpid $second, 0;
        my $answer = read_file("$dir/answer");
        if ( ref $expected ) { like $answer, $expected, 'and the second one is refused'; next }
        is $answer, $expected, 'and the second one gets the same run';
        is SKaMPI::Database::Store->connect_to($path)->row( run_state => $first->{id} )->{state},
          ( split q{ }, $expected )[1], 'which is there';
    }
    is_deeply damage($path), ['run 3: state'], 'all runs are whole';
};

subtest 'a full disk' => sub {
    my $place = "$dir/full";
    mkdir $place or die "$place: $!\n";
    my $is_mounted = $> == 0
      && system( 'mount', '-t', 'tmpfs', '-o', 'size=400k', 'tmpfs', $place ) == 0;
    plan skip_all => 'needs a tmpfs of its own' if !$is_mounted;
    my ( $added, $refused ) = ( 0, undef );
    for my $name ( ( sort keys %files )[ 0 .. 2 ], $SAMPLE ) {
        my $run = db( $dir, 'add', '--database', 'full/r.db', $name );
        $added++        if $run->{status} == 0;
        $refused = $run if $run->{status} != 0;
        last            if $refused;
    }
    is $refused->{status}, 1, 'ends the command';
    like $refused->{err}, qr{database 'full/r[.]db': database or disk is full; free some space},
      'and says so';
    is_deeply damage("$place/r.db"), [], 'the runs before are whole';
    is runs_in("$place/r.db"), $added, 'all of them';
    system 'umount', $place;
};

done_testing;
