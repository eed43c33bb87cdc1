package SKaMPI::Model::Text;

# A fit (SKaMPI::Model::Fit) for the terminal, and as data for JSON. fit_text(FIT), fit_data(FIT), ratio_text(ROW...).
use v5.36;

use Exporter qw(import);

use SKaMPI::Base::Table;
use SKaMPI::Base::Terminal qw(terminal_width wrapped);
use SKaMPI::Base::Units
  qw(counted format_bandwidth format_bytes format_percent format_ratio format_time);
use SKaMPI::Base::Words   qw(list_text);
use SKaMPI::Model::Points qw(missing_roles);

our @EXPORT_OK = qw(fit_data fit_text ratio_text);

my %TITLE = (
    message => 'Messages',
    send    => 'MPI_Send, of its process',
    isend   => 'The start of MPI_Isend',
    receive => 'Receiving, of a process that computes meanwhile',
);
my %WHERE = ( near => ' within a host', far => ' between hosts' );

my $US_PER_NS = 1e-3;

# Microseconds per byte that are rounding.
my $NOTHING = 1e-10;

sub fit_text ($fit) {
    my @parts = map { _curve_lines( $fit->{curves}{$_} ) }
      grep { $TITLE{ $fit->{curves}{$_}{curve}{role} } } sort keys %{ $fit->{curves} };
    push @parts, _parameter_lines( @{ $fit->{parameters} } );
    push @parts, _collective_lines( @{ $fit->{collectives} } ) if @{ $fit->{collectives} };
    my @missing = missing_roles($fit);
    push @parts,
      wrapped( 'Not measured: ' . list_text(@missing) . '. See configs/model.skampi.', q{} )
      if @missing;
    push @parts, wrapped( _scope($fit), q{} );
    return join q{}, map { "$_\n" } @parts;
}

sub _scope ($fit) {
    my $launches = $fit->{launches};
    return "Intervals: 95 %, from $launches launches, drawn with replacement and fitted again."
      if $launches > 2;
    return
        'Intervals: two errors within '
      . counted( $launches, 'launch', 'launches' )
      . '; other launches may differ by much more. Measure at least 6.';
}

sub _curve_lines ($found) {
    my $curve = $found->{curve};
    my $table = SKaMPI::Base::Table->new(
        { title => '  length' },
        { title => 'a',       right => 1 },
        { title => '+-',      right => 1 },
        { title => 'b',       right => 1 },
        { title => '+-',      right => 1 },
        { title => '1/b',     right => 1 },
        { title => 'lengths', right => 1, optional => 1 }
    );
    $table->add_titles;
    for my $i ( keys @{ $found->{pieces} } ) {
        my $piece = $found->{pieces}[$i];
        $table->add_text( _break_text( $found->{breaks}[ $i - 1 ] ) ) if $i > 0;
        $table->add_row(
            '  ' . join( ' to ', map { format_bytes($_) } @{$piece}{qw(first last)} ),
            format_time( $piece->{a} ),
            _half( @{$piece}{qw(a a_low a_high)} ),
            _per_byte( $piece->{b} ),
            _half( @{$piece}{qw(b b_low b_high)} ),
            $piece->{b} > $NOTHING ? format_bandwidth( 1 / $piece->{b} ) : '-',
            $piece->{count}
        );
    }
    my $where = defined $curve->{distance} ? $WHERE{ $curve->{distance} } : q{};
    return ( "$TITLE{$curve->{role}}$where: a + b L", $table->lines( terminal_width() ), q{} );
}

sub _break_text ($break) {
    my $step =
      $break->{jump}
      ? 'a jump of ' . format_percent( $break->{jump} )
      : 'a bend';
    return sprintf '    %s between %s and %s%s', $step, format_bytes( $break->{low} ),
      format_bytes( $break->{high} ), $break->{wide} ? '; see skampi-model points' : q{};
}

sub _per_byte ($us) {
    return abs $us < $NOTHING ? '0 ns/B' : sprintf '%.4g ns/B', $us / $US_PER_NS;
}

# Intervals are as wide above as below.
sub _half ( $value, $low, $high ) {
    return q{-} if !defined $low || abs $value < $NOTHING;
    return format_percent( ( $high - $low ) / 2 / abs $value );
}

sub _parameter_lines (@rows) {
    my $table = SKaMPI::Base::Table->new(
        { title => '  LogGP' },
        { title => 'value', right => 1 },
        { title => '+-',    right => 1 },
        { title => 'what it is, or why it is not known' }
    );
    my $distance = q{};
    $table->add_titles;
    for my $row (@rows) {
        $table->add_text(" $WHERE{$row->{distance}}") if $row->{distance} ne $distance;
        $distance = $row->{distance};
        my $format = $row->{unit} eq 'us' ? \&format_time : \&_per_byte;
        my @values =
          defined $row->{value}
          ? ( $format->( $row->{value} ), _half( @{$row}{qw(value low high)} ) )
          : ( 'not identifiable', q{-} );
        $table->add_row( "  $row->{name}", @values, $row->{why} // $row->{text} );
    }
    return ( 'Parameters of the LogGP model', $table->lines( terminal_width() ), q{} );
}

sub _collective_lines (@found) {
    my @lines = ('Collectives: p processes, L bytes per process, log to base 2');
    for my $one ( grep { defined } @found ) {
        my $fit = $one->{fit};
        push @lines,
          wrapped(
            sprintf(
                '%s = %s; typically %s off, at most %s; p %d to %d, L %s to %s',
                $one->{name},
                join( ' + ', map { _term($_) } @{ $fit->{terms} } ),
                format_percent( $fit->{misfit} ),
                format_percent( $fit->{worst} ),
                @{ $fit->{processes} },
                map { format_bytes($_) } @{ $fit->{lengths} }
            ),
            q{    }, q{  }
          );
    }
    return ( @lines, q{} );
}

sub _term ($term) {
    my $per = $term->{name} =~ /L/ ? _per_byte( $term->{value} ) : format_time( $term->{value} );
    return $term->{name} eq '1' ? $per : "$per x $term->{name}" =~ s{ns/B x L}{ns x L}r;
}

sub fit_data ($fit) {
    my %curves;
    for my $name ( keys %{ $fit->{curves} } ) {
        my $found = $fit->{curves}{$name};
        $curves{$name} = { pieces => $found->{pieces}, breaks => $found->{breaks} };
    }
    return {
        launches    => $fit->{launches},
        curves      => \%curves,
        parameters  => $fit->{parameters},
        collectives =>
          { map { $_->{name} => $_->{fit} } grep { defined } @{ $fit->{collectives} } },
    };
}

# Rows of name, count, ratio (geometric mean of measured / simulated), low and high.
sub ratio_text (@rows) {
    my $table = SKaMPI::Base::Table->new(
        { title => 'suite' },
        { title => 'points',               right => 1 },
        { title => 'measured / simulated', right => 1 },
        { title => 'smallest',             right => 1 },
        { title => 'largest',              right => 1 }
    );
    $table->add_titles;
    $table->add_row( @{$_}{qw(name count)}, map { format_ratio($_) } @{$_}{qw(ratio low high)} )
      for @rows;
    return join q{}, map { "$_\n" } $table->lines( terminal_width() );
}

1;
