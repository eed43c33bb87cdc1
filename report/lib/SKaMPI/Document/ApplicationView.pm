package SKaMPI::Document::ApplicationView;

# The pages about messages of applications, a view for each set (SKaMPI::Findings::ApplicationCosts) of an output.
use SKaMPI::Base;

use List::Util qw(any sum0);

use SKaMPI::Figure::ApplicationFigures qw(bandwidth_plots overhead_plots phase_plots piece_plots);
use SKaMPI::Findings::ApplicationText
  qw(overhead_text sentences_about size_text time_text uses_text directions_about);
use SKaMPI::Base::Units qw(format_time ratio_text with_mu);
use SKaMPI::Figure::Dots;
use SKaMPI::Findings::ApplicationCosts qw(title_of_method);

# The colours of the methods; all others share the colour 3.
my %STYLE = ( ddt => 0, manual => 1, manual_fortran => 5, pack => 2, put => 4 );

# NAMES is a function that makes names (SKaMPI::Document::Sections).
sub views_of ( $class, $output, $names ) {
    my @sets = SKaMPI::Findings::ApplicationCosts->sets_of( $output->suites );
    return map { $class->new( $_, $names ) } @sets;
}

sub new ( $class, $set, $names ) {
    my $name   = $names->('applications');
    my $self   = bless { set => $set, name => $name }, $class;
    my %series = map {
        $_ => {
            title   => title_of_method($_),
            style   => $STYLE{$_} // 3,
            stripes => 0,
            set     => $set,
            method  => $_
        }
    } $set->methods;
    my @panels = grep { defined } @series{ $set->manual_method, 'ddt' };
    $self->{figures} = {
        overheads  => [ overhead_plots( $name, [ @series{ $set->methods } ], sub { return 0 } ) ],
        ratios     => [ _ratio_plot( $name, $set->ratios ) ],
        bandwidths => [ bandwidth_plots( $name, \@panels ) ],
        pieces     => [ piece_plots( $name, $set ) ],
    };
    ( $self->{phases_key}, @{ $self->{phases} } ) = phase_plots( $name, $set );
    return $self;
}

sub plots ($self) {
    return map { @{$_} } @{ $self->{figures} }{qw(overheads ratios bandwidths pieces)},
      [ $self->{phases_key} // () ], @{ $self->{phases} };
}

sub _ratio_plot ( $name, @rows ) {
    return if !@rows;
    my @dots = map {
        {
            name => $_->{name},
            dots => [
                map {
                    [ map { +{ value => $_->{ratio}, error => $_->{error} } } @{$_} ]
                } $_->{sizes},
                [$_]
            ]
        }
    } @rows;
    return SKaMPI::Figure::Dots->new(
        "$name-ratio", \@dots,
        x_kind  => 'number',
        line_at => 1,
        x_title => 'Time with datatypes / time with manual packing',
        series  => [ { style => 7, is_hollow => 1, size => 0.8 }, { style => 0, size => 1.6 } ]
    );
}

sub data ($self) {
    my $set = $self->{set};
    return {
        id        => $self->{name},
        words     => $set->words,
        sentences => [ sentences_about($set) ],
        verdicts  => [ directions_about($set) ],
        methods   => [ map { title_of_method($_) } $set->methods ],
        manual    => title_of_method( $set->manual_method ),
        notes     => [ $self->_notes ],
        rows      => $self->_table( \&_row,  sub ($size) { return keys %{ $size->{times} } } ),
        costs     => $self->_table( \&_cost, sub ($size) { return $size->{create} } ),
        %{$self}{qw(phases_key phases)},
        %{ $self->{figures} },
    };
}

sub _notes ($self) {
    my ( undef, @panels ) = @{ $self->{figures}{overheads} };
    my $cut = sum0 map { $_->cut_bars } @panels;
    my @notes;
    push @notes, ( $cut == 1 ? 'One bar is' : "$cut bars are" ) . ' cut off at -100 %.' if $cut;

    # Tests without the reference have no overhead.
    my @without = grep {
        my $test = $_;
        ( any { keys %{ $_->{times} } } @{ $test->{sizes} } )
          && !any { $_->{times}{contiguous} }
          @{ $test->{sizes} }
    } $self->{set}->tests;
    push @notes,
      'Not measured with method=contiguous, so without overhead: '
      . join( ', ', map { $_->{name} } @without ) . q{.}
      if @without;
    return @notes;
}

# Rows of the sizes that the function IS_SHOWN wants; a test is named in its first row.
sub _table ( $self, $row, $is_shown ) {
    my @rows;
    for my $test ( $self->{set}->tests ) {
        my $name = $test->{name};
        for my $size ( grep { $is_shown->($_) } @{ $test->{sizes} } ) {
            push @rows, { name => $name, size => size_text($size), %{ $self->$row($size) } };
            $name = q{};
        }
    }
    return \@rows;
}

sub _row ( $self, $size ) {
    my $set     = $self->{set};
    my ($ratio) = $set->ratio($size);
    my @cells   = map { $self->_cell( $size, $_ ) } $set->methods;
    return {
        net   => _time_cell( $size->{times}{contiguous} ),
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

# The overhead of a method, or its time if that is unknown.
sub _cell ( $self, $size, $method ) {
    my $time     = $size->{times}{$method} or return { text => "\x{2013}", inexact => 0 };
    my $overhead = $self->{set}->overhead( $size, $method );
    return {
        text    => $overhead ? overhead_text($overhead) : with_mu( format_time( $time->{time} ) ),
        inexact => $time->{inexact}
    };
}

sub _cost ( $self, $size ) {
    my $set   = $self->{set};
    my $piece = $set->cost_per_piece($size);
    return {
        pieces => $size->{pieces} // q{},
        create => _time_cell( $size->{create} ),
        free   => _time_cell( $size->{free} ),
        piece  => $piece ? with_mu( format_time( $piece->{time} ) ) : q{},
        uses   => uses_text( scalar $set->uses($size) ),
    };
}

1;
