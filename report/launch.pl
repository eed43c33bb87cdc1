#!/usr/bin/perl

BEGIN {    ## no critic (RequireUse)
    eval { require FindBin } || exit print {*STDERR} "$0 needs the package perl\n";
    unshift @INC, "$FindBin::RealBin/lib";
}
use SKaMPI::Base;

use Cwd        qw(abs_path);
use List::Util qw(uniq);

use SKaMPI::Base::Json            qw(pretty_json to_json);
use SKaMPI::Base::Process         qw(merge_results %SIGNAL);
use SKaMPI::Base::Program         qw(complain fail_usage print_plain run_program);
use SKaMPI::Base::Table           qw(wrapped);
use SKaMPI::Base::Units           qw(counted exact_percent format_duration);
use SKaMPI::Findings::HealthText  qw(health_text);
use SKaMPI::Findings::Health      qw(health_document health_of health_status);
use SKaMPI::Launch::Configuration qw(only_configuration read_configurations);
use SKaMPI::Launch::Decision      qw(comparison confirm guard);
use SKaMPI::Launch::Fastest       qw(fastest_data fastest_lines judged_sweep);
use SKaMPI::Launch::Options       qw(launch_options);
use SKaMPI::Launch::Path          qw(fast_networks make_path path_lines);
use SKaMPI::Launch::Precision     qw(precision_lines time_data time_lines);
use SKaMPI::Launch::Quick         qw(quick_configurations quick_sentence);
use SKaMPI::Launch::Session       qw(ended $BUSY);
use SKaMPI::Launch::Store;
use SKaMPI::Launch::Sweep    qw(bound_sweep launches_for sweep_configurations unseen_settings);
use SKaMPI::Read::Beside     qw(path_rows write_paths);
use SKaMPI::Read::ResultFile qw(read_results);
use SKaMPI::Verdict::Formats qw(sides_data);
use SKaMPI::Verdict::Text    qw(sides_text);
use SKaMPI::Verdict::Thresholds;

exit run_program( 'skampi-launch', \&main );

sub main () {
    my ( $options, $command, @paths ) = launch_options(@ARGV);
    return ended( confirm( settings($options), @{$command} ) )
      if defined $options->{confirm};
    my @configurations = configurations( $options, $command, @paths );
    my $store =
      SKaMPI::Launch::Store->open_directory( $options->{directory}, $command, @configurations );
    announce( $options, $store, @configurations );
    my $session = SKaMPI::Launch::Session->new( $store, $command, \@configurations,
        settings( $options, scalar @configurations ) );
    $session->bound_by_estimate($BUSY) if defined $options->{quick} || $options->{duet};
    my @forecast = $options->{sweep} ? bound_sweep( $options, $session ) : $session->forecast;
    if ( !$options->{quiet} ) { print_plain(@forecast) }
    my %path = $options->{path} ? paths( $options, $store, $command, @configurations ) : ();
    $options->{paths} = \%path;
    my $end = $session->run;
    return ended($end) if $SIGNAL{$end};

    for my $name ( sort keys %path ) {
        write_paths( $_->{name}, $path{$name} ) for $session->launches($name);
    }
    $end = 'busy' if $end eq 'budget' && !defined $options->{budget};
    if    ( !$options->{is_json} ) { finish( $options, $store, $session ) }
    elsif ( !grep { defined } @{$options}{qw(guard health)} ) {
        print_document( $options, $store, $session, $end );
    }
    return show_health( $options, $store, $session ) if $options->{health};
    return ended($end) if $end ne 'done' || !defined $options->{guard};
    my @launches = $session->launches( ( $session->names )[0] );
    return ended( guard( settings($options), $command, @launches ) );
}

sub configurations ( $options, $command, @paths ) {
    return read_configurations( $command, @paths ) if @paths && !defined $options->{quick};
    my @all =
      defined $options->{quick}
      ? quick_configurations( $options, \@paths, @{$command} )
      : only_configuration($command);
    return @all                             if !$options->{sweep};
    fail_usage('--sweep takes one command') if @all > 1;
    @all = sweep_configurations( $all[0], $command, @{ $options->{sweep} } );
    $options->{launches} = launches_for( $options->{launches}, @all ) if !$options->{has_count};
    return @all;
}

# The network paths of the configurations whose library reports them, by name.
sub paths ( $options, $store, $command, @configurations ) {
    my %content = map {
        my $content = make_path( $store, $_, $command, $options->{timeout_s} );
        $content ? ( $_->{name} => $content ) : ()
    } @configurations;
    if ( !$options->{quiet} ) {
        print_plain( map { path_lines( $_, $content{$_}, fast_networks() ) } sort keys %content );
    }
    return %content;
}

# The options of a session. The parameter file of the working directory is linked into each launch's directory. If
# launches are compared, all measure the same arguments.
sub settings ( $options, $sides = 0 ) {
    return {
        %{$options},
        is_fixed => ( $sides > 1 || defined $options->{guard} && $sides )
          && !$options->{refine}
          && !length( $options->{quick} // q{} ),
        parameters => -e '.skampi' ? abs_path('.skampi') : undef,
        inform     => sub ($text) { print_plain($text) if !$options->{quiet} },
    };
}

sub announce ( $options, $store, @configurations ) {
    return if $options->{quiet};
    my $names =
        $options->{sweep}   ? @configurations . ' settings'
      : @configurations > 1 ? join ', ', map { $_->{name} } @configurations
      :                       undef;
    my @texts = join ' of each of ',
      'at least ' . counted( $options->{launches}, 'launch', 'launches' ), $names // ();
    push @texts,
      'until the widest interval between launches is at most ' . exact_percent( $options->{until} )
      if defined $options->{until};
    push @texts, "for at most $options->{budget}" if defined $options->{budget};
    print_plain( join( ', ', @texts ) . "; in $options->{directory}" );
    print_plain( 'earlier starts spent ' . format_duration( $store->spent_s ) ) if $store->spent_s;
    return;
}

# Merges the launches of each configuration once they suffice, and compares those of two, or of a sweep.
sub finish ( $options, $store, $session ) {
    if ( $options->{sweep} ) {
        print_plain( q{}, fastest_lines( sweep( $options, $session ) ) );
        return;
    }
    my @names = $session->names;
    print_plain( map { precision_lines( $_, $options->{asked}, $session->launches($_) ) } @names );
    for my $name ( grep { $session->launches($_) > 1 } @names ) {
        my $path = merged( $options, $store, $name, $session->launches($name) );
        print_plain("$name: merged in $path") if defined $path;
    }
    my @measured = grep { scalar $session->launches($_) } @names;
    if ( @measured < 2 && defined $options->{quick} ) {
        print_plain( q{}, time_lines( map { $session->launches($_) } @measured ) ) if @measured;
        return;
    }
    return if @names != 2;
    print_plain( q{}, "BASE is $names[0], NEW is $names[1]." );
    my $sides = comparison_of( $options, map { [ $session->launches($_) ] } @names ) // return;
    print_plain( sides_text( $sides, 0 ),
        map { ( q{}, wrapped($_) ) } sentence( $options, $sides ) );
    return;
}

# With --quick, the comparison in a sentence.
sub sentence ( $options, $sides ) {
    return defined $options->{quick} ? quick_sentence( ( $sides->comparisons )[0], qw(A B) ) : ();
}

# The settings of a sweep, compared with the default (SKaMPI::Launch::Fastest), after warnings about settings that have
# no effect.
sub sweep ( $options, $session ) {
    my @sides = map {
        my $crashes = $session->crashes( $_->{name} );
        {
            configuration => $_,
            crashes       => $crashes,
            launches      => $crashes ? [] : [ $session->launches( $_->{name} ) ]
        }
    } $session->configurations;
    complain("warning: $_")
      for uniq map { unseen_settings( $_->{configuration}, $_->{launches}[0] ) }
      grep { @{ $_->{launches} } } @sides;
    return judged_sweep( SKaMPI::Verdict::Thresholds->new( $options->{threshold} ), @sides );
}

# Launches of a simulated machine that began in the same second are equal in everything; skampi takes them for copies.
# Short real ones may have equal values, but not MPI_Init's time, which is exact to 1 ns.
sub are_equal (@launches) {
    my @texts = map {
        my $suites = $_->{suites};
        to_json(
            [ @{$_}{qw(start once)}, map { $_->{values} } @{$suites}{ sort keys %{$suites} } ] )
    } @launches;
    return @texts > uniq @texts;
}

# Prints what finish says as JSON (report/schema.txt).
sub print_document ( $options, $store, $session, $end ) {
    my @sides = map { [ $session->launches($_) ] } $session->names;
    my $sweep = $options->{sweep} && sweep( $options, $session );
    my $compared =
        $sweep      ? $sweep->{sides}
      : @sides == 2 ? scalar comparison_of( $options, @sides )
      :               undef;
    my ($sentence) = $compared ? sentence( $options, $compared ) : ();
    my @configurations = map {
        my $name     = $_->{name};
        my @launches = $session->launches($name);
        {
            name        => $name,
            launches    => scalar @launches,
            crashes     => $session->crashes($name) ? \1 : \0,
            environment => $_->{environment},
            merge  => @launches > 1 ? scalar merged( $options, $store, $name, @launches ) : undef,
            points => time_data(@launches),
            paths  => path_rows( $options->{paths}{$name} // {} )
        }
    } $session->configurations;
    print pretty_json(
        {
            schema         => 'skampi-launch/2',
            directory      => $options->{directory},
            ended          => $end,
            configurations => \@configurations,
            comparison     => $compared && sides_data($compared),
            sentence       => $sentence,
            sweep          => $sweep && fastest_data($sweep)
        }
    );
    return;
}

# Merges launches; returns the path of the merge, or nothing after a message.
sub merged ( $options, $store, $name, @launches ) {
    return complain("$name: not merged: some launches are equal") if are_equal(@launches);
    my $failed = merge_results(
        [ map { $_->{name} } @launches ], "$name.out",
        directory => $store->path,
        output    => 'merge.log'
    );
    my $directory = $options->{directory};
    return complain("the launches of $name are not merged: $failed; see $directory/merge.log")
      if defined $failed;
    write_paths( "$directory/$name.out", $options->{paths}{$name} ) if $options->{paths}{$name};
    return "$directory/$name.out";
}

# Returns the sides (SKaMPI::Verdict::Sides), or nothing after a message.
sub comparison_of ( $options, $base, $new ) {
    return if !@{$base} || !@{$new};
    my %settings = ( value => $options->{value}, has_overall => defined $options->{quick} );
    my ( $sides, $why ) = comparison( $options, $base, $new, %settings );
    return $sides // complain("not compared: $why");
}

# Prints the machine's health in all launches; returns the exit status.
sub show_health ( $options, $store, $session ) {
    my ($name)  = $session->names;
    my @numbers = 1 .. $session->launches($name);
    my $health  = health_of( map { read_results( scalar $store->results( $name, $_ ) ) } @numbers );
    print $options->{is_json}
      ? pretty_json( health_document($health) )
      : map { "$_\n" } q{}, health_text($health);
    return health_status($health);
}
