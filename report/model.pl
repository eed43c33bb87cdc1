#!/usr/bin/perl

BEGIN {    ## no critic (RequireUse)
    eval { require FindBin } || exit print {*STDERR} "$0 needs the package perl\n";
    unshift @INC, "$FindBin::RealBin/lib";
}
use SKaMPI::Base;

use List::Util qw(uniq);
use SKaMPI::Base::Program
  qw(check_choice check_output complain deliver fail fail_usage read_options run_program);
use SKaMPI::Base::Json  qw(pretty_json);
use SKaMPI::Base::Table qw(table_lines wrapped);
use SKaMPI::Base::Units
  qw(counted format_bandwidth format_bytes format_error format_per_byte format_percent format_ratio format_time
  list_text);
use SKaMPI::Model::Fit qw(points_file);
use SKaMPI::Model::Readings;
use SKaMPI::Model::Twin      qw(check_twin twin_of);
use SKaMPI::Read::ResultFile qw(read_whole_results);
use SKaMPI::Stat::Terms      qw(formula_text);

my $DONE = 0;

my %COMMAND = ( fit => \&fit, points => \&points, twin => \&twin );

# A skampi for the simulator, in the source tree.
my $SIMULATED = "$FindBin::RealBin/../build/smpi/skampi";

my %DEFAULT = ( format => 'text', skampi => $SIMULATED );
my @OPTIONS = qw(check format=s output|o=s skampi=s);

# The title of a role's table of pieces, and the suites that determine it, if a model needs them.
my %ROLE = (
    message => [ 'Messages',                 'ping-pongs over the length' ],
    send    => [ 'MPI_Send, of its process', 'what MPI_Send takes of the sender' ],
    isend   => ['The start of MPI_Isend'],
    receive =>
      [ 'Receiving, of a process that computes meanwhile', 'what receiving takes beside work' ],
    gap => [ undef, 'windows of short messages' ],
);
my %WHERE = ( near => ' within a host', far => ' between hosts' );

# A smaller time per byte, in microseconds, is rounding.
my $NOTHING = 1e-10;

# The names of JSON (report/schema.txt), and those of pieces and breaks.
my %PIECE = (
    first_bytes => 'first',
    last_bytes  => 'last',
    count       => 'count',
    ( map { ( "a${_}_us"          => "a$_" ) } q{}, qw(_low _high) ),
    ( map { ( "b${_}_us_per_byte" => "b$_" ) } q{}, qw(_low _high) ),
);
my @PARAMETER = qw(distance name text unit value low high why);
my %BREAK =
  ( jump => 'jump', map { ( "${_}_bytes" => $_ ) } qw(low high from to) );

exit run_program( 'skampi-model', \&main );

sub main () {
    my ( $options, $words ) = read_options( \@ARGV, \%DEFAULT, @OPTIONS );
    my ( $command, @paths ) = @{$words};
    fail_usage('expected fit, points or twin, and result files; see skampi model -h')
      if !@paths;
    check_choice( 'command',  $command,           sort keys %COMMAND );
    check_choice( '--format', $options->{format}, qw(text json) );
    check_output( $options->{output}, @paths );
    my @outputs = map { read_whole_results($_) } @paths;
    fail_usage("'$_' is a merge; give the launches that it was made of")
      for map { $_->name } grep { $_->is_postprocessed } @outputs;
    my $fit =
      SKaMPI::Model::Fit->new( SKaMPI::Model::Readings->new(@outputs), $command eq 'fit' ? () : 0 );
    fail('nothing to fit: no ping-pong with at least 4 lengths; measure them by skampi -f model')
      if !%{ $fit->{curves} };
    return $COMMAND{$command}->( $options, $fit, @outputs );
}

sub fit ( $options, $fit, @ ) {
    my $text = $options->{format} eq 'json' ? pretty_json( fit_data($fit) ) : fit_text($fit);
    return deliver( $options->{output}, $text );
}

sub points ( $options, $fit, $output, @ ) {
    my $text = points_file( $fit, $output );
    return deliver( $options->{output}, $text ) if length $text;
    complain('no points are missing');
    return $DONE;
}

sub twin ( $options, $fit, $output, @ ) {
    my $twin = eval { twin_of( $fit, $output ) } or fail($@);
    complain("note: $_") for @{ $twin->{remarks} };
    if ( $options->{check} ) {
        my @rows = eval { check_twin( $options->{skampi}, $twin, $output ) } or fail($@);
        print $options->{format} eq 'json' ? pretty_json( ratio_data(@rows) ) : ratio_text(@rows);
        return $DONE if !defined $options->{output};
    }
    deliver( $options->{output},                             $twin->{platform} );
    deliver( $options->{output} =~ s/(?:[.]xml)?\z/.hosts/r, $twin->{hosts} )
      if defined $options->{output};
    return $DONE;
}

sub fit_text ($fit) {
    my @curves  = map { $fit->{curves}{$_} } sort keys %{ $fit->{curves} };
    my %known   = map { $_->{curve}{role} => 1 } @curves;
    my @missing = map { $known{$_} ? () : $ROLE{$_}[1] // () } sort keys %ROLE;
    my @lines   = (
        ( map { _curve_lines($_) } grep { $ROLE{ $_->{curve}{role} }[0] } @curves ),
        _parameter_lines( @{ $fit->{parameters} } ),
        _collective_lines( @{ $fit->{collectives} } )
    );
    push @lines,
      wrapped( 'Not measured: ' . list_text(@missing) . '. "skampi -f model" measures all.', q{} )
      if @missing;
    my $n = $fit->{launches};
    my $scope =
      $n > 2
      ? "95 %, from $n launches, drawn with replacement and fitted again."
      : 'two errors within '
      . counted( $n, 'launch', 'launches' )
      . '; other launches may differ by much more. Measure at least 6.';
    return join q{}, map { "$_\n" } @lines, wrapped( "Intervals: $scope", q{} );
}

sub _curve_lines ($found) {
    my ( $curve, @pieces ) = ( $found->{curve}, @{ $found->{pieces} } );
    my @rows;
    for my $i ( keys @pieces ) {
        my $piece = $pieces[$i];
        if ( $i > 0 ) {
            my $break = $found->{breaks}[ $i - 1 ];
            my $step  = $break->{jump} ? 'a jump of ' . format_percent( $break->{jump} ) : 'a bend';
            my $ends  = join ' and ', map { format_bytes($_) } @{$break}{qw(low high)};
            push @rows,
              "    $step between $ends" . ( $break->{wide} ? '; see skampi model points' : q{} );
        }
        push @rows,
          [
            '  ' . join( ' to ', map { format_bytes($_) } @{$piece}{qw(first last)} ),
            format_time( $piece->{a} ),
            _half( @{$piece}{qw(a a_low a_high)} ),
            format_per_byte( $piece->{b} ),
            _half( @{$piece}{qw(b b_low b_high)} ),
            $piece->{b} > $NOTHING ? format_bandwidth( 1 / $piece->{b} ) : '-',
            $piece->{count}
          ];
    }
    return ( $ROLE{ $curve->{role} }[0] . _where( $curve->{where} // q{} ) . ': a + b L',
        table_lines( [ '  length', qw(a> +-> b> +-> 1/b> lengths>?) ], @rows ), q{} );
}

sub _where ($text) { return $text =~ s/\A(near|far)/$WHERE{$1}/r }

sub _half ( $value, $low, $high ) {
    return q{-} if !defined $low || abs $value < $NOTHING;
    return format_error( ( $high - $low ) / 2 / abs $value );
}

sub _parameter_lines (@rows) {
    my ( $distance, @lines ) = q{};
    for my $row (@rows) {
        push @lines, q{ } . _where( $row->{distance} ) if $row->{distance} ne $distance;
        $distance = $row->{distance};
        my $format = $row->{unit} eq 'us'  ? \&format_time              : \&format_per_byte;
        my $value  = defined $row->{value} ? $format->( $row->{value} ) : 'not identifiable';
        my $half   = _half( @{$row}{qw(value low high)} );
        push @lines, [ "  $row->{name}", $value, $half, $row->{why} // $row->{text} ];
    }
    my @columns = ( '  LogGP', qw(value> +->), 'what it is, or why it is not known' );
    return ( 'Parameters of the LogGP model', table_lines( \@columns, @lines ), q{} );
}

sub _collective_lines (@found) {
    my @lines;
    for my $one (@found) {
        my $fit   = $one->{fit};
        my $terms = formula_text($fit);
        my ( $misfit, $worst ) = map { format_percent($_) } @{$fit}{qw(misfit worst)};
        my $lengths = join ' to ', uniq map { format_bytes($_) } @{ $fit->{lengths} };
        my $p       = join ' to ', uniq @{ $fit->{processes} };
        push @lines,
          wrapped( "$one->{name} = $terms; typically $misfit off, at most $worst; p $p, L $lengths",
            q{    }, q{  } );
    }
    return if !@lines;
    return ( 'Collectives: p processes, L bytes per process, log to base 2', @lines, q{} );
}

sub _named ( $hash, %names ) {
    return map { $_ => $hash->{ $names{$_} } } keys %names;
}

sub fit_data ($fit) {
    my @parameters = map { +{ %{$_}{@PARAMETER} } } @{ $fit->{parameters} };
    my ( %curves, %collectives );
    for my $name ( keys %{ $fit->{curves} } ) {
        my ( $pieces, $breaks ) = @{ $fit->{curves}{$name} }{qw(pieces breaks)};
        $curves{$name} = {
            pieces => [ map { +{ _named( $_, %PIECE ) } } @{$pieces} ],
            breaks => [ map { +{ wide => $_->{wide} ? \1 : \0, _named( $_, %BREAK ) } } @{$breaks} ]
        };
    }
    my %names = ( name => 'name', map { ( "${_}_us" => $_ ) } qw(value low high) );
    for my $found ( @{ $fit->{collectives} } ) {
        my %data = %{ $found->{fit} }{qw(misfit worst)};
        @data{qw(processes_from processes_to)} = @{ $found->{fit}{processes} };
        @data{qw(first_bytes last_bytes)}      = @{ $found->{fit}{lengths} };
        $data{terms} = [ map { +{ _named( $_, %names ) } } @{ $found->{fit}{terms} } ];
        $collectives{ $found->{name} } = \%data;
    }
    return {
        schema      => 'skampi-model/1',
        launches    => $fit->{launches},
        parameters  => \@parameters,
        curves      => \%curves,
        collectives => \%collectives,
    };
}

sub ratio_data (@rows) {
    my %names = qw(suite name points count ratio ratio ratio_min low ratio_max high);
    return { schema => 'skampi-twin/1', suites => [ map { +{ _named( $_, %names ) } } @rows ] };
}

# Rows of name, count, ratio (geometric mean of measured / simulated), low and high.
sub ratio_text (@rows) {
    my @columns = ( qw(suite points>), 'measured / simulated>', qw(smallest> largest>) );
    my @cells =
      map {
        [ @{$_}{qw(name count)}, map { format_ratio($_) } @{$_}{qw(ratio low high)} ]
      } @rows;
    return join q{}, map { "$_\n" } table_lines( \@columns, @cells );
}
