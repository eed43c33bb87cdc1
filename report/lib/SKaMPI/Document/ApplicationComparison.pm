package SKaMPI::Document::ApplicationComparison;

# The messages of applications on several sides of a comparison: the sets
# (SKaMPI::Findings::ApplicationCosts) of several outputs.
use SKaMPI::Base;

use List::Util qw(max min);

use SKaMPI::Base::Units                qw(format_time ratio_text with_mu);
use SKaMPI::Figure::ApplicationFigures qw(bandwidth_plots overhead_plots);
use SKaMPI::Figure::RatioPlot          qw(ratio_axis);
use SKaMPI::Findings::ApplicationCosts qw(cases_of tests_of title_of_method);
use SKaMPI::Findings::ApplicationText  qw(directions_about overhead_text size_text);
use SKaMPI::Meaning::Points            qw(groups_of);
use SKaMPI::Stat::Estimate             qw(quotient);

# Overheads are comparable if the times without packing differ by less than this.
my $MAX_DIFFERENCE = 0.05;

my $MAX_SETS    = 6;
my $MAX_COLUMNS = 2;

# The methods of the figure, and the stripes of their bars.
my %STRIPES = ( ddt => 0, manual => 1, manual_fortran => 2 );

# MEMBERS is a list of hashes of name, which may be empty, and output. Returns an empty list for fewer than two sets.
sub view_of ( $class, $members, $names ) {
    my @sets = map { _sets_of($_) } @{$members};
    return if @sets < 2;
    my $omitted = @sets > $MAX_SETS ? @sets - $MAX_SETS : 0;
    splice @sets, $MAX_SETS if $omitted;
    my $name = $names->('applications');
    my $self = bless { sets => \@sets, omitted => $omitted, name => $name }, $class;
    my ( @ratios, @datatypes, @panels );
    for my $number ( 1 .. @sets ) {
        my $set = $sets[ $number - 1 ]{set};
        push @ratios,    [ $set->ratios ];
        push @datatypes, [ $number == 1 ? () : $sets[0]{set}->ratios( _to($set) ) ];
        push @panels, { set => $set, method => 'ddt', title => "($number) datatypes" };
    }
    $self->{figures} = {
        overheads =>
          [ overhead_plots( $name, $self->_series, sub ($case) { $self->_is_marked($case) } ) ],
        ratios    => [ $self->_ratio_plots( 'ratio', '(%d) datatypes / manual packing', @ratios ) ],
        datatypes => [ $self->_ratio_plots( 'datatypes', 'Datatypes: (%d) / (1)', @datatypes ) ],
        bandwidths => [ bandwidth_plots( $name, \@panels, width_cm => 7.8, height_cm => 5.4 ) ],
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

# The bars' colour for each set, and stripes for each method.
sub _series ($self) {
    my @series;
    for my $i ( 0 .. $#{ $self->{sets} } ) {
        my ( $name, $set ) = @{ $self->{sets}[$i] }{qw(name set)};
        push @series, map {
            {
                title   => "$name: " . title_of_method($_),
                style   => $i,
                stripes => $STRIPES{$_},
                set     => $set,
                method  => $_
            }
        } grep { defined $STRIPES{$_} } $set->methods;
    }
    return \@series;
}

# Whether the times without packing differ too much for a comparison of overheads.
sub _is_marked ( $self, $case ) {
    my @times = map { $_->{time} } grep { defined } map { $_->{times}{contiguous} }
      map { $_->{set}->size_of($case) // () } @{ $self->{sets} };
    return @times > 1 && max(@times) > ( 1 + $MAX_DIFFERENCE ) * min(@times) ? 1 : 0;
}

# A function for a test and a size of the first set: the time with datatypes of this set, divided by
# the time of the first.
sub _to ($set) {
    return sub ( $test, $size ) {
        my $other = $set->size_of( { %{$size}, name => $test->{name} } ) or return;
        my ( $time, $reference ) = map { $_->{times}{ddt} } $other, $size;
        return $time && $reference ? quotient( $time, $reference ) : ();
    };
}

# A plot for each set that has rows, with equal axes.
sub _ratio_plots ( $self, $kind, $title, @found ) {
    return map {
        SKaMPI::Figure::RatioPlot->new(
            "$self->{name}-$kind" . ( $_ + 1 ), $found[$_],
            x        => ratio_axis( map { @{$_} } @found ),
            x_title  => sprintf( $title, $_ + 1 ),
            width_cm => 7.8
        )
    } grep { @{ $found[$_] } } keys @found;
}

sub data ($self) {
    my @sets  = map { $_->{set} } @{ $self->{sets} };
    my @cases = map { cases_of( $_->{name}, @sets ) } tests_of(@sets);
    return {
        id   => $self->{name},
        sets => [
            map { { name => $_->{name}, sentences => [ directions_about( $_->{set} ) ] } }
              @{ $self->{sets} }
        ],
        cases   => scalar @cases,
        marked  => scalar( grep { $self->_is_marked($_) } @cases ),
        omitted => $self->{omitted},
        tables  => [ $self->_tables(@cases) ],
        %{ $self->{figures} },
    };
}

sub _tables ( $self, @cases ) {
    my @others = 1 .. $#{ $self->{sets} };
    return map {
        my @shown = ( 0, @{$_} );
        {
            numbers => [ map { $_ + 1 } @shown ],
            rows    => [ $self->_rows( \@shown, @cases ) ],
            phases  => [ $self->_phase_rows( \@shown, @cases ) ],
        }
    } groups_of( $MAX_COLUMNS - 1, @others );
}

sub _rows ( $self, $columns, @cases ) {
    my ( $last, @rows ) = (q{});
    for my $case (@cases) {
        my @sizes = map { $_->{set}->size_of($case) } @{ $self->{sets} }[ @{$columns} ];
        next if !grep { $_ && keys %{ $_->{times} } } @sizes;
        push @rows,
          {
            name  => $case->{name} eq $last ? q{} : $case->{name},
            size  => size_text($case),
            mark  => $self->_is_marked($case) ? "\x{2020}" : q{},
            cells => [ map { $self->_cells( $columns->[$_], $sizes[$_] ) } 0 .. $#sizes ],
          };
        $last = $case->{name};
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

sub _percents ( $overhead = undef ) {
    return overhead_text($overhead) =~ s/ %\z//r;
}

# A row for each test, at the longest message that any set has with manual packing or with datatypes
# built: name, size, and for each set six texts.
sub _phase_rows ( $self, $columns, @cases ) {
    my @rows;
    for my $case (@cases) {
        my @cells =
          map { [ _phase_cells( $_->{set}, $_->{set}->size_of($case) ) ] }
          @{ $self->{sets} }[ @{$columns} ];
        next      if !grep { length } map { @{$_} } @cells;
        pop @rows if @rows && $rows[-1]{name} eq $case->{name};
        push @rows, { name => $case->{name}, size => size_text($case), cells => \@cells };
    }
    return @rows;
}

# Cells for round trip, packing, communication and unpacking of manual packing; building and freeing datatypes.
sub _phase_cells ( $set, $size ) {
    return (q{}) x 6 if !$size;
    my $manual = $size->{times}{ $set->manual_method };
    my %phases = %{ $manual ? $manual->{phases} : {} };
    return map { $_ ? with_mu( format_time( $_->{time} ) ) : q{} } $manual, $phases{pack},
      $phases{net} // $phases{communication}, $phases{unpack}, @{$size}{qw(create free)};
}

1;
