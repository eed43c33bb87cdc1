package SKaMPI::Report::RunFacts;

use v5.36;

use Exporter qw(import);

use SKaMPI::Table qw(shorten);

our @EXPORT_OK = qw(machine_name run_facts run_notes run_summary run_warnings);

# Of a title.
my $LONGEST_NAME = 150;

my $MOST_LINES    = 12;
my $MOST_WARNINGS = 50;
my $MOST_PROBLEMS = 8;

# What the first page tells: header fields, and what they are called. Of several the first that is
# there counts.
my @FACTS = (
    [ 'Node',               'NODE' ],
    [ 'Network',            'NETWORK' ],
    [ 'Hardware',           'HARDWARE' ],
    [ 'Operating system',   'OSNAME' ],
    [ 'User',               'USER' ],
    [ 'Date',               'DATE' ],
    [ 'Merge of',           'POSTPROCESSED' ],
    [ 'Run',                'NAMEOFRUN' ],
    [ 'MPI library',        'MPILIBRARY', 'MPIVERSION' ],
    [ 'MPI standard',       'MPISTANDARD' ],
    [ 'Processes',          'PROCESSES' ],
    [ 'Hosts',              'PROCESSESPERHOST', 'HOSTNAME' ],
    [ 'Binding',            'BINDING' ],
    [ 'Oversubscribed',     'OVERSUBSCRIBED' ],
    [ 'Timer',              'TIMER' ],
    [ 'Global clock',       'GLOBALCLOCK' ],
    [ 'Start skew',         'STARTSKEW' ],
    [ 'Clock residual',     'RESIDUAL' ],
    [ 'Caches',             'CACHE' ],
    [ 'Overhead taken off', 'ABSOLUTE' ],
    [ 'Run time',           'WALLTIME' ],
    [ 'SKaMPI',             'SKAMPIVERSION' ],
);

sub machine_name ($output) {
    my $text    = $output->field('MACHINE') // q{};
    my ($first) = grep { /\S/ } split /\n/, $text;
    return shorten( $first // 'Unnamed machine', $LONGEST_NAME );
}

# Pairs of title and lines of text.
sub run_facts ($output) {
    return ( _rest_of_machine($output), map { _fact( $output, @{$_} ) } @FACTS );
}

# The most important ones, for runs beside each other.
sub run_summary ($output) {
    my %is_wanted = map { $_ => 1 } 'Node', 'Network', 'User', 'Date', 'MPI library', 'Processes',
      'Hosts';
    return grep { $is_wanted{ $_->[0] } } run_facts($output);
}

sub _rest_of_machine ($output) {
    my ( undef, @lines ) = _lines( $output->field('MACHINE') // q{} );
    return @lines ? [ 'Machine', @lines ] : ();
}

sub _fact ( $output, $title, @names ) {
    for my $name (@names) {
        my @lines = _lines( _value( $output, $name ) );
        return [ $title, @lines ] if @lines;
    }
    return;
}

sub _value ( $output, $name ) {
    my $value = $output->field($name) // q{};
    return $value if $name ne 'OSNAME';
    return join q{ }, $value, $output->field('OSRELEASE') // (),
      $output->field('ARCHITECTURE') // ();
}

# All of a text, but not more than a page has room for.
sub _lines ($text) {
    my @lines = grep { /\S/ } split /\n/, $text;
    return @lines if @lines <= $MOST_LINES;
    my $more = @lines - $MOST_LINES + 1;
    return ( @lines[ 0 .. $MOST_LINES - 2 ], "... and $more lines more" );
}

# All of them: each weakens what the report says.
sub run_warnings ($output) {
    my @all  = map { $_->{value} =~ s/\n/ /gr } grep { $_->{name} eq 'WARNING' } $output->fields;
    my @more = splice @all, $MOST_WARNINGS;
    return @more ? ( @all, 'and ' . @more . ' warnings more' ) : @all;
}

# What is missing or looks wrong in the file.
sub run_notes ($output) {
    my @notes;
    push @notes, 'The run is not finished: the file ends before its trailer.'
      if !$output->is_finished;
    push @notes,
      'These results are merged from several runs: times are medians, errors those between runs.'
      if $output->is_postprocessed;
    my @problems = map { "Line $_->{line}: $_->{text}." } $output->problems;
    my @more     = @problems > $MOST_PROBLEMS ? splice @problems, $MOST_PROBLEMS : ();
    push @problems, 'And ' . @more . ' more like that.' if @more;
    return ( @notes, @problems );
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::RunFacts - what the first page tells about a run

=head1 DESCRIPTION

C<machine_name(OUTPUT)>, C<run_facts(OUTPUT)>, a list of lists of a title and lines, C<run_summary(OUTPUT)>, the most important of them,
C<run_warnings(OUTPUT)>, and C<run_notes(OUTPUT)>: sentences about what is missing or looks wrong.
The texts are as they stand in the file.

=cut
