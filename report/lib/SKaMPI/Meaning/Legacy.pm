package SKaMPI::Meaning::Legacy;

# The meaning of files of older versions. The only place that derives a meaning from prose and names.
# read_name(SUITE) is what the name of a suite says of its operation, according to the names in the parameter files
# that ship; time_of and start_of are the facts #@TIME and #@START of results that lack them, and need the suite's
# subject; older_forms are forms of facts; estimate_of is the rule of any suite's times; updated_definition is
# that of a suite in a saved baseline or a database, as this version writes it.
use SKaMPI::Base;

use SKaMPI::Meaning::Catalog qw(axes pattern_row row_of rows_of type_row);

# Forms of facts (SKaMPI::Meaning::Facts) before version 4.3: of blocks (1), of the header and the trailer (0).
my %OLDER_FORMS = (
    1 => {
        LOOPS         => ['{language}[, {compiler}]'],
        INTERPOLATION =>
          ['{percent:.2f} % {how}; {probed:d} of {segments:d} segments probed[; {jumps}]'],
    },
    0 => {
        CLOCKBOUND    => ['{bound_us:.6f} microsec., {how}'],
        POSTPROCESSED => ["medians of {runs:d} run[s], {errors}\n{run}\n..."],
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

# Patterns start in their usual way, except with enter=together.
sub start_of ( $suite, $subject ) {
    return 'clock' if time_of( $suite, $subject ) eq 'together_and_barrier';
    my $pattern = pattern_row( $suite->prefix );
    return $pattern ? $pattern->{start} : q{};
}

# The definition of the time, from its text or only the pattern, and the additions of keys.
sub time_of ( $suite, $subject ) {
    my $text = $suite->note('TIMEOF');
    my ( $pattern, $operation ) = @{$subject}{qw(pattern operation)};
    my $name =
      defined $text
      ? _name_of_text($text)
      : ( type_row( $pattern, $operation ) // {} )->{time}
      // 'the pattern ' . $pattern =~ s/\Avt//r;
    $name .= ' own_pair' if ( $text // q{} ) =~ /own pair/;
    return _changed( $name, $subject->{attributes}->%{qw(sync loop io_sync)} );
}

# Changes of the time by keys, as far as older versions had them.
sub _changed ( $name, %keys ) {
    return 'round_trip' if $name eq 'access' && ( $keys{sync} // q{} ) eq 'notify';
    $name .= ' pipelined' if ( $keys{loop}    // '1' ) ne '1';
    $name .= ' synced'    if ( $keys{io_sync} // 'no' ) eq 'yes';
    return $name;
}

# The name of a definition by its text, without remarks after a semicolon. An unknown text is its own name.
sub _name_of_text ($text) {
    state $names = { map { _before_remark( $_->{text} ) => $_->{name} } rows_of('times') };
    my $known = _before_remark($text);
    return $names->{$known} // $known;
}

sub _before_remark ($text) { return $text =~ s/;.*//sr }

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
# 4.1, is cut. Until 4.2, only the text of #@PASSES said it.
sub estimate_of ($suite) {
    my $visits = $suite->note('PASSES');
    return 'cut' if !defined $visits && !defined $suite->note('RULE');
    return $suite->note('ESTIMATE') // ( ( $visits // q{} ) =~ /smallest/ ? 'minimum' : 'median' );
}

sub without_estimate ($options) {
    return join q{ }, grep { !/\Aestimate=/ } split q{ }, $options;
}

# The definition of a suite (SKaMPI::Meaning::Likeness) from a saved baseline, which listed keys with their usual values
# and had the text of the time's definition. OPTIONS is the text of the keys without those. The usual rule: median.
sub updated_definition ( $definition, $options ) {
    my ($named) = $options =~ /\bestimate=(\w+)/;
    my $is_one = $options =~ /\bpasses=1\b/;
    my %updated =
      ( estimate => $named // 'median', %{$definition}, $is_one ? ( estimate => 'cut' ) : () );
    $options = without_estimate($options);
    delete $updated{options};
    $updated{options} = $options if length $options;
    return \%updated             if row_of( times => ( split / /, $updated{'time of'} )[0] // q{} );
    $updated{'time of'} = _changed( _name_of_text( $updated{'time of'} ), %updated );
    return \%updated;
}

1;
