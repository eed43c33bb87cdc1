package SKaMPI::Document::ComparisonView;

# A comparison (SKaMPI::Findings::Comparison) as the report shows it.
use SKaMPI::Base;

use SKaMPI::Base::Units     qw(error_text format_bytes format_time ratio_text with_mu);
use SKaMPI::Figure::Figures qw(ratio_plot time_plot);
use SKaMPI::Figure::PlotKey;
use SKaMPI::Meaning::Marks         qw(mark_texts marked);
use SKaMPI::Meaning::PlottedPoints qw(groups_of);
use SKaMPI::Stat::Estimate         qw(quotient);

my $MAX_COLUMNS = 4;

# The commands that print the ratios of verdicts: \ratiofaster and others.
my %SHOWN = (
    map( { $_ => $_ } qw(faster slower equal open) ),
    undecided    => 'open',
    mixed        => 'open',
    'time equal' => 'equal'
);

sub new ( $class, $comparison, %more ) {
    my $self    = bless { comparison => $comparison, fewest => 4, %more }, $class;
    my @members = $comparison->members;
    my @series  = map {
        my $points = SKaMPI::Meaning::PlottedPoints->new( $members[$_]{suite} );
        {
            suite  => $members[$_]{suite},
            points => [ grep { !$_->{row}{few} } $points->some ],
            style  => $self->{styles}[$_] // $_
        }
    } keys @members;
    my $is_varied = $comparison->axis->{kind} ne 'none' && !$comparison->is_of_methods;
    my @counts    = map {
        scalar grep { $_->{y} > 0 }
          @{ $_->{points} }
    } @series;
    if ( $is_varied && grep { $_ >= $self->{fewest} } @counts ) {
        $self->{plots} = [ time_plot( $self->{name}, \@series ) ];
        push @{ $self->{plots} }, ratio_plot( "$self->{name}-ratio", [ $self->_ratios(@series) ] )
          if !$self->_has_table_beside;
        $self->{key} = _key( "$self->{name}-key", $self->{plots}, map { $_->{name} } @members );
    }
    return $self;
}

sub _has_table_beside ($self) {
    my @members = $self->{comparison}->members;
    return $self->{is_tabled} && @members == 2 ? 1 : 0;
}

sub _ratios ( $self, @series ) {
    my @rows = $self->{comparison}->ranking->rows;
    return map {
        my $i = $_;
        my @quotients =
          map { [ $_->{argument}, quotient( @{ $_->{points} }{ $i, 0 } ) ] }
          grep { $_->{points}{0} && $_->{points}{$i} } @rows;
        my @points =
          map { +{ x => $_->[0], y => $_->[1]{ratio}, error => $_->[1]{error} // 0 } } @quotients;
        +{ %{ $series[$i] }, points => \@points }
    } 1 .. $#series;
}

# The key below the plots, as wide as these.
sub _key ( $name, $plots, @names ) {
    my @entries = map {
        { title => '(' . ( $_ + 1 ) . ") $names[$_]", style => $plots->[0]{series}[$_]{style} }
    } keys @names;
    return SKaMPI::Figure::PlotKey->new( $name, \@entries );
}

sub plots ($self) { return ( @{ $self->{plots} // [] }, $self->{key} // () ) }

# Rows of a plot of ratios, for a comparison at one argument: of the last row of the table.
sub dots ($self) {
    my ($row) = reverse @{ $self->{comparison}->table } or return;
    my ( $first, @members ) = $self->{comparison}->members;
    my $suite = $first->{suite};
    my @at    = (
        $row->{text},
        defined $suite->message_length
          && $suite->varied ne 'message length' ? format_bytes( $suite->message_length ) : ()
    );
    my $where = join ', ', grep { $_ ne q{} } @at;
    my @dots;
    for my $i ( keys @members ) {
        my $cell = $row->{cells}[ $i + 1 ] // next;
        next if !defined $cell->{ratio};
        push @dots,
          {
            name  => "$members[$i]{name} / $first->{name}",
            place => $where,
            long  => join( ' / ', map { $_->{suite}->name } $members[$i], $first ),
            text  => ratio_text( @{$cell}{qw(ratio ratio_error)} ) . " at $where",
            dots  => [ [ { value => $cell->{ratio}, error => $cell->{ratio_error} } ] ]
          };
    }
    return @dots;
}

sub data ($self) {
    my $comparison = $self->{comparison};
    my @members    = $comparison->members;

    my @cells = grep { defined } map { @{ $_->{cells} } } @{ $comparison->table };
    my @marks = map  { s/[.]\z//r } mark_texts(@cells);
    unshift @marks, '~ interpolated between measured arguments'
      if grep { $_->{interpolated} } @cells;

    # The first member, with which the others are compared, is part of each table.
    my @tables = map { $self->_table( 0, @{$_} ) } groups_of( $MAX_COLUMNS - 1, 1 .. $#members );
    return {
        title     => $self->{title} // $comparison->title,
        id        => $self->{name},
        plots     => [ map { $_->name } @{ $self->{plots} // [] } ],
        key       => $self->{key} ? $self->{key}->name : q{},
        sentences => [ map { with_mu($_) } $comparison->sentences ],
        text      => $self->{text} // q{},
        see       => $self->{see}  // q{},
        notes     => [ @marks, map { ucfirst } $comparison->notes ],
        names     => [ $self->plots ? () : map { $_->{name} } @members ],
        tables    => \@tables,
        is_tabled => $self->{is_tabled} // 0,
        is_beside => $self->{plots} && $self->_has_table_beside ? 1 : 0,
    };
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
        time    => $mark . marked( with_mu( format_time( $cell->{time} ) ), $cell ),
        error   => error_text( @{$cell}{qw(error time)} ),
        ratio   => defined $cell->{ratio} ? ratio_text( @{$cell}{qw(ratio ratio_error)} ) : q{},
        verdict => $SHOWN{ $cell->{verdict} // 'open' } // 'none',
    };
}

1;
