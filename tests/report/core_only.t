#!/usr/bin/perl
# The programs with no other modules than those of Perl itself print what they print where all are installed. What is
# missing of those is said in a sentence.
use v5.36;

use Config;
use Cwd            qw(abs_path);
use File::Basename qw(dirname);
use File::Path     qw(make_path);
use IPC::Run       qw(run);
use Test::More;
use SKaMPI::FatalWarnings;
use SKaMPI::Install    qw(paths_under root);
use SKaMPI::ReportTest qw(workplace);
use SKaMPI::Test       qw(read_file write_file);

my $ROOT = root();
my $dir  = workplace(
    'a.out'   => read_file("$ROOT/tests/report/data/report.out"),
    'b.out'   => read_file("$ROOT/tests/report/data/report.out") =~ s/^(\d+ \d+)[.]/${1}1./mgr,
    'app.out' => read_file("$ROOT/tests/report/data/applications-openmpi.out"),
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
    run [ $^X, @words ], '<', \undef, '>', \my $out, '2>', \my $err, init => sub { chdir $dir };
    return { out => $out, err => $err, status => $? >> 8 };
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
    [qw(show app.out)],
    [qw(show --health --format json a.out)],
    ( map { [ 'export', '-f', $_, 'a.out' ] } qw(csv gbench json markdown osu) ),
    [qw(compare --format json a.out -- b.out)],
    [ qw(model fit --format json), "$ROOT/docs/examples/standard.out" ],
    map { [ $_, '--help' ] } qw(launch tune profile db),
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
        my $made = $_->( "$ROOT/report/dorep.pl", '--quiet', '--format', 'html', 'app.out' );
        is "$made->{status}$made->{err}", '0', 'a report';
        read_file("$dir/app.out.html")
    } \&in_core, \&program;
    is $pages[0], $pages[1], 'HTML';
}

my @parts = sort glob "$ROOT/configs/*.skampi";
is in_core( "$ROOT/configs/embed.pl", @parts )->{out},
  program( "$ROOT/configs/embed.pl", @parts )->{out}, 'make: the parameter files';
like in_core( "$ROOT/report/db.pl", 'list' )->{err},
  qr/\Adb[.]pl: [^\n]*DBI[^\n]*libdbi-perl[^\n]*only the database needs them\n\z/, 'the database';

# Directories of links to Perl's own modules, without these files.
sub core_without (@files) {
    state $count = 0;
    my %is_left_out = map { $_ => 1 } @files;
    my @places;
    for my $from ( map { abs_path($_) } @core ) {
        push @places, my $to = "$dir/links" . $count++;
        for my $file ( grep { !m{/\z} && !$is_left_out{$_} } paths_under($from) ) {
            make_path( dirname("$to/$file") );
            symlink "$from/$file", "$to/$file" or die "$to/$file: $!\n";
        }
    }
    return core_of(@places);
}

core_without(qw(JSON/PP.pm Time/HiRes.pm));
for my $name (qw(compare db dorep export launch model profile show tune)) {
    my $got = in_core( "$ROOT/report/$name.pl", '--version' );
    is $got->{err},
      "$name.pl: missing modules of Perl: JSON::PP, Time::HiRes; install perl (Debian) or"
      . " 'perl(JSON::PP)' 'perl(Time::HiRes)' (RHEL, Rocky)\n", "$name: one sentence";
    is $got->{status}, 1, 'a failure';
}
is in_core( "$ROOT/configs/embed.pl", @parts )->{status}, 0, 'make needs less';
core_without('FindBin.pm');
is in_core( "$ROOT/report/show.pl", '--version' )->{err},
  "$ROOT/report/show.pl needs the package perl\n",
  'without what finds our own modules';

done_testing;
