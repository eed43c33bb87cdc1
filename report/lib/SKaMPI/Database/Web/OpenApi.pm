package SKaMPI::Database::Web::OpenApi;

# The description of /api/v1: a document of OpenAPI 3.0.
use v5.36;

use Cpanel::JSON::XS qw(decode_json);
use Exporter         qw(import);

use SKaMPI::Base::Program;
use SKaMPI::Base::TextFile qw(shipped_text);

our @EXPORT_OK = qw(openapi);

my %LISTS = map { $_ => 1 } qw(s r l hide);

my %ANSWERS = (
    200 => {
        description => 'data',
        content     => { 'application/json' => { schema => { type => 'object' } } }
    },
    404 => { description => 'there is no such thing' },
);

# The description of all PAGES (SKaMPI::Database::Web::App) and of the upload, which is in the file.
sub openapi (@pages) {
    my $api = decode_json( shipped_text('web/openapi.json') );
    $api->{info}{version} = $SKaMPI::Base::Program::VERSION;
    $api->{paths}{ _path( $_->[0] ) }{get} = _operation( @{$_} ) for @pages;
    return $api;
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

1;
