package SKaMPI::Document::Overview;

# The pictures of the report's first page: messages over the length, collectives, and operations over the processes.
use SKaMPI::Base;

use List::Util qw(first);

use SKaMPI::Document::SuiteView qw(point_marks);
use SKaMPI::Figure::Dots;
use SKaMPI::Figure::Figures qw(bandwidth_plot line_series time_plot);
use SKaMPI::Findings::Guidelines;
use SKaMPI::Findings::KeyFigures qw(collectives);
use SKaMPI::Findings::References qw(lines_of);
use SKaMPI::Findings::Selection;
use SKaMPI::Meaning::PlottedPoints;
use SKaMPI::Meaning::Subject qw(attribute is_in_gpu is_plain operation_of pattern_of title_of);
use SKaMPI::Stat::Estimate   qw(sum_of);
use SKaMPI::Safe::Escape     qw(tex);

my $WIDTH_CM = 8.6;

my @LENGTHS = ( [ 8, '8 B' ], [ 1024, '1 KiB' ], [ 65_536, '64 KiB' ] );

my ( $FEWEST_PROCESSES, $MOST_CURVES ) = ( 3, 6 );

my $EQUIVALENT = qr/\A(?:variant|algorithm|composed)\z/;

# NAMES is a function that makes names (SKaMPI::Document::Sections); FEWEST the least number of points of a curve.
sub new ( $class, $output, $names, $fewest ) {
    my $self = bless {
        output    => $output,
        fewest    => $fewest,
        selection => SKaMPI::Findings::Selection->of($output)
    }, $class;
    $self->{plots} = {
        messages    => [ $self->_messages( $names->('messages') ) ],
        collectives => [ $self->_collectives( $names->('collectives') ) ],
        processes   => [ $self->_processes( $names->('processes') ) ]
    };
    return $self;
}

sub plots ($self) {
    return map { @{$_} } @{ $self->{plots} }{qw(messages collectives processes)};
}

sub data ($self) {
    my %plots = %{ $self->{plots} };
    $_ = [ map { $_->name } @{$_} ] for values %plots;
    return { %plots, marks => [ point_marks( map { $_->{plotted} } @{ $self->{curves} } ) ] };
}

# Messages between each kind of partner or, without messages, the first suite with a curve.
sub _messages ( $self, $name ) {
    my $selection = $self->{selection};
    my %seen;
    my @suites = grep { !$seen{ attribute( $_, 'partner' ) }++ }
      grep { is_plain($_) && !is_in_gpu($_) }
      $selection->suites( 'p2p', 'MPI_Send-MPI_Recv', 'length' );
    @suites = grep { defined } first { $selection->curve_of($_)->points > 1 } $selection->all
      if !@suites;
    my @curves =
      grep { @{ $_->{points} } >= $self->{fewest} }
      map  { $self->_curve( $_, $self->_partner($_) ) } @suites
      or return;
    $curves[$_]{style} = $_ for keys @curves;
    $self->{curves}    = [@curves];
    @suites            = map { $_->{suite} } @curves;
    my ($line) = grep { $_->{kind} eq 'reference' } lines_of( $self->{output}, $suites[0] );
    push @curves, line_series( $suites[0], $line, style => 7 ) if $line;
    my %size  = ( width_cm => $WIDTH_CM, height_cm => 5.4 );
    my $of    = ' of ' . tex( title_of( $suites[0] ) );
    my @plots = (
        time_plot( $name, \@curves, %size ),
        bandwidth_plot( "$name-bandwidth", \@curves, %size )
    );
    $_->{y_title} .= $of for @plots;
    return @plots;
}

sub _curve ( $self, $suite, $title ) {
    my $plotted = SKaMPI::Meaning::PlottedPoints->new($suite);
    return {
        suite   => $suite,
        title   => tex( $title, 40 ),
        plotted => $plotted,
        points  => [ $plotted->some ]
    };
}

sub _partner ( $self, $suite ) {
    my ( $first, @others ) = @{ $self->{output}->fact('PROCESSESPERHOST')->{list} };
    my $host = $suite->fact('PARTNER')->{host};
    return title_of($suite)
      if pattern_of($suite) ne 'p2p' || !$first || @others && !defined $host;
    return !@others || $host eq $first->{host} ? 'within a host' : 'between hosts';
}

# A row for each operation: its times at lengths that were measured, and those of the best equivalent.
sub _collectives ( $self, $name ) {
    my %best = $self->_equivalents;
    my ( @rows, @series, %has );
    for my $operation ( collectives() ) {
        my $suite = $self->_plain( $operation, 'length' ) // next;
        my %point = map { $_->{argument} => $_ } $self->{selection}->curve_of($suite)->points;
        my @dots =
          map { ( [ _dot( $point{$_} ) ], [ _dot( $point{$_} && $best{$suite}{$_} ) ] ) }
          map { $_->[0] } @LENGTHS;
        push @rows, { name => $operation, dots => \@dots } if grep { @{$_} } @dots;
        $has{$_} = 1 for grep { @{ $dots[$_] } } keys @dots;
    }
    return if !@rows;
    my ($last) = reverse grep { $has{ 2 * $_ + 1 } } keys @LENGTHS;
    for my $i ( keys @LENGTHS ) {
        my $is_named = defined $last && $i == $last;
        push @series, { style => $i, title => $has{ 2 * $i } ? $LENGTHS[$i][1] : undef },
          {
            style     => $i,
            is_hollow => 1,
            size      => 1.7,
            title     => $is_named ? 'hollow: best equivalent' : undef
          };
    }
    return SKaMPI::Figure::Dots->new(
        $name, \@rows,
        width_cm => 11,
        series   => \@series,
        line_cm  => 0.5
    );
}

sub _plain ( $self, $operation, $axis ) {
    return first { is_plain($_) } $self->{selection}->collective_suites( $operation, $axis );
}

sub _dot ($point) { return $point ? { value => $point->{time}, error => $point->{error} } : () }

# The least time of equivalent calls, by suite and length.
sub _equivalents ($self) {
    my %best;
    for my $compared ( SKaMPI::Findings::Guidelines->comparisons( $self->{selection} ) ) {
        my $case = $compared->{cases}[0] // next;
        next if $compared->{kind} !~ $EQUIVALENT || !$case->{argument};
        my $known = $best{ $case->{slow}{suite} } //= {};
        my @calls = map { +{ %{$_}, curve => $self->{selection}->curve_of( $_->{suite} ) } }
          @{ $case->{fast} };
        for my $length ( map { $_->[0] } @LENGTHS ) {
            my $factor = $length / $case->{argument};
            my @points = map { $_->{curve}->at( $factor * $_->{argument} ) // () } @calls;
            next if @points != @calls;
            my $sum = sum_of(@points);
            $known->{$length} = $sum
              if !$known->{$length} || $sum->{time} < $known->{$length}{time};
        }
    }
    return %best;
}

sub _processes ( $self, $name ) {
    my @suites = map  { $self->_plain( $_, 'nodes' ) // () } 'MPI_Barrier', collectives();
    my @curves = grep { @{ $_->{points} } >= $FEWEST_PROCESSES }
      map { $self->_curve( $_, operation_of($_) ) } @suites
      or return;
    splice @curves, $MOST_CURVES if @curves > $MOST_CURVES;
    $curves[$_]{style} = $_ for keys @curves;
    return time_plot( $name, \@curves );
}

1;
