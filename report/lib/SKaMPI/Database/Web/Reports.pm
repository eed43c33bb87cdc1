package SKaMPI::Database::Web::Reports;

use v5.36;

use Fcntl          qw(O_CREAT O_EXCL O_WRONLY);
use File::Basename qw(dirname);

use SKaMPI::Database::Cache;
use SKaMPI::Database::Web::Workbench;

my $REPORT  = dirname(__FILE__) =~ s{/lib/SKaMPI/Database/Web\z}{}r;
my $SECONDS = 60;

# A marker of a job that no longer runs, in days.
my $STALE = 600 / 86_400;

my %TYPE = ( pdf => 'application/pdf', ps => 'application/postscript' );

sub new ( $class, $settings ) {
    my $cache = SKaMPI::Database::Cache->new( $settings->{store} );
    return bless { settings => $settings, cache => $cache }, $class;
}

# A hash of bytes, of wrong (why there is no report), or of neither while it is being made.
sub of ( $self, $run, $format, $reader ) {
    my $key   = "report $run->{sha256} $format";
    my $known = $self->{cache}->get($key);
    return { $known->{type} eq 'text/plain' ? 'wrong' : 'bytes' => $known->{bytes} } if $known;
    my $marker = "$self->{settings}{room}/making-$run->{id}-$format";
    unlink $marker if -e $marker && -M _ > $STALE;
    sysopen my $file, $marker, O_CREAT | O_EXCL | O_WRONLY or return {};
    close $file or return {};
    $self->_make( $run, $format, $reader->original( $run->{id} )->{bytes}, sub { unlink $marker } );
    return {};
}

sub _make ( $self, $run, $format, $bytes, $done ) {
    my $key = "report $run->{sha256} $format";
    return SKaMPI::Database::Web::Workbench->new( $self->{settings}{room} )->make(
        {
            files   => { 'skampi.out' => $bytes },
            command => [ $^X, "$REPORT/dorep.pl", "--format=$format", 'skampi.out' ],
            read    => [$REPORT],
            result  => "skampi.out.$format",
            seconds => $SECONDS,
        },
        sub ( $result, $wrong ) {
            $self->{cache}->put(
                $key,
                defined $wrong ? 'text/plain' : $TYPE{$format},
                $result // "the report could not be made: $wrong",
                $run->{id}
            );
            return $done->();
        }
    );
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Database::Web::Reports - the report of a run, made once

=cut
