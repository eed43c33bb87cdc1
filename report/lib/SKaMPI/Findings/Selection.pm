package SKaMPI::Findings::Selection;

# Finds suites by what they measure.
use SKaMPI::Base qw(@all);

use List::Util qw(any first uniq);

use SKaMPI::Meaning::Catalog qw(axes is_derived);
use SKaMPI::Meaning::Curve;
use SKaMPI::Meaning::PlottedPoints qw(grouped);
use SKaMPI::Meaning::Subject
  qw(attribute attributes axis_of differing memories_of operation_of option_of pattern_of variant_of words_for);

# Times of the slowest process are preferred to those that contain a barrier.
my @COLLECTIVE_PREFIXES = qw(syncol col);

sub of ( $class, $output ) {
    return $output->once( selection => sub ($) { $class->among( $output->suites ) } );
}

sub among ( $class, @suites ) {
    my $self = bless { all => [], suites => {}, curves => {} }, $class;
    for my $suite ( grep { @{ $_->rows } } @suites ) {
        push @{ $self->{all} }, $suite;
        next if option_of( $suite, 'as' ) ne 'no';
        my $key = _key( pattern_of($suite), operation_of($suite), axis_of($suite) );
        push @{ $self->{suites}{$key} }, $suite;
    }
    return $self;
}

# The suites that measure this (SKaMPI::Meaning::Subject), with any datatype, but not as another benchmark defines it.
sub suites ( $self, $prefix, $operation, $axis ) {
    return @{ $self->{suites}{ _key( $prefix, $operation, $axis ) } // [] };
}

# Suites measured synchronously, then those measured by barriers, none of them on a virtual topology.
sub collective_suites ( $self, $operation, $axis ) {
    return map { $self->suites( $_, $operation, $axis ) } @COLLECTIVE_PREFIXES;
}

# The first suite with this operation, SUITE's axis, and its attributes except for those given; undef without one. An
# operation without messages, as a barrier, is like one with the shortest.
sub like ( $self, $suite, $operation = operation_of($suite), %other ) {
    my $wanted = variant_of( $suite, %other );
    my $axis   = axis_of($suite);
    my @suites = $self->suites( pattern_of($suite), $operation, $axis );
    my %any    = $axis ne 'length'
      && attribute( $suite, 'message_length' ) eq q{} ? ( message_length => q{} ) : ();
    @suites = sort { _length_of($a) <=> _length_of($b) } @suites if %any;
    return first { variant_of( $_, %any ) eq $wanted } @suites;
}

sub _length_of ($suite) { return attribute( $suite, 'message_length' ) || 0 }

# Suites in which a process copies between the memories of SUITE's messages, then between one of these and the host's.
sub copies_like ( $self, $suite ) {
    my ( $from, $to ) = memories_of($suite);
    my %copies;
    push @{ $copies{ join q{ }, memories_of($_) } }, $_
      for $self->suites( 'simple', 'memcpy', 'length' );
    return map { @{ $copies{$_} // [] } } uniq "$from $to", "pinned $to", "$from pinned";
}

sub curve_of ( $self, $suite ) {
    return $self->{curves}{$suite} //= SKaMPI::Meaning::Curve->new($suite);
}

sub _key (@parts) { return join "\n", @parts }

# The place of a number in the results: a hash of the suite's label, argument (undef if nothing is varied), column (its
# name and unit, for format_argument of SKaMPI::Base::Units) and interpolated (0 or 1).
sub where_in ( $suite, $point ) {
    return {
        label        => $suite->label,
        argument     => axis_of($suite) eq 'none' ? undef : $point->{argument},
        column       => $suite->arguments->[0],
        interpolated => $point->{interpolated},
    };
}

# A key figure (SKaMPI::Findings::KeyFigures) from this point of a suite: by default its time.
sub figure_at ( $suite, $point, %figure ) {
    return {
        value => $point->{time},
        error => $point->{error},
        unit  => 'us',
        where => where_in( $suite, $point ),
        marks => $point->{marks},
        ( defined $suite->note('CONTENDED') ? ( contended => 1 ) : () ),
        %figure
    };
}

# Descriptions of suites, for a .dorep file. syncol_MPI_Bcast/length describes all suites of this type that are varied
# over the length, whatever their names are (SKaMPI::Meaning::Subject). /ATTRIBUTE=VALUE requires a value, such as
# /datatype=31 or /method=pack; /ATTRIBUTE allows any value.

# Whether a text is a description, not the name of a suite. Names of suites have no slash.
sub is_description ($text) {
    return $text =~ m{\A[a-z0-9]+_[^/\s]+/} ? 1 : 0;
}

# A hash for described_groups. Dies with the reason if TEXT is invalid.
sub parse_description ($text) {
    my $is_needed = $text =~ s/!\z//;
    my ( $what, $axis, @conditions ) = split m{/}, $text, -1;
    die "unknown '$axis' in '$text'; expected one of " . join( ', ', axes(), 'none' ) . "\n"
      if !any { $_ eq $axis } axes(), 'none';
    my %description = ( axis => $axis, is_needed => $is_needed, is => {}, any => {} );
    @description{qw(prefix operation)} = $what =~ /\A([a-z0-9]+)_(.+)\z/;
    for my $condition (@conditions) {
        my ( $name, $value ) = split /=/, $condition, 2;
        die "unknown '$name' in '$text'; expected one of " . join( ', ', attributes() ) . "\n"
          if !any { $_ eq $name } attributes();
        if   ( defined $value ) { $description{is}{$name}  = $value }
        else                    { $description{any}{$name} = 1 }
    }
    return \%description;
}

# Returns pairs of a text, which may be empty, and a list of at least two suites, in the order of the descriptions. The
# suites of a group agree in all attributes that no description mentions; the text identifies the group. If several
# suites measure the same, only the first is used.
sub described_groups ( $selection, @descriptions ) {
    my %mentioned = map  { ( %{ $_->{is} }, %{ $_->{any} } ) } @descriptions;
    my @common    = grep { !exists $mentioned{$_} } attributes();
    my ( @found, @needed );
    for my $description (@descriptions) {
        my @names = ( @common, sort keys %{ $description->{any} } );
        my %is    = %{ $description->{is} };
        my @all   = $selection->suites( @{$description}{qw(prefix operation axis)} );
        for my $name ( keys %is ) {
            @all = grep { attribute( $_, $name ) eq $is{$name} } @all;
        }
        my %seen;
        my @own = grep { !$seen{ _values( $_, @names ) }++ } @all;
        push @found, @own;
        push @needed, { map { $_ => 1 } @own } if $description->{is_needed};
    }
    my $common = sub ($suite) { return _values( $suite, @common ) };
    my @groups = grep { @{$_} > 1 } grouped( $common, uniq @found );
    for my $wanted (@needed) {
        @groups = grep {
            grep { $wanted->{$_} }
              @{$_}
        } @groups;
    }
    my %differs = map { $_ => 1 } differing( \@common, map { $_->[0] } @groups );
    return map {
        my ($suite) = @{$_};

        # The text always mentions a message length and a derived datatype.
        my $is_derived = is_derived( ( split / /, attribute( $suite, 'datatype' ) )[0] );
        my %always     = ( message_length => 1, datatype => $is_derived );
        my @named      = grep { $differs{$_} || $always{$_} } @common;
        [ join( ', ', words_for( $suite, @named ) ), $_ ]
    } @groups;
}

sub _values ( $suite, @names ) {
    return join q{}, map { attribute( $suite, $_ ) . "\n" } @names;
}

1;
