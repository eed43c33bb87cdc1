package SKaMPI::Database::Web::Page;

# Base class of the controllers of the result database.
use SKaMPI::Base;

use Mojo::Base 'Mojolicious::Controller', -signatures;

use Digest::SHA qw(sha256_hex);
use Mojo::Promise;
use Mojo::Util qw(encode);

use SKaMPI::Base::Json         qw(encode_json);
use SKaMPI::Base::Program      qw(catalog);
use SKaMPI::Base::Units        qw(%KIND);
use SKaMPI::Database::Settings qw(oldest_start);
use SKaMPI::Database::Chart;
use SKaMPI::Database::Chart::State;
use SKaMPI::Database::Fault qw(fault_answer);
use SKaMPI::Database::Reader;
use SKaMPI::Database::Web::Access;
use SKaMPI::Database::Web::JobQueue;
use SKaMPI::Figure::Axis;
use SKaMPI::Figure::Plot;
use SKaMPI::Figure::Svg qw(svg_of);

# After how many seconds a visitor may try again.
my $RETRY_S = 60;

# How long gnuplot may take.
my $SECONDS = 60;

our $ROWS = 100;

sub reader ($self) {
    my $all = SKaMPI::Database::Web::Access::is_owner($self);
    return $self->{reader} //=
      SKaMPI::Database::Reader->new( $self->app->settings->{store}, public => $all ? 0 : 1 );
}

sub params ($self) {
    my $given = $self->req->query_params;
    return map { $_ => $given->every_param($_) } @{ $given->names };
}

# The filters of a list of runs or machines in the parameters of the URL: those that are not empty.
# q is the search text; dates and numbers must be valid.
my %SOUND = ( since => qr/\A[0-9]{4}(?:-[0-9]{2}){2}\z/, processes => qr/\A[0-9]{1,9}\z/ );

sub filters ( $self, @names ) {
    my %filter = map { $_ => $self->param($_) // q{} } @names;
    delete @filter{ grep { $filter{$_} !~ ( $SOUND{$_} // qr/./s ) } @names };
    return map { ( $_ eq 'q' ? 'search' : $_ ) => $filter{$_} } keys %filter;
}

# The page as HTML, or its data as JSON.
sub answer ( $self, $template, %data ) {
    return $self->answer_with( 200, $template, \%data );
}

# The page with its figures as plots: hashes of plot (SKaMPI::Figure::Plot), title (for a plot without labels) and runs
# (what it is made from), which get svg or wrong (why it is missing). The data for programs has no figures.
sub answer_with_figures ( $self, $template, $figures, %data ) {
    return $self->answer( $template, %data ) if $self->stash('data_only') || !@{$figures};
    my $draw = sub (@bytes) {
        $_->{svg} = svg_of( shift @bytes, @{$_}{qw(plot title)} ) for @{$figures};
        return;
    };
    my $fail = sub ($wrong) { $_->{wrong} = $wrong for @{$figures}; return };
    my $page =
      sub (@) { return $self->answer_with( 200, $template, { %data, plots => $figures }, {} ) };
    return $self->drawings( 'html', @{$figures} )->then( $draw, $fail )->then($page);
}

# A promise of the bytes of each figure in a format (SKaMPI::Figure::Plot), which gnuplot draws once. It is rejected
# with a sentence for people.
sub drawings ( $self, $format, @figures ) {
    my ( $cache, $ending ) = ( $self->reader->cache, $figures[0]{plot}->ending($format) );
    my ( %bytes, %files, %runs );
    for my $figure (@figures) {
        my $plot  = $figure->{plot};
        my $texts = sub () {
            return map { encode( 'UTF-8', $_ ) } $plot->commands($format), $plot->data;
        };
        my $name = $plot->name( sha256_hex( $texts->() ) );
        next if $bytes{$name} = ( $cache->get($name) // {} )->{bytes};
        @files{ "$name.gpl", "$name.dat" } = $texts->();
        $runs{$name} = $figure->{runs};
    }
    my $all = sub () {
        return map { $bytes{ $_->{plot}->name } } @figures;
    };
    my @missing = sort keys %runs or return Mojo::Promise->resolve( $all->() );
    my $promise = Mojo::Promise->new;
    my $job     = {
        files   => \%files,
        command => [ 'gnuplot', '-d', map { "$_.gpl" } @missing ],
        results => [ map { "$_.$ending" } @missing ],
        seconds => $SECONDS,
        keep    => sub ( $made, $ ) {
            my $type   = $self->app->types->type($ending);
            my @faults = map {
                $cache->put( $missing[$_], $type, $made->[$_], @{ $runs{ $missing[$_] } } ) // ()
            } $made ? keys @missing : ();
            return $faults[0];
        },
    };
    my $done = sub ( $made, $wrong, $fault ) {
        $wrong = 'the picture could not be made; try again later' if $fault;
        return $promise->reject($wrong)                           if !$made;
        @bytes{@missing} = @{$made};
        return $promise->resolve( $all->() );
    };
    SKaMPI::Database::Web::JobQueue::make( $self->app->settings, $job, $done );
    return $promise;
}

sub chart ( $self, %params ) {
    return SKaMPI::Database::Chart->new( $self->reader,
        SKaMPI::Database::Chart::State->new(%params) );
}

# The figures of a comparison (SKaMPI::Database::Chart), with what the template "plot" says about them.
sub figures_of ( $self, $chart, %how ) {
    my $link = sub (@pairs) { return $self->url_for('/compare')->query( \@pairs )->to_string };
    my @runs = map { $_->{id} } map { @{ $_->{launches} } } $chart->series;
    return map {
        +{
            %{$_}{qw(number reason has_arguments)},
            chart => $chart,
            runs  => \@runs,
            plot  => $chart->plot( $_, link => $link, %how )
        }
    } $chart->drawn;
}

# A SKaMPI::Figure::Plot of values with this unit, from 0. The rows, the oldest first, are hashes of run, started,
# value, text and, optionally, error and line: 0 for a dashed and 1 for a solid line at the run.
sub plot_of_runs ( $self, $unit, $rows, %more ) {
    my ( %day, @points );
    for my $row ( @{$rows} ) {
        my $minute = substr( $row->{started} // q{}, 0, 16 ) =~ tr/T/ /r;
        my $text   = "run $row->{run}, $minute: $row->{text}";
        $day{ scalar @points } = substr $minute, 0, 10;
        push @points,
          { x => scalar @points, y => $row->{value}, error => $row->{error} // 0, text => $text };
    }
    return SKaMPI::Figure::Plot->new(
        name     => 'plot',
        x        => SKaMPI::Figure::Axis->new( 'count', 'linear', keys %day )->named( \%day ),
        y        => [ $KIND{$unit} // 'number', 'from_zero', map { $_->{y} } @points ],
        series   => [ { name => q{}, points => \@points } ],
        lines_at =>
          [ map { defined $rows->[$_]{line} ? [ $_, $rows->[$_]{line} ] : () } keys @{$rows} ],
        %more
    );
}

sub refuse ( $self, $status, $text ) {
    return $self->answer_with( $status, 'refusal', { text => $text }, { error => $text } );
}

sub answer_with ( $self, $status, $template, $page, $data = $page ) {
    return $self->render( json => $data, status => $status ) if $self->stash('data_only');
    return $self->render(
        template => $template,
        handler  => 'ep',
        format   => 'html',
        status   => $status,
        page     => $page
    );
}

# The answer to a failure of the database or of the server itself.
sub fault ( $self, $failure ) {
    my ( $status, $text ) = fault_answer($failure);
    my $why = ref $failure eq 'HASH' ? $failure->{text} : "$failure";
    $self->app->log->error( $why =~ s/\s+\z//r );
    $self->res->headers->header( 'Retry-After' => $RETRY_S );
    return $self->refuse( $status, $text );
}

# The run of the address; undef after an answer that says why there is none.
sub run_or_refuse ($self) {
    my $id  = $self->param('id');
    my $run = $self->reader->run($id);
    return $run if $run;
    my $gone = $self->reader->gone($id);
    $self->refuse(
        $gone  ? 410 : 404,
        !$gone ? "there is no run $id"
        : $gone->{state} eq 'withdrawn'
        ? "run $id was withdrawn: " . ( $gone->{reason} // 'no reason given' )
        : "run $id was erased"
    );
    return;
}

sub page_number ($self) {
    my $number = $self->param('page') // 1;
    return $number =~ /\A[1-9][0-9]{0,5}\z/ ? 0 + $number : 1;
}

# A page of a list: the number of rows to skip, and whether more follow.
sub page_of ( $self, $list, $most = $ROWS ) {
    my $number = $self->page_number;
    my @rows   = $list->( limit => $most + 1, offset => ( $number - 1 ) * $most );
    my $more   = @rows > $most ? 1 : 0;
    splice @rows, $most;
    return { rows => \@rows, number => $number, more => $more };
}

# The hash that CODE makes from the following runs, cached by NAME until the database or the STATE changes.
sub cached ( $self, $name, $state, $code ) {
    my $reader = $self->reader;
    my $events = $reader->store->value( count => 'event' );
    my ( $key, $now ) =
      map { encode_json($_) } [ @{$name}, SKaMPI::Database::Web::Access::is_owner($self) ],
      [ @{$state}, $events, oldest_start(), catalog()->{version} ];
    return $reader->cache->data( $key, $code, $now );
}

# Sends a file that a browser saves and does not open. The default type is that of its name.
sub attach ( $self, $name, $bytes, $type = $self->app->types->file_type($name) ) {
    my $headers = $self->res->headers;
    $headers->content_type($type);
    $headers->content_disposition(qq{attachment; filename="$name"});
    $headers->content_security_policy('sandbox');
    return $self->render( data => $bytes );
}

1;
