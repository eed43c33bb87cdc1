package SKaMPI::Document::ComparisonView;

# A comparison (SKaMPI::Findings::Comparison) as the report shows it.
use SKaMPI::Base;

use List::Util qw(any);

use SKaMPI::Base::Units            qw(error_text format_time ratio_text with_mu);
use SKaMPI::Figure::Figures        qw(time_plot);
use SKaMPI::Meaning::Marks         qw(mark_texts marks_of);
use SKaMPI::Meaning::PlottedPoints qw(groups_of);
use SKaMPI::Safe::Escape           qw(tex);

my $LONGEST_NAME = 60;
my $MAX_COLUMNS  = 4;

# The longest names in the key of a plot beside text, and the width of a plot without text.
my $LONGEST_BESIDE = 44;
my $WIDE_CM        = 15.8;

# How the ratios of verdicts are printed: \ratiofaster and others.
my %SHOWN = ( map( { $_ => $_ } qw(faster slower equal open) ), undecided => 'open' );

# The most columns of a table beside a plot.
my $COLUMNS_BESIDE = 2;

sub new ( $class, $comparison, %more ) {
    my $self    = bless { comparison => $comparison, fewest => 4, %more }, $class;
    my @members = $comparison->members;
    my @series  = map { $self->_curve( $_, $members[$_] ) } keys @members;
    $self->{plot} = $self->_plot(@series) if $self->_is_plotted(@series);
    return $self;
}

# Names in the key decide whether a table or text fits beside the plot.
sub _plot ( $self, @series ) {
    my $is_wide = any { length $_->{name} > $LONGEST_BESIDE } $self->{comparison}->members;
    return time_plot(
        $self->{name}, \@series,
        $is_wide ? ( width_cm => $WIDE_CM ) : (),
        height_cm => $is_wide ? 4.2 : 3.3
    );
}

sub _curve ( $self, $i, $member ) {
    my $points = SKaMPI::Meaning::PlottedPoints->new( $member->{suite} );
    return {
        suite  => $member->{suite},
        points => [ grep { !$_->{row}{few} } $points->some ],
        title  => '(' . ( $i + 1 ) . ') ' . tex( $member->{name}, $LONGEST_NAME ),
        style  => $self->{styles}[$i] // $i,
    };
}

sub _is_plotted ( $self, @series ) {
    return if $self->{comparison}->axis->{kind} eq 'none';
    return scalar grep { @{ $_->{points} } >= $self->{fewest} } @series;
}

sub plots ($self) { return $self->{plot} // () }

sub data ($self) {
    my $comparison = $self->{comparison};
    my @members    = $comparison->members;

    # The first member, with which the others are compared, is part of each table.
    my @tables = map { $self->_table( 0, @{$_} ) } groups_of( $MAX_COLUMNS - 1, 1 .. $#members );
    return {
        title     => $self->{title} // $comparison->title,
        id        => $self->{name},
        plots     => [ map { $_->name } $self->plots ],
        sentences => [ map { with_mu($_) } $comparison->sentences ],
        text      => $self->{text} // q{},
        see       => $self->{see}  // q{},
        notes     => [ map { ucfirst } $self->_marks_notes, $comparison->notes ],
        names     => [ $self->plots ? () : map { $_->{name} } @members ],
        beside    => $self->_beside( scalar @members ),
        tables    => \@tables,
    };
}

sub _beside ( $self, $count ) {
    my ($plot) = $self->plots;
    return q{} if !$plot || !$plot->is_narrow;
    return $count <= $COLUMNS_BESIDE ? 'table' : 'sentences';
}

sub _table ( $self, @columns ) {
    my @rows;
    for my $row ( @{ $self->{comparison}->table } ) {
        my @cells = map { _cell($_) } @{ $row->{cells} }[@columns];
        @{ $cells[0] }{qw(ratio verdict)} = ( q{}, 'none' );
        push @rows, { text => $row->{text}, cells => \@cells };
    }
    return { numbers => [ map { $_ + 1 } @columns ], rows => \@rows };
}

sub _cell ($cell) {
    return { time => "\x{2013}", error => q{}, ratio => q{}, verdict => 'none' } if !$cell;
    my $mark = $cell->{interpolated} ? q{~} : q{};
    return {
        time    => $mark . with_mu( format_time( $cell->{time} ) ) . marks_of($cell),
        error   => error_text( @{$cell}{qw(error time)} ),
        ratio   => defined $cell->{ratio} ? ratio_text( @{$cell}{qw(ratio ratio_error)} ) : q{},
        verdict => $SHOWN{ $cell->{verdict} // 'open' } // 'none',
    };
}

sub _marks_notes ($self) {
    my @cells = grep { defined } map { @{ $_->{cells} } } @{ $self->{comparison}->table };
    return (
        ( grep { $_->{interpolated} } @cells ) ? '~ interpolated between measured arguments' : (),
        map { s/[.]\z//r } mark_texts(@cells) );
}

1;
