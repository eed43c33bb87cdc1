#!/usr/bin/perl

BEGIN {    ## no critic (RequireUse)
    eval { require FindBin } || exit print {*STDERR} "$0 needs the package perl\n";
    unshift @INC, "$FindBin::RealBin/lib";
}
use SKaMPI::Base;

use SKaMPI::Base::Program
  qw(complain fail_usage print_plain run_program see_help show_help show_version);
use SKaMPI::Base::Table qw(shorten);
use SKaMPI::Document::SidesContent;
use SKaMPI::Document::Sides;
use SKaMPI::Document::Content;
use SKaMPI::Document::Options;
use SKaMPI::Document::Typesetter;
use SKaMPI::Findings::ComparisonFile;
use SKaMPI::Read::ResultFile      qw(read_suites);
use SKaMPI::Safe::ReportDirectory qw(check_directory check_file);
use SKaMPI::Safe::UserFiles       qw(dorep_file own_files tex_modules);

SKaMPI::Base->later( 'SKaMPI::Verdict::Usual', qw(add_usual) );

# The longest list of ignored files in a message.
my $LONGEST_NAMES = 200;

exit run_program( 'dorep', sub { return main(@ARGV) } );

sub main (@words) {
    my $options = eval { SKaMPI::Document::Options->from_command_line(@words) } or wrong_usage($@);
    show_help( $options->get('h') ) if $options->get('help') || $options->get('h');
    show_version()                  if $options->get('version');
    my $comparisons = eval { read_dorep($options) } or wrong_usage($@);
    complain($_) for $comparisons->problems;
    report_ignored($options);
    my $status = make_reports( $options, $comparisons );
    return $status || ( $comparisons->are_wrong ? 2 : 0 );
}

# Prints lines about what is made, unless --quiet was given.
sub inform ( $options, @lines ) {
    print_plain(@lines) if !$options->get('quiet');
    return;
}

sub wrong_usage ($text) {
    chomp $text;
    return fail_usage( "$text\n" . see_help() );
}

# The comparisons; the options in the same file become part of OPTIONS.
sub read_dorep ($options) {
    my ( $path, $whose ) = dorep_file();
    my $file = SKaMPI::Findings::ComparisonFile->from_file( $path, $whose eq 'shipped' );
    for my $line ( $file->options ) {
        eval { $options->add_from_file( $whose eq 'named', @{ $line->{words} } ); 1 }
          or die map { "$path:$line->{line}: $_\n" } split /\n/, $@;
    }
    return $file;
}

# Reports ignored user files: LaTeX and gnuplot files are programs and may come from a stranger.
sub report_ignored ($options) {
    return if $options->get('own');
    my @found = own_files( @{ $options->get('directory') } ) or return;
    my $names = shorten( join( ', ', @found ), $LONGEST_NAMES );
    complain("ignored: $names; use -u if these files are yours");
    return;
}

sub make_reports ( $options, $comparisons ) {
    my @paths  = $options->files          ? $options->files     : 'skampi.out';
    my @groups = $options->get('compare') ? [ $options->sides ] : map { [ [$_] ] } @paths;
    wrong_usage('cannot use -o with several reports')
      if @groups > 1 && defined $options->get('output');
    wrong_usage('--compare needs at least two files')
      if $options->get('compare') && @paths < 2;
    my $failed = 0;
    for my $group (@groups) {
        next if eval { make_report( $options, $comparisons, @{$group} ); 1 };
        my $wrong = ref $@ ? $@ : { status => 1, text => $@ };
        complain( $wrong->{text} );
        $failed ||= $wrong->{status};
        last if $wrong->{text} =~ /\Aterminated by signal/;
    }
    return $failed;
}

# Each side is a list of files. A report of one side is about its only file.
sub make_report ( $options, $comparisons, @sides ) {
    my $first = $sides[0][0];
    my ($name) = $options->name_of_output;
    $name = @sides > 1 ? "$first.compared" : $first if !defined $options->get('output');
    check_places( $options, $name );
    my $own = $options->get('own');
    my $typesetter =
      SKaMPI::Document::Typesetter->new( formats => [ $options->formats ], own => $own );
    $typesetter->prepare_own if $own;
    $typesetter->look_for_tools;
    my @read = map {
        [ map { read_suites($_) } @{$_} ]
    } @sides;
    my $baseline = $options->get('baseline') // $ENV{SKAMPI_BASELINE};
    inform( $options, add_usual( $_, $baseline ) ) for map { defined $baseline ? @{$_} : () } @read;
    my $content = content_of( $options, $comparisons, @read );
    $typesetter->prepare($content);
    $typesetter->draw;
    my $is_typeset = eval { $typesetter->typeset; 1 };
    my $wrong      = $@;
    keep( $options, $typesetter, $name ) if $options->get('keep');
    die $wrong                           if !$is_typeset;
    complain($_) for $typesetter->failed;
    deliver( $options, $typesetter, $name );
    return;
}

# Fails early, so that no one waits for a report that cannot be written.
sub check_places ( $options, $name ) {
    check_file("$name.$_") for $options->formats;
    return if !$options->get('keep');
    check_directory("$name.files");
    check_file('kill_temp');
    return;
}

# Texts about suites are LaTeX of the user, too.
sub content_of ( $options, $comparisons, @sides ) {
    my $own  = $options->get('own');
    my @more = (
        directories => [ $own ? ( @{ $options->get('directory') }, q{.} ) : () ],
        style       => { map { $_ => $options->get($_) } qw(bars fewest mono) },
    );
    return SKaMPI::Document::SidesContent->new( SKaMPI::Document::Sides->of(@sides), @more )
      if @sides > 1;
    my $applied = $comparisons->applied_to( $sides[0][0] );
    complain($_) for @{ $applied->{notes} };
    return SKaMPI::Document::Content->new(
        $sides[0][0],
        comparisons => $applied->{comparisons},
        modules     => [ $own ? tex_modules() : () ],
        @more
    );
}

sub keep ( $options, $typesetter, $name ) {
    $typesetter->directory->keep( "$name.files", 'kill_temp' );
    inform( $options, "$name.files: temporary files; ./kill_temp removes them" );
    return;
}

sub deliver ( $options, $typesetter, $name ) {
    for my $format ( $options->formats ) {
        $typesetter->directory->deliver( $typesetter->result($format), "$name.$format" );
        my $pages = $typesetter->page_count($format);
        inform( $options, "$name.$format: " . ( $pages == 1 ? 'one page' : "$pages pages" ) );
    }
    return;
}
