# The build and all programs but the database need no more than Perl 5.26 and its core modules (Module::CoreList).
# Features that "use v5.28" and later turn on are errors of syntax without it; others that are newer are listed here.
use v5.36;

use Module::CoreList ();
use SKaMPI::Test     qw($ROOT read_file);
use Test::More;

my $VERSION = 5.026;
my %NEWER   = (
    'builtin::'                  => qr/\bbuiltin::/,
    'delete of a slice'          => qr/\bdelete\s*(?:local\s*)?%/,
    'a list in a state variable' => qr/^\s*state\s*(?:[(]|[\@%]\w+\s*=)/m,
    'default of undef'           => qr/^sub\b[^{]*(?:\/\/|\|\|)=/m,
    'words for assertions'       => qr/\([*][a-z_]+:/,
    'a function of List::Util'   =>
      qr/\bList::Util\s[^;]*\b(?:head|tail|uniqint|zip\w*|mesh\w*|reductions|sample)\b/,
);

# Parts of Perl itself, which each installation has.
my %ALWAYS = map { $_ => 1 } qw(Exporter constant feature integer parent strict utf8 warnings);

my ($listed) = read_file("$ROOT/report/lib/SKaMPI/Base.pm") =~ /\@CORE\s*=\s*qw\((.*?)\)/s;

# Returns what is wrong with the text of a file, and the modules that it uses.
sub faults_and_modules ($content) {
    my $text  = $content =~ s/^__END__.*//msr =~ s/^\s*\#.*//mgr;
    my @newer = grep { $_ > $VERSION }
      map { version->parse($_)->numify } $text =~ /\b(?:use|require)\s+(v?5[.][\d._]+)/g;
    my @modules =
      grep { !/^SKaMPI/ } $text =~ /^\s*(?:use|require)\s+([A-Za-z][\w:]*)\s*(?:[;('\"]|qw\b)/mg;
    my @foreign = grep { !Module::CoreList::is_core( $_, undef, $VERSION ) } @modules;
    my @faults  = (
        ( map { "needs Perl $_" } @newer ),
        ( map { "uses $_" } @foreign ),
        ( map { "has $_" } grep { $text =~ $NEWER{$_} } sort keys %NEWER ),
    );
    return ( \@faults, \@modules );
}

my @paths =
  ( glob("$ROOT/report/*.pl"), "$ROOT/configs/embed.pl", "$ROOT/src/programs/record/wrap.pl" );
push @paths, grep { !m{/Database/} } split /\n/, qx{find '$ROOT/report/lib' -name '*.pm'};
cmp_ok scalar @paths, '>', 120, 'the files';

my %used;
for my $path (@paths) {
    my ( $faults, $modules ) = faults_and_modules( read_file($path) );
    is "@{$faults}", q{}, $path =~ s{\Q$ROOT\E/}{}r;
    $used{$_} = 1 for @{$modules};
}
my @named = grep { !$ALWAYS{$_} } sort keys %used;
my %is    = map  { $_ => 1 } split q{ }, $listed;
is_deeply [ grep { !$is{$_} } @named ], [], 'SKaMPI::Base names each of them if it is missing';

for my $case (
    [ 'use v5.28;',                             'needs Perl 5.028000' ],
    [ 'use Text::CSV_XS ();',                   'uses Text::CSV_XS' ],
    [ '    require Cpanel::JSON::XS;',          'uses Cpanel::JSON::XS' ],
    [ 'my %old = delete %new{qw(a b)};',        'has delete of a slice' ],
    [ 'state @list = ( 1, 2 );',                'has a list in a state variable' ],
    [ 'say builtin::trim($x);',                 'has builtin::' ],
    [ 'sub f ( $x //= 1 ) { return $x }',       'has default of undef' ],
    [ 'my $x = qr/a(*pla:b)/;',                 'has words for assertions' ],
    [ "use List::Util qw(any\n  pairs zip);\n", 'has a function of List::Util' ],
  )
{
    is_deeply(
        ( faults_and_modules("package bad;\n$case->[0]\n1;\n") )[0],
        [ $case->[1] ],
        "found: $case->[1]"
    );
}

done_testing;
