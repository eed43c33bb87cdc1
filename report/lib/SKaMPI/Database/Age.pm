package SKaMPI::Database::Age;

# Which runs are the latest, and which are outdated: by a newer published run of the same machine,
# parameters, library, settings (SKaMPI::Database::Settings) and processes that has another version
# of the library or SKaMPI, another kernel, binding or other hosts; or by their age.
use SKaMPI::Base;

use Time::Piece ();

use SKaMPI::Database::Settings qw(line_of settings_in);

our @EXPORT_OK = qw(line_key oldest_start refresh_ages);

# A run that began earlier is outdated, in years.
my $MAX_YEARS = 3;

# Marks the runs of a machine after a change to one of them. Launches of a group do not outdate each other.
sub refresh_ages ( $store, $machine ) {
    my @runs = $store->rows( runs_of_machine => $machine );
    $_->{settings} = settings_in( $_->{environment} ) for @runs;
    my %newest;
    my @newest_first =
      sort { ( $b->{started} // q{} ) cmp( $a->{started} // q{} ) || $b->{id} <=> $a->{id} } @runs;
    for my $run ( grep { $_->{state} eq 'published' } @newest_first ) {
        $newest{ line_key($run) } //= $run;
    }
    for my $run (@runs) {
        my $newest = $run->{state} eq 'published' ? $newest{ line_key($run) } : undef;
        my $latest = $newest && $newest->{id} == $run->{id}               ? 1             : 0;
        my $by     = $newest && $newest->{group_key} ne $run->{group_key} ? $newest->{id} : undef;
        next if $run->{latest} == $latest && ( $run->{outdated_by} // 0 ) == ( $by // 0 );
        $store->update( run => $run->{id}, outdated_by => $by, latest => $latest );
    }
    return;
}

# A text that is equal for runs of a machine of which a newer one outdates an older one.
sub line_key ($run) { return join "\n", $run->{parameters_key}, line_of($run) }

sub oldest_start () { return Time::Piece::gmtime->add_years( -$MAX_YEARS )->ymd }

1;
