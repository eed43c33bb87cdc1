# skampi --health on several hosts, which are namespaces of this one (SKaMPI::Hosts): a host that sends slowly, or is
# far away, is named. All hosts are limited, the bad one ten times more, so that times do not depend on how busy the
# machine is.
use v5.36;

use Cpanel::JSON::XS qw(decode_json);
use Test::More;
use SKaMPI::Hosts qw(why_no_hosts why_no_delay why_no_rate script_on_hosts);
use SKaMPI::Test  qw(read_file scratch write_file workplace);

plan skip_all => 'Open MPI only' if $ENV{SKAMPI_MPI} ne 'openmpi';
my $why = why_no_hosts() || why_no_delay() || why_no_rate();
plan skip_all => $why if $why;

my %ALL = ( processes => 1,  rate_mbit => 800 );
my %BAD = ( rate_mbit => 40, delay_us  => 20_000 );

# /sys of each host's network.
my $OWN_SYS = <<'END';
#!/bin/sh
exec unshare -m sh -c 'mount -t sysfs sys /sys && exec "$@"' sh "$@"
END

sub host ($name) { return { %ALL, name => $name } }

# Hosts of which the second is bad.
sub hosts_with ( $count, $bad ) {
    my @hosts = map { host($_) } ( 'a' .. 'h' )[ 0 .. $count - 1 ];
    $hosts[1]{$bad} = $BAD{$bad} if $bad;
    return \@hosts;
}

sub document_of ( $dir, $hosts, @options ) {
    my $script = write_file( "$dir/own-sys", $OWN_SYS );
    my $run    = script_on_hosts( $dir, $hosts, $script, '--health', '--json', @options );
    my ($text) = $run->{out} =~ /^(\{"schema".*\})$/ms or diag $run->{err};
    return ( decode_json( $text // '{}' ), $run->{status} );
}

sub suspect_of ( $document, $host ) {
    my ($suspect) = grep { $_->{host} eq $host } @{ $document->{suspects} };
    return $suspect // {};
}

for my $count ( 3, $ENV{SKAMPI_LONG} ? 8 : () ) {
    my %expected = ( rate_mbit => 'link, sending', delay_us => 'latency of the host' );
    for my $bad ( sort keys %expected ) {
        subtest "$count hosts, $bad" => sub {
            my ( $document, $status, $suspect );
            do {    # on a busy machine it may say that it cannot tell
                ( $document, $status ) = document_of( scratch(), hosts_with( $count, $bad ) );
                $suspect = suspect_of( $document, 'b' );
            } until ( $suspect->{ratio_low} // 0 ) > ( $suspect->{limit} // 0 );
            is $status,                  1,      'status';
            is $document->{hosts_count}, $count, 'hosts';
            like $suspect->{fault}, qr/^(?:\Q$expected{$bad}\E|link|host)$/, 'the host is named'
              or diag explain $document;
            my ($remark) = grep { ( $_->{host} // q{} ) eq 'b' } @{ $document->{remarks} };
            like $remark->{slurm}, qr/^scontrol update NodeName=b State=DRAIN /, 'for Slurm';
            ok
              scalar( grep { $_->{text} =~ /^TCP serves .*eth0.*; MPI reaches [0-9]+ %/ }
                  @{ $document->{remarks} } ),
              'the link that served is said';
        };
    }
}

# A message of 1 MiB takes at least 10 ms at this rate, however idle the machine is.
subtest 'a baseline' => sub {
    my $base =
        "\@BASELINE 2 time\n\@CLASS HARDWARE CLASS\n\@RUN 5 a,b {}\n\@SUITE health {}\n"
      . "* long.sends 1000\n* long.receives 1000\n";
    my $dir = workplace( base => $base =~ s/^.*CLASS.*\n//mr, other => $base );
    my ( undef, $refused ) = document_of( $dir, hosts_with( 2, q{} ), qw(--baseline other) );
    is $refused, 2, 'another class is refused';
    ( undef, $refused ) =
      document_of( $dir, hosts_with( 2, q{} ), qw(--baseline base --save base) );
    isnt $refused, 0, 'what is bad is not saved';
    like read_file("$dir/base"), qr/^\* long[.]sends 1000$/m, '... and replaces nothing';
    my ( $document, $status ) =
      document_of( $dir, hosts_with( 2, q{} ), qw(--baseline base --force --save base) );
    is $status, 1, 'slower than the baseline: status 1' or diag explain $document;
    is suspect_of( $document, $_ )->{fault}, 'slower than the baseline', "host $_" for qw(a b);
    like read_file("$dir/base"), qr/^b long[.]sends \d+[.]\d+$/m, 'a new baseline is saved';
};

done_testing;
