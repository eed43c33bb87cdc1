package SKaMPI::Database::Web::Reports;

# The report of a run, made once.
use v5.36;

use Fcntl          qw(:flock);
use File::Basename qw(dirname);
use IO::File       ();

use SKaMPI::Database::Cache;
use SKaMPI::Database::Fault qw(fault);
use SKaMPI::Database::Web::Workbench;
use SKaMPI::Meaning::Catalog qw(catalog_path);

my $REPORT  = dirname(__FILE__) =~ s{/lib/SKaMPI/Database/Web\z}{}r;
my $SECONDS = 60;

# How many seconds after a fault the next try follows.
my $PAUSE_S = 60;

my %TYPE = ( html => 'text/html', pdf => 'application/pdf', ps => 'application/postscript' );

sub new ( $class, $settings ) {
    my $cache = SKaMPI::Database::Cache->new( $settings->{store} );
    return bless { settings => $settings, cache => $cache }, $class;
}

# A hash of bytes, of wrong (why there is no report), of fault (why it cannot be made now), or of none while it is being made.
sub of ( $self, $run, $format, $reader ) {
    state %failed;
    my $key   = "report $run->{sha256} $format";
    my $known = $self->{cache}->get($key);
    return { $known->{type} eq 'text/plain' ? 'wrong' : 'bytes' => $known->{bytes} } if $known;
    my $failed = $failed{$key};
    return { fault => $failed->{fault} } if $failed && $failed->{until} > time;
    my $lock   = $self->_lock("$run->{id}-$format") // return {};
    my $answer = {};
    $self->_make(
        $run, $format,
        $reader->original( $run->{id} )->{bytes},
        sub ( $, $wrong, $fault ) {
            close $lock;
            $failed{$key} = { fault => $fault, until => time + $PAUSE_S } if $fault;
            $answer->{wrong} = $wrong;
        }
    );
    return $answer;
}

# The process that makes the report has the lock, too; so it ends with both.
sub _lock ( $self, $name ) {
    my $room = $self->{settings}{room};
    my $lock = IO::File->new( "$room/making-$name", 'w' )
      // fault( 'full', "cannot write to '$room': $!" );
    return flock( $lock, LOCK_EX | LOCK_NB ) ? $lock : undef;
}

sub _make ( $self, $run, $format, $bytes, $done ) {
    my $key = "report $run->{sha256} $format";
    return SKaMPI::Database::Web::Workbench->new( $self->{settings} )->make(
        {
            files      => { 'skampi.out' => $bytes },
            command    => [ $^X,     "$REPORT/dorep.pl", "--format=$format", 'skampi.out' ],
            read       => [ $REPORT, grep { defined } catalog_path() ],
            result     => "skampi.out.$format",
            seconds    => $SECONDS,
            is_strange => 1,
            keep       => sub ( $result, $wrong ) {
                return $self->{cache}->put(
                    $key,
                    defined $wrong ? 'text/plain' : $TYPE{$format},
                    $result // "the report could not be made: $wrong",
                    $run->{id}
                );
            },
        },
        $done
    );
}

1;

