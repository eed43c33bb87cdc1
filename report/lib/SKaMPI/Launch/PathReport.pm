package SKaMPI::Launch::PathReport;

# Reads what MPI libraries print about the path of messages.
#   Open MPI 4.1 and 5.0, btl_base_verbose, pml_base_verbose, smsc_base_verbose, mtl_base_verbose:
#     [vm:3179] select: component ob1 selected
#     [vm:3179] mca: bml: Using vader btl for send to [[24729,1],1] on node vm
#     [vm:3179] btl:tcp: using ipv4 interface eth0                              (5.0: btl:tcp: 0x56: if eth0 kidx 4 ...)
#     [vm:3179] mca_smsc_base_select: selected shared-memory single-copy component: cma
#     [vm:17346] mca:base:select:(  mtl) Selected component [ofi]
#     [vm:17346] mtl_ofi_component.c:337: mtl:ofi:prov: net                     (and mtl:ofi:provider: eth0)
#   Open MPI 5.0, hook_comm_method_display:
#     Connection summary: (pml)
#       on-host:  all connections are sm
#   MPICH, MPIR_CVAR_DEBUG_SUMMARY: libfabric provider: tcp;ofi_rxm - 10.0.0.0/24
#   Intel MPI, I_MPI_DEBUG: [0] MPI startup(): libfabric provider: tcp
#   UCX, which both may use: SKaMPI::Launch::PathUcx
# Lengths and copies of Open MPI's components are those of the fact LIMITS.
use SKaMPI::Base;

use List::Util qw(uniq);

use SKaMPI::Launch::PathUcx qw(path_row ucx_paths %ONCE);

our @EXPORT_OK = qw(report_variables reported_paths);

# The variables that make libraries report; others ignore them.
my %REPORT = (
    UCX_PROTO_INFO                    => 'y',
    UCX_LOG_LEVEL                     => 'info',
    MPIR_CVAR_DEBUG_SUMMARY           => 1,
    I_MPI_DEBUG                       => 1,
    OMPI_MCA_pml_base_verbose         => 100,
    OMPI_MCA_btl_base_verbose         => 100,
    OMPI_MCA_bml_base_verbose         => 100,
    OMPI_MCA_mtl_base_verbose         => 100,
    OMPI_MCA_smsc_base_verbose        => 100,
    OMPI_MCA_opal_common_ofi_verbose  => 1,
    OMPI_MCA_hook_comm_method_display => 'mpi_init',
);

my %EAGER = ( tcp => 'through sockets', vader => 'copied twice', sm => 'copied twice' );

sub report_variables () { return {%REPORT} }

# The paths that a text reports, and the sources. OUTPUT has the header of the launch that printed it.
sub reported_paths ( $text, $output ) {
    my ( $paths, @sources ) = _reported( $text, $output );
    my @hosts  = @{ $output->fact('PROCESSESPERHOST')->{list} // [] };
    my @within = grep { $_->{pair} eq 'within' } @{$paths};
    return ( $paths,   @sources ) if @hosts != 1;
    return ( \@within, @sources ) if @within;
    return ( [ map { +{ %{$_}, pair => 'within' } } @{$paths} ], @sources );
}

sub _reported ( $text, $output ) {
    my @about   = map  { $_->{text} } @{ $output->fact('MPILIBRARY')->{list} };
    my %served  = map  { $_->{part} => $_->{names} } @{ $output->fact('SERVED')->{list} };
    my %limits  = map  { $_->{name} => $_->{value} } @{ $output->fact('LIMITS')->{list} };
    my ($name)  = grep { defined } @about;
    my $library = ( $name // q{} ) =~ s/,.*//sr =~ s/ Version:\s+/ /r;
    return _of_mpich( $text, $library, $served{device} // q{}, @about ) if $library =~ /\AMPICH/;
    return _of_intel( $text, $library, $served{device} // q{} )         if $library =~ /\AIntel/;
    return _of_open_mpi( $text, $library, $served{pml}, \%limits ) if $library =~ /\AOpen MPI/;
    return [];
}

# MPICH with ch4:ucx gives all messages to UCX, if it was not built with shared memory modules of its own.
sub _of_mpich ( $text, $library, $device, @about ) {
    my $has_shm =
      grep { /--with-ch4-shmmods=(?!no)|--enable-ch4-direct=(?!netmod)/ } @about;
    if ( $device =~ /\bucx\b/ ) {
        my ( $paths, @sources ) = ucx_paths( $text, 0 );
        my @known = grep { !$has_shm || $_->{pair} eq 'between' } @{$paths};
        return ( [ @known, $has_shm ? path_row( 'within', 'posix' ) : () ], @sources );
    }
    my ($provider) = $text =~ /^libfabric provider: ([^\s,]+)/m or return [];
    return ( [ path_row( 'within', 'posix' ), path_row( 'between', "ofi/$provider" ) ],
        "$library MPIR_CVAR_DEBUG_SUMMARY" );
}

# With the fabrics shm:ofi, messages within a host do not pass through libfabric.
sub _of_intel ( $text, $library, $fabrics ) {
    my ($provider) = $text =~ /^\[0\] MPI startup\(\): libfabric provider: (\S+)/m;
    my @ofi        = defined $provider     ? "ofi/$provider" : ();
    my @within     = $fabrics =~ /\bshm\b/ ? 'shm'           : @ofi;
    my @paths =
      ( ( map { path_row( 'within', $_ ) } @within ), map { path_row( 'between', $_ ) } @ofi );
    return ( \@paths, @paths ? ( $library =~ s/ for .*//sr ) . ' I_MPI_DEBUG' : () );
}

sub _of_open_mpi ( $text, $library, $served, $limits ) {
    my ($pml) = $text =~ /\bselect: component (ob1|ucx|cm) selected/;
    $pml //= $served // q{};
    return ucx_paths( $text, 1 )      if $pml eq 'ucx';
    return _of_mtl( $text, $library ) if $pml eq 'cm';
    my @used = _used_components($text);
    return _of_summary( $text, $library ) if !@used;
    my %name;
    push @{ $name{ $_->[0] } }, $_->[1] for @used;
    return (
        [ map { _of_components( $_, $text, $limits, uniq @{ $name{$_} } ) } sort keys %name ],
        "$library btl_base_verbose",
        %{$limits} ? 'MPI_T' : ()
    );
}

# Pairs of the kind of pair and the component that serves it.
sub _used_components ($text) {
    my @used;
    while (
        $text =~ /^\[([^:\]]+):\d+\] mca: bml: Using (\w+) btl for send to \S+ on node (\S+)/mg )
    {
        my ( $here, $component, $there ) = ( $1, $2, $3 );
        next if $component eq 'self';
        my ( $own, $other ) = map { s/[.].*//sr } $here, $there;
        push @used, [ $own eq $other ? 'within' : 'between', $component ];
    }
    return @used;
}

# A message as long as the limit is not eager: the limit includes the header.
sub _of_components ( $pair, $text, $limits, @components ) {
    my ( $first, @more ) = @components;
    return path_row( $pair, join ' and ', @components ) if @more;
    my $limit = $limits->{"btl_${first}_eager_limit"};
    my @names = uniq $text =~ /\bbtl:tcp: (?:using ipv[46] interface|0x\w+: if) ([^\s,]+)/g;
    my %with =
      $first eq 'tcp' ? ( device => @names ? join( ' and ', @names ) : undef ) : ();
    my @eager  = ( protocol => 'eager',      copies => $EAGER{$first} );
    my @longer = ( protocol => 'rendezvous', copies => scalar _copies( $first, $text, $limits ) );
    return path_row( $pair, $first, %with, copies => $first eq 'tcp' ? 'through sockets' : undef )
      if !defined $limit;
    return (
        path_row( $pair, $first, %with, @eager,  to   => $limit - 1 ),
        path_row( $pair, $first, %with, @longer, from => 0 + $limit )
    );
}

sub _copies ( $component, $text, $limits ) {
    return 'through sockets' if $component eq 'tcp';
    my ($found) = $text =~ /selected shared-memory single-copy component: (\w+)/;
    my $mechanism =
        $component eq 'vader' ? $limits->{btl_vader_single_copy_mechanism}
      : $component eq 'sm'    ? $found // ( $text =~ /\bmca_smsc_base_select\b/ ? 'none' : undef )
      :                         undef;
    return if !defined $mechanism;
    return $ONCE{$mechanism} ? "copied once by $ONCE{$mechanism}" : 'copied twice';
}

sub _of_mtl ( $text, $library ) {
    my ($mtl) = $text =~ /select:\(\s*mtl\)\s*Selected component \[(\w+)\]/;
    return [] if !defined $mtl;
    my ($provider) = $text =~ /\bmtl:ofi:prov: (\S+)/;
    my ($device)   = $text =~ /\bmtl:ofi:provider: (\S+)/;
    my $name       = join q{/}, $mtl, $provider // ();
    return ( [ map { path_row( $_, $name, device => $device ) } qw(within between) ],
        "$library mtl_base_verbose" );
}

# The transports without lengths, where only the display of connections names them.
sub _of_summary ( $text, $library ) {
    my %pair  = ( on => 'within', off => 'between' );
    my @paths = map {
        m{\A\s*(on|off)-host:\s+all connections are (\S+)\s*\z} && $2 ne 'n/a'
          ? path_row( $pair{$1}, $2 )
          : ()
      }
      split /\n/, $text;
    return ( \@paths, @paths ? "$library hook_comm_method" : () );
}

1;
