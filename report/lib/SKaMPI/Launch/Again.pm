package SKaMPI::Launch::Again;

# Launches of a parameter file of single points (SKaMPI::Launch::PointsFile). check_command(OPTION, COMMAND) fails if the
# command names a parameter file of its own. launches_of(COMMAND, TEXT, WITH) starts them, or takes those of an earlier
# start, and returns why it ended (SKaMPI::Launch::Session) and the launches. WITH has directory, fewest, most,
# budget_s and the settings of a session.
use v5.36;

use Digest::SHA qw(sha256_hex);
use Exporter    qw(import);
use List::Util  qw(first max min);

use SKaMPI::Base::NewFile         qw(write_new_file);
use SKaMPI::Base::Program         qw(fail);
use SKaMPI::Base::TextFile        qw(read_bytes);
use SKaMPI::Base::Units           qw(format_duration);
use SKaMPI::Launch::Configuration qw(only_configuration);
use SKaMPI::Launch::Session;
use SKaMPI::Launch::Store;

our @EXPORT_OK = qw(check_command launches_of);

my $USAGE = 2;

sub check_command ( $option, $command ) {
    my $word = first { /\A(?:-f|--file(?:=.*)?)\z/s } @{$command};
    fail( $USAGE, "$option writes the parameter file; leave out $word" ) if defined $word;
    return;
}

# The same text in the same directory goes on with the launches that are there. Their number follows from how long the
# first one takes, not from what it measures: as many as fit into BUDGET_S, at least FEWEST and at most MOST.
sub launches_of ( $command, $text, $with ) {
    my $only = only_configuration($command);
    $only->{values}{parameters} = sha256_hex($text);
    my $store = SKaMPI::Launch::Store->open_directory( $with->{directory}, $command, $only );
    my $path  = $store->path . '/points.skampi';
    eval { write_new_file( $path, $text ); 1 } or fail( 1, $@ );
    my %settings = ( %{ $with->{settings} }, parameters => $path, points => [], until => undef );
    my $inform   = $settings{inform};
    $settings{inform} = sub ($line) { $inform->( $line =~ s/;.*//sr ) };
    my ( $end, $session );

    for my $count ( sub { 1 }, sub { _count( $with, $store, $inform ) } ) {
        $session = SKaMPI::Launch::Session->new( $store, $command, [$only],
            { %settings, fewest => $count->() } );
        $end = $session->run;
        last if $end ne 'done';
    }
    return ( $end, $session->launches( $only->{name} ) );
}

# How many launches, once the first one is there; it is kept, so that another start has the same number.
sub _count ( $with, $store, $inform ) {
    my ( $path, $fewest ) = ( $store->path . '/count', $with->{fewest} );
    my $known = -f $path ? read_bytes( $path, 100 ) : q{};
    return $1 if $known =~ /\A([0-9]{1,6})\n\z/;
    my $one_s = $store->spent_s;
    my $count = min( $with->{most}, int( $with->{budget_s} / max( $one_s, 1e-3 ) ) );
    $inform->( "$fewest launches take "
          . format_duration( $fewest * $one_s )
          . ', which is more than the budget' )
      if $count < $fewest;
    $count = max( $fewest, $count );
    $inform->("$count launches in all");
    eval { write_new_file( $path, "$count\n" ); 1 } or fail( 1, $@ );
    return $count;
}

1;
