package SKaMPI::Database::PublicFacts;

use v5.36;

use Exporter qw(import);

our @EXPORT_OK = qw(facts_with_names is_public is_with_names public_facts);

# The facts "#@NAME" that may leave the user's machine, as the program's table of facts marks them
# (src/results/fact.c); a test compares both. All others stay.
my @PLAIN =
  qw(ABSOLUTE ARCHITECTURE CACHE CLOCKBOUND DATA DATE ERROR EXTRA FILE FINALIZE FIRSTCALL IDLE INIT INTERPOLATION LISTS
  MPISTANDARD OSNAME OSRELEASE OVERSUBSCRIBED PROCESSES RESIDUAL RUNS SKAMPIVERSION START STARTSKEW SUITES SWEEP
  SYNCHRONISED TIME TIMEOF TIMER TYPE WALLTIME);

# These may contain names of hosts, users and paths, which are replaced.
my @WITH_NAMES =
  qw(BINDING CLOCKSOURCE CONTENDED CPUSHARE ENVIRONMENT GLOBALCLOCK GOVERNOR GROUPS HARDWARE HOSTNAME LOOPS MACHINE
  MPILIBRARY MPIVERSION NETWORK NODE NODETIMES NOTE PARAMETERS PARTNER POSTPROCESSED PROCESSESPERHOST RESUMED
  SKIPPED STEAL TOPOLOGY WARNING);

my %KIND = ( ( map { $_ => 'plain' } @PLAIN ), map { $_ => 'names' } @WITH_NAMES );

sub public_facts ()     { return @PLAIN, @WITH_NAMES }
sub facts_with_names () { return @WITH_NAMES }
sub is_public     ($name) { return exists $KIND{$name} }
sub is_with_names ($name) { return ( $KIND{$name} // q{} ) eq 'names' }

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Database::PublicFacts - which facts of a result file may leave the user's machine

=head1 DESCRIPTION

C<public_facts> and, among them, C<facts_with_names>: those whose values may contain names of hosts, users and
paths. C<is_public(NAME)> and C<is_with_names(NAME)> ask about one.

=cut
