#!/usr/bin/perl
# The limits of "Is my machine all right?" for the manual: a row of a table for each.
use v5.36;

use FindBin;
use lib "$FindBin::Bin/../report/lib";
use SKaMPI::Findings::HealthLimits qw(health_limits);
use SKaMPI::Safe::Escape           qw(tex);

my $line = q{};
binmode STDOUT, ':encoding(UTF-8)';
say '\begin{longtable}{@{}lrp{52mm}p{58mm}@{}}';
say 'Value&Limit&What it is; held against&What to do\\\\\hline\endhead';
for my $row ( health_limits() ) {
    say '\multicolumn{4}{@{}l}{\emph{' . tex( $row->{line} ) . '}}\\\\' if $row->{line} ne $line;
    $line = $row->{line};
    my $limit =
      $row->{limit} == 1 ? 'none' : "$row->{least}$row->{limit} " . ( $row->{unit} || 'times' );
    say join( '&',
        map { tex($_) } $row->{name},
        $limit, "$row->{what}; $row->{against}",
        $row->{todo} )
      . '\\\\';
}
say '\end{longtable}';
