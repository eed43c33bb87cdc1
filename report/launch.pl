#!/usr/bin/perl

use v5.36;

use Cwd qw(abs_path);
use FindBin;

use lib "$FindBin::RealBin/lib";
use SKaMPI::Base::Program         qw(complain run_program);
use SKaMPI::Base::TextFile        qw(read_bytes write_new_file);
use SKaMPI::Base::Units           qw(exact_percent format_duration);
use SKaMPI::Launch::Configuration qw(only_configuration read_configurations);
use SKaMPI::Launch::Decision      qw(confirm guard);
use SKaMPI::Launch::Ending        qw(finish show_health);
use SKaMPI::Launch::Grid          qw(fixed_file with_fixed_grid);
use SKaMPI::Launch::Options       qw(launch_options);
use SKaMPI::Launch::Quick         qw(quick_configurations);
use SKaMPI::Launch::Session;
use SKaMPI::Launch::Store;

my ( $DONE, $SPENT ) = ( 0, 3 );

my %SIGNAL = ( HUP => 1, INT => 2, TERM => 15 );

exit run_program( 'skampi-launch', \&main );

sub main () {
    my ( $options, $command, @paths ) = launch_options(@ARGV);
    return ended( confirm( settings($options), @{$command} ) )
      if defined $options->{confirm};
    my ( $file, @configurations ) = configurations( $options, $command, @paths );
    my $store =
      SKaMPI::Launch::Store->open_directory( $options->{directory}, $command, @configurations );
    write_new_file( @{$file} ) if $file;
    announce( $options, $store, @configurations );
    my $session = SKaMPI::Launch::Session->new( $store, $command, \@configurations,
        settings( $options, $store, scalar @configurations ) );
    if ( !$options->{quiet} ) { say for $session->forecast }
    my $end = $session->run;
    return ended($end) if $SIGNAL{$end};
    finish( $options, $store, $session );
    return show_health( $store, $session ) if $options->{health};
    return ended($end)                     if $end ne 'done' || !defined $options->{guard};
    my @launches = $session->launches( ( $session->names )[0] );
    return ended( guard( settings($options), $command, @launches ) );
}

# A file that they need, a pair of path and text or undef, and the configurations.
sub configurations ( $options, $command, @paths ) {
    return quick_configurations( $options, \@paths, @{$command} ) if defined $options->{quick};
    return ( undef,
        @paths ? read_configurations( $command, @paths ) : only_configuration($command) );
}

# The exit status of launches that ended with this status, were done, ended by a signal, or because the budget was spent.
sub ended ($end) {
    return $end  if $end =~ /\A[0-9]+\z/;
    return $DONE if $end eq 'done';
    complain(
        $SIGNAL{$end}
        ? "ended by SIG$end; start again with the same command to go on"
        : 'the budget is spent; add to --budget and start again to go on'
    );
    return $SIGNAL{$end} ? 128 + $SIGNAL{$end} : $SPENT;
}

# The parameter file of the working directory is linked into each launch's directory. If launches are compared, all
# measure the same arguments.
sub settings ( $options, $store = undef, $sides = 1 ) {
    my $is_fixed =
         $store
      && ( $sides > 1 || defined $options->{guard} )
      && !$options->{refine}
      && !defined $options->{quick};
    my $parameters = -e '.skampi' ? abs_path('.skampi') : undef;
    $parameters = fixed_file( $store->path, 'dot', read_bytes($parameters) )
      if $is_fixed && defined $parameters;
    return {
        %{$options},
        fixed =>
          sub (@words) { return $is_fixed ? with_fixed_grid( $store->path, @words ) : @words },
        parameters => $parameters,
        inform     => sub ($text) { say $text if !$options->{quiet} },
    };
}

sub announce ( $options, $store, @configurations ) {
    return if $options->{quiet};
    my $names = @configurations > 1 ? join ', ', map { $_->{name} } @configurations : undef;
    my @texts = join ' of each of ', "at least $options->{launches} launches", $names // ();
    push @texts,
      'until the widest interval between launches is at most ' . exact_percent( $options->{until} )
      if defined $options->{until};
    push @texts, "for at most $options->{budget}" if defined $options->{budget};
    say join( ', ', @texts ), '; in ', $options->{directory};
    say 'earlier starts spent ', format_duration( $store->spent_s ) if $store->spent_s;
    return;
}
