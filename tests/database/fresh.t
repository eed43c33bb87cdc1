#!/usr/bin/perl
# The result database with runs that the program has just written: on a simulated machine, and with this MPI library.
use v5.36;

use Test::More;

use SKaMPI::Database::Anonymous qw(anonymous_text);
use SKaMPI::Database::Record    qw(record_of_run);
use SKaMPI::Export::Formats     qw(format_results);
use SKaMPI::FreshRuns           qw(fresh_run);
use SKaMPI::Output;
use SKaMPI::Report::RunFacts qw(run_facts);
use SKaMPI::Sim              qw(why_not);
use SKaMPI::TextFile         qw(characters);

plan skip_all => why_not() if why_not();

my $run = fresh_run();

# The names of all values, without their places in lists.
sub names_in ( $data, $at = q{} ) {
    return map { names_in( $data->{$_}, "$at/$_" ) } sort keys %{$data} if ref $data eq 'HASH';
    return map { names_in( $_,          "$at/" ) } @{$data}             if ref $data eq 'ARRAY';
    return $at;
}

subtest 'each fact may be missing' => sub {
    my %named = map { $_ => 1 } names_in( record_of_run( SKaMPI::Output->from_text($run) ) );
    my @facts = map { $_->{name} } SKaMPI::Output->from_text($run)->fields;
    local $SIG{__WARN__} = sub ($text) { fail "no warning: $text" };
    for my $fact ( @facts, [@facts] ) {
        my $any  = join q{|}, ref $fact ? @{$fact} : $fact;
        my $text = characters( $run =~ s/^\#\@(?:$any)\b.*\n(?:\#\ .*\n)*//gmr );
        for my $shown ( $text, anonymous_text($text) ) {
            my $output = SKaMPI::Output->from_text($shown);
            my $record = record_of_run($output);
            my @new    = grep { !$named{$_} && !m{\A/(?:warnings|figures)/} } names_in($record);
            is_deeply \@new, [], 'a record without ' . ( ref $fact ? 'all facts' : $fact );
            my ($first) = run_facts($output);
            my @suites = $output->suites;
            format_results( $_, { output => $output, number => 1, suites => \@suites } )
              for qw(csv json markdown gbench);
        }
    }
};

done_testing;
