package SKaMPI::Findings::ApplicationCosts;

# The costs of applications' messages, by test, size and method. A set has the suites of
# SKaMPI::Meaning::Applications that were measured in the same way. Most files have one set; a file
# with data=fresh and data=kept has two, and words distinguish them. An error is undefined if it is unknown.
use SKaMPI::Base qw(words);

use List::Util qw(all first uniq);

use SKaMPI::Meaning::Applications qw(application_part test_named);
use SKaMPI::Meaning::Curve;
use SKaMPI::Meaning::PlottedPoints qw(spread);
use SKaMPI::Meaning::Subject       qw(attribute attributes is_key option_of pattern_of);
use SKaMPI::Stat::Estimate
  qw(direction_of mean_quotient overhead_of quotient scaled sum_of uses_until_paid);

# The methods in the order of all figures and tables, and their titles.
my @METHODS = (
    [ ddt            => 'datatype' ],
    [ manual         => 'manual' ],
    [ manual_fortran => 'manual, Fortran' ],
    [ pack           => 'MPI_Pack' ],
    [ put            => 'MPI_Put' ],
);
my %TITLE = map { $_->[0] => $_->[1] } @METHODS;

# Facts in which suites of one set may differ.
my %WITHIN_SET = map { $_ => 1 } qw(method call case language);

# The tests that ship have 69 sizes; a file may contain any number of tests, sizes and sets.
my ( $MAX_TESTS, $MAX_SIZES, $MAX_SETS, $MAX_SUITES ) = ( 40, 40, 8, 1000 );

# Limits of plausible phases (microseconds) and pieces. Others would not fit on an axis.
my ( $LONGEST, $MAX_PIECES ) = ( 1e15, 1e12 );

my @PHASES = qw(pack communication unpack partner_pack partner_unpack net);

# The sets in the order of the suites. Suites of one test and method that differ in anything else,
# such as data=fresh and data=kept, belong to different sets.
sub sets_of ( $class, @suites ) {
    my ( @exchanges, @builds );
    for my $suite ( grep { @{ $_->rows } } @suites ) {
        my $part = application_part($suite) or next;
        last if @exchanges + @builds >= $MAX_SUITES;
        my $found =
          { %{$part}, suite => $suite, method => _method_of($suite), facts => _facts($suite) };
        push @{ $part->{part} eq 'exchange' ? \@exchanges : \@builds }, $found;
    }
    my @splitting = _splitting(@exchanges);
    for my $found (@exchanges) {
        my @facts = @{ $found->{facts} }{@splitting};
        $found->{key} = join "\n", @facts if all { defined } @facts;
    }
    my @keys = uniq grep { defined } map { $_->{key} } @exchanges;
    @keys = (q{}) if !@keys && @builds;
    splice @keys, $MAX_SETS if @keys > $MAX_SETS;
    my @sets;
    for my $key (@keys) {

        # Suites without one of the splitting facts, as those that build types, belong to all sets.
        my @members = grep { ( $_->{key} // $key ) eq $key } @exchanges, @builds;
        my ($first) = grep { defined $_->{key} } @members;
        my @words   = map { "$_ $first->{facts}{$_}" } @splitting;
        my $set     = bless { tests => {}, words => join( ', ', @words ) }, $class;
        $set->_add($_) for @members;
        push @sets, $set;
    }
    return @sets;
}

# The language of loops is part of the method. Only Fortran has a name of its own.
sub _method_of ($suite) {
    my $method = attribute( $suite, 'method' );
    return $method if $method ne 'manual';
    my $language =
      $suite->requested
      ? option_of( $suite, 'language' )
      : $suite->fact('LOOPS')->{language} // q{};
    return $language =~ /\Afortran/i ? 'manual_fortran' : 'manual';
}

sub _facts ($suite) {
    my @keys  = grep { is_key($_) } keys %{ $suite->requested // {} };
    my %facts = (
        ( map { $_ => option_of( $suite, $_ ) } @keys ),
        map { $_ => attribute( $suite, $_ ) } attributes()
    );
    delete @facts{ keys %WITHIN_SET, 'options' };
    return { %facts, pattern => pattern_of($suite) };
}

# The names of the facts in which suites of the same test, method and case differ.
sub _splitting (@found) {
    my ( %groups, %splits );
    for my $one (@found) {
        my $key = join "\n", @{$one}{qw(test method)}, option_of( $one->{suite}, 'case' );
        push @{ $groups{$key} }, $one->{facts};
    }
    for my $facts ( grep { @{$_} > 1 } values %groups ) {
        for my $name ( uniq map { keys %{$_} } @{$facts} ) {
            $splits{$name} = 1 if uniq( map { $_->{$name} // q{} } @{$facts} ) > 1;
        }
    }
    my @names = sort keys %splits;
    return @names;
}

sub _add ( $self, $found ) {
    my $suite = $found->{suite};
    my $own   = option_of( $suite, 'case' );
    for my $point ( SKaMPI::Meaning::Curve->new($suite)->points ) {
        my $test = $self->{tests}{ $found->{test} } //=
          { %{ test_named( $found->{test} ) }, by_case => {} };
        my ( $row, $bytes ) = @{$point}{qw(row argument)};

        # Own cases may have as many bytes as one of the table.
        my $size = $test->{by_case}{"$bytes $own"} //=
          { bytes => $bytes, own => $own eq 'table' ? undef : $own, times => {} };
        my $place =
          $found->{part} eq 'exchange'
          ? \$size->{times}{ $found->{method} }
          : \$size->{ $found->{part} };
        ${$place} //= { %{$point}, suite => $suite, phases => _phases( $suite, $row ) };
        my ($pieces) = $suite->extra( $row, 'pieces' );
        $size->{pieces} = $pieces if defined $pieces;
        delete $size->{pieces} if !_is_plausible( $size->{pieces}, 1, $MAX_PIECES );
    }
    return;
}

sub _phases ( $suite, $row ) {
    my %phases;
    for my $name (@PHASES) {
        my ( $time, $error ) = $suite->extra( $row, $name );
        $error         = undef if !_is_plausible( $error, 0, $LONGEST );
        $phases{$name} = { time => $time, error => $error } if _is_plausible( $time, 0, $LONGEST );
    }
    return \%phases;
}

sub _is_plausible ( $number, $least, $most ) {
    return defined $number && $number >= $least && $number <= $most;
}

# Hashes as test_named of SKaMPI::Meaning::Applications returns, in the order of the paper, with sizes: a list, from the
# shortest, of hashes of
#   bytes         of the message
#   own           the numbers of a case that is not in the test's table, else undef
#   pieces        contiguous pieces, as the rows of the suite that builds the datatypes say; undef if unknown
#   times         by method, hashes of time, error, inexact, suite and phases; "contiguous" is the reference,
#                 "manual_fortran" are loops in Fortran. phases has a hash of time and error by name
#   create, free  building and freeing the datatypes; may be missing
sub tests ($self) {
    $self->{sorted} //=
      [ map { _sorted($_) } spread( $MAX_TESTS, _in_order( values %{ $self->{tests} } ) ) ];
    return @{ $self->{sorted} };
}

sub _in_order (@tests) {
    @tests = sort { $a->{order} <=> $b->{order} || $a->{name} cmp $b->{name} } @tests;
    return @tests;
}

sub tests_of (@sets) {
    my %seen;
    return _in_order( grep { !$seen{ $_->{name} }++ } map { $_->tests } @sets );
}

sub _sorted ($test) {
    my @sizes = map { $test->{by_case}{$_} } sort keys %{ $test->{by_case} };
    @sizes = sort { $a->{bytes} <=> $b->{bytes} } @sizes;
    return { %{$test}, sizes => [ spread( $MAX_SIZES, @sizes ) ] };
}

sub sizes ($self) {
    return map {
        my $test = $_;
        map { +{ %{$_}, test => $test } } @{ $test->{sizes} }
    } $self->tests;
}

# Hashes of name (of a test), bytes and own, from the shortest, of all sizes of a test in any of the sets.
sub cases_of ( $name, @sets ) {
    my %cases =
      map { ( "$_->{bytes} " . ( $_->{own} // q{} ) => { %{$_}{qw(bytes own)}, name => $name } ) }
      grep { $_->{test}{name} eq $name } map { $_->sizes } @sets;
    return map { $cases{$_} }
      sort { $cases{$a}{bytes} <=> $cases{$b}{bytes} || $a cmp $b } keys %cases;
}

sub size_of ( $self, $case ) {
    my $test = $self->{tests}{ $case->{name} } // {};
    return $test->{by_case}{ "$case->{bytes} " . ( $case->{own} // 'table' ) };
}

# The measured methods without the reference.
sub methods ($self) {
    my %known   = map  { $_ => 1 } map { keys %{ $_->{times} } } $self->sizes;
    my @others  = grep { !$TITLE{$_} && $_ ne 'contiguous' } sort keys %known;
    my @methods = ( ( grep { $known{$_} } map { $_->[0] } @METHODS ), @others );
    return @methods;
}

sub title_of_method ($name) { return $TITLE{$name} // $name }

# The loops that others are compared with: those in C if both languages were measured.
sub manual_method ($self) {
    return ( first { /\Amanual/ } $self->methods ) // 'manual';
}

# Overhead, ratio, cost, cost_per_piece and uses (SKaMPI::Stat::Estimate) are empty lists if a time is missing.
sub overhead ( $self, $size, $method ) {
    my ( $time, $net ) = @{ $size->{times} }{ $method, 'contiguous' };
    return if !$time || !$net;
    return { %{ overhead_of( $time, $net ) }, inexact => $time->{inexact} || $net->{inexact} };
}

# The time of a size with the datatype, divided by that with manual packing.
sub ratio ( $self, $size ) {
    my ( $ddt, $manual ) = @{ $size->{times} }{ 'ddt', $self->manual_method };
    return $ddt && $manual ? quotient( $ddt, $manual ) : ();
}

# The ratio of each test, datatype / manual: a list of hashes of name, ratio (the geometric mean over the sizes),
# error, direction and sizes (hashes of ratio, error and direction); the smallest come first.
sub ratios ($self) {
    my @found;
    for my $test ( $self->tests ) {
        my @ratios = map { _judged($_) } map { $self->ratio($_) } @{ $test->{sizes} } or next;
        push @found,
          { name => $test->{name}, %{ _judged( mean_quotient(@ratios) ) }, sizes => \@ratios };
    }
    @found = sort { $a->{ratio} <=> $b->{ratio} || $a->{name} cmp $b->{name} } @found;
    return @found;
}

sub _judged ($ratio) { return { %{$ratio}, direction => direction_of($ratio) } }

# The times of building and freeing the datatypes of a size.
sub cost ( $self, $size ) {
    return if !$size->{create};
    return sum_of( $size->{create}, $size->{free} // () );
}

sub cost_per_piece ( $self, $size ) {
    return if !$size->{create} || !$size->{pieces};
    return scaled( $size->{create}, 1 / $size->{pieces} );
}

sub uses ( $self, $size ) {
    my $cost = $self->cost($size) // return;
    my ( $ddt, $manual ) = @{ $size->{times} }{ 'ddt', $self->manual_method };
    return $ddt && $manual ? uses_until_paid( $cost, $manual, $ddt ) : ();
}

1;
