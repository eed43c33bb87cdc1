package SKaMPI::Meaning::Legacy;

# The meaning of files of older versions. The only place that derives a meaning from prose and names.
# read_name(SUITE) is what the name of a suite says of its operation, according to the names in the parameter files
# that ship; time_of and start_of are the facts #@TIME and #@START of results that lack them, of the suite's subject
# and of the suite; older_forms are forms of facts; estimate_of is the rule of any suite's times; updated_definition is
# that of a suite in a saved baseline, as this version writes it.
use SKaMPI::Base;

use SKaMPI::Meaning::Catalog qw(axes pattern_row type_row);

# Forms of facts (SKaMPI::Meaning::Facts) before version 4.3: of blocks (1), of the header and the trailer (0).
my %OLDER_FORMS = (
    1 => {
        LOOPS         => ['{language}[, {compiler}]'],
        INTERPOLATION =>
          ['{percent:.2f} % {how}; {probed:d} of {segments:d} segments probed[; {jumps}]'],
    },
    0 => {
        CLOCKBOUND => ['{bound_us:.6f} microsec., {how}'],
    },
);

# The variant at the end of a name.
my $VARIANT = qr/-([0-9]{1,3}|pack|contiguous|manual|put|struct)\z/;

sub older_forms ( $is_block, $name ) { return @{ $OLDER_FORMS{$is_block}{$name} // [] } }

# The ending of a suite's name that says the variation and the method of measuring.
sub name_ending () {
    state $words = join q{|}, qw(BM SM short long), axes();
    return qr/-(?:$words)\z/;
}

# The name without the pattern, as in the manual's "p2p_dummy".
sub bare_name ($suite) {
    my $pattern = $suite->prefix =~ s/\Avt//r;
    return $suite->name =~ s/\A\Q$pattern\E_(?=.)//r;
}

# "MPI_Bcast" and the datatype 31 of "MPI_Bcast-31-SM": a hash of operation and attributes.
sub read_name ($suite) {
    my $name = bare_name($suite);
    my %found;
    while ( $name =~ s/@{[ name_ending() ]}// || $name =~ s/$VARIANT// ) {
        my $word = $1 // next;
        $found{ $word =~ /\A[0-9]/ ? 'datatype' : $word eq 'struct' ? 'basetype' : 'method' } =
          $word;
    }
    return { operation => $name, attributes => \%found };
}

# The variation in a text that is not this version's; the text itself if it does not name one.
sub axis_in ($text) {
    state $axis = join q{|}, axes();
    return $text =~ /\b($axis)\b/ ? $1 : $text;
}

sub start_of ($suite) {
    my $pattern = pattern_row( $suite->prefix );
    return $pattern ? $pattern->{start} : q{};
}

sub time_of ($subject) {
    my ( $pattern, $operation ) = @{$subject}{qw(pattern operation)};
    return ( type_row( $pattern, $operation ) // {} )->{time}
      // 'the pattern ' . $pattern =~ s/\Avt//r;
}

# The conditions of marks (SKaMPI::Meaning::Marks) of a row without #@RULE, whose file does not have them: a residual of
# more than half of the requested error, or a time below the suite's clock limit.
sub older_marks ( $suite, $row ) {
    my %has = map { $_ => $row->{extras}{$_} } qw(contended unsteady);
    my ( $time, $asked ) = ( $row->{time} // 0, $suite->asked_of_call );
    $has{clock_limited} =
         $asked
      && $time > 0
      && ( $time < ( $suite->clock_limit // 0 )
        || ( $row->{extras}{residual} // 0 ) > $asked * $time / 2 );
    return { %has, marks => $row->{marks} };
}

# The rule of a suite's times: cut, median or minimum; in older files also the mean over the visits. One visit, as in
# 4.1, is cut.
sub estimate_of ($suite) {
    return 'cut' if !defined $suite->note('PASSES') && !defined $suite->note('RULE');
    return $suite->note('ESTIMATE') // 'median';
}

sub without_estimate ($options) {
    return join q{ }, grep { !/\Aestimate=/ } split q{ }, $options;
}

# The definition of a suite (SKaMPI::Meaning::Likeness) from a saved baseline, which may have been saved without a rule.
# OPTIONS is the text of the keys without those that have their usual values.
sub updated_definition ( $definition, $options ) {
    my %updated = ( estimate => 'median', %{$definition} );
    delete $updated{options};
    $updated{options} = $options if length $options;
    return \%updated;
}

1;
