package SKaMPI::Launch::Path;

# A launch of skampi-launch --path that is not measured: ping-pongs with the nearest and the farthest process, in which
# the MPI library reports how it sends. Other launches do not have the variables for this.
use SKaMPI::Base;

use List::Util qw(min);

use SKaMPI::Base::Process         qw(run_command);
use SKaMPI::Base::Program         qw(complain fail);
use SKaMPI::Base::Table           qw(wrapped);
use SKaMPI::Base::TextFile        qw(names_in read_text write_new_file);
use SKaMPI::Base::Units           qw(format_bytes);
use SKaMPI::Launch::Configuration qw(command_of exported);
use SKaMPI::Launch::PathReport    qw(report_variables reported_paths);
use SKaMPI::Launch::Answers       qw(program_at);
use SKaMPI::Read::Beside          qw(path_text place_of);
use SKaMPI::Read::ResultFile      qw(read_results);

# The longest output of a launch that is read.
my $LARGEST = 64 * 1024 * 1024;

my $PARAMETERS = <<'END';
@VERSION 4.2
@POSTPROC no
@MEMORY 16384
@MINREPDEFAULT 4
@MAXREPDEFAULT 4
@MEASUREMENTS
Near { Type = 1; Variation = Length; Scale = Fixed_log; Start_Argument = 1; End_Argument = 4194304; Stepwidth = 4;
       Parameters = "partner=nearest passes=1"; }
Far { Type = 1; Variation = Length; Scale = Fixed_log; Start_Argument = 1; End_Argument = 4194304; Stepwidth = 4;
      Parameters = "partner=farthest passes=1"; }
END

# Makes the launch of a configuration, in its directory path, or takes the one that an earlier start made. Returns its
# content (SKaMPI::Read::Beside), or undef after a message.
sub make_path ( $store, $configuration, $command, $seconds ) {
    my $name  = $configuration->{name};
    my $place = $store->directory( $name, 'path' );
    my $failed =
      -e "$place/skampi.out" ? undef : _start( $store, $configuration, $command, $seconds );
    my $content = defined $failed ? undef : eval { _content($place) };
    $failed //= ref $@ ? $@->{text} : $@                if !$content;
    complain("the path of $name is not known: $failed") if !$content;
    return $content;
}

# Starts the launch. Returns an error message, or undef.
sub _start ( $store, $configuration, $command, $seconds ) {
    my @words = command_of( $configuration, @{$command} );
    my $at    = program_at(@words) // return 'the command does not name skampi';
    my $place = $store->make_directory( $configuration->{name}, 'path' );
    write_new_file( "$place/path.skampi", $PARAMETERS );
    my %report  = %{ report_variables() };
    my @program = ( @words[ 0 .. $at ], qw(-q -f path.skampi -o skampi.out) );
    my $run     = run_command(
        [ exported( \@program, keys %report ) ],
        directory   => $place,
        environment => { %{ $configuration->{environment} }, %report },
        output      => 'path.log',
        seconds     => $seconds,
        $store->lock_for_command,
    );
    fail( "ended by SIG$run->{signal}; start again with the same command to go on", $run->{status} )
      if defined $run->{signal};
    return defined $run->{failed} ? "$run->{failed}; see $place/path.log" : undef;
}

sub _content ($place) {
    my $output = read_results("$place/skampi.out");
    my ( $paths, @sources ) = reported_paths( read_text( "$place/path.log", $LARGEST ), $output );
    return {
        %{ place_of($output) },
        sources => \@sources,
        paths   => $paths
    };
}

# Lines about a configuration, and what is suspicious. NETWORKS are the fast ones of this host.
sub path_lines ( $name, $content, @networks ) {
    my %title = ( within => 'within a host', between => 'between hosts' );
    my @pairs = grep {
        my $pair = $_;
        grep { $_->{pair} eq $pair } @{ $content->{paths} }
    } qw(within between);
    return "$name: the library does not say which path messages take" if !@pairs;
    my @lines = map {
        my ( $title, @parts ) = ( $title{$_}, split /; | [|] /, path_text( $content, $_ ) );
        ( "$name, $title:", map { "  $_" } @parts )
    } @pairs;
    return ( @lines, map { wrapped("look: $_") } _suspicious( $content, @networks ) );
}

sub _suspicious ( $content, @networks ) {
    my ( @twice, $is_slow );
    for my $row ( @{ $content->{paths} } ) {
        my ( $pair, @way ) = map { $_ // q{} } @{$row}{qw(pair protocol copies transport)};
        push @twice, $row->{from}
          if "$pair, $way[0], $way[1]" eq 'within, rendezvous, copied twice';
        $is_slow = 1 if $pair eq 'between' && $way[2] eq 'tcp';
    }
    return (
        @twice
        ? 'within a host, messages from '
          . format_bytes( min(@twice) )
          . ' on are copied twice; CMA, XPMEM or KNEM would copy them once'
        : (),
        $is_slow
          && @networks ? "between hosts, messages go by tcp although this host has @networks" : ()
    );
}

# The names of InfiniBand's and similar devices, and of interfaces over them.
sub fast_networks () {
    my @devices    = eval                               { names_in('/sys/class/infiniband') };
    my @interfaces = grep { /\A(?:ib|hsn|opa)\d/ } eval { names_in('/sys/class/net') };
    return ( @devices, @interfaces );
}

1;
