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
# Lengths and copies of Open MPI's components are those of the fact LIMITS. Both libraries may use UCX:
#   UCX 1.14 and later, UCX_PROTO_INFO=y, a table for each kind of endpoint and operation:
#     | mpi intra-node cfg#1 | tagged message by ucp_tag_send*(multi) from host memory |
#     |               0..92  | eager short                               | sysv/memory |
#     |            93..5422  | eager copy-in copy-out                    | sysv/memory |
#     |           5423..inf  | (?) rendezvous zero-copy read from remote | cma/memory  |
#   Before, the first words are "mpi ep_cfg[3]", which do not name the kind.
#   UCX up to 1.13, UCX_LOG_LEVEL=info: ep_cfg[1]: tag(sysv/memory cma/memory) rma(...), without lengths.
use SKaMPI::Base;

use List::Util qw(any uniq);

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

my %UNIT = ( q{}   => 1, K => 1024, M => 1024**2, G => 1024**3 );
my %PAIR = ( intra => 'within', inter => 'between' );

# Transports within a host, and what those of one copy are called.
my $LOCAL = qr/\A(?:sysv|posix|cma|knem|xpmem)\z/;
my %ONCE  = ( cma => 'CMA', knem => 'KNEM', xpmem => 'XPMEM' );

# The calls of Open MPI for which UCX has a table of its own. MPICH sends all messages by the first.
my %CALLS = ( q{} => 'nonblocking', 'fast-completion' => 'blocking' );

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
        my ( $paths, @sources ) = _of_ucx( $text, 0 );
        my @known = grep { !$has_shm || $_->{pair} eq 'between' } @{$paths};
        return ( [ @known, $has_shm ? _row( 'within', 'posix' ) : () ], @sources );
    }
    my ($provider) = $text =~ /^libfabric provider: ([^\s,]+)/m or return [];
    return ( [ _row( 'within', 'posix' ), _row( 'between', "ofi/$provider" ) ],
        "$library MPIR_CVAR_DEBUG_SUMMARY" );
}

# With the fabrics shm:ofi, messages within a host do not pass through libfabric.
sub _of_intel ( $text, $library, $fabrics ) {
    my ($provider) = $text =~ /^\[0\] MPI startup\(\): libfabric provider: (\S+)/m;
    my @ofi        = defined $provider     ? "ofi/$provider" : ();
    my @within     = $fabrics =~ /\bshm\b/ ? 'shm'           : @ofi;
    my @paths =
      ( ( map { _row( 'within', $_ ) } @within ), map { _row( 'between', $_ ) } @ofi );
    return ( \@paths, @paths ? ( $library =~ s/ for .*//sr ) . ' I_MPI_DEBUG' : () );
}

sub _of_open_mpi ( $text, $library, $served, $limits ) {
    my ($pml) = $text =~ /\bselect: component (ob1|ucx|cm) selected/;
    $pml //= $served // q{};
    return _of_ucx( $text, 1 )        if $pml eq 'ucx';
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
    return _row( $pair, join ' and ', @components ) if @more;
    my $limit = $limits->{"btl_${first}_eager_limit"};
    my @names = uniq $text =~ /\bbtl:tcp: (?:using ipv[46] interface|0x\w+: if) ([^\s,]+)/g;
    my %with =
      $first eq 'tcp' ? ( device => @names ? join( ' and ', @names ) : undef ) : ();
    my @eager  = ( protocol => 'eager',      copies => $EAGER{$first} );
    my @longer = ( protocol => 'rendezvous', copies => scalar _copies( $first, $text, $limits ) );
    return _row( $pair, $first, %with, copies => $first eq 'tcp' ? 'through sockets' : undef )
      if !defined $limit;
    return (
        _row( $pair, $first, %with, @eager,  to   => $limit - 1 ),
        _row( $pair, $first, %with, @longer, from => 0 + $limit )
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
    return ( [ map { _row( $_, $name, device => $device ) } qw(within between) ],
        "$library mtl_base_verbose" );
}

# The transports without lengths, where only the display of connections names them.
sub _of_summary ( $text, $library ) {
    my %pair  = ( on => 'within', off => 'between' );
    my @paths = map {
        m{\A\s*(on|off)-host:\s+all connections are (\S+)\s*\z} && $2 ne 'n/a'
          ? _row( $pair{$1}, $2 )
          : ()
      }
      split /\n/, $text;
    return ( \@paths, @paths ? "$library hook_comm_method" : () );
}

# The paths in a text, of a library that sends blocking messages with fast completion (or not); and the sources.
sub _of_ucx ( $text, $is_fast ) {
    my ($version) = $text =~ /UCX\s+INFO\s+Version (\d[\d.]*)/;
    my @tables = _tables( split /\n/, $text );
    @tables =
      grep { exists $CALLS{ $_->{variant} } && ( $is_fast || $_->{variant} eq q{} ) } @tables;
    my @paths;
    for my $table ( _first_of_each(@tables) ) {
        push @paths, map { _path( $table, $is_fast, @{$_} ) } @{ $table->{rows} };
    }
    @paths = _merged(@paths);
    my $which = @paths ? 'UCX_PROTO_INFO' : 'UCX_LOG_LEVEL';
    @paths = _paths_of_lanes($text) if !@paths;
    return ( \@paths, @paths ? join( ' ', 'UCX', $version // (), $which ) : () );
}

# Hashes of pair, variant and rows (lists of range, protocol and lanes). Lines of several processes may alternate.
sub _tables (@lines) {
    my ( %open, @tables );
    for my $line (@lines) {
        my ( $who, $cells ) = $line =~ /\A(?:\[[\d.]+\] )?(?:\[([^\]]*)\])?[^|]*\|(.*)\|\s*\z/
          or next;
        my @cells = map { s/\A\s+|\s+\z//gr } split /[|]/, $cells;
        if ( @cells == 2 ) {
            my $table = _table(@cells);
            $open{ $who // q{} } = $table;
            push @tables, $table if $table;
        }
        elsif ( @cells == 3 && $open{ $who // q{} } ) {
            push @{ $open{ $who // q{} }{rows} }, \@cells;
        }
    }
    return @tables;
}

# Returns a table without rows, or undef if it is about another operation or memory.
sub _table ( $of, $operation ) {
    my ($variant) =
      $operation =~ /\Atagged message by ucp_tag_send[*](?:[(]([\w-]*)[)])? from host memory\z/
      or return;
    return {
        pair    => $of =~ /\bself\b/ ? 'self' : $PAIR{ $of =~ /\b(intra|inter)-node\b/ ? $1 : q{} },
        variant => $variant // q{},
        rows    => []
    };
}

# The first table of each kind and variant; a table without a kind is of the kind that its transports show.
sub _first_of_each (@tables) {
    my %seen;
    for my $table ( grep { @{ $_->{rows} } } @tables ) {
        $table->{pair} //= _pair_of( map { _lanes( $_->[2] ) } @{ $table->{rows} } );
    }
    return
      grep { $_->{pair} && $_->{pair} ne 'self' && !$seen{"$_->{pair} $_->{variant}"}++ } @tables;
}

sub _pair_of (@lanes) {
    my @names = map { $_->[0] } @lanes;
    return 'self'   if any { $_ eq 'self' } @names;
    return 'within' if any { /$LOCAL/ } @names;
    return 'between';
}

# "52% on tcp/lo and 48% on tcp/eth0": pairs of transport and device.
sub _lanes ($text) {
    return map { [ $1, $2 ] if m{([\w-]+)/(\S+)} } split / and /, $text;
}

sub _path ( $table, $is_fast, $range, $how, $on ) {
    my ( $from, $to ) = $range =~ /\A(\w+)[.][.](\w+)\z/ or return;
    my @lanes = grep { ref } _lanes($on);
    my ($protocol) = $how =~ /\b(eager|rendezvous)\b/;
    return _row_of_lanes(
        $table->{pair}, \@lanes,
        calls    => $is_fast ? $CALLS{ $table->{variant} } : 'all',
        from     => scalar _bytes($from),
        to       => scalar _bytes($to),
        protocol => $protocol,
        copies   => scalar _copies_of_ucx( $how, uniq map { $_->[0] } @lanes )
    );
}

sub _row_of_lanes ( $pair, $lanes, %more ) {
    my @names   = uniq map  { $_->[0] } @{$lanes};
    my @devices = uniq grep { !/\Amemory/ } map { $_->[1] } @{$lanes};
    my $device  = @devices ? join( ' and ', @devices ) : undef;
    return _row( $pair, join( ' and ', @names ), device => $device, %more );
}

# A path of all lengths and calls, unless MORE says others.
sub _row ( $pair, $transport, %more ) {
    my %all = ( calls => 'all', from => 0, to => undef );
    return { %all, pair => $pair, transport => $transport, %more };
}

# "256K" means 256 * 1024; inf is undef.
sub _bytes ($text) {
    my ( $number, $unit ) = $text =~ /\A(\d+)([KMG]?)\z/ or return;
    return $number * $UNIT{$unit};
}

# How often the data are copied by CPUs; those of sockets are copied by the kernel.
sub _copies_of_ucx ( $how, @transports ) {
    return 'through sockets' if any { $_ eq 'tcp' } @transports;
    my @once = map { $ONCE{$_} // () } @transports;
    return 'copied once by ' . join ' and ', @once if @once && $how =~ /zero-copy|mapped remote/;
    return 'copied twice' if $how =~ /\beager short\b|copy-in copy-out/;
    return 'copied once'  if $how =~ /zero-copy copy-out|copy-in/;
    return $how =~ /zero-copy/ ? 'not copied' : undef;
}

# Blocking and nonblocking calls of the same paths are all calls.
sub _merged (@paths) {
    my %text;
    for my $path (@paths) {
        push @{ $text{ $path->{pair} }{ $path->{calls} } },
          join "\t", map { $_ // q{} } @{$path}{qw(from to transport device protocol copies)};
    }
    for my $pair ( keys %text ) {
        my %of = map { $_ => join "\n", @{ $text{$pair}{$_} } } keys %{ $text{$pair} };
        next if keys %of > 1 && ( $of{blocking} // q{} ) ne ( $of{nonblocking} // q{} );
        @paths = grep { $_->{pair} ne $pair || $_->{calls} ne 'nonblocking' } @paths
          if keys %of > 1;
        $_->{calls} = 'all' for grep { $_->{pair} eq $pair } @paths;
    }
    return @paths;
}

# The first transport of tag(...) has short messages, others the data of long ones. UCX does not print the lengths.
sub _paths_of_lanes ($text) {
    my ( %seen, @paths );
    while ( $text =~ /\bep_cfg\[\d+\]:\s+tag\(([^)]*)\)/g ) {
        my @lanes = grep { ref } map { _lanes($_) } split q{ }, $1;
        my $pair  = _pair_of(@lanes);
        next if !@lanes || $pair eq 'self' || $seen{$pair}++;
        push @paths, _row_of_lanes( $pair, \@lanes );
    }
    return @paths;
}

1;
