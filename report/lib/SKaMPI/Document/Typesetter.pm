package SKaMPI::Document::Typesetter;

# Writes the files of a report to a SKaMPI::Safe::ReportDirectory and runs the tools on them. With own, a .gpl or .tmd
# file of the same name in the working directory is used instead, and the tools are confined (SKaMPI::Safe::Tools).
# failed are errors that did not prevent the report; the methods die on other errors.
use SKaMPI::Base qw(directory @failed);

use List::Util qw(max min);

use SKaMPI::Base::Process  qw(is_there);
use SKaMPI::Base::TextFile qw(is_present read_bytes);
use SKaMPI::Document::Template;
use SKaMPI::Document::Html  qw(html_of);
use SKaMPI::Figure::Svg     qw(svg_of);
use SKaMPI::Safe::Tools     qw(confined cpu_count run_all why_not_confined);
use SKaMPI::Safe::UserFiles qw(bytes_of tex_sources);
use SKaMPI::Safe::ReportDirectory;

# Seconds of a gnuplot, and of all plots together, but each has a second; of LaTeX.
my ( $GNUPLOT_S, $PLOTS_S, $LATEX_S ) = ( 60, 600, 300 );

# The fewest and the most plots of a process, if there are as many.
my ( $FEW_PLOTS, $MANY_PLOTS ) = ( 20, 100 );

# LaTeX runs at most: a table of contents with more lines than in the pass before shifts the pages.
my $PASSES = 3;

my $LARGEST = 256 * 1024 * 1024;

my $LOG_BYTES = 4 * 1024 * 1024;

my @LATEX = qw(-no-shell-escape -halt-on-error -interaction=nonstopmode);

# The LaTeX engine of each format, and its options for the first of several passes. The document is the same for all.
my %FORMAT = (
    pdf => { engine => 'pdflatex', job => 'report-pdf', first => ['-draftmode'] },
    ps  => { engine => 'latex',    job => 'report-ps',  first => [] },
);

# The format that needs no LaTeX, and its file.
my ( $HTML, $PAGE ) = qw(html report.html);

# formats: html, pdf, ps; own: use the user's LaTeX and gnuplot files of the working directory.
sub new ( $class, %more ) {
    my $self = bless { formats => ['pdf'], own => 0, failed => [], %more }, $class;
    $self->{directory} = SKaMPI::Safe::ReportDirectory->new;
    $self->{document}  = SKaMPI::Document::Template->new;
    return $self;
}

# Dies if a program is missing.
sub look_for_tools ($self) {
    my @needed = ( 'gnuplot', map { $_->{engine} } $self->_typeset_formats );
    push @needed, 'dvips' if $self->_makes('ps');
    my @missing = grep { !is_there($_) } @needed or return;
    my $without = $missing[0] eq 'gnuplot' ? 'skampi show' : '--format html';
    die 'not installed: ', join( ', ', @missing ), "; see 'make deps'; $without works without\n";
}

sub _makes ( $self, $format ) {
    return scalar grep { $_ eq $format } @{ $self->{formats} };
}

sub _typeset_formats ($self) {
    return map { $FORMAT{$_} // () } @{ $self->{formats} };
}

# Copies the files that the user's LaTeX may include; with own, call it first. Dies if the tools cannot be confined.
sub prepare_own ($self) {
    my $reason = why_not_confined( $self->{directory}->path );
    die "cannot confine your LaTeX and gnuplot files (-u): $reason; install bubblewrap"
      . " ('make deps') or run without -u\n"
      if defined $reason;
    mkdir $self->{directory}->path('own') or die "cannot make a directory: $!\n";
    $self->{directory}->put_bytes( "own/$_", bytes_of($_) ) for tex_sources();
    return;
}

# Writes what the tools read: for each plot a .gpl and a .dat file and, for LaTeX, report.tex and .tmd files of suites.
sub prepare ( $self, $content ) {
    $self->{content} = $content;
    for my $plot ( $content->plots ) {
        my $name = $plot->name;
        $self->{directory}->put( "$name.dat", $plot->data );
        $self->{directory}->put( "$name.gpl", $plot->commands( @{ $self->{formats} } ) )
          if !$self->_took_own("$name.gpl");
        push @{ $self->{plots} }, $name;
        $self->{plot_of}{$name} = $plot;
    }
    return if !$self->_typeset_formats;
    for my $suite ( grep { $_->isa('SKaMPI::Document::SuiteView') } $content->views ) {
        my $data = $suite->data;
        my $name = "$data->{id}.tmd";
        next if $self->_took_own($name);
        $self->{directory}->put( $name, $self->{document}->text( 'suite', { suite => $data } ) );
    }
    $self->{directory}
      ->put( 'report.tex', $self->{document}->text( $content->template, $content->data ) );
    return;
}

sub _took_own ( $self, $name ) {
    return 0 if !$self->{own} || !is_present($name);
    $self->{directory}->put_bytes( $name, bytes_of($name) );
    return 1;
}

# A note replaces a plot that cannot be drawn.
sub draw ($self) {
    my $began = time;
    my @names = @{ $self->{plots} // [] };

    # Starting gnuplot takes longer than drawing, so one process draws many plots, unless the user
    # has own files. Then the plots of a process that failed are drawn one by one.
    if ( !$self->{own} ) {
        my $at_once = min( $MANY_PLOTS, max( $FEW_PLOTS, 1 + int( $#names / cpu_count() ) ) );
        my ( @groups, %names );
        while ( my @some = splice @names, 0, $at_once ) {
            push @groups, $self->_plot_job( $GNUPLOT_S, @some );
            $names{ $some[0] } = \@some;
        }
        @names =
          map { @{ $names{ $_->{output} =~ s/[.]log\z//r } } } run_all( cpu_count(), @groups );
    }
    my $left = cpu_count() * ( $began + $PLOTS_S - time );
    my @jobs = map { $self->_plot_job( max( 1, int( $left / @names ) ), $_ ) } @names;
    for my $job ( run_all( cpu_count(), @jobs ) ) {
        my $name = $job->{command}[-1] =~ s/[.]gpl\z//r;
        push @{ $self->{failed} }, "$name.gpl: $job->{wrong}: " . $self->_last_line("$name.log");
        $self->{directory}->put( "$name.tex", "\\missingplot\n" ) if $self->_typeset_formats;
        delete $self->{plot_of}{$name};
    }
    return;
}

sub _plot_job ( $self, $seconds, @names ) {
    return $self->_job( "$names[0].log", min( $GNUPLOT_S, $seconds ),
        'gnuplot', '-d', map { "$_.gpl" } @names );
}

sub _last_line ( $self, $name ) {
    my @lines = grep { /\S/ } split /\n/, $self->{directory}->beginning( $name, $LOG_BYTES );
    return $lines[-1] // 'no output';
}

sub _job ( $self, $output, $seconds, @command ) {
    my %job = (
        command   => \@command,
        directory => $self->{directory}->path,
        output    => $output,
        seconds   => $seconds,
    );
    return $self->{own} ? confined( { %job, environment => { TEXINPUTS => '.:own:' } } ) : \%job;
}

sub typeset ($self) {
    $self->_write_page if $self->_makes($HTML);
    my @formats = $self->_typeset_formats or return;
    my $before  = 'nothing yet';
    my $first   = $self->{own} ? 'report.tex' : $self->_boxes;
    for my $pass ( 1 .. $PASSES ) {
        my @jobs = map {
            my @words = ( @LATEX, "-jobname=$_->{job}" );
            push @words, $pass == 1 ? ( @{ $_->{first} }, $first ) : 'report.tex';
            $self->_job( "$_->{job}.txt", $LATEX_S, $_->{engine}, @words )
        } @formats;
        $self->_run(@jobs);
        my @files = map {
            my $job = $_->{job};
            map { "$job.$_" } qw(aux toc out)
        } @formats;
        my $now = join "\f", map { $self->{directory}->beginning( $_, $LOG_BYTES ) } @files;
        last if $now eq $before;
        $before = $now;
    }
    my $name  = $FORMAT{ps}{job};
    my @dvips = ( 'dvips', '-q', '-R2', '-t', 'a4', '-o', "$name.ps", "$name.dvi" );
    $self->_run( $self->_job( 'dvips.txt', $LATEX_S, @dvips ) ) if $self->_makes('ps');
    return;
}

# Writes the HTML page. The user's LaTeX may have commands that the report does not know.
sub _write_page ($self) {
    my $drawing = sub ($name) {
        my $bytes = eval { read_bytes( $self->{directory}->path("$name.svg"), $LARGEST ) } // q{};
        return
          eval { svg_of( $bytes, $self->{plot_of}{$name} ) }
          // '<p class="quiet">This plot could not be drawn.</p>';
    };
    my ( $page, @unknown ) = html_of( $self->{content}, $drawing );
    push @{ $self->{failed} }, "not in the HTML: $_, which is LaTeX for the PDF only" for @unknown;
    $self->{directory}->put( $PAGE, $page );
    return;
}

# Writes boxes of the plots' sizes, which are enough for the first pass. Returns what this pass reads.
sub _boxes ($self) {
    my $boxes = q{};
    for my $name ( grep { $self->{plot_of}{$_} } @{ $self->{plots} // [] } ) {
        my ( $width, $height ) = $self->{plot_of}{$name}->size_bp;
        $boxes .= "\\expandafter\\def\\csname box of $name\\endcsname"
          . "{\\mbox{\\vrule height ${height}bp width 0pt\\kern ${width}bp}}\n";
    }
    $self->{directory}->put_bytes( 'boxes.tex', $boxes );
    return '\input{boxes.tex}\input{report.tex}';
}

sub _run ( $self, @jobs ) {
    for my $job ( run_all( cpu_count(), @jobs ) ) {
        my $text = $self->{directory}->beginning( $job->{output}, $LOG_BYTES );

        # LaTeX prints "! ..." or "!pdfTeX error: ...", then the place; dvips prints "dvips: ! ...".
        my ($error) = $text =~ /^((?:dvips: )?!.*(?:\n.*){0,3})/m;
        $error //= $self->_last_line( $job->{output} );
        die "$job->{wrong}: ", $error =~ s/\s+\z//r, "\n";
    }
    return;
}

sub result ( $self, $format ) {
    return $format eq $HTML ? $PAGE : "$FORMAT{$format}{job}.$format";
}

sub bytes ( $self, $format ) {
    return read_bytes( $self->{directory}->path( $self->result($format) ), $LARGEST );
}

sub page_count ( $self, $format ) {
    return 1 if !$FORMAT{$format};
    my $name = $FORMAT{$format}{job};
    my ($count) =
      $self->{directory}->beginning( "$name.txt", $LOG_BYTES ) =~
      /^Output written on .*\(([0-9]+) page/m;
    return $count // 0;
}

1;
