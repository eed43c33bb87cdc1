#!/usr/bin/perl

use v5.36;

use Encode qw(decode);
use FindBin;
use List::Util qw(any);
use Pod::Usage qw(pod2usage);

use lib "$FindBin::RealBin/lib";
use SKaMPI::Output;
use SKaMPI::Report::ComparisonFile;
use SKaMPI::Report::Content;
use SKaMPI::Report::MachinesContent;
use SKaMPI::Report::Messages;
use SKaMPI::Report::Options;
use SKaMPI::Report::Press;
use SKaMPI::Report::UserFiles qw(dorep_path tex_modules);

our $VERSION = '4.2.0';

exit main(@ARGV);

sub main (@words) {
    binmode $_, ':encoding(UTF-8)' for *STDOUT, *STDERR;
    my $options = eval { SKaMPI::Report::Options->from_command_line(@words) };
    return wrong_usage($@) if !$options;
    return show_help()     if $options->get('help');
    return show_version()  if $options->get('version');
    my $comparisons = eval { read_dorep($options) };
    return wrong_usage($@) if !$comparisons;
    my $messages = eval { messages_for($options) };
    return wrong_usage($@) if !$messages;
    $messages->complain($_) for $comparisons->problems;
    return make_reports( $options, $comparisons, $messages );
}

sub wrong_usage ($text) {
    my $messages = SKaMPI::Report::Messages->new;
    $messages->complain($_) for split /\n/, $text;
    $messages->complain('see dorep.pl --help');
    return 2;
}

sub show_help {
    pod2usage( -verbose => 2, -noperldoc => 1, -exitval => 'NOEXIT', -output => \*STDOUT );
    return 0;
}

sub show_version {
    say "dorep.pl $VERSION";
    return 0;
}

sub messages_for ($options) {
    return SKaMPI::Report::Messages->new( $options->get('messages'), $options->get('quiet') );
}

# The comparisons; the options in the same file become part of OPTIONS.
sub read_dorep ($options) {
    my $file = SKaMPI::Report::ComparisonFile->from_file( dorep_path() );
    for my $line ( $file->options ) {
        eval { $options->add_from_file( @{ $line->{words} } ); 1 }
          or die map { dorep_path() . ":$line->{line}: $_\n" } split /\n/, $@;
    }
    return $file;
}

sub make_reports ( $options, $comparisons, $messages ) {
    my @paths  = $options->files          ? $options->files : 'skampi.out';
    my @groups = $options->get('compare') ? [@paths]        : map { [$_] } @paths;
    return wrong_usage('one name (-o) for several reports')
      if @groups > 1 && defined $options->get('output');
    return wrong_usage('--compare needs two files or more')
      if $options->get('compare') && @paths < 2;
    my $failed = 0;
    for my $group (@groups) {
        next if eval { make_report( $options, $comparisons, $messages, @{$group} ); 1 };
        $messages->complain($@);
        $failed++;
    }
    return $failed ? 1 : 0;
}

sub make_report ( $options, $comparisons, $messages, @paths ) {
    my $press = new_press($options);
    $press->look_for_tools;
    my @outputs = map { read_output($_) } @paths;
    my $name    = $options->get('output') // ( @paths > 1 ? "$paths[0].compared" : $paths[0] );
    my $content =
      @paths > 1
      ? machines_content_of( $options, @outputs )
      : content_of( $options, $comparisons, @outputs );
    $press->prepare($content);
    $press->draw;
    my $is_typeset = eval { $press->typeset; 1 };
    my $wrong      = $@;
    keep( $press, $name, $messages ) if $options->get('keep');
    die $wrong                       if !$is_typeset;
    $messages->complain($_) for $press->failed;
    deliver( $options, $press, $name, $messages );
    return;
}

sub read_output ($path) {
    my $output = SKaMPI::Output->from_file($path);
    die "no suite in '$path'\n" if !$output->suites;
    return $output;
}

sub new_press ($options) {
    return SKaMPI::Report::Press->new(
        formats => [ $options->formats ],
        own     => $options->get('own'),
    );
}

sub content_of ( $options, $comparisons, $output ) {
    return SKaMPI::Report::Content->new(
        $output,
        comparisons => $comparisons->applied_to($output)->{comparisons},
        modules     => [ tex_modules() ],
        directories => $options->get('directory'),
        style       => style_of($options),
    );
}

sub machines_content_of ( $options, @outputs ) {
    return SKaMPI::Report::MachinesContent->new(
        \@outputs,
        directories => $options->get('directory'),
        style       => style_of($options),
    );
}

sub style_of ($options) {
    return { map { $_ => $options->get($_) } qw(bars fewest mono) };
}

sub keep ( $press, $name, $messages ) {
    $press->workshop->keep( "$name.files", 'kill_temp' );
    $messages->inform("temporary files: $name.files; ./kill_temp removes them");
    return;
}

sub deliver ( $options, $press, $name, $messages ) {
    for my $format ( $options->formats ) {
        $press->workshop->deliver( $press->result($format), "$name.$format" );
        $messages->inform( "$name.$format: " . $press->page_count . ' pages' );
    }
    return;
}

__END__

=encoding utf8

=head1 NAME

dorep.pl - makes a report of SKaMPI's results

=cut
