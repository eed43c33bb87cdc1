package SKaMPI::Typed;

# Commands as a user types them: in a shell, with skampi's programs under their installed names, and
# an mpirun that starts more processes than there are CPUs.
use v5.36;

use Exporter     qw(import);
use IPC::Run     qw(run);
use SKaMPI::Test qw($ROOT lacks_results scratch write_file);
use Test::More;

our @EXPORT_OK = qw(commands_of programs typed);

my %SOURCE = ( dorep => 'dorep', map { ( "skampi-$_" => $_ ) } programs() );

# The commands of skampi that are programs of the same name.
sub programs () { return qw(compare db export launch model profile show tune) }

# The commands of a section of a text, without what is said beside them.
sub commands_of ( $text, $title ) {
    my ($section) = $text =~ /^\Q$title\E\n-+\n(.*?)^\S[^\n]*\n-{3,}$/ms;
    return $section =~ m{^ {4}((?:[.]/skampi|mpirun|editor) .*?)(?: {2,}.*)?$}mg;
}

sub _programs () {
    state $bin;
    return $bin if defined $bin;
    $bin = scratch();
    my %target = (
        skampi => $ENV{SKAMPI_PROGRAM},
        map { ( $_ => "$ROOT/report/$SOURCE{$_}.pl" ) } keys %SOURCE
    );
    for my $name ( keys %target ) {
        symlink $target{$name}, "$bin/$name" or die "$bin/$name: $!\n";
    }
    my $oversubscribe = $ENV{SKAMPI_MPI} eq 'openmpi' ? '--oversubscribe' : q{};

    # By its path: one that is called mpirun, too, would be this one.
    my ($mpirun) = grep { -x } map { "$_/$ENV{SKAMPI_MPIRUN}" } split /:/, $ENV{PATH};
    $mpirun //= $ENV{SKAMPI_MPIRUN};
    write_file( "$bin/mpirun", qq{#!/bin/sh\nexec $mpirun $oversubscribe "\$@"\n} );
    return $bin;
}

# Messages of a run whose status is 1 as other programs use the CPUs, and of its launcher.
my $NO_RESULT = qr/^skampi: \S+: no result for .*\n|^-{20,}\n(?:(?!-{20}).*\n)*-{20,}\n/m;

# Returns status and both output streams, as a terminal shows them, without skampi's warnings: they depend on the
# machine. So do results that are missing as other programs use the CPUs, and a run that -t ends earlier: status 0
# instead of 1, and a diagnosis has what was said. The version is that of a release, also in a checkout.
sub typed ( $dir, $command ) {
    local $ENV{PATH}    = _programs() . ":$ENV{PATH}";
    local $ENV{COLUMNS} = 110;
    my $out = q{};
    run [ 'sh', '-c', $command ], '<', \undef, '>&', \$out,
      init => sub { chdir $dir or die "$dir: $!\n" };
    my $is_short = lacks_results($out) || $out =~ /^# stopped by -t: /m;
    my $status   = $is_short && $? == 1 << 8 ? 0 : $?;
    if ( lacks_results($out) ) {
        diag("on a busy machine, $command:\n$out");
        $out =~ s/$NO_RESULT//g;
    }
    return ( $status, $out =~ s/^skampi: warning: .*\n//gmr =~ s/(?<=[0-9])-dev\b//gr );
}

1;
