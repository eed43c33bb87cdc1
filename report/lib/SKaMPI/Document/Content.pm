package SKaMPI::Document::Content;

# The content of the report of a result file.
use SKaMPI::Base;

use List::Util qw(max min sum uniq);

use SKaMPI::Base::Table qw(shorten);
use SKaMPI::Base::Units qw(counted);
use SKaMPI::Document::ComparisonView;
use SKaMPI::Document::ApplicationComparison;
use SKaMPI::Document::ApplicationView;
use SKaMPI::Findings::HealthText qw(health_data);
use SKaMPI::Document::OneSidedView;
use SKaMPI::Document::Overview;
use SKaMPI::Document::Texts    qw(brief_and_rest);
use SKaMPI::Document::Sections qw(name_maker sections_of);
use SKaMPI::Document::SuiteView;
use SKaMPI::Document::Summary;
use SKaMPI::Figure::Dots;
use SKaMPI::Findings::Acknowledged qw(acknowledged_notes acknowledged_warnings);
use SKaMPI::Meaning::Algorithms    qw(algorithms_of);
use SKaMPI::Findings::Choices;
use SKaMPI::Meaning::Costs           qw(cost_page);
use SKaMPI::Findings::Health         qw(health_of);
use SKaMPI::Meaning::Marks           qw(mark_texts);
use SKaMPI::Findings::PersistentUses qw(persistent_data);
use SKaMPI::Findings::References     qw(lines_of);
use SKaMPI::Findings::Selection;
use SKaMPI::Meaning::PlottedPoints qw(groups_of);
use SKaMPI::Meaning::Subject       qw(operation_of pattern_of);
use SKaMPI::Meaning::RunFacts
  qw(compared_facts described machine_name run_facts run_notes run_warnings tidied_lines);

SKaMPI::Base->later( 'SKaMPI::Verdict::Usual', qw(usual_note) );

# The most suites of a document. The largest parameter file that ships has 274.
my $MAX_SUITES = 500;

# Facts that this number of suites share are printed once for the section.
my $MANY       = 3;
my $DEFINITION = qr/\A(?:Scale|Accuracy|Bandwidth|Rate|Values|Marked)\z/;

my ( $LONGEST_HEAD, $LONGEST_LINE ) = ( 60, 130 );

my $MOST_ROWS = 16;

my $LONGEST_INTRO = 330;

# comparisons: objects of SKaMPI::Findings::Comparison; modules: LaTeX of the user's .tma files, which precedes them;
# directories: of .dri files; style: a hash of bars, fewest and mono.
sub new ( $class, $output, %more ) {
    my $self = bless {
        output      => $output,
        comparisons => [],
        modules     => [],
        directories => [],
        ids         => {},
        names       => name_maker(),
        style       => {},
        %more
    }, $class;
    $self->{prose} = SKaMPI::Document::Texts->new( @{ $self->{directories} } );
    $self->{views} = {
        suites       => [ $self->_add_sections ],
        comparisons  => [ $self->_comparison_views ],
        applications => [ SKaMPI::Document::ApplicationView->views_of( $output, $self->{names} ) ],
        sets         => [
            SKaMPI::Document::ApplicationComparison->view_of(
                [ { name => q{}, output => $output } ],
                $self->{names}
            )
        ],
        one_sided => [ SKaMPI::Document::OneSidedView->views_of( $output, $self->{names} ) ],
        overview  => [
            SKaMPI::Document::Overview->new( $output, $self->{names}, $self->{style}{fewest} // 2 )
        ],
    };
    $self->{common} = [ $self->_common_facts ];
    $self->{once}   = $self->_dots(
        [ map { my @plots = $_->plots; @plots ? () : $_->dots } @{ $self->{views}{comparisons} } ],
        x_kind  => 'number',
        x_title => 'Ratio of times',
        line_at => 1
    );
    $_->{mono} = $self->{style}{mono} for $self->plots;
    return $self;
}

sub template { return 'report' }

# The result file, and the place of its suites in the document.
sub outputs ($self)           { return $self->{output} }
sub id_of   ( $self, $label ) { return $self->{ids}{$label} }

sub views ($self) {
    return
      map { @{ $self->{views}{$_} } } qw(suites comparisons applications sets one_sided overview);
}

sub plots ($self) {
    return ( @{ $self->{dots} // [] }, map { $_->plots } $self->views );
}

sub _add_sections ($self) {
    my @suites = $self->{output}->suites;
    my @all;
    splice @suites, $MAX_SUITES;
    for my $section ( sections_of(@suites) ) {
        my $intro = $self->{prose}->intro_for($section);
        my @views;
        for my $suite ( @{ $section->{suites} } ) {
            my $name = $self->{names}->( $suite->label );
            $self->{ids}{ $suite->label } //= $name;
            push @views,
              SKaMPI::Document::SuiteView->new(
                $suite,
                name  => $name,
                notes => [
                    acknowledged_notes( $self->{output}, $suite ),
                    defined $self->{output}->usual
                    ? usual_note( $self->{output}->usual, $suite )
                    : ()
                ],
                lines => [ lines_of( $self->{output}, $suite ) ],
                %{ $self->{style} }
              );
        }
        @views = sort { $a->is_cell <=> $b->is_cell || !!$b->plots <=> !!$a->plots } @views;
        $_->add( $self->{prose}->text_for( $_->suite, $_->name ) ) for @views;
        push @all, @views;
        push @{ $self->{sections} },
          {
            title => $section->{title},
            brief_and_rest( intro => $intro, $LONGEST_INTRO ),
            _said_once(@views),
            suites => [ map { $_->name } grep { !$_->is_cell } @views ],
            cells  => [ grep { @{$_} } map { _cells( $_, @views ) } 1, 0 ],
            dots   => $self->_dots( [ map { $_->is_cell ? $_->dot : () } @views ] ),
          };
    }
    return @all;
}

# Adds plots of values, for suites without plots of their own, and returns their names.
sub _dots ( $self, $rows, %more ) {
    my %seen;
    my @named = map {
        $seen{ join "\n", map { $_ // q{} } @{$_}{qw(name place)} }++
          ? { %{$_}, name => $_->{long} // $_->{name} }
          : $_
    } @{$rows};
    my @plots = map { SKaMPI::Figure::Dots->new( $self->{names}->('values'), $_, %more ) }
      groups_of( $MOST_ROWS, @named );
    push @{ $self->{dots} }, @plots;
    return [ map { $_->name } @plots ];
}

sub _cells ( $has_plot, @views ) {
    return [ map { $_->name } grep { $_->is_cell && !$_->plots != $has_plot } @views ];
}

# The facts of most suites of a section, and the meaning of all their marks. Facts of only some
# suites must be definitions, which the other suites do not need.
sub _said_once (@views) {
    my ( %count, %usual, @titles );
    for my $fact ( map { $_->shared_facts } @views ) {
        my ( $title, $text ) = @{$fact};
        push @titles, $title if !$usual{$title};
        $usual{$title} = $text
          if ++$count{$title}{$text} > ( $count{$title}{ $usual{$title} // q{} } // 0 );
    }
    for my $title ( keys %usual ) {
        my $all = sum( values %{ $count{$title} } );
        delete $usual{$title}
          if $count{$title}{ $usual{$title} } < max( min( $MANY, scalar @views ), $all / 2 )
          || $all < @views && $title !~ $DEFINITION;
    }
    my @marks = uniq map { $_->marks } @views;
    $_->leave_out( \%usual ) for @views;
    return (
        facts => [ map { { title => $_, text => $usual{$_} } } grep { $usual{$_} } @titles ],
        marks => \@marks
    );
}

# Takes the facts that most sections state alike, and the others otherwise, out of them.
sub _common_facts ($self) {
    my @sections = @{ $self->{sections} // [] };
    my ( %count, %same );
    for my $fact ( map { @{ $_->{facts} } } @sections ) {
        $count{ $fact->{title} }++;
        $same{"$fact->{title}: $fact->{text}"}++;
    }
    my $is_common = sub ($fact) {
        return $count{ $fact->{title} } == @sections
          && 2 * $same{"$fact->{title}: $fact->{text}"} > @sections;
    };
    my %common =
      map { $_->{title} => $_ } grep { $is_common->($_) } map { @{ $_->{facts} } } @sections;
    return if @sections < 2;
    $_->{facts} = [ grep { !$is_common->($_) } @{ $_->{facts} } ] for @sections;
    return map { $common{$_} } sort keys %common;
}

sub _comparison_views ($self) {
    my $number = 0;
    return map {
        my $name = $self->{names}->( 'comparison' . ++$number );
        SKaMPI::Document::ComparisonView->new( $_, name => $name, %{ $self->{style} } )
    } @{ $self->{comparisons} };
}

sub data ($self) {
    my $output  = $self->{output};
    my @choices = SKaMPI::Findings::Choices->of($output);
    my $more    = $output->suites - $MAX_SUITES;
    my $omitted = "The report shows the first $MAX_SUITES suites and omits $more more.";
    my $is_one  = 1 >= uniq map { pattern_of($_) . q{ } . operation_of($_) }
      grep { !$_->is_internal } $output->results;
    return {
        machine               => machine_name($output),
        short_machine         => shorten( machine_name($output), $LONGEST_HEAD ),
        user                  => ( described( $output, 'USER' ) )[0] // q{},
        mono                  => $self->{style}{mono},
        facts                 => [ run_facts($output) ],
        warnings              => [ run_warnings($output), acknowledged_warnings($output) ],
        notes                 => [ run_notes($output),    $more > 0 ? $omitted : () ],
        run                   => shorten( join( ', ', _run_line($output) ), $LONGEST_LINE ),
        hardware              => shorten( join( '; ', _hardware_of($output) ), $LONGEST_LINE ),
        health                => $is_one ? q{} : health_data( health_of($output), $self->{ids} ),
        overview              => $self->_data('overview')->[0],
        summary               => SKaMPI::Document::Summary->new( $output, $self->{ids} )->data,
        choices               => \@choices,
        choice_marks          => [ mark_texts(@choices) ],
        persistent            => persistent_data( SKaMPI::Findings::Selection->of($output) ),
        costs                 => cost_page( [ q{}, $output ] ),
        algorithms            => algorithms_of( $output->field('CHOICES') ) // q{},
        sections              => $self->{sections}                          // [],
        common_facts          => $self->{common},
        compared_once         => $self->{once},
        modules               => $self->{modules},
        one_sided             => $self->_data('one_sided'),
        applications          => $self->_data('applications'),
        compared_applications => $self->_data('sets')->[0] // 0,
        comparisons           => $self->_data('comparisons'),
    };
}

sub _run_line ($output) {
    my ($library) =
      map { s/,.*//r } tidied_lines( 'MPILIBRARY', $output->field('MPILIBRARY') // q{} );
    my $hosts     = @{ $output->fact('PROCESSESPERHOST')->{list} };
    my $processes = $output->fact('PROCESSES')->{processes};
    return
      grep { defined && $_ ne q{} }
      defined $processes
      ? counted( $processes, 'process', 'processes' )
      . ( $hosts ? ' on ' . counted( $hosts, 'host' ) : q{} )
      : undef,
      $library, $output->field('DATE'), map { "SKaMPI $_" } described( $output, 'SKAMPIVERSION' );
}

sub _hardware_of ($output) {
    return grep { defined } ( described( $output, 'HARDWARE' ) )[0],
      ( compared_facts($output) )[0]{Binding};
}

sub _data ( $self, $kind ) {
    return [ map { $_->data } @{ $self->{views}{$kind} } ];
}

1;
