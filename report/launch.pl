#!/usr/bin/perl

use v5.36;

use Cwd qw(abs_path);
use FindBin;

use lib "$FindBin::RealBin/lib";
use SKaMPI::Base::Program         qw(complain run_program);
use SKaMPI::Base::TextFile        qw(read_bytes write_new_file);
use SKaMPI::Base::Units           qw(exact_percent format_duration);
use SKaMPI::Launch::Configuration qw(only_configuration read_configurations);
use SKaMPI::Launch::Decision      qw(confirm guard);
use SKaMPI::Launch::Ending        qw(finish show_health);
use SKaMPI::Launch::Grid          qw(fixed_file with_fixed_grid);
use SKaMPI::Launch::Options       qw(launch_options);
use SKaMPI::Launch::Quick         qw(quick_configurations);
use SKaMPI::Launch::Session;
use SKaMPI::Launch::Store;

my ( $DONE, $SPENT ) = ( 0, 3 );

my %SIGNAL = ( HUP => 1, INT => 2, TERM => 15 );

exit run_program( 'skampi-launch', \&main );

sub main () {
    my ( $options, $command, @paths ) = launch_options(@ARGV);
    return ended( confirm( settings($options), @{$command} ) )
      if defined $options->{confirm};
    my ( $file, @configurations ) = configurations( $options, $command, @paths );
    my $store =
      SKaMPI::Launch::Store->open_directory( $options->{directory}, $command, @configurations );
    write_new_file( @{$file} ) if $file;
    announce( $options, $store, @configurations );
    my $session = SKaMPI::Launch::Session->new( $store, $command, \@configurations,
        settings( $options, $store, scalar @configurations ) );
    if ( !$options->{quiet} ) { say for $session->forecast }
    my $end = $session->run;
    return ended($end) if $SIGNAL{$end};
    finish( $options, $store, $session );
    return show_health( $store, $session ) if $options->{health};
    return ended($end)                     if $end ne 'done' || !defined $options->{guard};
    my @launches = $session->launches( ( $session->names )[0] );
    return ended( guard( settings($options), $command, @launches ) );
}

# A file that they need, a pair of path and text or undef, and the configurations.
sub configurations ( $options, $command, @paths ) {
    return quick_configurations( $options, \@paths, @{$command} ) if defined $options->{quick};
    return ( undef,
        @paths ? read_configurations( $command, @paths ) : only_configuration($command) );
}

# The exit status of launches that ended with this status, were done, ended by a signal, or because the budget was spent.
sub ended ($end) {
    return $end  if $end =~ /\A[0-9]+\z/;
    return $DONE if $end eq 'done';
    complain(
        $SIGNAL{$end}
        ? "ended by SIG$end; start again with the same command to go on"
        : 'the budget is spent; add to --budget and start again to go on'
    );
    return $SIGNAL{$end} ? 128 + $SIGNAL{$end} : $SPENT;
}

# The parameter file of the working directory is linked into each launch's directory. If launches are compared, all
# measure the same arguments.
sub settings ( $options, $store = undef, $sides = 1 ) {
    my $is_fixed =
         $store
      && ( $sides > 1 || defined $options->{guard} )
      && !$options->{refine}
      && !defined $options->{quick};
    my $parameters = -e '.skampi' ? abs_path('.skampi') : undef;
    $parameters = fixed_file( $store->path, 'dot', read_bytes($parameters) )
      if $is_fixed && defined $parameters;
    return {
        %{$options},
        fixed =>
          sub (@words) { return $is_fixed ? with_fixed_grid( $store->path, @words ) : @words },
        parameters => $parameters,
        inform     => sub ($text) { say $text if !$options->{quiet} },
    };
}

sub announce ( $options, $store, @configurations ) {
    return if $options->{quiet};
    my @names = @configurations > 1 ? map { $_->{name} } @configurations : ();
    my @texts = (
        join(
            ' of each of ', "at least $options->{launches} launches", join( ', ', @names ) || ()
        )
    );
    push @texts,
      'until the widest interval between launches is at most ' . exact_percent( $options->{until} )
      if defined $options->{until};
    push @texts, "for at most $options->{budget}" if defined $options->{budget};
    say join( ', ', @texts ), '; in ', $options->{directory};
    say 'earlier starts spent ', format_duration( $store->spent_s ) if $store->spent_s;
    return;
}

__END__

=encoding utf8

=head1 NAME

skampi-launch - starts mpirun several times, until the times are known well enough

=head1 SYNOPSIS

    skampi-launch [OPTIONS] -- mpirun -np 2 skampi -f FILE
    skampi-launch [OPTIONS] CONFIGURATION... -- {mpirun} -np 2 {binary} -f {params}
    skampi-launch --confirm FILE [OPTIONS] -- mpirun -np 2 skampi
    skampi-launch --guard BASE.json [OPTIONS] -- mpirun -np 2 skampi -f FILE
    skampi-launch [OPTIONS] --quick OPERATION -- mpirun -np 2 skampi -- mpirun -np 2 other/skampi
    skampi-launch --health -- mpirun -np 2 skampi

=head1 DESCRIPTION

Times differ more from launch to launch than within one. skampi-launch starts the command after C<-->, which may be
mpirun, srun, smpirun or any other launcher, until there are enough launches. Each runs in a directory of its own,
without a shell. Words of the command that name files of the working directory (with a slash, or F<*.skampi>)
become absolute; a F<.skampi> of the working directory is used by each launch.

Before it starts, it prints what the launches will cost: from the launches of an earlier start, or else from the time
limits of the parameter file (see B<--check> of skampi(1)). A suite without a limit of time runs until its values are
accurate enough, so that only the first launch can show how long it takes.

At the end it prints, for each configuration, the widest interval, the spread between launches and within one, with
advice on which to spend time, and a warning if the times have a trend. It merges the launches of each configuration
into F<DIRECTORY/NAME.out>, and for two configurations prints their comparison (see skampi-compare(1)).

If it is interrupted, start it again with the same command: complete launches are kept. Launches that failed or were
interrupted are kept in F<DIRECTORY/NAME/NUMBER.failed-1>. A launch that fails is tried once more. If skampi-launch is
killed, the command gets SIGTERM (setpriv(1)); as long as it still works, another start in the same DIRECTORY is refused.

=head2 Configurations

A configuration is a file of lines C<KEY=VALUE>. These are environment variables, but for C<params=FILE>,
C<mpirun=PATH> and C<binary=PATH>, which replace C<{params}>, C<{mpirun}> and C<{binary}> in the command. Paths are
relative to the configuration's file. Lines that begin with C<#> are comments. The launches of several configurations
alternate: A B B A A B B A, so that a drift of the machine affects all of them equally.

    $ cat tcp
    OMPI_MCA_btl=self,tcp
    $ cat shared
    OMPI_MCA_btl=self,vader
    $ skampi-launch -n 7 tcp shared -- mpirun -np 2 skampi -f quick

=head2 Without any file

B<--quick> names an operation, with or without its pattern, such as C<Allreduce> or C<col-MPI_Allreduce> (C<skampi --list>
prints all), and one or two commands follow, each after C<-->. The launches are in F<launches/SUITE/A> and F<B>, with the
parameter file that was used, F<quick.skampi>. The last line is the answer:

    B is 1.58 times slower than A (1.15 to 2.16), certainly from 4 KiB to 256 KiB.

The ratio is the geometric mean over all arguments. It is judged together with them, so that the whole sentence is wrong with
a probability of at most 5 %.

=head2 The same arguments in all launches

Refinement chooses other arguments in each launch, and a comparison has only those that most launches measured. If
there are several configurations, skampi therefore gets a copy of its parameter file whose suites are not refined,
F<DIRECTORY/FILE-fixed.skampi>. Where more arguments are of interest, reduce C<Stepwidth>.

=head2 Confirming candidates

    skampi-launch --confirm skampi.out --budget 60s -- mpirun -np 2 skampi

What one launch shows is a candidate. B<--confirm> writes a parameter file of the candidates of a result file, the
largest first, of what they are compared with, and of 8 random points that are measured twice, as controls. Each launch
measures them in another random order, which its header has. After the first launch, its duration decides how many there are: as many as fit into
B<--budget> (60s by default), at least 6 and at most 40 (B<-n>). If 6 do not fit, the smallest candidates are left out before. Only
these launches give ratio, interval and verdict, all of them as one family (see skampi-compare(1)): confirmed, refuted or
undecided, with the number of further launches. A control that trips is printed: the same measurement differs from itself. The verdicts are
written to I<FILE>F<.verdicts>, from where reports read them. The command has no parameter file of its own.

=head2 Guarding a baseline

    skampi-compare --save base.json launches/launches/*/skampi.out
    skampi-launch --guard base.json --junit report.xml -- mpirun -np 2 skampi -f FILE

For continuous integration: B<-n> launches (5 by default) are compared with the baseline. Up to 20 points that exceed it by
B<--threshold> are measured again in 6 other launches, and only these decide. The exit status is 0 if
nothing is slower, 1 if something is, 3 if a point stays undecided or there are too few launches. The baseline needs at least 4 launches.

=head2 When it stops

After B<-n> launches of each configuration or, with B<--until>, when the interval of each point is narrow enough, or
when the budget is spent. It never looks at the comparison: to continue until a difference is found would make false
alarms likely.

=head1 OPTIONS

=over

=item B<-n> NUMBER, B<--launches>=NUMBER

The fewest launches of each configuration; 5 by default. With B<--confirm>, the most.

=item B<--until>=PERCENT

Continue until the 95 % interval (Student's t between launches) is at most this wide at each point, in each configuration.
The width is that from the lower to the upper limit.

=item B<--budget>=TIME

Start no launch that would end after this time, such as C<90s>, C<20m> or C<1h30m>. It counts the time of earlier starts
in the same directory. Without it, B<--until> has a budget of one hour.

=item B<--confirm>=FILE

Decide about the candidates of a result file (above).

=item B<--guard>=FILE

Compare with a baseline that skampi-compare B<--save> wrote (above).

=item B<--junit>=FILE

With B<--guard>: write the comparison that decides as JUnit's XML.

=item B<--points>=PATTERN[/FROM-TO]

Which points count for B<--until>: suites by label, with C<*> and C<?>, and arguments. May be given several times.

=item B<--health>

Is the machine all right? Six launches (B<-n>) with the parameter file C<health>, in F<health> (B<-d>), and at the end what
C<skampi-show --health> says of all of them.

=item B<-d> DIRECTORY, B<--directory>=DIRECTORY

Where to keep the launches; F<launches> by default, F<guard> with B<--guard>, and F<confirm-> and a part of the checksum of
the results with B<--confirm>.

=item B<--timeout>=TIME

End a launch that takes longer, as failed.

=item B<--threshold>=PERCENT, B<--value>=NAME

As for skampi-compare.

=item B<--quick>=OPERATION

Measure this operation; see L</Without any file>.

=item B<-q>, B<--quiet>

Print no progress.

=item B<--refine>

Refine also if there are several configurations.

=item B<-h>, B<--help>, B<--version>

Print this page, or the version.

=back

=head1 EXIT STATUS

0 if there are enough launches, 1 if a launch failed twice (or, with B<--guard>, something is slower), 2 for wrong usage, 3 if the
budget was spent before (or B<--guard> does not know), 128 + the
signal's number if it was interrupted. With B<--health>: 0 if all is good, 1 if there is something to look at, 3 if it
cannot tell.

=head1 SEE ALSO

skampi-compare(1), skampi(1)
