# servers.t with a PostgreSQL server.
use v5.36;

use FindBin;

do("$FindBin::Bin/servers.t") || die $@ || $!;
