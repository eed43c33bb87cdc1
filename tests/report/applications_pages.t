# The pages about what applications send, for complete and incomplete results. No tools are run (standard.t).
use v5.36;

use Test::More;
use SKaMPI::ApplicationResults qw(application_results other_library);
use SKaMPI::Document::Content;
use SKaMPI::Read::Output;
use SKaMPI::ReportTest qw(compared page_of);

my $TEXT  = application_results();
my $STYLE = { fewest => 4, mono => 0, bars => 0 };

# The same results with the suites for which this is true.
sub results_with ($wanted) {
    my $text = $TEXT =~
s{^#-----\n#/\*\@in(\S+)[.]ski\*/\n.*?^#eol\n}{ my $suite = $&; $wanted->($1) ? $suite : q{} }msger;
    return SKaMPI::Read::Output->from_text($text);
}

sub content_of ($output) {
    return SKaMPI::Document::Content->new( $output, style => $STYLE );
}

# The plots of the pages about applications, by name; each is drawn without a warning.
sub plots_of ($content) {
    my @plots =
      map { $_->plots } grep { ref =~ /::Application(?:View|Comparison)\z/ } $content->views;
    $_->commands('pdf') && $_->data for @plots;
    return { map { $_->name => $_ } @plots };
}

sub names_like ( $plots, $expression ) {
    return [ grep { $_ =~ $expression } sort keys %{$plots} ];
}

subtest 'a complete file' => sub {
    my $content = content_of( results_with( sub ($label) { return 1 } ) );
    my $page    = page_of($content);
    like $page, qr/Derived datatypes took less time in 3 of 4 tests: /, 'the sentence';
    my $plots = plots_of($content);
    is_deeply names_like( $plots, qr/overhead/ ), [ map { "applications-overhead$_" } 1 .. 3 ],
      'a plot of overheads for each access class';
    is_deeply names_like( $plots, qr/bandwidth/ ), [ map { "applications-bandwidth$_" } 1, 2 ],
      'bandwidths by manual packing and by datatypes';
    is scalar @{ names_like( $plots, qr/test\d-\d/ ) }, 12, 'phases of each test and method';
    ok $plots->{"applications-$_"}, "a plot of the $_" for qw(ratio pieces);

    for my $part ( 'Building datatypes', 'Packing overheads', 'Phases', 'Bandwidth' ) {
        like $page, qr/\\subsection\{$part\}/, $part;
    }
};

# Names of parts of the page, and suites that are sufficient for them.
my @PARTS =
  map { qr/$_/ } "packing overhead is", "against manual",
  map { "subsection\\{$_" } qw(Bandwidth Phases Building);
my @CASES = (
    [ 'no such suites',      sub ($label) { return 0 }, 0, 0, 0, 0, 0 ],
    [ 'building only',       sub ($label) { return $label =~ /Build/ },         0, 0, 0, 0, 1 ],
    [ 'without freeing',     sub ($label) { return $label =~ /Build_[^-]+\z/ }, 0, 0, 0, 0, 1 ],
    [ 'freeing only',        sub ($label) { return $label =~ /-free/ },         0, 0, 0, 0, 0 ],
    [ 'datatypes only',      sub ($label) { return $label !~ /-|Build/ }, 0, 0, 1, 1, 0 ],
    [ 'the reference only',  sub ($label) { return $label =~ /contiguous/ }, 0, 0, 0, 0, 0 ],
    [ 'without a reference', sub ($label) { return $label !~ /contiguous/ }, 0, 1, 1, 1, 1 ],
    [ 'without datatypes',   sub ($label) { return $label =~ /-[mpc]/ }, 1, 0, 1, 1, 0 ],
    [ 'one test',            sub ($label) { return $label =~ /WRF/ },    1, 1, 1, 1, 1 ],
    [ 'FFT, without phases', sub ($label) { return $label =~ /FFT/ },    1, 1, 1, 1, 0 ],
);
for my $case (@CASES) {
    my ( $name, $wanted, @expected ) = @{$case};
    subtest $name => sub {
        my $content = content_of( results_with($wanted) );
        my $page    = page_of($content);
        plots_of($content);
        is_deeply [ map { $page =~ $_ ? 1 : 0 } @PARTS ], \@expected, 'parts of the page';
    };
}

subtest 'a single size' => sub {
    my $text    = $TEXT =~ s/^(?!63168 |480 |5472 |524288 )[0-9]+ .*\n//mgr;
    my $content = content_of( SKaMPI::Read::Output->from_text($text) );
    like page_of($content), qr/took less\s+time in 3 of 4 tests/, 'the sentence';
    ok plots_of($content)->{'applications-bandwidth1'}, 'plots of single points';
};

subtest 'no time to pack, as on a simulated machine' => sub {
    my $text = $TEXT =~ s/^([0-9]+) [0-9.]+ [0-9.]+ /$1 $1.000000 0.000000 /mgr;
    my $page = page_of( content_of( SKaMPI::Read::Output->from_text($text) ) );
    like $page, qr/took less time in 0 of 4 tests[.]\s+They do not clearly differ in 4/,
      'no test is won';
    like $page, qr/Packing takes less than 1/, 'packing takes nothing';
};

subtest 'rows without a time' => sub {
    my $text = $TEXT =~ s/^(63168|480) \S+ /$1 nan /mgr;
    my $page = page_of( content_of( SKaMPI::Read::Output->from_text($text) ) );
    unlike $page, qr/63168 B/, 'are left out';
};

# The list of suites in the header.
my $LIST = qr/^#\@SUITES [^\n]*\n(?:# [^\n]*\n)*/m;

# A copy of the results in which the suites are called otherwise and have other keys of Parameters.
sub changed ( $text, $ending, $from, $to ) {
    my ($list) = $text =~ /($LIST)/;
    my $new    = $list =~ s/^(#(?:\@SUITES)?) ([\w-]+)/$1 $2$ending/mgr =~ s/$from/$to/gr;
    return $text =~ s/\Q$list\E/$new/r =~ s{^(#/\*\@in\S+)(?=[.]ski)}{$1$ending}mgr;
}

# Two sets in one file: the header lists both, and the suites of the second follow those of the first.
sub both ( $first, $second ) {
    my ($list)   = $second =~ /($LIST)/;
    my ($suites) = $second =~ /^(#-----\n.*^#eol\n)/ms;
    my $more     = $list   =~ s/\A#\@SUITES/#/r;
    return $first =~ s/($LIST)/$1$more/r =~ s/\A.*^#eol\n\K/$suites/msr;
}

subtest 'data kept and fresh in one file' => sub {
    my $fresh  = changed( $TEXT, '_f', 'cache=warm', 'cache=warm data=fresh' );
    my $output = SKaMPI::Read::Output->from_text( both( $TEXT, $fresh ) );
    my $page   = page_of( content_of($output) );
    like $page, qr/section\*\{What applications send: data $_\}/, "a page for $_"
      for qw(kept fresh);
    like $page, qr/applications send, compared/, 'a comparison';
    my $plots = plots_of( content_of($output) );
    ok $plots->{"${_}-overhead1"}, "plots of $_" for qw(applications applications-2 applications-3);
};

subtest 'loops in C and in Fortran' => sub {
    my $loops = $TEXT =~ s{^#-----\n#/\*\@in(\S+)[.]ski\*/\n.*?^#eol\n}
      { my $suite = $&; $1 =~ /-manual/ ? $suite : q{} }msger;
    my $fortran = changed( $loops, '_f', 'method=manual', 'method=manual language=fortran' );
    my $page = page_of( content_of( SKaMPI::Read::Output->from_text( both( $TEXT, $fortran ) ) ) );
    like $page, qr/facttitle\{manual\}&\\facttitle\{manual, Fortran\}/, 'are two columns';
};

sub texts_compared (@texts) {
    return compared( map { SKaMPI::Read::Output->from_text($_) } @texts );
}

my $OTHER = other_library($TEXT);

subtest 'two libraries' => sub {
    my $content = texts_compared( $TEXT, $OTHER );
    my $page    = page_of($content);
    like $page,
      qr/\\emph\{Example \(Open MPI v4[.]1[.]4\)\}: Derived datatypes took less time in 3 of 4/,
      'the first';
    like $page, qr/\\emph\{Example \(MPICH Version: 4[.]0[.]2\)\}: Derived/, 'the second';
    my ($view) = grep { $_->isa('SKaMPI::Document::ApplicationComparison') } $content->views;
    is scalar( grep { $_->name =~ /overhead/ } $view->plots ), 3, 'plots of overheads';
    my ($figure) = grep { $_->name =~ /overhead1/ } $view->plots;
    like $figure->commands('pdf'), qr/63168 B(?!\\,\\textdagger)/,
      't_net differs by 4.6 %: no mark';
    like $figure->commands('pdf'), qr/480 B\\,\\textdagger/, 't_net differs by a factor: a mark';
};

subtest 'phases of an operation of all processes' => sub {
    my $text = $TEXT =~ s{(\@insyncol_FFT-manual.*?^#eol)}
      {$1 =~ s/( case=[0-9]+)$/$1 pack=100.0 communication=150.0 unpack=50.0/mgr}mser;
    my ($plot) =
      grep { ( $_->{y_title} // q{} ) =~ /FFT: manual/ }
      values %{ plots_of( content_of( SKaMPI::Read::Output->from_text($text) ) ) };
    is scalar( grep { @{ $_->{points} } } @{ $plot->{series} } ), 5,
      'its communication is net: there is no partner';
};

subtest 'times without packing that differ by 5 %' => sub {
    for my $case ( [ 1.049 => 0 ], [ 1.051 => 10 ], [ 0.94 => 10 ] ) {
        my ( $factor, $marked ) = @{$case};
        my $other =
          $TEXT =~
          s{(\@in\w+-contiguous.*?^#eol)}{$1 =~ s/^([0-9]+) (\S+)/"$1 " . $factor * $2/mger}msger;
        my ($view) =
          grep { $_->isa('SKaMPI::Document::ApplicationComparison') }
          texts_compared( $TEXT, $other )->views;
        is $view->data->{marked}, $marked, "a factor of $factor";
    }
};

subtest 'three results, one without such suites' => sub {
    my $none = $OTHER =~ s{^#\@TYPE 1[2-5][0-9] }{#\@TYPE 1 }mgr;
    my ($view) = grep { $_->isa('SKaMPI::Document::ApplicationComparison') }
      texts_compared( $TEXT, $OTHER, $none )->views;
    is scalar @{ $view->data->{sets} }, 2, 'the others are compared';
    my $seven = texts_compared( $TEXT, $OTHER, $TEXT, $OTHER, $TEXT, $OTHER, $TEXT );
    ($view) = grep { $_->isa('SKaMPI::Document::ApplicationComparison') } $seven->views;
    is scalar @{ $view->data->{sets} }, 6, 'at most six';
    like page_of($seven), qr/Omitted: 1 more sets[.]/, 'and a note';
};

subtest 'a test that only one side has' => sub {
    my $fewer  = results_with( sub ($label) { return $label !~ /WRF_x_vec/ } );
    my $output = SKaMPI::Read::Output->from_text($OTHER);
    my ($view) = compared( $fewer, $output )->views;
    my ($plot) = grep { $_->name =~ /overhead1/ } $view->plots;
    like $plot->commands('pdf'), qr/WRF.+x.+vec/, 'has bars of the other';
};

subtest 'names from a file' => sub {
    my $text = $TEXT =~ s/^(#\@TYPE 12[05]) p2p_\S+/$1 p2p_X_Y-1/mgr;
    my $page = page_of( content_of( SKaMPI::Read::Output->from_text($text) ) );
    like $page, qr/took less time in \d of 3 tests: .*X\\_Y-1/, 'an unknown test is shown as well';
};

subtest 'implausible numbers' => sub {
    for my $number ( '1e300', $ENV{SKAMPI_LONG} ? ( '-1', '0', '1e-300', 'nan' ) : () ) {
        my @texts = (
            $TEXT =~ s/ (pack|net|unpack_error)=\S+/ $1=$number/gr,
            $TEXT =~ s/ case=/ pieces=$number case=/gr,
            $TEXT =~ s/^([0-9]+) \S+ /$1 $number /mgr,
            $TEXT =~ s/^[0-9]+ /$number /mr,
        );
        for my $i ( 0 .. $#texts ) {
            my $content = content_of( SKaMPI::Read::Output->from_text( $texts[$i] ) );
            my $text    = join q{},
              map { $_->data . $_->commands('pdf') } values %{ plots_of($content) };
            unlike page_of($content) . $text, qr/\b(?:nan|inf)\b/i, "$number in place $i";
        }
    }
};

done_testing;
