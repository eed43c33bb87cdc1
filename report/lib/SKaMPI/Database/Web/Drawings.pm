package SKaMPI::Database::Web::Drawings;

# Comparisons as files, drawn once by gnuplot. draw(CHART, FORMAT, SIZE, DONE) calls DONE with the bytes
# of the picture, or with undef and a sentence.
use v5.36;

use Digest::SHA qw(sha256_hex);
use Encode      qw(encode);

use SKaMPI::Database::Cache;
use SKaMPI::Database::Chart::Gnuplot qw(gnuplot_files picture_formats);
use SKaMPI::Database::Web::Workbench;

my $SECONDS = 60;

sub new ( $class, $settings ) {
    return bless { settings => $settings }, $class;
}

# Calls DONE with the bytes of the picture, or undef and what is wrong. SIZE is that of gnuplot_files.
sub draw ( $self, $chart, $format, $size, $done ) {
    my %texts = %{ gnuplot_files( $chart, $format, $size ) };
    my %files = map { $_ => encode( 'UTF-8', $texts{$_} ) } keys %texts;
    my $key   = sha256_hex( $format, map { "\n$_\n$files{$_}" } sort keys %files );
    my $cache = SKaMPI::Database::Cache->new( $self->{settings}{store} );
    my $known = $cache->get($key);
    return $done->( $known->{bytes}, undef ) if $known;
    my @runs = map { $_->{id} } map { @{ $_->{launches} } } $chart->series;
    return SKaMPI::Database::Web::Workbench->new( $self->{settings} )->make(
        {
            files   => \%files,
            command => [qw(gnuplot -d picture.gpl)],
            result  => "picture.$format",
            seconds => $SECONDS,
            keep    => sub ( $bytes, $ ) {
                return if !defined $bytes;
                return $cache->put( $key, picture_formats()->{$format}, $bytes, @runs );
            },
        },
        sub ( $bytes, $wrong, $fault ) {
            my $why = $fault ? 'the picture could not be made; try again later' : $wrong;
            return $done->( $bytes, defined $bytes ? undef : $why );
        }
    );
}

1;

