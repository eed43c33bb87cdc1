package SKaMPI::Database::Settings;

# Settings of MPI libraries in the environment of a run; and which runs are the latest, and which are outdated: by a
# newer published run of the same machine, parameters, library, settings and processes that has another version of the
# library or SKaMPI, another kernel, binding or other hosts; or by their age.
use SKaMPI::Base;

use List::Util  qw(uniq);
use Time::Piece ();

# Environment variables that are settings of MPI libraries and networks and change times.
my $SETTING =
qr/\A(?:OMPI_MCA_(?:btl|coll|hwloc|mpi|mtl|opal|osc|pml|rmaps|topo)(?:_\w+)?|PMIX_MCA_\w+|UCX_(?:TLS|NET_DEVICES|RNDV_\w+|ZCOPY_THRESH|IB_\w+|RC_\w+|MAX_\w+|\w+_THRESH)|FI_(?:PROVIDER|\w+_(?:SIZE|MODE|THRESHOLD))|I_MPI_(?:ADJUST_\w+|FABRICS|PIN\w*|SHM\w*|OFI_PROVIDER|ASYNC_PROGRESS\w*)|MPICH_(?!.*(?:FILE|DIR|HOST))\w+|MPIR_CVAR_(?!.*(?:FILE|DIR|HOST))\w+|MV2_(?:\w*(?:THRESHOLD|ALGO\w*|ENABLE\w*|USE\w*))|PSM2?_\w+|OMP_(?:NUM_THREADS|PROC_BIND|PLACES))=/;

# Variables that Open MPI's mpirun sets itself. Permission for more processes than CPUs does not
# matter until there are more, which is a fact of its own.
my $DERIVED = qr/\A(?:OMPI_MCA_(?:mpi|rmaps_base)_oversubscribe|PMIX_MCA_(?:mca_base_\w+|psec))=/;

# The states of runs that everybody may read.
our $PUBLISHED = qr/\A(?:published|outdated)\z/;

sub is_setting ($variable) { return $variable =~ $SETTING ? 1 : 0 }

# The settings among the lines of the fact ENVIRONMENT.
sub settings_in ($environment) {
    return [ sort grep { is_setting($_) && !/$DERIVED/ } split /\n/, $environment // q{} ];
}

# The name of a library such as "Open MPI 4.1.4", as far as it is known.
sub library_name ($run) {
    return join q{ }, grep { defined } @{$run}{qw(vendor library_version)};
}

# A text of library, settings and processes, equal for runs of which a newer one replaces an older one.
sub line_of ($run) {
    return join "\n", map { $_ // q{} } $run->{vendor} // $run->{library}, $run->{processes},
      @{ $run->{settings} };
}

# The settings of each run that not all runs with its library have.
sub differing_settings (@runs) {
    my ( %count, %runs );
    for my $run (@runs) {
        my $library = $run->{vendor} // q{};
        $runs{$library}++;
        $count{$library}{$_}++ for uniq @{ $run->{settings} };
    }
    return map {
        my $library = $_->{vendor} // q{};
        [ grep { $count{$library}{$_} < $runs{$library} } @{ $_->{settings} } ]
    } @runs;
}

# The changes between two lists of settings: hashes of what, from and to.
sub changed_settings ( $before, $now ) {
    my ( $old, $new ) = map {
        +{ map { /\A([^=]*)=(.*)\z/s } @{$_} }
    } $before, $now;
    return map { { what => $_, from => $old->{$_} // 'unset', to => $new->{$_} // 'unset' } }
      grep     { ( $old->{$_} // q{} ) ne ( $new->{$_} // q{} ) }
      sort     { $a cmp $b } uniq( keys %{$old}, keys %{$new} );
}

# A run that began earlier is outdated, in years.
my $MAX_YEARS = 3;

# Marks the runs of a machine after a change to one of them. Launches of a group do not outdate each other.
sub refresh_ages ( $store, $machine ) {
    my @runs = $store->rows( runs_of_machine => $machine );
    $_->{settings} = settings_in( $_->{environment} ) for @runs;
    my %newest;
    my @newest_first =
      sort { ( $b->{started} // q{} ) cmp( $a->{started} // q{} ) || $b->{id} <=> $a->{id} } @runs;
    for my $run ( grep { $_->{state} eq 'published' } @newest_first ) {
        $newest{ line_key($run) } //= $run;
    }
    for my $run (@runs) {
        my $newest = $run->{state} eq 'published' ? $newest{ line_key($run) } : undef;
        my $latest = $newest && $newest->{id} == $run->{id}               ? 1             : 0;
        my $by     = $newest && $newest->{group_key} ne $run->{group_key} ? $newest->{id} : undef;
        next if $run->{latest} == $latest && ( $run->{outdated_by} // 0 ) == ( $by // 0 );
        $store->update( run => $run->{id}, outdated_by => $by, latest => $latest );
    }
    return;
}

# A text that is equal for runs of a machine of which a newer one outdates an older one.
sub line_key ($run) { return join "\n", $run->{parameters_key}, line_of($run) }

sub oldest_start () { return Time::Piece::gmtime->add_years( -$MAX_YEARS )->ymd }

1;
