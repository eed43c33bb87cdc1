# The programs with no other modules than those of Perl itself print what they print where all are installed. What is
# missing of those is said in a sentence.
use v5.36;

use Config;
use Cwd qw(abs_path);
use Test::More;
use SKaMPI::ApplicationResults qw(application_results);
use SKaMPI::FatalWarnings;
use SKaMPI::ReportTest qw(workplace);
use SKaMPI::Test       qw($ROOT command files_in read_file write_file);

my $dir = workplace(
    'a.out'   => read_file("$ROOT/tests/report/data/report.out"),
    'b.out'   => read_file("$ROOT/tests/report/data/report.out") =~ s/^(\d+ \d+)[.]/${1}1./mgr,
    'app.out' => application_results(),
);

# A module that leaves only Perl's own directories in @INC: PRIVATE and ARCH, or others in their place.
sub core_of ( $private, $arch ) {
    write_file( "$dir/CoreOnly.pm", <<"END" );
package CoreOnly;
\@INC = ( '$private', '$arch', grep { m{/perl-base\\z} } \@INC );
1;
END
    return;
}

sub program (@words) {
    return command( $dir, $^X, @words );
}

sub in_core (@words) {
    local $ENV{PERL5OPT} = "$ENV{PERL5OPT} -I$dir -MCoreOnly";
    return program(@words);
}

my @core = @Config{qw(privlibexp archlibexp)};
core_of(@core);
like in_core( '-e', 'require Text::CSV_XS' )->{err}, qr/\ACan't locate/, 'others are not found';

my @commands = (
    [qw(show a.out)],
    [qw(export -f json app.out)],
    [qw(compare --format json a.out -- b.out)],
    [qw(launch --help)],
);
for my $command (@commands) {
    my ( $name, @words ) = @{$command};
    my ( $core, $all ) = map { $_->( "$ROOT/report/$name.pl", @words ) } \&in_core, \&program;
    is_deeply $core, $all, "@{$command}";
    ok length $core->{out}, 'with output';
}

SKIP: {
    skip 'gnuplot is missing', 2 if !grep { -x "$_/gnuplot" } split /:/, $ENV{PATH};
    my @pages = map {
        my $made = $_->( "$ROOT/report/dorep.pl", '--quiet', '--format', 'html', 'a.out' );
        is "$made->{status}$made->{err}", '0', 'a report';
        read_file("$dir/a.out.html")
    } \&in_core, \&program;
    is $pages[0], $pages[1], 'HTML';
}

my @parts = sort glob "$ROOT/configs/*.skampi";
is in_core( "$ROOT/configs/embed.pl", @parts )->{out},
  program( "$ROOT/configs/embed.pl", @parts )->{out}, 'make: the parameter files';
for my $name (qw(model profile tune)) {
    like in_core( "$ROOT/report/$name.pl", '--version' )->{out}, qr{^skampi-$name \d}, $name;
}
like in_core( "$ROOT/report/db.pl", 'list' )->{err},
  qr/\Adb[.]pl: [^\n]*DBI[^\n]*libdbi-perl[^\n]*only the database needs them\n\z/, 'the database';

# Links to what is in a directory, without these files.
sub link_all ( $from, $to, @without ) {
    mkdir $to or die "$to: $!\n";
    for my $name ( files_in($from) ) {
        my @within = map { m{\A\Q$name\E/(.*)} } @without;
        if    (@within) { link_all( "$from/$name", "$to/$name", @within ) }
        elsif ( !grep { $_ eq $name } @without ) {
            symlink "$from/$name", "$to/$name" or die "$to/$name: $!\n";
        }
    }
    return;
}

link_all( abs_path( $core[$_] ), "$dir/links$_", qw(JSON/PP.pm Time/HiRes.pm) ) for keys @core;
core_of( map { "$dir/links$_" } keys @core );
for my $name (qw(compare dorep export launch model profile show tune)) {
    my $got = in_core( "$ROOT/report/$name.pl", $name =~ /export|show/ ? 'a.out' : '--version' );
    is $got->{err},
      "$name.pl: missing modules of Perl: JSON::PP, Time::HiRes; install perl (Debian) or"
      . " 'perl(JSON::PP)' 'perl(Time::HiRes)' (RHEL, Rocky)\n", "$name: one sentence";
    is $got->{status}, 1, 'a failure';
}
is in_core( "$ROOT/configs/embed.pl", @parts )->{status}, 0, 'make needs less';
unlink "$dir/links0/FindBin.pm" or die "FindBin: $!\n";
is in_core( "$ROOT/report/show.pl", '--version' )->{err},
  "$ROOT/report/show.pl needs the package perl\n",
  'without what finds our own modules';

done_testing;
