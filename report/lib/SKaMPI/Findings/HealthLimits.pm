package SKaMPI::Findings::HealthLimits;

# The limits of "Is my machine all right?": rows of the catalogue (src/health/limits.def) with name, line, limit, unit
# (empty: a factor), against (what it is held against), what, todo and least ("at least ", if less is worse).
use SKaMPI::Base;

use SKaMPI::Meaning::Catalog qw(row_of);

our @EXPORT_OK = qw(health_lines limit_of);

# The lines of the page in their order: pairs of a name and its subject.
sub health_lines () {
    return (
        [ 'set-up',   'binding, oversubscription, contention, clocks, and what serves the calls' ],
        [ 'messages', 'latency and bandwidth' ],
        [ 'collectives',           'against others that do the same' ],
        [ 'evenness',              'slowest host, pair and process' ],
        [ 'steadiness',            'where times vary' ],
        [ 'overlap and one-sided', 'if measured' ],
    );
}

sub limit_of ($name) { return row_of( limits => $name ) }

1;
