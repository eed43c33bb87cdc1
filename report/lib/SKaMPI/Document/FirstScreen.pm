package SKaMPI::Document::FirstScreen;

# The first lines of skampi-show: a few key figures, each with its error and what is possible here, a verdict, and the
# run that would decide more. brief_lines are those for an issue tracker.
use SKaMPI::Base;

use List::Util qw(first);

use SKaMPI::Base::Table          qw(printable shorten terminal_width wrapped);
use SKaMPI::Base::Units          qw(format_bytes format_error format_with_error %KIND);
use SKaMPI::Findings::HealthText qw(health_state);
use SKaMPI::Findings::KeyFigures;
use SKaMPI::Findings::References qw(possible_at);
use SKaMPI::Meaning::Marks       qw(mark_lines marked);
use SKaMPI::Meaning::RunFacts    qw(compared_facts described);

# The figures that are shown: what, of which length, and its name on the screen.
my @SHOWN = (
    [ 'latency',        undef, 'latency' ],
    [ 'peak bandwidth', undef, 'bandwidth' ],
    [ 'MPI_Allreduce',  8,     'Allreduce' ],
    [ 'MPI_Barrier',    undef, 'Barrier' ],
);

# The most lines to look at of skampi-show --brief, and their length.
my ( $MOST_TO_LOOK_AT, $LONGEST ) = ( 2, 120 );

# The width of names, and of values with their errors.
my ( $NAME, $VALUE ) = ( 10, 20 );

sub first_screen ( $output, $health ) {
    my @figures = map { _figure( $output, @{$_} ) } _chosen($output);
    my @lines   = map { _line( @{$_}{qw(name text possible)} ) } @figures;
    my @verdict =
      wrapped( health_state($health), q{ } x ( $NAME + 3 ), sprintf "  %-${NAME}s ", 'verdict' );
    my @more  = $health->{more} eq q{} ? () : _line( 'to decide', $health->{more} );
    my @rest  = ( @more, mark_lines( map { $_->{marks} } @figures ) );
    my @short = map { shorten( "  $_", terminal_width() ) } @lines, @rest;
    return ( @short[ 0 .. $#lines ], @verdict, @short[ @lines .. $#short ] );
}

# The document of what a report of a problem needs (report/schema.txt): library, machine, figures, things to look at.
sub brief_document ( $output, $health ) {
    my ($facts) = compared_facts($output);
    my $of = sub ($name) { return join '; ', described( $output, $name ) };
    my @look =
      map { +{ %{$_}{qw(name value)} } } grep { $_->{state} eq 'look' } @{ $health->{lines} };
    splice @look, $MOST_TO_LOOK_AT if @look > $MOST_TO_LOOK_AT;
    my $library =
      ( $output->fact('MPILIBRARY')->{list}[0]{text} // 'unknown MPI library' ) =~ s/,.*//sr;
    return {
        schema      => 'skampi-brief/1',
        skampi      => $of->('SKAMPIVERSION'),
        mpi_library => $library,
        date        => $of->('DATE'),
        served      => $of->('SERVED'),
        hosts       => $of->('PROCESSESPERHOST'),
        hardware    => $of->('HARDWARE'),
        binding     => $facts->{Binding},
        figures     => [ map { _figure( $output, @{$_} ) } _chosen($output) ],
        health      => health_state($health),
        look        => \@look
    };
}

# The document of brief_document in at most 12 lines.
sub brief_lines ( $output, $health ) {
    my $of      = brief_document( $output, $health );
    my @figures = @{ $of->{figures} };
    return map { shorten( printable($_), $LONGEST ) } (
        join( ', ', "SKaMPI $of->{skampi}", @{$of}{qw(mpi_library date)} ),
        _line( 'served by', $of->{served} ),
        _line( 'hosts',     "$of->{hosts}, $of->{hardware}" ),
        _line( 'binding',   $of->{binding} // 'unknown' ),
        ( map { _line( @{$_}{qw(name text possible)} ) } @figures ),
        _line( 'health', $of->{health} ),
        ( map { _line( @{$_}{qw(name value)} ) } @{ $of->{look} } ),
        mark_lines( map { $_->{marks} } @figures )
    );
}

# Pairs of a key figure and its name: those above or, if the results have none of them, the first ones.
sub _chosen ($output) {
    my @rows  = SKaMPI::Findings::KeyFigures->rows_of($output);
    my @known = map {
        my ( $what, $wanted, $name ) = @{$_};
        my $row = first { $_->{what} eq $what && ( $_->{wanted} // 0 ) == ( $wanted // 0 ) } @rows;
        $row ? [ $row, $name ] : ()
    } @SHOWN;
    return @known if @known;
    return map { [ $_, $_->{what} =~ s/\AMPI_//r ] } splice @rows, 0, scalar @SHOWN;
}

# A hash of name, value, unit, error, length, marks, text (the value with error and marks) and possible, another text.
sub _figure ( $output, $row, $name ) {
    my ( $value, $error, $unit, $where ) = @{$row}{qw(value error unit where)};
    my $suite  = $output->suite( $where->{label} );
    my $kind   = $KIND{$unit};
    my %figure = ( %{$row}{qw(unit error length marks)}, name => $name );
    my $length = defined $row->{length} ? format_bytes( $row->{length} ) : undef;
    if ( defined $row->{unknown} ) {
        my $text = join ', ', $length // (), $row->{unknown};
        return { %figure, value => undef, text => $text, possible => q{} };
    }
    my $number = $kind ? format_with_error( $value, $error, $kind ) : format_bytes( int $value );
    my $sure   = defined $error && $value > 0 ? " \x{b1}" . format_error( $error / $value ) : q{};
    my @notes  = ( $row->{means} // (), $length // () );
    push @notes, $kind ? _possible( $output, $row, $suite ) : ();
    return {
        %figure,
        value    => $value,
        text     => marked( $number, { marks => $row->{marks} } ) . $sure,
        possible => join( q{; }, @notes )
    };
}

# Returns what is possible instead, without an error: of a latency half the round trip, of a bandwidth both directions.
sub _possible ( $output, $row, $suite ) {
    my ( $what, $at ) = ( $row->{what}, $row->{where}{argument} );
    return if $row->{group} !~ /\A(?:point-to-point|collective)\z/ || !defined $at;
    my ( $name,  $us ) = possible_at( $output, $suite, $at ) or return;
    my ( $value, $kind ) =
        $what =~ /\Apeak/    ? ( 2 * $at / $us, 'bandwidth' )
      : $what =~ /\Alatency/ ? ( $us / 2, 'time' )
      :                        ( $us, 'time' );
    return "$name " . format_with_error( $value, $value / 20, $kind );
}

sub _line ( $name, @texts ) {
    my @parts = map { $_ // q{} } @texts;
    return sprintf( "%-${NAME}s %-${VALUE}s %s", $name, $parts[0], $parts[1] // q{} ) =~ s/\s+\z//r;
}

1;
