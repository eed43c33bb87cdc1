package SKaMPI::Database::Web::Definitions;

# What the numbers of the pages are.
use v5.36;

use Exporter qw(import);

use SKaMPI::Export::Columns qw(columns);

our @EXPORT_OK = qw(definitions);

# Sections of the page: title, texts and, for a table, titles of the columns and rows.
my @SECTIONS = (
    [
        'What is shown',
'A time is the mean over the repetitions of one measurement, without those that Cut_Quantile drops. Its error is the standard error of this mean within one launch. Other launches may differ by more: compare groups of launches.',
'One-way times are half of a round trip. Bandwidths follow from the time by the definition of the pattern. Ratios are those of times to the first series; their errors follow from both errors.',
'Key figures and findings are those of the report; its page of the run has their definitions.',
    ],
    [
        'What is comparable',
'Suites share axes only if the varied quantity and its unit, the definition of the time, the pattern, the regime of the data, the state of the cache, the datatype and the topology are equal. Others are in plots of their own, with the reason. Machine, library, number of processes, binding, version and date may differ and are shown.',
'Runs of one machine with equal parameters, library and its settings, hosts, binding and processes are launches of one group. Verdicts (slower, faster, equal, undecided) are those of skampi-compare on two groups: the intervals of all points of a suite together hold with a probability of 95 %; slower means wholly beyond 5 %, equal wholly within. Single runs are described, not tested.',
    ],
    [
        'States of a run',
'A run is received, then checked (it can be read and is plausible), then published. It becomes outdated through a newer run of the same machine, parameters, library, settings and number of processes, or by its age. A withdrawn run is not shown; its page says why.',
    ],
    [
        'Names of the columns',
        'These names are used in CSV and JSON.',
        {
            titles => [ 'Name', 'Meaning' ],
            rows   => sub {
                map { [ @{$_}[ 1, 3 ] ] } columns();
            }
        },
    ],
    [
        'Rules',
'Submitted files are published as they are, byte for byte. A machine belongs to the account that first used its name. The same file is stored once.',
    ],
    [
        'A copy of your own',
'Every page is available as JSON below /api/v1, described by /api/v1/openapi. Every published file can be downloaded from the page of its run; "skampi-db add" puts these files into another database.',
    ],
);

# A list of hashes of title, texts and, for tables, columns and rows.
sub definitions () {
    return [ map { _section( @{$_} ) } @SECTIONS ];
}

sub _section ( $title, @parts ) {
    my ($table) = grep { ref } @parts;
    return {
        title => $title,
        texts => [ grep { !ref } @parts ],
        $table ? ( columns => $table->{titles}, rows => [ $table->{rows}->() ] ) : (),
    };
}

1;

