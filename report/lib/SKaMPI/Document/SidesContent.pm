package SKaMPI::Document::SidesContent;

# The content of a report that compares sides (SKaMPI::Document::Sides), like
# SKaMPI::Document::Content. Dies if they have no suite in common.
use SKaMPI::Base qw(@views);

use List::Util qw(all any uniq);

use SKaMPI::Document::Sides;
use SKaMPI::Document::SidesSummary;
use SKaMPI::Document::ComparisonView;
use SKaMPI::Document::ApplicationComparison;
use SKaMPI::Document::Typesetter;
use SKaMPI::Document::Texts;
use SKaMPI::Document::Sections qw(name_maker sections_of);
use SKaMPI::Base::Table        qw(shorten);
use SKaMPI::Base::Units        qw(counted list_text);
use SKaMPI::Findings::Comparison;
use SKaMPI::Meaning::Catalog  qw(shown_facts);
use SKaMPI::Meaning::Likeness qw(header_facts);
use SKaMPI::Meaning::Costs    qw(cost_page);
use SKaMPI::Meaning::RunFacts qw(described kind_of_errors run_notes run_summary run_warnings);
use SKaMPI::Meaning::Subject  qw(heading_of);

# The most suites, and the most on paper with plot and table: those that differ most.
my ( $MAX_SUITES, $MOST_IN_FULL ) = ( 500, 40 );

sub new ( $class, $sides, %more ) {
    my $self =
      bless { sides => $sides, given => [], directories => [], style => {}, views => [], %more },
      $class;
    $self->{compared} = compared_suites( $self->{given}, $sides->outputs );
    $self->{prose}    = SKaMPI::Document::Texts->new( @{ $self->{directories} } );
    $self->{names}    = name_maker();
    my @pairs = @{ $self->{compared}{suites} };
    $_->{comparison}->judged( $self->_verdicts($_) ) for @pairs;
    $self->{applications} =
      SKaMPI::Document::ApplicationComparison->view_of( $self->{compared}{members},
        $self->{names} );
    push @{ $self->{views} }, $self->{applications} // ();
    die 'the files have ', ( $sides->results )[0]->why_nothing, "\n"
      if !@pairs && !$self->{applications};
    $self->{summary} = SKaMPI::Document::SidesSummary->new(
        sides   => $sides,
        members => $self->{compared}{members},
        names   => $self->{names},
    );
    push @{ $self->{views} }, $self->{summary};
    splice @pairs, $MAX_SUITES;
    $self->_add_sections(@pairs);
    $_->{mono} = $self->{style}{mono} for $self->plots;
    return $self;
}

# Verdicts on the time by argument for each member of a comparison but its first; none if that is not the first side.
sub _verdicts ( $self, $pair ) {
    my ( $first, @others ) = @{ $pair->{members} };
    return if $first > 0;
    my @results  = $self->{sides}->results;
    my @verdicts = undef;
    for my $result ( @results[ map { $_ - 1 } @others ] ) {
        my @judged = grep { $_->{label} eq $pair->{label} && !$_->{part} && defined $_->{verdict} }
          $result->points;
        push @verdicts,
          { map { $_->{argument} // q{} => $_->{time_verdict} // $_->{verdict} } @judged };
    }
    return @verdicts;
}

sub plots ($self) {
    return map { $_->plots } $self->views;
}

sub template { return 'sides' }

sub outputs ($self) { return $self->{sides}->outputs }

# Suites of sides have no place of their own in the document.
sub id_of (@) { return }

sub _add_sections ( $self, @pairs ) {
    my %pair_of = map { $_->{label} => $_ } @pairs;
    my %differs = map { $_->{label} => $_->{comparison}->difference } @pairs;
    my @first =
      grep { $differs{$_} } sort { $differs{$b} <=> $differs{$a} || $a cmp $b } keys %differs;
    splice @first, $MOST_IN_FULL if @first > $MOST_IN_FULL;
    my %place = map { $first[$_] => $_ } keys @first;
    for my $section ( sections_of( map { ( $_->{comparison}->suites )[0] } @pairs ) ) {
        my $intro  = $self->{prose}->intro_for($section);
        my @labels = map  { $_->label } @{ $section->{suites} };
        my @full   = sort { $place{$a} <=> $place{$b} } grep { defined $place{$_} } @labels;
        my @brief  = grep { !defined $place{$_} } @labels;
        my %view   = map  { $_ => $self->_view( $pair_of{$_} ) } @full, @brief;
        push @{ $self->{views} }, @view{ @full, @brief };
        push @{ $self->{sections} },
          {
            title       => $section->{title},
            intro       => $intro,
            comparisons => [ map { $_->data } @view{@full} ],
            brief       => [
                map { +{ %{ $view{$_}->data }, range => $pair_of{$_}{comparison}->range_text } }
                  @brief
            ],
          };
    }
    return;
}

sub _view ( $self, $pair ) {
    my ($suite) = $pair->{comparison}->suites;
    my $name = $self->{names}->( $pair->{label} );
    return SKaMPI::Document::ComparisonView->new(
        $pair->{comparison},
        name  => $name,
        title => heading_of( $suite, $suite->name ),
        $self->{prose}->text_for( $suite, $name ),
        styles    => $pair->{members},
        is_tabled => 1,
        %{ $self->{style} }
    );
}

sub data ($self) {
    my @members = @{ $self->{compared}{members} };
    my @data    = map {
        my $output = $_->{output};
        {
            name     => $_->{name},
            file     => $output->name,
            facts    => [ run_summary($output) ],
            warnings => [ run_warnings($output) ],
            notes    => [ run_notes($output), kind_of_errors($output) ],
        }
    } @members;
    my @notes = @{ $self->{compared}{notes} };
    push @notes,
'The errors of these files are of different kinds, so ratios are less certain than their errors suggest.'
      if uniq( map { ( kind_of_errors($_) // q{} ) =~ s/[0-9]+ (?=launches|runs)//r }
          $self->outputs ) > 1;
    return {
        machine               => join( ', ', map { $_->{name} } @members ),
        compared              => $self->{compared}{what},
        short_machine         => @members . " $self->{compared}{what}",
        has_verdicts          => ( any { $_->has_verdicts } $self->{sides}->results ) ? 1 : 0,
        user                  => q{},
        mono                  => $self->{style}{mono},
        summary               => $self->{summary}->data,
        costs                 => cost_page( map { [ @{$_}{qw(name output)} ] } @members ),
        members               => \@data,
        notes                 => \@notes,
        sections              => $self->{sections} // [],
        compared_applications => $self->{applications} ? $self->{applications}->data : 0,
    };
}

# The bytes of dorep's report of sides as PDF, each a list of SKaMPI::Read::Output, and compared before, a
# SKaMPI::Verdict::Sides. Dies if a program is missing or fails.
sub comparison_pdf ( $compared, @sides ) {
    my $typesetter = SKaMPI::Document::Typesetter->new( formats => ['pdf'] );
    $typesetter->look_for_tools;
    my $sides = SKaMPI::Document::Sides->of(@sides);
    $sides->results($compared);
    my $given   = defined $compared->by ? [ $compared->names ] : [];
    my $content = __PACKAGE__->new( $sides, given => $given, style => { fewest => 4, mono => 0 } );
    $typesetter->prepare($content);
    $typesetter->draw;
    $typesetter->typeset;
    return $typesetter->bytes('pdf');
}

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

# The suites that several result files have in common, compared: a hash of
# - members: the sides, a list in the order of the outputs, each a hash of output and name. The names are distinct texts
#   for a legend: GIVEN or, if it is empty, the machine, and what distinguishes runs on the same one.
# - what: what is compared: machines, libraries, versions of a library or of SKaMPI, settings, or launches.
# - suites: those that at least two of the outputs have, by label, in the order of the first output and then of the
#   others. Each is a hash of label, members (for each one its place in the list of sides, so that a side has the same
#   colour everywhere) and comparison (SKaMPI::Findings::Comparison) with the first.
# - notes: sentences about different numbers of processes and about suites that only one run has.
# Texts contain names from the results unchanged; escape them before printing.
sub compared_suites ( $given, @outputs ) {
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
