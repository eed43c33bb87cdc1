package SKaMPI::Document::ApplicationComparison;

# The packing overheads of what applications send, side by side, for the sets (SKaMPI::Findings::ApplicationCosts) of
# several outputs. Times are compared like those of all suites.
use SKaMPI::Base qw(@plots);

use List::Util qw(max min);

use SKaMPI::Figure::ApplicationFigures qw(overhead_plots);
use SKaMPI::Findings::ApplicationCosts qw(cases_of tests_of title_of_method);
use SKaMPI::Findings::ApplicationText  qw(directions_about);

# Overheads are comparable if the times without packing differ by less than this.
my $MAX_DIFFERENCE = 0.05;

my $MAX_SETS = 6;

my %STRIPES = ( ddt => 0, manual => 1, manual_fortran => 2 );

# members: a list of hashes of name, which may be empty, and output. Nothing for fewer than two sets.
sub view_of ( $class, $members, $names ) {
    my @sets;
    for my $member ( @{$members} ) {

        # Sets that only build datatypes have no overheads.
        my @own = grep { $_->methods }
          SKaMPI::Findings::ApplicationCosts->sets_of( $member->{output}->suites );
        push @sets, map {
            { name => join( ', ', grep { $_ ne q{} } $member->{name}, $_->words ), set => $_ }
        } @own;
    }
    return if @sets < 2;
    my $omitted = @sets > $MAX_SETS ? @sets - $MAX_SETS : 0;
    splice @sets, $MAX_SETS if $omitted;
    my $name = $names->('applications');
    my $self = bless { sets => \@sets, omitted => $omitted, name => $name }, $class;
    $self->{plots} =
      [ overhead_plots( $name, $self->_series, sub ($case) { $self->_is_marked($case) } ) ];
    return $self;
}

# Series of bars: a set has a colour, a method has stripes.
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

# The data for the template applications-compared.tt.
sub data ($self) {
    my @sets  = map { $_->{set} } @{ $self->{sets} };
    my @cases = map { cases_of( $_->{name}, @sets ) } tests_of(@sets);
    return {
        id        => $self->{name},
        overheads => $self->{plots},
        sets      => [
            map { { name => $_->{name}, sentences => [ directions_about( $_->{set} ) ] } }
              @{ $self->{sets} }
        ],
        cases   => scalar @cases,
        marked  => scalar( grep { $self->_is_marked($_) } @cases ),
        omitted => $self->{omitted},
    };
}

1;
