package SKaMPI::Meaning::Description;

# Describes suites by what they measure, for a .dorep file. syncol_MPI_Bcast/length describes all
# suites of this type that are varied over the length, whatever their names are
# (SKaMPI::Meaning::Subject). /ATTRIBUTE=VALUE requires a value, such as /datatype=31 or
# /method=pack; /ATTRIBUTE allows any value.
use SKaMPI::Base;

use List::Util qw(any uniq);

use SKaMPI::Meaning::Catalog       qw(axes is_derived);
use SKaMPI::Meaning::PlottedPoints qw(grouped);
use SKaMPI::Meaning::Subject       qw(attribute attributes differing words_for);

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

# Finds suites in a SKaMPI::Findings::Selection. Returns pairs of a text, which may be empty, and a list of at least two
# suites, in the order of the descriptions. The suites of a group agree in all attributes that no description mentions;
# the text identifies the group. If several suites measure the same, only the first is used.
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
