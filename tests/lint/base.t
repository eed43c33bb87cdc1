# Every program and module of the report turns on strict, warnings and signatures by SKaMPI::Base, and only
# SKaMPI::Base::Json uses a library for JSON: the version of Perl and this library are chosen in one place each.
use v5.36;

use SKaMPI::Base::Units;
use SKaMPI::Test qw($ROOT read_file);
use Test::More;

sub faults ( $name, $text ) {
    my $code = $text =~ s/^\s*\#.*//mgr;
    return (
        ( $code =~ /^use SKaMPI::Base\b(?!::)/m || $name eq 'lib/SKaMPI/Base.pm' ) ? ()
        : "$name: no use SKaMPI::Base",
        $code =~ /^\s*use v?5\b/m
          && $name ne 'lib/SKaMPI/Base.pm' ? "$name: a version of Perl" : (),
        $code =~ /\bJSON::/
          && $name !~ m{\Alib/SKaMPI/Base(?:/Json)?[.]pm\z} ? "$name: a library for JSON"
        : ()
    );
}

my $report = "$ROOT/report";
my @found  = split /\n/, qx{find '$report' -name '*.p[lm]'};
cmp_ok scalar @found, '>', 100, 'more than 100 files';
is_deeply [ map { faults( s{^\Q$report\E/}{}r, read_file($_) ) } sort @found ], [],
  'all use the one base';

is_deeply [ faults( 'show.pl', "# use SKaMPI::Base;\nuse SKaMPI::Base::Json;\nuse v5.36;\n" ) ],
  [ 'show.pl: no use SKaMPI::Base', 'show.pl: a version of Perl' ], 'found: another base';
is_deeply [ faults( 'x.pm', "use SKaMPI::Base;\nuse JSON::PP ();\n" ) ],
  ['x.pm: a library for JSON'], 'found: another library';

for my $name (qw(_rounded $_rounded no_such_function @no_such_list)) {
    ok !eval { SKaMPI::Base::Units->import($name); 1 }, "not exported: $name";
}

done_testing;
