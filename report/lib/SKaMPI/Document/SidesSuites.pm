package SKaMPI::Document::SidesSuites;

# Compares the suites that several result files have in common. of(OUTPUT...) returns a hash of
# - members: the sides, a list in the order of the outputs, each a hash of output and name. The names
#   are distinct texts for a legend: the machine, and what distinguishes runs on the same one. With
#   named(NAMES, OUTPUT...) they are these names instead of the machines.
# - what: what is compared: machines, libraries, versions of a library or of SKaMPI, settings, or
#   launches.
# - suites: a list of the suites that at least two of the outputs have, by label, in the order of
#   the first output and then of the others. Each is a hash of label, members (for each one its
#   place in the list of sides, so that a side has the same colour everywhere) and comparison
#   (SKaMPI::Findings::Comparison) with the first.
# - notes: sentences about different numbers of processes and about suites that only one run has.
# All texts contain names from the results unchanged; escape them before printing.
use SKaMPI::Base;

use List::Util qw(all uniq);

use SKaMPI::Base::Table qw(shorten);
use SKaMPI::Base::Units qw(counted list_text);
use SKaMPI::Findings::Comparison;
use SKaMPI::Meaning::Catalog  qw(shown_facts);
use SKaMPI::Meaning::Likeness qw(header_facts);
use SKaMPI::Meaning::RunFacts qw(described);

my $LONGEST_NAME = 40;

# Facts that distinguish sides of the same name. The first one that differs is added to the name.
my @DISTINCTIONS = (
    sub ($output) {
        return join q{}, map { "$_ processes" } $output->fact('PROCESSES')->{processes} // ();
    },
    sub ($output) { return $output->fact('MPILIBRARY')->{list}[0]{version} // q{} },
    sub ($output) {
        return join '; ', map { $_->{text} } @{ $output->fact('LOOPS')->{list} };
    },
    sub ($output) { return $output->name =~ s{.*/}{}sr },
    sub ($output) { return $output->name =~ s{.*/(?=[^/]*/)}{}sr },
    sub ($output) { return $output->name },
);

sub of ( $class, @outputs ) { return $class->named( [], @outputs ) }

sub named ( $class, $given, @outputs ) {
    my @names   = _legend( $given, @outputs );
    my @members = map      { { name => $names[$_], output => $outputs[$_] } } keys @outputs;
    my @labels  = uniq map { $_->label } map              { $_->suites } @outputs;
    my @pairs   = map      { _pair( $_, @members ) } grep { !/\A(?:internal|check)_/ } @labels;
    return {
        members => \@members,
        suites  => \@pairs,
        what    => _what_differs(@outputs),
        notes   => [ _notes( \@labels, @members ) ],
    };
}

sub _what_differs (@outputs) {
    my @libraries =
      map { $_->fact('MPILIBRARY')->{list}[0]{version} // $_->field('MPIVERSION') // q{} } @outputs;
    return
        _differ( map { _machine_of($_) } @outputs )                   ? 'machines'
      : _differ( map { s/\s+(?:v|version )?[0-9].*//ir } @libraries ) ? 'libraries'
      : _differ(@libraries)
      || _differ( map { $_->field('SKAMPIVERSION') // q{} } @outputs ) ? 'versions'
      : _differ( map { _settings_of($_) } @outputs )                   ? 'settings'
      :                                                                  'launches';
}

sub _differ (@texts) { return uniq(@texts) > 1 }

# Settings and environment as one text; a merge of launches has those of the first one.
sub _settings_of ($output) {
    my $launch      = header_facts($output);
    my @environment = map { $_->{text} }
      grep { $_->{name} !~ /\AOMPI_(?:ARGV|COMMAND)\z/ } @{ $output->fact('ENVIRONMENT')->{list} };
    return join "\n", ( map { "$_=" . ( $launch->{$_} // q{} ) } shown_facts('settings') ),
      sort @environment;
}

# The comparison of a suite on the sides that have it; undef if fewer than two have it.
sub _pair ( $label, @members ) {
    my @having     = grep { $members[$_]{output}->suite($label) } 0 .. $#members;
    my @suites     = map  { $members[$_]{output}->suite($label) } @having;
    my $comparison = SKaMPI::Findings::Comparison->new( $label, @suites );
    return if $comparison->members < 2;
    my %number = map { $suites[$_] => $having[$_] } 0 .. $#suites;
    my @number = map { $number{$_} } $comparison->suites;
    $comparison->named( map { $members[$_]{name} } @number );
    return { label => $label, members => \@number, comparison => $comparison };
}

sub _legend ( $given, @outputs ) {
    my @names = @{$given} ? @{$given} : map { _machine_of($_) } @outputs;
    $_ = shorten( $_, $LONGEST_NAME ) for @names;
    for my $name ( uniq @names ) {
        my @same = grep { $names[$_] eq $name } 0 .. $#names;
        next if @same == 1;
        my @more = _distinctions( @outputs[@same] );
        $names[ $same[$_] ] .= " ($more[$_])" for 0 .. $#same;
    }
    return @names if uniq(@names) == @names;
    return map { "$names[$_] (" . ( $_ + 1 ) . ')' } 0 .. $#names;
}

# The name of the machine: the first line of its description.
sub _machine_of ($output) {
    my ($name) = map { described( $output, $_ ) } qw(MACHINE HOSTNAME);
    return $name // $output->name =~ s{.*/}{}sr;
}

sub _distinctions (@outputs) {
    for my $distinction (@DISTINCTIONS) {
        my @texts = map { shorten( $distinction->($_), $LONGEST_NAME ) } @outputs;
        return @texts if uniq(@texts) == @texts && all { $_ ne q{} } @texts;
    }
    return map { $_ + 1 } 0 .. $#outputs;
}

sub _notes ( $labels, @members ) {
    my @counts = uniq map { $_->{output}->fact('PROCESSES')->{processes} // () } @members;
    my @alone  = grep {
        my $label = $_;
        ( grep { $_->{output}->suite($label) } @members ) == 1
    } @{$labels};
    my @notes;
    push @notes,
        'The runs have different numbers of processes ('
      . list_text(@counts)
      . '); suites over the length use all of them.'
      if @counts > 1;
    push @notes,
      'Omitted: ' . counted( scalar @alone, 'suite' ) . ' that only one of the runs has.'
      if @members > 1 && @alone;
    return @notes;
}

1;
