package SKaMPI::Launch::Ending;

# What skampi-launch prints once there are enough launches. finish(OPTIONS, STORE, SESSION) merges the launches of each
# configuration and compares those of two; show_health(STORE, SESSION) says what all launches say of the machine, and
# returns the exit status.
use v5.36;

use Cpanel::JSON::XS ();
use Exporter         qw(import);
use List::Util       qw(uniq);

use SKaMPI::Base::Process        qw(merge_results);
use SKaMPI::Base::Program        qw(complain);
use SKaMPI::Base::Table          qw(wrapped);
use SKaMPI::Compare::Text        qw(comparison_text);
use SKaMPI::Document::HealthText qw(health_text);
use SKaMPI::Findings::Health     qw(health_of health_status);
use SKaMPI::Launch::Decision     qw(compared not_copied);
use SKaMPI::Launch::Quick        qw(quick_sentence);
use SKaMPI::Meaning::Likeness    qw(obstacles);
use SKaMPI::Read::SoundFile      qw(read_results);

our @EXPORT_OK = qw(finish show_health);

sub finish ( $options, $store, $session ) {
    my @names = $session->names;
    say for map { $session->summary_of($_) } @names;
    for my $name ( grep { $session->launches($_) > 1 } @names ) {
        _merge( $options, $store, $name, $session->launches($name) );
    }
    return if @names != 2;
    say "\nBASE is $names[0], NEW is $names[1].";
    _compare( $options, map { [ $session->launches($_) ] } @names );
    return;
}

# Launches of a simulated machine that began in the same second are equal in everything; skampi takes them for copies.
# Short real ones may have equal values, but not MPI_Init's time, which is exact to 1 ns.
sub _are_equal (@launches) {
    my $json  = Cpanel::JSON::XS->new->canonical;
    my @texts = map {
        my $suites = $_->{suites};
        $json->encode(
            [ @{$_}{qw(start once)}, map { $_->{values} } @{$suites}{ sort keys %{$suites} } ] )
    } @launches;
    return @texts > uniq @texts;
}

sub _merge ( $options, $store, $name, @launches ) {
    return say "$name: not merged: some launches are equal" if _are_equal(@launches);
    my $failed = merge_results(
        [ map { $_->{name} } @launches ], "$name.out",
        directory => $store->path,
        output    => 'merge.log'
    );
    return complain(
        "the launches of $name are not merged: $failed; see $options->{directory}/merge.log")
      if defined $failed;
    say "$name: merged in $options->{directory}/$name.out";
    return;
}

sub _compare ( $options, $base, $new ) {
    return if !@{$base} || !@{$new};
    my @obstacles = obstacles( map { not_copied($_) } @{$base}, @{$new} );
    return complain("not compared: $obstacles[0]") if @obstacles;
    my $result = compared( $base, $new, $options->{threshold}, value => $options->{value} );
    return complain( 'not compared: ' . $result->why_nothing ) if !$result->points;
    print comparison_text( $result, 0 );
    say for defined $options->{quick} ? ( q{}, wrapped( quick_sentence( $result, qw(A B) ) ) ) : ();
    return;
}

sub show_health ( $store, $session ) {
    my ($name)  = $session->names;
    my @numbers = 1 .. $session->launches($name);
    my $health  = health_of( map { read_results( scalar $store->results( $name, $_ ) ) } @numbers );
    say for q{}, health_text($health);
    return health_status($health);
}

1;
