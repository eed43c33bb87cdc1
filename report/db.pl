#!/usr/bin/perl

use v5.36;

use FindBin;

use lib "$FindBin::RealBin/lib";
use SKaMPI::Base::Program  qw(run_program);
use SKaMPI::Database::Main qw(main);

exit run_program( 'skampi-db', sub () { return main(@ARGV) } );

__END__

=encoding utf8

=head1 NAME

skampi-db - keeps results of many runs and machines in a database, and shows them in a browser

=head1 SYNOPSIS

skampi-db [--database FILE|DSN] COMMAND [OPTIONS] [WORD...]

    skampi-db add skampi.out
    skampi-db list
    skampi-db serve
    skampi-db site DIRECTORY

=head1 DESCRIPTION

A result database holds the results of runs: their headers, warnings, key figures, findings and all values, and each file
as it was received. It is one file (SQLite), by default F<~/.local/share/skampi/results.db>, which only its owner can
read. B<--database> names another file, in a directory that exists, or the DSN of a PostgreSQL server, such as C<dbi:Pg:dbname=skampi>; passwords for
that belong into F<~/.pgpass>.

A run is in one of these states:

=over

=item B<received>

The file is stored, but not checked yet.

=item B<checked>

The file is sound; the run waits for B<publish>.

=item B<published>

Visitors see the run.

=item B<outdated>

Published, but a newer published run of the same machine, parameters, library, settings (environment variables such as
C<OMPI_MCA_btl>) and number of processes has another version of the library or of SKaMPI, another kernel, binding or other hosts; or
the run began more than three years ago.

=item B<withdrawn>

Kept, but visitors only see the reason.

=back

Runs of one machine with equal parameters, library and its settings, kernel, hosts, binding and processes are launches of one group.

=head1 COMMANDS

=over

=item B<add> [B<--unpublished>] [B<--again>] [B<--without-names>] FILE...

Add result files, which may be compressed by gzip, and publish them. The database is created if it is missing. A file is
added as a whole or not at all. A file that is there already is answered with its run. B<--unpublished> leaves
the runs in the state checked. B<--again> accepts a file that was erased. B<--without-names> removes names of persons, hosts and paths first, as B<submit> does.

Not accepted are files that are damaged, unfinished, or larger than 50,000,000 bytes uncompressed, 2,000 suites or 200,000 rows,
and those that take more than 15 seconds or 300 MB to read. Distributions and single times (F<*.times-*>) are not kept.

=item B<list> [B<--machine> NAME] [B<--search> TEXT] [B<--since> DATE] [B<--state> STATE] [B<--limit> N] [B<--json>]

List runs, the newest first; 100 by default. B<--search> looks for a text in the names of machines and libraries.

=item B<show> [B<--json>] RUN

Show a run: its facts, warnings, key figures, findings and suites.

=item B<export> [B<--format> FORMAT] [B<-o> FILE] RUN...

Write runs in a format of skampi-export(1). With B<--original>, write the file of one run as it was received.

=item B<publish> [B<--note> TEXT] RUN...

Publish runs that are checked or withdrawn. The note is part of the data that visitors can read.

=item B<withdraw> B<--reason> TEXT RUN...

Withdraw runs. Visitors see the reason.

=item B<erase> RUN...

Remove runs with their files and all that was made from them. Only the SHA-256 of each file is kept, so that it is not
accepted again.

=item B<machine> [B<--title> TEXT] [B<--owner> ACCOUNT] [B<--json>] [NAME]

List the machines, or give one another title or owner. A machine belongs to the account that used its name first; other
accounts cannot add runs of it.

=item B<token> [B<--trusted>] ACCOUNT

Print a new token of an account, with which others send runs (B<submit>). The account is created if it is new. The database keeps only
the token's SHA-256. What a trusted account sends is published at once; B<--no-trusted> takes that back.
B<--revoke> ACCOUNT ends all tokens of an account, B<--list> lists the accounts.

=item B<reindex>

Derive everything again from the files as received, for instance with a newer version of SKaMPI.

=item B<copy> [B<--public>] FROM TO

Copy a database, for instance from a file to a server. TO must be new or empty. B<--public> leaves out accounts, tokens, the
log, and runs that are not published.

=item B<submit> [B<--dry-run>] [B<--machine> NAME] [B<--token-file> FILE] [B<--with-names>] URL FILE

Send a result file to a database at URL (https, or http on this machine), after the checks of B<add>. Names do not
leave this machine: only facts that are public (C<skampi --help-output>) and settings of the MPI library among the environment
variables are sent; hosts are called node1, node2, ...; users, addresses and absolute paths are replaced. B<--dry-run> prints
what would be sent, B<--with-names> sends the file as it is. B<--machine> names the machine.

The token is read from the environment variable B<SKAMPI_DB_TOKEN>, or from FILE, by default F<~/.config/skampi/token>, which
only its owner may read.

=item B<site> [B<--force>] DIRECTORY

Write all published runs as pages that need no program on the web server: the pages of B<serve>, with a comparison of all
machines for each suite instead of free comparisons, and without reports. DIRECTORY must be new, empty, or
written by B<site>; the old site stays until the new one is complete. Files that B<site> has not written are only removed with
B<--force>.

=item B<serve> [B<--listen> HOST:PORT] [B<--public>] [B<--host> NAME] [B<--proxy> ADDRESS] [B<--workers> N]

Show the database in a browser, until interrupted. Prints an address with a key; open it once in your browser. The key is
needed because other users of the machine can reach the address too; it is valid once, and another one is printed for
another browser. Whoever has used a key sees all runs and can submit, publish and withdraw runs.

B<--listen> is the address of the server, by default C<127.0.0.1:8080>, which only this machine can reach; C<8090> is another
port of it, C<[::1]:8080> an address of IPv6, and C<:8080> means all addresses of the machine. With
B<--public>, anybody who reaches it can read published runs and, with a token, submit runs. B<--host> is a name by which
the server is known, if that is not the one in B<--listen>; requests for other names are refused. B<--proxy> is the
address of a web server in front of this one, whose headers about the visitor's address are then used. Both can be
repeated. B<--workers> is the number of processes, 4 by default.

=back

=head1 OPTIONS

=over

=item B<--database>=FILE|DSN

The database, before or after the command.

=item B<-h>, B<--help>, B<--version>

Print this page, or the version.

=back

=head1 EXIT STATUS

0 if everything was done, 1 if the database or the output cannot be written or a run is not accepted, 2 for wrong usage
or a file that cannot be read or is not a result file, 5 if a file is damaged or unfinished.

=head1 FILES

F<~/.local/share/skampi/results.db>, or F<$XDG_DATA_HOME/skampi/results.db>: the database

F<~/.config/skampi/token>, or F<$XDG_CONFIG_HOME/skampi/token>: the token for B<submit>

=head1 SEE ALSO

skampi(1), skampi-compare(1), skampi-export(1), skampi.out(5)
