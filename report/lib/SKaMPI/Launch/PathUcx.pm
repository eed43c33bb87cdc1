package SKaMPI::Launch::PathUcx;

# Reads what UCX prints about its protocols.
#   UCX 1.14 and later, UCX_PROTO_INFO=y, a table for each kind of endpoint and operation:
#     | mpi intra-node cfg#1 | tagged message by ucp_tag_send*(multi) from host memory |
#     |               0..92  | eager short                               | sysv/memory |
#     |            93..5422  | eager copy-in copy-out                    | sysv/memory |
#     |           5423..inf  | (?) rendezvous zero-copy read from remote | cma/memory  |
#   Before, the first words are "mpi ep_cfg[3]", which do not name the kind.
#   UCX up to 1.13, UCX_LOG_LEVEL=info: ep_cfg[1]: tag(sysv/memory cma/memory) rma(...), without lengths.
use SKaMPI::Base;

use List::Util qw(any uniq);

our @EXPORT_OK = qw(path_row ucx_paths %ONCE);

my %UNIT = ( q{}   => 1, K => 1024, M => 1024**2, G => 1024**3 );
my %PAIR = ( intra => 'within', inter => 'between' );

# Transports within a host, and what those of one copy are called.
my $LOCAL = qr/\A(?:sysv|posix|cma|knem|xpmem)\z/;
our %ONCE = ( cma => 'CMA', knem => 'KNEM', xpmem => 'XPMEM' );

# The calls of Open MPI for which UCX has a table of its own. MPICH sends all messages by the first.
my %CALLS = ( q{} => 'nonblocking', 'fast-completion' => 'blocking' );

# The paths in a text, of a library that sends blocking messages with fast completion (or not); and the sources.
sub ucx_paths ( $text, $is_fast ) {
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
    my @lanes      = grep      { ref } _lanes($on);
    my @names      = uniq map  { $_->[0] } @lanes;
    my @devices    = uniq grep { $_ ne 'memory' } map { $_->[1] } @lanes;
    my ($protocol) = $how =~ /\b(eager|rendezvous)\b/;
    return path_row(
        $table->{pair},
        join( ' and ', @names ),
        calls    => $is_fast ? $CALLS{ $table->{variant} } : 'all',
        from     => scalar _bytes($from),
        to       => scalar _bytes($to),
        device   => @devices ? join( ' and ', @devices ) : undef,
        protocol => $protocol,
        copies   => scalar _copies( $how, @names )
    );
}

# A path of all lengths and calls, unless MORE says others.
sub path_row ( $pair, $transport, %more ) {
    my %all = ( calls => 'all', from => 0, to => undef );
    return { %all, pair => $pair, transport => $transport, %more };
}

# "256K" means 256 * 1024; inf is undef.
sub _bytes ($text) {
    my ( $number, $unit ) = $text =~ /\A(\d+)([KMG]?)\z/ or return;
    return $number * $UNIT{$unit};
}

# How often the data are copied by CPUs; those of sockets are copied by the kernel.
sub _copies ( $how, @transports ) {
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
        my @devices = uniq grep { !/\Amemory/ } map { $_->[1] } @lanes;
        my %with    = ( device => @devices ? join( ' and ', @devices ) : undef );
        push @paths, path_row( $pair, join( ' and ', uniq map { $_->[0] } @lanes ), %with );
    }
    return @paths;
}

1;
