package SKaMPI::Database::Web::Helpers;

# Texts and addresses that the templates of the pages use. place(PART...) is the address of a page
# by the parts of its path, which may contain any character.
use SKaMPI::Base;

use SKaMPI::Verdict::OddRuns   qw(odd_arguments odd_headline odd_interval);
use SKaMPI::Database::Settings qw(differing_settings);
use SKaMPI::Database::Web::Access;
use SKaMPI::Meaning::Catalog qw(fact_title);
use SKaMPI::Meaning::Marks   qw(mark_texts marked);
use SKaMPI::Base::Units
  qw(counted format_argument format_bytes format_error format_ratio format_time format_value with_mu);

my %HELPERS = (
    argument_text => sub ( $c, $value, $suite ) {
        return q{} if !defined $value;
        return format_argument( $value,
            { name => $suite->{argument_name}, unit => $suite->{argument_unit} } );
    },
    bytes_text  => sub ( $c, $bytes ) { return defined $bytes ? format_bytes($bytes) : q{} },
    day         => sub ( $c, $date ) { return substr $date // q{}, 0, 10 },
    minute      => sub ( $c, $date ) { return substr( $date // q{}, 0, 16 ) =~ tr/T/ /r },
    fact_text   => sub ( $c, $name ) { return ucfirst( fact_title($name) // $name ) },
    figure_text => sub ( $c, $row ) {
        return marked( with_mu( format_value( @{$row}{qw(value unit)} ) ), $row );
    },
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
    error_text => sub ( $c, $time, $error ) {
        return defined $error && $time ? "\x{b1} " . format_error( $error / $time ) : q{-};
    },
);

sub register ( $class, $app ) {
    $app->helper( $_ => $HELPERS{$_} ) for keys %HELPERS;
    return;
}

1;
