package SKaMPI::Document::ApplicationComparison;

# What applications send, on several sides of a comparison: the sets (SKaMPI::Findings::ApplicationCosts) of several
# outputs.
use v5.36;

use List::Util qw(max min);

use SKaMPI::Base::Units                qw(format_time ratio_text with_mu);
use SKaMPI::Figure::ApplicationFigures qw(bandwidth_plots overhead_plots);
use SKaMPI::Figure::RatioPlot          qw(ratio_axis);
use SKaMPI::Findings::ApplicationCosts qw(cases_of tests_of title_of_method);
use SKaMPI::Findings::ApplicationText  qw(directions_about overhead_text size_text time_text);
use SKaMPI::Meaning::Points            qw(groups_of);
use SKaMPI::Stat::Estimate             qw(quotient);

# Overheads are comparable if the times without packing differ by less than this.
my $MAX_DIFFERENCE = 0.05;

# More would not fit on a page, or could not be distinguished.
my $MAX_SETS    = 6;
my $MAX_COLUMNS = 2;

# The methods of the figure, and the stripes of their bars.
my @METHODS = ( [ ddt => 0 ], [ manual => 1 ], [ manual_fortran => 2 ] );

# members: a list of hashes of name, which may be empty, and output. Nothing for fewer than two sets.
sub view_of ( $class, $members, $names ) {
    my @sets = map { _sets_of($_) } @{$members};
    return if @sets < 2;
    my $omitted = @sets > $MAX_SETS ? @sets - $MAX_SETS : 0;
    splice @sets, $MAX_SETS if $omitted;
    my $name = $names->('applications');
    my $self = bless { sets => \@sets, omitted => $omitted, name => $name }, $class;
    my $mark = sub (@case) { return $self->_is_marked(@case) };
    $self->{figures} = {
        overheads  => [ overhead_plots( $name, $self->_series, $mark ) ],
        ratios     => [ $self->_ratios ],
        datatypes  => [ $self->_datatypes ],
        bandwidths => [ $self->_bandwidths ],
    };
    return $self;
}

# Pairs of name and set. Sets that only build datatypes have no overheads.
sub _sets_of ($member) {
    my @sets =
      grep { $_->methods } SKaMPI::Findings::ApplicationCosts->sets_of( $member->{output}->suites );
    return map {
        { name => join( ', ', grep { $_ ne q{} } $member->{name}, $_->words ), set => $_ }
    } @sets;
}

sub plots ($self) {
    return map { @{$_} } @{ $self->{figures} }{qw(overheads ratios datatypes bandwidths)};
}

# For each set a colour, for each method the stripes.
sub _series ($self) {
    my @series;
    for my $i ( 0 .. $#{ $self->{sets} } ) {
        my ( $name, $set ) = @{ $self->{sets}[$i] }{qw(name set)};
        my %known = map { $_ => 1 } $set->methods;
        push @series, map {
            {
                title   => "$name: " . title_of_method( $_->[0] ),
                style   => $i,
                stripes => $_->[1],
                set     => $set,
                method  => $_->[0]
            }
        } grep { $known{ $_->[0] } } @METHODS;
    }
    return \@series;
}

# Whether the times without packing differ too much for a comparison of overheads.
sub _is_marked ( $self, $name, $bytes, $own ) {
    my @times = map { $_->{time} } grep { defined } map { $_->{times}{contiguous} }
      grep { defined } map { $_->{set}->size_of( $name, $bytes, $own ) } @{ $self->{sets} };
    return @times > 1 && max(@times) > ( 1 + $MAX_DIFFERENCE ) * min(@times) ? 1 : 0;
}

sub _ratios ($self) {
    my @found = map { [ $_->{set}->ratios ] } @{ $self->{sets} };
    return $self->_ratio_plots( 'ratio', '(%d) datatypes / manual packing', \@found );
}

# For tests of the first set, the times with datatypes of the others, divided by its own.
sub _datatypes ($self) {
    my ( $base, @others ) = map { $_->{set} } @{ $self->{sets} };
    my @found = (
        [],
        map {
            my $set = $_;
            [ $base->ratios( sub (@of) { return _ratio( $set, @of ) } ) ]
        } @others
    );
    return $self->_ratio_plots( 'datatypes', 'Datatypes: (%d) / (1)', \@found );
}

# A plot for each set that has rows, with equal axes.
sub _ratio_plots ( $self, $kind, $title, $found ) {
    return map {
        SKaMPI::Figure::RatioPlot->new(
            "$self->{name}-$kind" . ( $_ + 1 ), $found->[$_],
            x        => ratio_axis( map { @{$_} } @{$found} ),
            x_title  => sprintf( $title, $_ + 1 ),
            width_cm => 7.8
        )
    } grep { @{ $found->[$_] } } keys @{$found};
}

# Bandwidth with datatypes: the legend, and a plot for each set.
sub _bandwidths ($self) {
    my @sets = @{ $self->{sets} };
    my @panels =
      map { +{ set => $sets[$_]{set}, method => 'ddt', title => '(' . ( $_ + 1 ) . ') datatypes' } }
      0 .. $#sets;
    return bandwidth_plots( $self->{name}, \@panels, width_cm => 7.8, height_cm => 5.4 );
}

# For the template applications-compared.tt.
sub data ($self) {
    my @cases = $self->_all_cases;
    return {
        id   => $self->{name},
        sets => [
            map { { name => $_->{name}, sentences => [ directions_about( $_->{set} ) ] } }
              @{ $self->{sets} }
        ],
        cases   => scalar @cases,
        marked  => scalar( grep { $self->_is_marked( @{$_} ) } @cases ),
        omitted => $self->{omitted},
        tables  => [ $self->_tables(@cases) ],
        %{ $self->{figures} },
    };
}

# Lists of test, bytes and own case.
sub _all_cases ($self) {
    my @sets = map { $_->{set} } @{ $self->{sets} };
    return map {
        my $name = $_;
        map { [ $name, @{$_} ] } cases_of( $name, @sets )
    } map { $_->{name} } tests_of(@sets);
}

# The first set is part of each table.
sub _tables ( $self, @cases ) {
    my @others = 1 .. $#{ $self->{sets} };
    return map {
        my @shown = ( 0, @{$_} );
        {
            numbers => [ map { $_ + 1 } @shown ],
            rows    => [ $self->_rows( \@shown, @cases ) ],
            phases  => [ _phase_rows( \@cases, map { $_->{set} } @{ $self->{sets} }[@shown] ) ],
        }
    } groups_of( $MAX_COLUMNS - 1, @others );
}

sub _rows ( $self, $columns, @cases ) {
    my ( @rows, $last );
    for my $case (@cases) {
        my ( $name, $bytes, $own ) = @{$case};
        my @sizes = map { $_->{set}->size_of( @{$case} ) } @{ $self->{sets} }[ @{$columns} ];
        next if !grep { $_ && keys %{ $_->{times} } } @sizes;
        push @rows,
          {
            name  => $name eq ( $last // q{} ) ? q{} : $name,
            size  => size_text( { bytes => $bytes, own => $own } ),
            mark  => $self->_is_marked( @{$case} ) ? "\x{2020}" : q{},
            cells => [ map { $self->_cells( $columns->[$_], $sizes[$_] ) } 0 .. $#sizes ],
          };
        $last = $name;
    }
    return @rows;
}

# The time without packing, the overheads of loops and of datatypes, and their ratio.
sub _cells ( $self, $i, $size ) {
    my $set     = $self->{sets}[$i]{set};
    my $net     = $size ? $size->{times}{contiguous} : undef;
    my ($ratio) = $size ? $set->ratio($size) : ();
    return {
        net      => $net   ? with_mu( format_time( $net->{time} ) )                    : q{},
        manual   => $size  ? _percents( $set->overhead( $size, $set->manual_method ) ) : q{},
        datatype => $size  ? _percents( $set->overhead( $size, 'ddt' ) )               : q{},
        ratio    => $ratio ? ratio_text( @{$ratio}{qw(ratio error)} )                  : q{},
    };
}

# The head of the column has the unit.
sub _percents ( $overhead = undef ) {
    return overhead_text($overhead) =~ s/ %\z//r;
}

sub _ratio ( $set, $test, $size ) {
    my $other = $set->size_of( $test->{name}, @{$size}{qw(bytes own)} ) or return;
    my ( $time, $reference ) = map { $_->{times}{ddt} } $other, $size;
    return $time && $reference ? quotient( $time, $reference ) : ();
}

# A row for each test, at the longest message that some of the sets have with manual packing or with
# datatypes built: name, size, and for each set six texts.
sub _phase_rows ( $cases, @sets ) {
    my %row_of;
    my @names;
    for my $case ( @{$cases} ) {
        my ( $name, $bytes, $own ) = @{$case};
        my @sizes = map { scalar $_->size_of( $name, $bytes, $own ) } @sets;
        my @cells = map { [ _phase_cells( $sets[$_], $sizes[$_] ) ] } 0 .. $#sets;
        next if !grep { length } map { @{$_} } @cells;
        push @names, $name if !$row_of{$name};
        next if $row_of{$name} && $row_of{$name}{bytes} > $bytes;
        $row_of{$name} = {
            name  => $name,
            bytes => $bytes,
            size  => size_text( { bytes => $bytes, own => $own } ),
            cells => \@cells
        };
    }
    return map { $row_of{$_} } @names;
}

# Round trip, packing, communication and unpacking of manual packing; building and freeing datatypes.
sub _phase_cells ( $set, $size ) {
    return (q{}) x 6 if !$size;
    my $manual = $size->{times}{ $set->manual_method };
    my %phases = %{ $manual ? $manual->{phases} : {} };
    return map { $_ ? with_mu( time_text( { %{$_}, error => undef } ) ) : q{} } $manual,
      $phases{pack}, $phases{net} // $phases{communication}, $phases{unpack},
      @{$size}{qw(create free)};
}

1;
