package SKaMPI::Database::Chart::State;

# The choices of a comparison, as the parameters of its URL.
use SKaMPI::Base qw(@notes @series);

use List::Util qw(any uniq);

use SKaMPI::Read::Suite;

# More series cannot be distinguished, and a page has a limited time.
my $MAX_SERIES = 12;
my $MAX_RUNS   = 20;

# Choices by name: the allowed values, the default first, with their titles.
my @CHOICES = (
    [
        value => [ time => 'time' ],
        [ oneway => 'one-way time' ], [ bandwidth => 'bandwidth' ],
        [ ratio  => 'ratio to the first' ]
    ],
    [ x    => [ log   => 'logarithmic' ],    [ linear    => 'linear' ] ],
    [ y    => [ log   => 'logarithmic' ],    [ linear    => 'linear' ] ],
    [ bars => [ error => 'standard error' ], [ quartiles => 'quartiles' ], [ none => 'none' ] ],
);
my @BOUNDS = qw(xmin xmax ymin ymax);

# A run, or its group of launches.
my $ID = qr/g?[0-9]{1,15}/;
my $NUMBER =
  qr/\A\s*([+-]?(?:[0-9]{1,20}(?:[.][0-9]{0,15})?|[.][0-9]{1,15})(?:[eE][+-]?[0-9]{1,2})?)\s*\z/;

# PARAMS has a list of values for each name, as they come from a URL. r are runs and l labels of
# their suites; each of these suites of each of these runs is a series. s are further series
# (RUN:LABEL). RUN is the number of a run or, after a g, its group of launches. hide are series that
# are not drawn. Unusable parameters are omitted, with a sentence in notes.
sub new ( $class, %params ) {
    my $self = bless { notes => [] }, $class;
    $self->_take_choice( $params{ $_->[0] }, $_ ) for @CHOICES;
    $self->_take_bound( $_, $params{$_} ) for @BOUNDS;
    $self->_check_order( @{$_} ) for [qw(xmin xmax)], [qw(ymin ymax)];
    $self->{runs}   = $self->_some( 'runs',   $MAX_RUNS, grep { /\A$ID\z/ } @{ $params{r} // [] } );
    $self->{labels} = $self->_some( 'suites', $MAX_SERIES, @{ $params{l} // [] } );
    $self->{single} =
      $self->_some( 'series', $MAX_SERIES, grep { _is_series($_) } @{ $params{s} // [] } );
    my @all = grep { _is_series($_) } map {
        my $label = $_;
        map { "$_:$label" } @{ $self->{runs} }
    } @{ $self->{labels} };
    $self->{series} = $self->_some( 'series', $MAX_SERIES, @{ $self->{single} }, @all );

    # Keys of a series, or of a line of one (SKaMPI::Database::Chart).
    $self->{hidden} = [
        uniq grep {
            my $key = $_;
            any { $key eq $_ || index( $key, "$_ " ) == 0 } $self->series
        } @{ $params{hide} // [] }
    ];
    return $self;
}

# Each choice is a hash of name and values: pairs of value and title, the default first.
sub choices ($class) {
    return map { { name => $_->[0], values => [ @{$_}[ 1 .. $#{$_} ] ] } } @CHOICES;
}
sub bounds      ($class) { return @BOUNDS }
sub most_series ($class) { return $MAX_SERIES }

sub get ( $self, $name ) { return $self->{$name} }

# The runs and groups of the parameter r and of the series.
sub runs ($self) {
    return uniq @{ $self->{runs} }, map { /\A($ID)/ } $self->series;
}

sub is_hidden ( $self, $key ) {
    return any { $_ eq $key } @{ $self->{hidden} };
}

sub is_logarithmic ( $self, $axis ) { return $self->{$axis} eq 'log' }

# The parameters of a URL with the same meaning, except for the values given.
sub pairs ( $self, %other ) {
    my %state = ( %{$self}, %other );
    return (
        ( map { ( r => $_ ) } @{ $state{runs} } ),
        ( map { ( l => $_ ) } @{ $state{labels} } ),
        ( map { ( s => $_ ) } @{ $state{single} } ),
        (
            map { $state{ $_->[0] } ne $_->[1][0] ? ( $_->[0] => $state{ $_->[0] } ) : () }
              @CHOICES
        ),
        ( map { defined $state{$_} ? ( $_ => $state{$_} ) : () } @BOUNDS ),
        ( map { ( hide => $_ ) } @{ $state{hidden} } ),
    );
}

sub _take_choice ( $self, $given, $choice ) {
    my ( $name, @values ) = @{$choice};
    my $wanted = ( $given // [] )->[-1] // $values[0][0];
    my ($known) = grep { $_->[0] eq $wanted } @values;
    $self->_note( "$name: expected " . join( ' or ', map { $_->[0] } @values ) ) if !$known;
    $self->{$name} = ( $known // $values[0] )->[0];
    return;
}

sub _take_bound ( $self, $name, $given ) {
    my $text = ( $given // [] )->[-1] // q{};
    return if $text !~ /\S/;
    my ($number) = $text =~ $NUMBER;
    return $self->_note("$name: expected a number") if !defined $number;
    $self->{$name} = 0 + $number;
    return;
}

sub _check_order ( $self, $low, $high ) {
    return if !defined $self->{$low} || !defined $self->{$high} || $self->{$low} < $self->{$high};
    delete @{$self}{ $low, $high };
    return $self->_note("$low must be less than $high; both were ignored");
}

sub _some ( $self, $what, $most, @given ) {
    my @some = uniq @given;
    return \@some if @some <= $most;
    $self->_note( "at most $most $what; the last " . ( @some - $most ) . ' were ignored' );
    return [ @some[ 0 .. $most - 1 ] ];
}

sub _is_series ($key) {
    my ( $id, $label ) = map { $_ // q{} } ( split /:/, $key, 2 )[ 0, 1 ];
    return $id =~ /\A$ID\z/ && length $label && SKaMPI::Read::Suite::label_is_sound($label);
}

sub _note ( $self, $text ) {
    push @{ $self->{notes} }, $text;
    return;
}

1;
