package SKaMPI::Findings::ApplicationText;

# The costs of applications' messages (SKaMPI::Findings::ApplicationCosts) in words. Texts for tables may be empty.
use SKaMPI::Base;

use List::Util qw(any max);

use SKaMPI::Base::Table qw(shorten table_lines wrapped);
use SKaMPI::Base::Units
  qw(counted error_text factor_text format_bytes format_percent format_time list_text ratio_text);
use SKaMPI::Findings::ApplicationCosts qw(title_of_method);
use SKaMPI::Meaning::PlottedPoints     qw(spread);

# The number of sizes without --all: the first, the middle and the last.
my $FEW_SIZES = 3;

# A line with more methods has no space for the ratio.
my $MAX_METHODS = 3;

my $LONGEST_CASE = 16;

# The smallest error in per cent; errors are rounded up.
my $MIN_ERROR = 0.1;

# Overheads below this count as 0.
my $LEAST = 0.01;

my %VERB =
  ( shorter => 'took less time', longer => 'took more', similar => 'do not clearly differ' );

my %WITH = (
    ddt            => 'with derived datatypes',
    manual         => 'with manual packing',
    manual_fortran => 'with manual packing in Fortran',
    pack           => 'with MPI_Pack',
);

sub size_text ($size) {
    my $text = format_bytes( $size->{bytes} );
    return defined $size->{own} ? "$text (" . shorten( $size->{own}, $LONGEST_CASE ) . ')' : $text;
}

# Formats an overhead: "65.7 % +- 0.2".
sub overhead_text ($overhead) {
    return q{} if !$overhead;
    my $text = format_percent( $overhead->{value} );
    return $text if !$overhead->{error};
    $text =~ s/ %//;
    return sprintf "%s \x{b1} %.1f %%", $text, max( $MIN_ERROR, 100 * $overhead->{error} );
}

sub time_text ($estimate) {
    return q{} if !$estimate;
    my ( $time, $error ) = @{$estimate}{qw(time error)};
    return join q{ }, format_time($time), error_text( $error, $time ) || ();
}

# A number of uses, rounded up.
sub uses_text ($uses) {
    return q{}     if !$uses;
    return 'never' if $uses->{kind} eq 'never';
    my $value = $uses->{value};
    my $text  = $value < 1 ? '1' : $value < 1e6 ? sprintf '%.3g', $value : sprintf '%.1e', $value;
    return "more than $text" if $uses->{kind} eq 'least';
    return $text             if $value < 1 || !defined $uses->{error};
    return ratio_text( $value, $uses->{error} );
}

# Sentences about a set: the tests in which datatypes are faster, and the part of a round trip that is packing.
sub sentences_about ($set) {
    return ( directions_about($set), _about_overheads($set), _about_put($set) );
}

# Returns sentences about how many tests and sizes take less time with datatypes, and how many more.
sub directions_about ($set) {
    my @ratios = $set->ratios or return;
    my %tests;
    push @{ $tests{ $_->{direction} } }, $_->{name} for @ratios;
    my $count = @{ $tests{shorter} // [] };
    my @parts =
        "Derived datatypes $VERB{shorter} in $count of "
      . counted( scalar @ratios, 'test' )
      . ( $count ? ': ' . list_text( @{ $tests{shorter} } ) : q{} );
    for my $direction ( grep { $tests{$_} } qw(longer similar) ) {
        my @names = @{ $tests{$direction} };
        push @parts, "They $VERB{$direction} in " . @names . ': ' . list_text(@names);
    }
    my @all  = map  { $_->{direction} } map { @{ $_->{sizes} } } @ratios;
    my $less = grep { $_ eq 'shorter' } @all;
    my $more = grep { $_ eq 'longer' } @all;
    push @parts, "They took less time at $less of all @{[ scalar @all ]} sizes, and more at $more"
      if @all > 1;
    return map { "$_." } @parts;
}

sub _about_overheads ($set) {
    my @largest = map { _largest( $set, $_ ) } grep { $_ ne 'put' } $set->methods or return;
    my @parts;
    for my $largest ( grep { $_->{value} >= $LEAST } @largest ) {
        my ( $size, $method ) = @{$largest}{qw(size method)};
        my $with = $WITH{$method} // "with $method";
        push @parts, sprintf '%.0f %% of a round trip %s (%s, %s)', 100 * $largest->{value},
          $with, $size->{test}{name}, size_text($size);
    }
    return 'Packing takes less than 1 % of each round trip.' if !@parts;
    return 'Packing takes up to ' . list_text(@parts) . q{.};
}

# A sentence on MPI_Put, whose overhead includes the fences.
sub _about_put ($set) {
    my @pairs  = map  { [ @{ $_->{times} }{qw(put ddt)} ] } $set->sizes;
    my @ratios = sort { $a <=> $b } map { $_->[0]{time} / $_->[1]{time} }
      grep { $_->[0] && $_->[1] } @pairs
      or return;
    my ( $least, $most ) = map { factor_text($_) } @ratios[ 0, -1 ];
    my $range = $least eq $most ? $least : "$least to $most";
    return "MPI_Put of the same datatypes between fences takes $range times as long as messages.";
}

sub _largest ( $set, $method ) {
    my ($largest) = sort { $b->{value} <=> $a->{value} } map {
        my $overhead = $set->overhead( $_, $method );
        $overhead ? { %{$overhead}, size => $_, method => $method } : ()
    } $set->sizes;
    return $largest // ();
}

# Packing overheads for a terminal: a table for each set of suites that were measured in the same way, each after an
# empty line; nothing if the suites have no overheads.
sub overhead_lines ( $all, @suites ) {
    my @lines;
    for my $set ( SKaMPI::Findings::ApplicationCosts->sets_of(@suites) ) {
        my @rows;
        for my $test ( $set->tests ) {
            my @sizes = grep {
                my $size = $_;
                any { $set->overhead( $size, $_ ) } $set->methods
            } @{ $test->{sizes} };
            push @rows,
              named_rows( $test->{name}, map { _cells( $set, $_ ) } few_sizes( $all, @sizes ) );
        }
        next if !@rows;
        my @words   = grep { $_ ne q{} } 'Packing overhead: (t - t_net) / t', $set->words;
        my $title   = join( ', ', @words ) . '; t_net: as many bytes in one piece';
        my @methods = map { title_of_method($_) . ':16>?' } $set->methods;
        push @methods, 'datatype / manual:18>?' if _has_ratio($set);
        push @lines, q{}, wrapped($title),
          table_lines( [ '  test', qw(bytes:16> t_net:16>), @methods ], @rows );
    }
    return @lines;
}

sub _has_ratio ($set) { return $set->methods <= $MAX_METHODS }

sub few_sizes ( $all, @sizes ) { return $all ? @sizes : spread( $FEW_SIZES, @sizes ) }

# The first row has the name.
sub named_rows ( $name, @rows ) {
    my @names = "  $name";
    return map { [ shift @names // q{}, @{$_} ] } @rows;
}

sub _cells ( $set, $size ) {
    my ($ratio)   = $set->ratio($size);
    my @more      = _has_ratio($set) && $ratio ? ratio_text( @{$ratio}{qw(ratio error)} ) : ();
    my @overheads = map { overhead_text( scalar $set->overhead( $size, $_ ) ) } $set->methods;
    return [ size_text($size), format_time( $size->{times}{contiguous}{time} ), @overheads, @more ];
}

1;
