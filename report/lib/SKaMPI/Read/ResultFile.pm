package SKaMPI::Read::ResultFile;

# Reads results that must be complete and free of errors, as SKaMPI::Read::Output. Failures are those of
# SKaMPI::Base::Program.
use SKaMPI::Base;

use SKaMPI::Base::Program     qw(complain fail fail_usage);
use SKaMPI::Base::TextFile    qw(characters);
use SKaMPI::Meaning::Facts    qw(unknown_facts);
use SKaMPI::Meaning::RunFacts qw(visit_warnings);
use SKaMPI::Read::Output;

SKaMPI::Base->later( 'SKaMPI::Base::Process', qw(output_of skampi_program) );

our $DAMAGED = 5;

# The latest format of results that this version reads.
my $NEWEST = 4;

# The results of a file, which may be damaged or unfinished. Fails with the exit status 2 if it cannot be read or
# contains no results. An unfinished run has the visits of its journal, too. Messages have NAME, such as those about
# facts with unknown forms; see from_file for the limits.
sub read_results ( $path, $name = $path, %most ) {
    my $output = _read( $path, $name, %most );
    complain("$name: $_") for unknown_facts($output);
    return $output;
}

sub _read ( $path, $name, %most ) {
    my $output = eval { SKaMPI::Read::Output->from_file( $path, characters($name), %most ) }
      or fail_usage($@);
    fail_usage("$name:1: not a result file of SKaMPI") if !$output->fields && !$output->suites;
    return $output if $output->is_finished || visit_warnings($output);
    my $text = characters( bytes_with_visits($path) );
    return $text eq q{}
      ? $output
      : SKaMPI::Read::Output->from_text( $text, characters($name), $path, %most );
}

# The results of an unfinished run with the visits that the journal beside them has, as skampi prints them; empty
# without a journal, or without skampi.
sub bytes_with_visits ($path) {
    my $skampi = -f "$path.journal" ? skampi_program() : undef;
    return defined $skampi ? output_of( $skampi, '--visits', $path ) : q{};
}

# Like read_results; fails if the file has no suite.
sub read_suites ($path) {
    my $output = read_results($path);
    my $way_on = $output->is_finished ? q{} : q{ yet; 'skampi --status' says how far its run is};
    fail_usage("'$path' contains no suite$way_on") if !$output->suites;
    return $output;
}

# Like read_results; fails with file, line and the exit status 5 if the file is damaged, unfinished without any visits
# or of a newer version. With is_strict, an impossible value is damage, too; otherwise a message names it.
sub read_whole_results ( $path, $name = $path, %how ) {
    my $is_strict = delete $how{is_strict};
    my $output    = read_results( $path, $name, %how );
    _check_version($output);
    my ( $problem, @more ) = sort { ( $a->{odd} // 0 ) <=> ( $b->{odd} // 0 ) } $output->problems;
    if ($problem) {
        my $place = "$name:$problem->{line}: ";
        my $text  = $problem->{text} . ( @more ? ' (and ' . @more . ' more)' : q{} );
        fail( "${place}damaged: $text", $DAMAGED ) if $is_strict || !$problem->{odd};
        complain("$place$text");
    }
    fail_at( $name, $output->line_count,
        'the run is not finished; start skampi again to complete it' )
      if !$output->is_finished && !visit_warnings($output);
    complain("warning: $name: $_") for visit_warnings($output);
    fail_at( $name, $output->line_count, 'contains no suite' ) if !$output->suites;

    for my $suite ( $output->suites ) {
        my ( $row, $label ) = ( $suite->rows->[0], $suite->label );
        fail_at( $name, $row->{line},
            "suite '$label' has no column time_cleaned; the file has another format" )
          if $row && !exists $row->{time};
    }
    return $output;
}

sub fail_at ( $path, $line, $text ) {
    return fail( "$path:$line: $text", $DAMAGED );
}

sub _check_version ($output) {
    my ($field) = grep { $_->{name} eq 'SKAMPIVERSION' } $output->fields;
    my ($major) = ( $field // { value => q{} } )->{value} =~ /\A([0-9]{1,6})[.]/;
    fail_at( $output->name, $field->{line},
        "comes from SKaMPI $field->{value}, which is newer than this program; update it" )
      if defined $major && $major > $NEWEST;
    return;
}

1;
