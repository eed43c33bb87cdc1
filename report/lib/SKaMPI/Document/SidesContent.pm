package SKaMPI::Document::SidesContent;

# The content of a report that compares sides (SKaMPI::Document::Sides), like
# SKaMPI::Document::Content. Dies if they have no suite in common.
use SKaMPI::Base qw(@views);

use List::Util qw(any uniq);

use SKaMPI::Document::Sides;
use SKaMPI::Document::SidesSuites;
use SKaMPI::Document::SidesSummary;
use SKaMPI::Document::ComparisonView;
use SKaMPI::Document::ApplicationComparison;
use SKaMPI::Document::Typesetter;
use SKaMPI::Document::Texts;
use SKaMPI::Document::Sections qw(name_maker sections_of);
use SKaMPI::Meaning::Costs     qw(cost_page);
use SKaMPI::Meaning::RunFacts  qw(kind_of_errors run_notes run_summary run_warnings);
use SKaMPI::Meaning::Subject   qw(heading_of);

our @EXPORT_OK = qw(comparison_pdf);

# The most suites, and the most on paper with plot and table: those that differ most.
my ( $MAX_SUITES, $MOST_IN_FULL ) = ( 500, 40 );

sub new ( $class, $sides, %more ) {
    my $self =
      bless { sides => $sides, given => [], directories => [], style => {}, views => [], %more },
      $class;
    $self->{compared} = SKaMPI::Document::SidesSuites->named( $self->{given}, $sides->outputs );
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
      if uniq( map { kind_of_errors($_) // q{} } $self->outputs ) > 1;
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

1;
