# skampi --health on simulated machines with one bad part each: what is bad is named, and nothing else. The times of a
# simulated machine have no noise, so a healthy one has no suspects. SKAMPI_LONG: with up to 256 hosts.
use v5.36;

use Cpanel::JSON::XS qw(decode_json);
use Test::More;
use SKaMPI::Meaning::Catalog qw(rows_of);
use SKaMPI::Read::Output;
use SKaMPI::Sim  qw(build simulate);
use SKaMPI::Test qw($ROOT enter_scratch write_file);

my ($skampi) = build('truth');
my $dir = enter_scratch();
my ( $FIRST, $SECOND, $SWITCH ) = ( 3, 5, 4 );

# The bad part: functions of the link to, and the link from, a host; or of the route between two.
my %BROKEN = (
    healthy => {},
    host    => { us => 12, to   => 0.4, from => 0.4 },
    link    => { us => 5,  to   => 0.4, from => 0.4 },
    sending => { us => 5,  from => 0.4 },
    pair    => {
        slow => sub {
            my ( $i, $j ) = sort { $a <=> $b } @_;
            $i == $FIRST && $j == $SECOND;
        }
    },
    switch => {
        slow => sub { ( $_[0] < $SWITCH ) != ( $_[1] < $SWITCH ) }
    },

    # Racks of as many hosts each; messages between them share a link of each rack.
    racks => { rack => 8, uplink => 0.58 },
    full  => { rack => 8, uplink => 20 },
    worse => { rack => 8, uplink => 0.3 },
    lower => { rack => 8, uplink => 0.58, to => 0.6, from => 0.6, bad => 7 },
);

sub link_text ( $name, $gbyte, $us ) {
    return qq(<link id="$name" bandwidth="${gbyte}GBps" latency="${us}us"/>);
}

# A machine with a link to and from each host, and a slower one where a route is slow.
sub machine ( $hosts, $broken ) {
    my @text = link_text( 'slow', 0.4, 0 ) =~ s{/>}{ sharing_policy="FATPIPE"/>}r;
    my $slow = $broken->{slow} // sub { 0 };
    for my $i ( 0 .. $hosts - 1 ) {
        my $bad = $i == ( $broken->{bad} // $FIRST ) ? $broken : {};
        push @text, qq(<host id="n$i" speed="1Gf"/>),
          link_text( "from$i", $bad->{from} // 1, $bad->{us} // 5 ),
          link_text( "to$i",   $bad->{to}   // 1, $bad->{us} // 5 );
    }
    my $rack = $broken->{rack} // $hosts;
    push @text, map { link_text( $_, $broken->{uplink} // 1, 0 ) }
      map { ( "up$_", "down$_" ) } 0 .. ( $hosts - 1 ) / $rack;
    for my $i ( 0 .. $hosts - 1 ) {
        for my $j ( grep { $_ != $i } 0 .. $hosts - 1 ) {
            my $links = join q{}, map { qq(<link_ctn id="$_"/>) } "from$i",
              $slow->( $i, $j ) ? 'slow' : (),
              int $i / $rack != int $j / $rack ?
              map( { $_ } 'up' . int $i / $rack, 'down' . int $j / $rack ) : (), "to$j";
            push @text, qq(<route src="n$i" dst="n$j" symmetrical="NO">$links</route>);
        }
    }
    return join "\n", q(<?xml version='1.0'?>),
      '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
      '<platform version="4.1"><zone id="machine" routing="Full">', @text, '</zone></platform>';
}

# Returns what is printed, and whether the status was 0. Ranks are on the hosts in the order of their numbers.
sub health_text ( $hosts, $name, $per_host, @options ) {
    my $platform = "$dir/$name$hosts";
    write_file( "$platform.xml", machine( $hosts, $BROKEN{$name} ) );
    write_file( "$platform.hosts", join q{}, map { "n$_\n" x $per_host } 0 .. $hosts - 1 );
    my $out = eval { simulate( $platform, $hosts * $per_host, $skampi, '--health', @options ) };
    return ( $out // $@, defined $out );
}

sub health_of ( $hosts, $name, $per_host = 1 ) {
    my ( $out, $is_good ) = health_text( $hosts, $name, $per_host, '--json' );
    my ($json) = $out =~ /^(\{"schema".*\})$/ms or die "$name: $out";
    return ( decode_json($json), $is_good );
}

# Names are of hosts and faults.
my %EXPECTED = (
    healthy => [],
    host    => ["n$FIRST: host"],
    link    => ["n$FIRST: link"],
    sending => ["n$FIRST: link, sending"],
    pair    => ["n$FIRST n$SECOND: pair"],
    switch  => [ map { "n$_: group of hosts" } 0 .. $SWITCH - 1 ],
);

for my $hosts ( $ENV{SKAMPI_LONG} ? ( 16, 64, 256 ) : 12 ) {
    for my $name ( sort keys %EXPECTED ) {
        my ( $document, $is_good ) = health_of( $hosts, $name );
        my @named =
          sort map {
            join( q{ }, grep { defined } @{$_}{qw(host partner)} )
              . ": $_->{fault}"
          } @{ $document->{suspects} };
        is_deeply \@named, [ sort @{ $EXPECTED{$name} } ], "$hosts hosts, $name: what is named";
        is $document->{state}, $name eq 'healthy' ? 'healthy' : 'bad', 'its state';
        is $is_good,           $name eq 'healthy',                     'status 0 only if healthy';
        my ($remark) = grep { $_->{slurm} } @{ $document->{remarks} };
        like $remark->{slurm}, qr/^scontrol update NodeName=n$FIRST State=DRAIN Reason="skampi /,
          'a command for Slurm'
          if $name =~ /^(?:host|link|sending)$/;

        for my $suspect ( @{ $document->{suspects} } ) {
            cmp_ok $suspect->{ratio_low}, '>', $suspect->{limit},
              'the interval is beyond the limit';
            cmp_ok abs( $suspect->{ratio} / 2.36 - 1 ), '<', 0.05,
              'the ratio is that of the machine';
        }
    }
}

# Racks: the uplink of 2, 3 or 4 may be designed so, a host that is slow within one is not.
for my $case (
    [ 16, 'racks', 'look',    2 ],
    [ 24, 'racks', 'look',    3 ],
    [ 32, 'racks', 'look',    4 ],
    [ 16, 'full',  'healthy', undef ],
    [ 16, 'lower', 'bad',     2 ],
    $ENV{SKAMPI_LONG} ? [ 64, 'racks', 'look', 8 ] : (),
  )
{
    my ( $hosts, $name, $state, $groups ) = @{$case};
    my ($document) = health_of( $hosts, $name );
    my ($kind)     = grep { $_->{name} eq 'bandwidth' } @{ $document->{values} };
    is $document->{state}, $state,  "$hosts hosts, $name: state" or diag explain $document;
    is $kind->{groups},    $groups, 'groups';
    is_deeply [
        map  { $_->{host} }
        grep { $_->{fault} =~ /^(?:host|link|pair)/ } @{ $document->{suspects} }
      ],
      $name eq 'lower' ? ['n7'] : [], 'what is named';
    next if !$groups;
    cmp_ok abs( $kind->{across} * 0.58 - 1 ),                  '<', 0.05, 'across, alone';
    cmp_ok $kind->{across_at_once},                            '>', 2,    '... and at once';
    cmp_ok abs( $document->{bisection_share} / 0.58 * 8 - 1 ), '<', 0.15, 'eight share an uplink';
}

# A designed uplink is saved, and is usual then; one that is slower since is not, with all that use it.
{
    my ($why) = health_text( 16, 'racks', 1, qw(--save usual) );
    like $why, qr/'usual' is not saved: look; --force saves it/, 'not by itself';
    health_text( 16, 'racks', 1, qw(--save usual --force) );
    for my $case (
        [ racks => 1, 'healthy', qr/across 0[.]\d+, in the rounds 0[.]\d+, as usual/ ],
        [ full  => 1, 'healthy' ],
        [
            worse => 0,
            'bad', qr/across 0[.]3\d, in \D+0[.]\d+; 0[.][56]\d in the baseline, limit/,
            qr/what halves of the hosts exchange at once takes [12][.]\d times/
        ]
      )
    {
        my ( $name, $good, $state, @texts ) = @{$case};
        my ( $out, $is_good ) = health_text( 16, $name, 1, qw(--baseline usual) );
        $out =~ s/\n {2,}/ /g;
        is $is_good, !!$good, "$name: status";
        like $out, qr/^The hosts: $state$/m, 'state';
        like $out, $_,                       'and why' for @texts;
    }
}

# -o: the rows are results, which the programs read; what was printed is a fact of theirs.
{
    my ($text) = health_text( 12, 'pair', 1, qw(-o rows) );
    my $output = SKaMPI::Read::Output->from_file('rows');
    ok $output->is_finished && !$output->problems, 'results without a problem';
    my ($fact) = $output->field('HEALTH');
    like $fact, qr/^bad +n3 - n5: only this pair, bandwidth/m, 'a fact';
    is index( $text, $fact =~ s/\s+\z//r ) >= 0, 1, 'is what was printed';
    my %us;
    for my $suite ( $output->results ) {
        my $name = $suite->label =~ s/.*-//r;
        $us{$name}{ join q{ }, @{ $_->{arguments} // [] } } = $_->{time} for @{ $suite->rows };
    }
    is_deeply {
        map { $_ => scalar keys %{ $us{$_} } } keys %us
    }, { short => 66, long => 132, Allreduce => 1 }, 'pairs, those of long messages both ways';
    my ( $slow, $other ) = map { $_ - $us{short}{'3 5'} / 2 } @{ $us{long} }{ '5 3', '5 4' };
    cmp_ok abs( $slow / $other / 2.36 - 1 ), '<', 0.05, 'the pair that is slow';
    health_text( 12, 'healthy', 1, qw(-o rows) );
    ok -e 'rows.1', 'the earlier file is kept';
    for my $command ( [qw(0 show rows)], [qw(3 compare rows -- rows.1)], [qw(0 export rows)] ) {
        my ( $status, $program, @words ) = @{$command};
        is system("$^X $ROOT/report/$program.pl @words > out") >> 8, $status, "$program reads them";
    }
    my ($why) = health_text( 12, 'pair', 1, qw(-o -) );
    like $why, qr/-o of --health needs a file/, 'standard output is taken';
}

# Two hosts, of which one is slow, need a third one or a baseline.
is( ( health_of( 2, 'host' ) )[0]->{state}, 'cannot tell', 'two hosts' );

# The format of monitoring: its lines, names and labels as the standard of OpenMetrics has them.
{
    my %type;
    my ($text) =
      ( health_text( 12, 'link', 1, '--format', 'openmetrics' ) )[0] =~ /^(# HELP.*# EOF\n)/ms;
    my @lines = split /\n/, $text, -1;
    is_deeply [ splice @lines, -2 ], [ '# EOF', q{} ], 'the end';
    my @states = map { $_->{name} } rows_of('states');
    is $lines[0],
      '# HELP skampi_health_state ' . join( ', ', map { "$_ $states[$_]" } keys @states ) . q{.},
      'states';
    my ( $family, %seen, %value ) = q{};
    for (@lines) {
        if (/\A# HELP (skampi_health_[a-z_]+) [A-Z0-9].*[.]\z/) {
            ok !$seen{$1}++, "family $1 begins once";
            $family = $1;
        }
        elsif (/\A# TYPE (\S+) gauge\z/) { is $1, $family, 'its type follows'; $type{$1} = 1 }
        elsif (
            /\A(\w+)((?:\{(?:[a-z]+="(?:[^"\\\n]|\\[\\"n])*",?)+\})?) (-?[0-9.]+(?:e[+-][0-9]+)?)\z/
          )
        {
            ok $1 eq $family && $type{$1} && !exists $value{"$1$2"}, "sample $1$2";
            $value{"$1$2"} = $3;
        }
        else { fail "line $_" }
    }
    is $value{'skampi_health_state'}, 3, 'bad';
    is_deeply [ sort grep { $value{$_} && /_bad/ } keys %value ],
      [qq(skampi_health_bad{host="n$FIRST"})], 'the bad host';
    cmp_ok $value{qq(skampi_health_ratio{host="n$FIRST",kind="bandwidth"})}, '>', 2, 'its ratio';
}

# Two processes on each host: messages within hosts, too; they are equal.
{
    my ($document) = health_of( 5, 'link', 2 );
    is $document->{processes}, 10, 'two processes on each host, whose number is odd';
    ok scalar( grep { $_->{name} eq 'latency within' } @{ $document->{values} } ),
      'messages within hosts are measured';
    is_deeply [ map { $_->{host} } @{ $document->{suspects} } ], ["n$FIRST"],
      'the bad host is named';
}

done_testing;
