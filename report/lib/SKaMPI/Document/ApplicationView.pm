package SKaMPI::Document::ApplicationView;

# The pages about what applications send, a view for each set (SKaMPI::Findings::ApplicationCosts) of an output.
use v5.36;

use List::Util qw(any);

use SKaMPI::Figure::ApplicationFigures
  qw(bandwidth_plots bars_key overhead_panels phase_plots phases_key piece_plots tests_key);
use SKaMPI::Findings::ApplicationText
  qw(overhead_text sentences_about size_text time_text uses_text directions_about);
use SKaMPI::Base::Units qw(format_time ratio_text with_mu);
use SKaMPI::Figure::RatioPlot;
use SKaMPI::Findings::ApplicationCosts qw(title_of_method);

# Colours of the methods; others have the next.
my %STYLE = ( ddt => 0, manual => 1, manual_fortran => 5, pack => 2, put => 4 );

# names: a function that makes them (SKaMPI::Document::Sections); style: a hash of mono.
sub views_of ( $class, $output, $names, $style ) {
    my @sets = SKaMPI::Findings::ApplicationCosts->sets_of( $output->suites );
    return map { $class->new( $_, $names, $style ) } @sets;
}

sub new ( $class, $set, $names, $style ) {
    my $self =
      bless { set => $set, mono => $style->{mono}, name => $names->('applications') },
      $class;
    $self->_make_overheads;
    $self->_make_ratios;
    $self->_make_bandwidths;
    $self->_make_phases;
    $self->_make_pieces;
    return $self;
}

sub plots ($self) {
    return map { @{ $_ // [] } } @{$self}{qw(overheads ratios bandwidths pieces)},
      [ $self->{phases_key} // () ],
      map { $_->{plots} } @{ $self->{phases} };
}

sub _more ($self) { return ( mono => $self->{mono} ) }

sub _series ($self) {
    my @methods = $self->{set}->methods;
    my @titles  = map { title_of_method($_) } @methods;
    return [
        map {
            {
                title   => $titles[$_],
                style   => $STYLE{ $methods[$_] } // 3,
                stripes => 0,
                set     => $self->{set},
                method  => $methods[$_]
            }
        } 0 .. $#methods
    ];
}

# Each list of plots begins with the legend.
sub _make_overheads ($self) {
    my $series = $self->_series;
    my @panels =
      overhead_panels( "$self->{name}-overhead", $series, sub { return 0 }, $self->_more )
      or return;
    $self->{overheads} = [ bars_key( "$self->{name}-methods", $series, $self->_more ), @panels ];
    return;
}

sub _make_ratios ($self) {
    my @ratios = $self->{set}->ratios or return;
    my @rows   = map { +{ %{$_}, name => $_->{test}{name} } } @ratios;
    $self->{ratios} = [
        SKaMPI::Figure::RatioPlot->new(
            "$self->{name}-ratio", \@rows,
            x_title => 'Time with datatypes / time with manual packing',
            $self->_more
        )
    ];
    return;
}

sub _make_bandwidths ($self) {
    my $set     = $self->{set};
    my %known   = map  { $_ => 1 } $set->methods;
    my @methods = grep { $known{$_} } $set->manual_method, 'ddt';
    my @panels =
      map { +{ set => $set, method => $_, title => title_of_method($_) } } @methods;
    my @plots = bandwidth_plots( "$self->{name}-bandwidth", \@panels, $self->_more )
      or return;
    $self->{bandwidths} =
      [ tests_key( "$self->{name}-tests", [$set], \@plots, $self->_more ), @plots ];
    return;
}

sub _make_phases ($self) {
    my $set    = $self->{set};
    my $key    = phases_key( "$self->{name}-phases", $self->_more );
    my $number = 0;
    for my $test ( $set->tests ) {
        my $name  = "$self->{name}-test" . ++$number . q{-};
        my @plots = phase_plots( $name, $test, [ $set->methods ], $self->_more ) or next;
        push @{ $self->{phases} }, { plots => \@plots };
    }
    $self->{phases_key} = $key if $self->{phases};
    return;
}

sub _make_pieces ($self) {
    my @plots = piece_plots( "$self->{name}-pieces", $self->{set}, $self->_more ) or return;
    unshift @plots, tests_key( "$self->{name}-built", [ $self->{set} ], \@plots, $self->_more );
    $self->{pieces} = \@plots;
    return;
}

# For the templates applications-summary.tt and applications.tt.
sub data ($self) {
    my $set = $self->{set};
    return {
        id         => $self->{name},
        words      => $set->words,
        sentences  => [ sentences_about($set) ],
        verdicts   => [ directions_about($set) ],
        methods    => [ map { title_of_method($_) } $set->methods ],
        manual     => title_of_method( $set->manual_method ),
        notes      => [ $self->_notes ],
        rows       => [ $self->_rows ],
        costs      => [ $self->_costs ],
        ratio      => ( map { $_->name } @{ $self->{ratios} // [] } )[0] // q{},
        phases_key => $self->{phases_key} ? $self->{phases_key}->name : q{},
        phases     => [ map { _names( $_->{plots} ) } @{ $self->{phases} // [] } ],
        map { $_ => _names( $self->{$_} ) } qw(overheads bandwidths pieces)
    };
}

sub _names ($plots) {
    return [ map { $_->name } @{ $plots // [] } ];
}

sub _notes ($self) {
    my @panels = @{ $self->{overheads} // [] };
    my $cut    = 0;
    $cut += $_->cut_bars for @panels ? @panels[ 1 .. $#panels ] : ();
    my @notes;
    push @notes, ( $cut == 1 ? 'One bar is' : "$cut bars are" ) . ' cut off at -100 %.' if $cut;
    push @notes, $self->_note_of_missing;
    return @notes;
}

# Without the reference there is no overhead.
sub _note_of_missing ($self) {
    my $set     = $self->{set};
    my @without = grep {
        my $test = $_;
        ( any { keys %{ $_->{times} } } @{ $test->{sizes} } )
          && !any { $_->{times}{contiguous} }
          @{ $test->{sizes} }
    } $set->tests;
    return if !@without;
    return
      'Not measured with method=contiguous, so without overhead: '
      . join( ', ', map { $_->{name} } @without ) . q{.};
}

# The table of overheads; the test is named in its first row.
sub _rows ($self) {
    my $set = $self->{set};
    my @rows;
    for my $test ( $set->tests ) {
        my @sizes = grep { keys %{ $_->{times} } } @{ $test->{sizes} };
        push @rows, map { $self->_row( $sizes[$_], $_ == 0 ? $test->{name} : q{} ) } 0 .. $#sizes;
    }
    return @rows;
}

sub _row ( $self, $size, $name ) {
    my $set     = $self->{set};
    my ($ratio) = $set->ratio($size);
    my @cells   = map { $self->_cell( $size, $_ ) } $set->methods;
    my $net     = $size->{times}{contiguous};
    return {
        name  => $name,
        size  => size_text($size),
        net   => _time_cell($net),
        cells => \@cells,
        ratio => $ratio ? ratio_text( @{$ratio}{qw(ratio error)} ) : q{},
    };
}

sub _time_cell ($estimate) {
    return {
        text    => with_mu( time_text($estimate) ),
        inexact => $estimate ? $estimate->{inexact} : 0
    };
}

# A method without its overhead has its time.
sub _cell ( $self, $size, $method ) {
    my $time     = $size->{times}{$method} or return { text => "\x{2013}", inexact => 0 };
    my $overhead = $self->{set}->overhead( $size, $method );
    return {
        text    => $overhead ? overhead_text($overhead) : with_mu( format_time( $time->{time} ) ),
        inexact => $time->{inexact}
    };
}

# The table of building, freeing, and the uses that pay for both.
sub _costs ($self) {
    my @rows;
    for my $test ( $self->{set}->tests ) {
        my @sizes = grep { $_->{create} } @{ $test->{sizes} };
        push @rows, map { $self->_cost( $sizes[$_], $_ == 0 ? $test->{name} : q{} ) } 0 .. $#sizes;
    }
    return @rows;
}

sub _cost ( $self, $size, $name ) {
    my $set   = $self->{set};
    my $piece = $set->cost_per_piece($size);
    my ( $create, $free ) = @{$size}{qw(create free)};
    return {
        name   => $name,
        size   => size_text($size),
        pieces => $size->{pieces} // q{},
        create => _time_cell($create),
        free   => _time_cell($free),
        piece  => $piece ? with_mu( format_time( $piece->{time} ) ) : q{},
        uses   => uses_text( scalar $set->uses($size) ),
    };
}

1;
