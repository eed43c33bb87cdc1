package SKaMPI::Database::Web::App;

# The pages of the result database: a Mojolicious application. settings is a hash of store, listen,
# host, public, keys (SKaMPI::Database::Web::Keys), room (a private directory) and, optionally, most
# (requests of an address in a minute: read and write).
use SKaMPI::Base;

use Mojo::Base 'Mojolicious', -signatures;

use Mojo::URL;

use SKaMPI::Base::TextFile qw(shipped_path);
use SKaMPI::Base::Units
  qw(counted error_text format_argument format_bytes format_ratio format_time with_mu);
use SKaMPI::Database::Accounts;
use SKaMPI::Database::Fault    qw(fault_kind);
use SKaMPI::Database::Settings qw(differing_settings);
use SKaMPI::Database::Web::Access;
use SKaMPI::Database::Web::Limits;
use SKaMPI::Database::Web::Page;
use SKaMPI::Database::Web::Sessions;
use SKaMPI::Findings::KeyFigures qw(figure_text);
use SKaMPI::Meaning::Catalog     qw(fact_title);
use SKaMPI::Meaning::Marks       qw(mark_texts marked);
use SKaMPI::Verdict::OddRuns     qw(odd_arguments odd_headline odd_interval);

my $HOME = shipped_path('web');

my %TYPES = (
    csv => 'text/csv;charset=UTF-8',
    eps => 'application/postscript',
    ps  => 'application/postscript',
);

# Texts and addresses that the templates of the pages use. place(PART...) is the address of a page by the parts of its
# path, which may contain any character.
my %HELPERS = (
    argument_text => sub ( $c, $value, $suite ) {
        return q{} if !defined $value;
        return format_argument( $value,
            { name => $suite->{argument_name}, unit => $suite->{argument_unit} } );
    },
    bytes_text   => sub ( $c, $bytes ) { return defined $bytes ? format_bytes($bytes) : q{} },
    day          => sub ( $c, $date ) { return substr $date // q{}, 0, 10 },
    minute       => sub ( $c, $date ) { return substr( $date // q{}, 0, 16 ) =~ tr/T/ /r },
    fact_text    => sub ( $c, $name ) { return ucfirst( fact_title($name) // $name ) },
    figure_text  => sub ( $c, $row ) { return marked( figure_text($row), $row ) },
    library_text => sub ( $c, $run ) {
        my @known = grep { defined } @{$run}{qw(vendor library_version)};
        return @known == 2 ? "@known" : ( $run->{library} // q{} ) =~ s/,.*//sr;
    },
    differing_settings => sub ( $c, @runs ) { return differing_settings(@runs) },
    run_text           => sub ( $c, $run ) {
        return join ', ', "run $run->{id}", $c->minute( $run->{started} ), $c->which_text($run);
    },
    which_text => sub ( $c, $run, @settings ) {
        return join ', ', $c->library_text($run),
          counted( $run->{processes}, 'process', 'processes' ), @settings;
    },
    odd_headline  => sub ( $c, $found ) { return odd_headline($found) },
    odd_arguments => sub ( $c, $row ) { return odd_arguments($row) },
    odd_interval  => sub ( $c, $row ) { return odd_interval($row) },
    is_owner      => sub ($c) { return SKaMPI::Database::Web::Access::is_owner($c) },
    may_submit    => sub ($c) { return SKaMPI::Database::Web::Access::may_submit($c) },
    place         => sub ( $c, @parts ) {
        my $url = $c->url_for(q{/});
        $url->path->parts( [ @{ $url->path->parts }, @parts ] )->trailing_slash(0);
        return $url;
    },
    plural     => sub ( $c, @counted ) { return counted(@counted) },
    ratio_text => sub ( $c, $ratio ) { return format_ratio($ratio) },
    marks      => sub ( $c, $point ) { return marked( q{}, $point ) },
    mark_texts => sub ( $c, @points ) { return mark_texts(@points) },
    time_text  => sub ( $c, $us ) { return with_mu( format_time($us) ) },
    error_text => sub ( $c, $time, $error ) { return error_text( $error, $time // 0 ) || q{-} },
);

has settings => sub { {} };
has pages    => sub { \our @PAGES };

# Pages: address and action, and for OpenAPI a sentence and the query's parameters. Each has its data below /api/v1.
our @PAGES = (
    [ '/', 'overview#show', 'Machines, the latest runs, and how much the database has.', 'q' ],
    [ '/machines',      'overview#machines', 'Machines, the newest first.', qw(q page) ],
    [ '/machine/:slug', 'overview#machine',  'A machine with its runs.',    'page' ],
    [ '/runs',          'runs#all', 'Runs, the newest first.', qw(q since machine processes page) ],
    [ '/run/<id:num>',  'runs#one', 'A run: header, warnings, key figures, findings, suites.' ],
    [ '/run/<id:num>/suite/#label', 'runs#suite', 'A suite with its points.' ],
    [
        '/compare', 'compare#show',
        'A comparison: the numbers that the page shows.',
        qw(s r l hide value x y bars xmin xmax ymin ymax q find since)
    ],
    [
        '/matrix',
        'overview#matrix',
        'One operation and argument on all machines.',
        qw(operation variation argument pattern since)
    ],
    [
        '/history/:slug/#label',               'history#show',
        'A value over the runs of a machine.', qw(argument page)
    ],
    [ '/about', 'overview#about', 'Definitions of the numbers.' ],
);

# Files that can be downloaded: address, action and format.
our @FILES = (
    [ '/run/<id:num>/original', 'runs#original' ],
    ( map { [ "/run/<id:num>/report.$_",  'runs#report',     $_ ] } qw(html pdf ps) ),
    ( map { [ "/run/<id:num>/results.$_", 'runs#results',    $_ ] } qw(csv json) ),
    ( map { [ "/compare/table.$_",        'compare#table',   $_ ] } qw(csv json) ),
    ( map { [ "/compare/plot.$_",         'compare#picture', $_ ] } qw(svg png pdf eps) ),
);

sub startup ($self) {
    my $settings = $self->settings;
    $self->static->paths( [ "$HOME/public", shipped_path('page') ] );
    $self->renderer->paths( ["$HOME/templates"] );
    $self->secrets( [ SKaMPI::Database::Accounts::random_text() ] );
    $self->log->level('error');
    $self->mode('production');
    $self->types->type( $_ => $TYPES{$_} ) for keys %TYPES;
    my $listen = Mojo::URL->new( $settings->{listen}[0] );
    $self->sessions(
        SKaMPI::Database::Web::Sessions->new(
            name     => 'skampi-' . $listen->port,
            samesite => 'Strict'
        )
    );
    $self->routes->namespaces( ['SKaMPI::Database::Web::Controller'] );
    "SKaMPI::Database::Web::$_"->register($self) for qw(Limits Access);
    $self->helper( $_ => $HELPERS{$_} ) for keys %HELPERS;
    $self->controller_class('SKaMPI::Database::Web::Page');
    $self->hook(
        around_dispatch => sub ( $next, $c ) {
            return if eval { $next->(); 1 };
            my $failure = $@;
            die $failure if !defined fault_kind($failure);
            $c->stash( data_only => $c->req->url->path->contains('/api/v1') );
            return $c->fault($failure);
        }
    );
    $self->_add_routes;
    return;
}

sub _add_routes ($self) {
    my $routes = $self->routes;
    $routes->add_type( num => qr/[0-9]{1,15}/ );
    my $api = $routes->under( '/api/v1' => sub ($c) { $c->stash( data_only => 1 ); return 1 } );
    $api->get( '/openapi' => [ format => 0 ] )->to('overview#describe');
    for my $page (@PAGES) {
        my ( $path, $action ) = @{$page};
        $routes->get( $path => [ format => 0 ] )->to($action);
        $api->get( $path eq q{/} ? '/overview' : $path => [ format => 0 ] )->to($action);
    }
    for my $file (@FILES) {
        my ( $path, $action, $format ) = @{$file};
        $routes->get( $path => [ format => 0 ] )->to( $action, wanted => $format );
    }
    $routes->get( '/submit' => [ format => 0 ] )->to('submit#form');
    $routes->post( '/submit'             => [ format => 0 ] )->to('submit#accept_upload');
    $routes->post( '/sign-in'            => [ format => 0 ] )->to('submit#sign_in');
    $routes->post( '/run/<id:num>/state' => [ format => 0 ] )->to('submit#change');
    $api->post( '/runs' => [ format => 0 ] )->to('submit#receive');
    return;
}

1;
