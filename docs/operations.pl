#!/usr/bin/perl
# The operations for the manual: number and name of each type that the program lists, with the
# report's text about it. An operation that several patterns measure is described once.
#   docs/operations.pl SKAMPI
use v5.36;

use FindBin;
use lib "$FindBin::Bin/../report/lib";
use SKaMPI::Base::Process    qw(output_of);
use SKaMPI::Document::Texts  qw(shipped_texts);
use SKaMPI::Meaning::Subject qw(family_of);

my ($program) = @ARGV;
my $texts = shipped_texts();

# LaTeX of a name; it may break after an underscore.
sub name ($text) { return $text =~ s/_/\\_/gr }

# undef if there is none, as for a user's operation. The collective patterns have different texts about
# their dummies, and share all others.
sub text_name ( $pattern, $family, $operation ) {
    my ($name) = grep { exists $texts->{$_} } "${pattern}_$operation",
      "operation/${family}_$operation";
    return $name;
}

# For each family its title; for each of its operations, its text's name and the numbers of its types.
my ( @families, %family, %numbers );
my $title;
for ( split /^/m, output_of( $program, '--list' ) || die "'$program --list' failed\n" ) {
    $title = $1 if /^(\w[\w -]+)(?:, varied over .*)?:$/;
    last        if /^Datatypes/;
    my ( $number, $pattern, $operation ) = /^ *(\d+)  ([[:lower:]\d]+)_(\S+)/ or next;
    my $family = family_of($pattern);
    push @families, $family{$family} = { title => $title } if !$family{$family};
    my $text = text_name( $pattern, $family, $operation ) // next;
    push @{ $family{$family}{operations} }, [ $operation, $text ] if !$numbers{$text};
    push @{ $numbers{$text} },              $number;
}

for my $family ( grep { $_->{operations} } @families ) {
    print "\\section{$family->{title}}\n\\begin{entries}\n";
    for ( @{ $family->{operations} } ) {
        my ( $operation, $text ) = @{$_};
        my $numbers = join ', ', @{ $numbers{$text} };
        print '\skampioperation{', name($operation), "}{$numbers}{%\n$texts->{$text}\n}\n";
    }
    print "\\end{entries}\n\n";
}
