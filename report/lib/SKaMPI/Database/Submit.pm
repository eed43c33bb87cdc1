package SKaMPI::Database::Submit;

# Sends a result file to a database, only by https or to this machine, and follows no redirection.
use SKaMPI::Base;

use Time::HiRes qw(alarm);

use SKaMPI::Base::Json             qw(decode_json);
use SKaMPI::Base::Program          qw(deliver_bytes fail fail_usage print_plain);
use SKaMPI::Base::TextFile         qw(read_bytes);
use SKaMPI::Database::Anonymous    qw(anonymous_bytes);
use SKaMPI::Database::AcceptedFile qw(read_file read_upload);

my $DONE = 0;

# Limits of a step and of the whole.
my $PATIENCE = 120;
our $WHOLE_S = 600;

my $TOKEN = qr/\A[0-9a-f]{64}\z/;
my $HOSTS = qr/(?:localhost|127[.]0[.]0[.]1|\[::1\])(?::[0-9]{1,5})?/;
my $URL   = qr{\A(?:https://[^\s/@]+|http://$HOSTS)(?:/[^\s?\#]*)?\z};

# Submits results, without names (SKaMPI::Database::Anonymous) by default. With --dry-run, prints them instead.
sub run_submit ( $options, @words ) {
    my $url = $options->{'dry-run'} && @words == 1 ? undef : shift @words;
    fail_usage('expected URL FILE; see skampi db -h') if @words != 1;
    fail_usage(
"'$url': expected https://..., or http:// of this machine; a token would be sent unprotected"
    ) if defined $url && $url !~ $URL;
    my ($file) = @words;
    my $bytes = read_file($file);
    read_upload( $bytes, $file );    # refuses what the database would refuse
    $bytes = anonymous_bytes( $bytes, $options->{machine} ) if !$options->{'with-names'};
    my $record = read_upload( $bytes, $file );
    fail_usage(
"$file: the run does not name its machine; give it a name that others may know: --machine=NAME"
      )
      if !$options->{'with-names'}
      && $record->{machine} =~ /\A(?:node[0-9]+|user|Unnamed machine)\z/;
    return deliver_bytes( undef, $bytes ) if $options->{'dry-run'};
    return _send( $url, _token($options), $bytes );
}

# Reads the token from the environment or from a file that only its owner can read: a command line is visible to others.
sub _token ($options) {
    my $token = $ENV{SKAMPI_DB_TOKEN};
    if ( !defined $token ) {
        my $config = $ENV{XDG_CONFIG_HOME} // q{};
        $config = ( $ENV{HOME} // q{} ) . '/.config' if $config !~ m{\A/};
        my $path = $options->{'token-file'} // "$config/skampi/token";
        $token = eval { read_bytes( $path, 1000 ) }
          // fail_usage("$@write your token to this file, or set SKAMPI_DB_TOKEN");
        fail_usage("others can read '$path'; type: chmod 600 $path") if ( stat $path )[2] & oct 77;
        $token =~ s/\s+\z//;
    }
    fail_usage('the token is not 64 hexadecimal digits') if $token !~ $TOKEN;
    return $token;
}

sub _send ( $url, $token, $bytes ) {
    require HTTP::Tiny;
    my $client = HTTP::Tiny->new( verify_SSL => 1, timeout => $PATIENCE, max_redirect => 0 );
    my ( $able, $why ) = $url =~ /\Ahttps/ ? $client->can_ssl : 1;
    fail('https needs libio-socket-ssl-perl') if !$able;
    local $SIG{ALRM} = sub ($) { die "no complete answer within $WHOLE_S s\n" };
    alarm $WHOLE_S;
    my $answer = $client->post(
        $url =~ s{/*\z}{}r . '/api/v1/runs',
        {
            content => $bytes,
            headers => { 'authorization' => "Bearer $token", 'content-type' => 'text/plain' },
        }
    );
    alarm 0;
    my $said = eval { decode_json( $answer->{content} ) };
    $said = {} if ref $said ne 'HASH';

    if ( !$answer->{success} ) {
        my $why = $said->{error} // (
            $answer->{status} == 599 ? $answer->{content} : "$answer->{status} $answer->{reason}" );
        fail("$url: $why");
    }
    my $what = $said->{is_new} ? q{} : '; it was already there';
    print_plain("run $said->{id}, $said->{state}$what");
    return $DONE;
}

1;
