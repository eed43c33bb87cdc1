package SKaMPI::Database::Settings;

# Settings of MPI libraries in the environment of a run.
use SKaMPI::Base;

use List::Util qw(uniq);

our @EXPORT_OK =
  qw(changed_settings differing_settings is_setting library_name line_of settings_in);

# Environment variables that are settings of MPI libraries and networks and change times.
my $SETTING =
qr/\A(?:OMPI_MCA_(?:btl|coll|hwloc|mpi|mtl|opal|osc|pml|rmaps|topo)(?:_\w+)?|PMIX_MCA_\w+|UCX_(?:TLS|NET_DEVICES|RNDV_\w+|ZCOPY_THRESH|IB_\w+|RC_\w+|MAX_\w+|\w+_THRESH)|FI_(?:PROVIDER|\w+_(?:SIZE|MODE|THRESHOLD))|I_MPI_(?:ADJUST_\w+|FABRICS|PIN\w*|SHM\w*|OFI_PROVIDER|ASYNC_PROGRESS\w*)|MPICH_(?!.*(?:FILE|DIR|HOST))\w+|MPIR_CVAR_(?!.*(?:FILE|DIR|HOST))\w+|MV2_(?:\w*(?:THRESHOLD|ALGO\w*|ENABLE\w*|USE\w*))|PSM2?_\w+|OMP_(?:NUM_THREADS|PROC_BIND|PLACES))=/;

# Variables that Open MPI's mpirun sets itself. Permission for more processes than CPUs does not
# matter until there are more, which is a fact of its own.
my $DERIVED = qr/\A(?:OMPI_MCA_(?:mpi|rmaps_base)_oversubscribe|PMIX_MCA_(?:mca_base_\w+|psec))=/;

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

1;
