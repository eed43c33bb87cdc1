package SKaMPI::Database::Web::OpenApi;

# The description of /api/v1: a document of OpenAPI 3.0.
use v5.36;

use Exporter qw(import);

use SKaMPI::Base::Program;

our @EXPORT_OK = qw(openapi);

my %LISTS = map { $_ => 1 } qw(s r l hide);

my %ANSWERS = (
    200 => {
        description => 'data',
        content     => { 'application/json' => { schema => { type => 'object' } } }
    },
    404 => { description => 'there is no such thing' },
);

# The description of all PAGES (SKaMPI::Database::Web::App) and of the upload.
sub openapi (@pages) {
    my %paths = map { _path( $_->[0] ) => { get => _operation( @{$_} ) } } @pages;
    $paths{'/runs'}{post} = _upload();
    return {
        openapi => '3.0.3',
        info    => {
            title       => 'SKaMPI results',
            version     => $SKaMPI::Base::Program::VERSION,
            description => 'Texts are those of the submitted files, unescaped.'
        },
        servers    => [ { url => '/api/v1' } ],
        paths      => \%paths,
        components => { securitySchemes => { token => { type => 'http', scheme => 'bearer' } } },
    };
}

sub _path ($route) {
    return '/overview' if $route eq q{/};
    return $route =~ s/<(\w+):num>/{$1}/gr =~ s/[:#](\w+)/{$1}/gr;
}

sub _operation ( $route, $action, $summary, @query ) {
    my @names = _path($route) =~ /\{(\w+)\}/g;
    return {
        summary    => $summary,
        parameters => [
            ( map { _parameter( $_, 'path' ) } @names ),
            ( map { _parameter( $_, 'query' ) } @query )
        ],
        responses => \%ANSWERS,
    };
}

sub _parameter ( $name, $in ) {
    my $schema =
      $LISTS{$name} ? { type => 'array', items => { type => 'string' } } : { type => 'string' };
    return { name => $name, in => $in, required => $in eq 'path' ? \1 : \0, schema => $schema };
}

sub _upload () {
    return {
        summary     => 'Submit a run: the body is the result file, also compressed with gzip.',
        security    => [ { token => [] } ],
        requestBody => {
            required => \1,
            content  => {
                'application/octet-stream' => { schema => { type => 'string', format => 'binary' } }
            }
        },
        responses => {
            200 => { description => 'the file is in the database already' },
            201 => { description => 'received: the run as it was understood, and similar runs' },
            401 => { description => 'a token is required' },
            422 => { description => 'the file is wrong: error has its line' },
        },
    };
}

1;
