package SKaMPI::Meaning::Legacy;

# What files of older versions mean. The only place that derives a meaning from prose and names.
# time_of(SUITE) and start_of(SUITE) are the facts #@TIME and #@START of results that lack them;
# updated_definition(DEFINITION) is that of a suite in a saved baseline, as this version writes it.
use v5.36;

use Exporter qw(import);

use SKaMPI::Meaning::Catalog qw(pattern_row row_of rows_of);
use SKaMPI::Meaning::Subject qw(attribute plain_options type_row);

our @EXPORT_OK = qw(start_of time_of updated_definition);

# Results without #@START: only with enter=together does a pattern start in another way than it usually does.
sub start_of ($suite) {
    return 'clock' if time_of($suite) eq 'together_and_barrier';
    my $pattern = pattern_row( $suite->{prefix} );
    return $pattern ? $pattern->{start} : q{};
}

# Results without #@TIME: the text of the definition, or only the pattern; and what keys add.
sub time_of ($suite) {
    my $text = $suite->{notes}{TIMEOF};
    my $name = defined $text ? _name_of_text($text) : _name_by_pattern($suite);
    $name .= ' own_pair' if ( $text // q{} ) =~ /own pair/;
    return _changed( $name, map { $_ => attribute( $suite, $_ ) } qw(sync loop io_sync) );
}

# The catalogue's time_changes, as far as older versions had them.
sub _changed ( $name, %keys ) {
    return 'round_trip' if $name eq 'access' && ( $keys{sync} // q{} ) eq 'notify';
    $name .= ' pipelined' if ( $keys{loop}    // '1' ) ne '1';
    $name .= ' synced'    if ( $keys{io_sync} // 'no' ) eq 'yes';
    return $name;
}

# Texts have had remarks after a semicolon. One that is not known is its own name.
sub _name_of_text ($text) {
    state $names = { map { _before_remark( $_->{text} ) => $_->{name} } rows_of('times') };
    my $known = _before_remark($text);
    return $names->{$known} // $known;
}

sub _before_remark ($text) {
    return $text =~ s/;.*//sr;
}

sub _name_by_pattern ($suite) {
    my $row = type_row($suite) // {};
    return $row->{time} // 'the pattern ' . $suite->{prefix} =~ s/\Avt//r;
}

# The definition of a suite (SKaMPI::Meaning::Likeness) in a saved baseline: it listed keys with their usual
# values, and had the text of the time's definition.
sub updated_definition ($definition) {
    my %updated = %{$definition};
    my %options = ( $updated{options} // q{} ) =~ /(\S+)=(\S+)/g;
    my $options = plain_options(%options);
    delete $updated{options};
    $updated{options} = $options if length $options;
    return \%updated             if row_of( times => ( split / /, $updated{'time of'} )[0] );
    $updated{'time of'} = _changed( _name_of_text( $updated{'time of'} ), %updated );
    return \%updated;
}

1;

