package SKaMPI::Safe::Confine;

# Keeps the user's LaTeX and gnuplot files from reading other files. TeX can read any file: \pdfobj
# file ignores openin_any=p of TeX Live, which also does not recognise ~/x and $HOME/x as files of
# the user. Therefore the file system confines it.
use SKaMPI::Base;

use Cwd            qw(abs_path);
use File::Basename qw(dirname);
use List::Util     qw(first uniq);

use SKaMPI::Base::Process  qw(output_of);
use SKaMPI::Base::TextFile qw(beginning_of);
use SKaMPI::Safe::Tools    qw(run_one);

our @EXPORT_OK = qw(confined why_not_confined);

# Paths of the system that programs need. None of them is private.
my @SYSTEM = qw(/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc/alternatives /etc/texmf /etc/fonts
  /etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d /var/lib/texmf /var/cache/fontconfig);
my @PARTS = qw(bin lib lib64 libexec share);

# Environment variables that are kept. Others may hold secrets, and TeX expands variables in file names.
my $KEPT = qr/\A(?:PATH|LANG|LC_.*|TEXMF.*)\z/;

# Wraps a job (SKaMPI::Safe::Tools) in bubblewrap, without network: its file system has programs, fonts, TeX, what
# the job's list read names (all read-only), and the job's directory.
sub confined ($job) {
    my $directory = abs_path( $job->{directory} );
    my @hidden    = map { ( $_ => undef ) } grep { $_ !~ $KEPT } keys %ENV;
    my @paths     = ( @SYSTEM, _elsewhere(), @{ $job->{read} // [] } );
    my @read      = map { ( '--ro-bind-try', $_, $_ ) } @paths;

    # Users other than root need a user namespace, which bwrap creates automatically. Root needs
    # none, and in a chroot the kernel refuses it.
    my @separate = map { "--unshare-$_" } qw(ipc pid net uts cgroup-try);
    my @bwrap    = ( 'bwrap', @read, '--dev', '/dev', '--bind', $directory, $directory, '--chdir' );
    push @bwrap, $directory, @separate, qw(--cap-drop ALL --new-session --die-with-parent --);
    return {
        %{$job},
        prefix      => \@bwrap,
        environment => { @hidden, HOME => $directory, %{ $job->{environment} // {} } },
    };
}

# The reason why confinement does not work in this directory; undef if it works.
sub why_not_confined ($directory) {
    my %job = ( command => ['true'], directory => $directory, seconds => 20 );
    my $job = confined( { %job, output => 'bwrap.txt' } );

    # If bwrap is killed while it starts, its child waits for ever. This command ends by itself.
    $job->{prefix} = [ grep { $_ ne '--die-with-parent' } @{ $job->{prefix} } ];
    my $failed = run_one($job) or return;
    my ($text) = split /\n/, beginning_of( "$directory/bwrap.txt", 1000 );
    return $text // $failed->{wrong};
}

# The directories of the programs and of TeX that are neither below the system's nor around the user's.
sub _elsewhere {
    state $found;
    return @{$found} if $found;
    my ($texmf) = split /\n/, output_of( 'kpsewhich', '-expand-path=$TEXMF' );
    my @trees   = map { abs_path($_) // () } split /:/, $texmf // q{};
    push @trees, map { dirname($_) } grep { m{/texmf-dist\z} } @trees;
    for my $program (qw(gnuplot pdflatex dvips)) {
        my $file  = first { -x } map { "$_/$program" } split /:/, $ENV{PATH} // q{};
        my $place = defined $file ? dirname( dirname( abs_path($file) ) ) : q{/};
        push @trees, map { "$place/$_" } @PARTS;
    }
    my $home = $ENV{HOME} // q{};
    @trees = grep { m{\A/.} && -d && index( "$home/", "$_/" ) != 0 } uniq @trees;
    $found = [
        grep {
            my $tree = $_;
            !first { index( "$tree/", "$_/" ) == 0 } @SYSTEM
        } @trees
    ];
    return @{$found};
}

1;
