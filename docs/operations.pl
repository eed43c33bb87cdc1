#!/usr/bin/perl
# The operations for the manual: number and name of each type that the program lists, with the
# report's text about it. An operation that several patterns measure is described once.
#   docs/operations.pl SKAMPI TEXTS
use v5.36;

use FindBin;
use lib "$FindBin::Bin/../report/lib";
use SKaMPI::Report::Texts qw(family_of);

my ( $program, $texts ) = @ARGV;

sub lines_of ( $mode, @of ) {
    open my $in, $mode, @of or die "$of[0]: $!\n";
    my @lines = <$in>;
    close $in or die "$of[0]: $!\n";
    return @lines;
}

# LaTeX of a name; it may break after an underscore.
sub name ($text) {
    return $text =~ s/_/\\_/gr;
}

# undef if there is none, as for a user's operation. The collective patterns have different texts about
# their dummies, and share all others.
sub file_of ( $pattern, $family, $operation ) {
    my ($file) = grep { -e } "$texts/${pattern}_$operation.dri",
      "$texts/operation/${family}_$operation.dri";
    return $file;
}

# For each family its title; for each of its operations, the file and the numbers of its types.
my ( @families, %family, %numbers );
my $title;
for ( lines_of( '-|', $program, '--list' ) ) {
    $title = $1 if /^(\w[\w -]+)(?:, varied over .*)?:$/;
    last        if /^Datatypes/;
    my ( $number, $pattern, $operation ) = /^ *(\d+)  ([[:lower:]\d]+)_(\S+)/ or next;
    my $family = family_of($pattern);
    push @families, $family{$family} = { title => $title } if !$family{$family};
    my $file = file_of( $pattern, $family, $operation ) // next;
    push @{ $family{$family}{operations} }, [ $operation, $file ] if !$numbers{$file};
    push @{ $numbers{$file} },              $number;
}

for my $family ( grep { $_->{operations} } @families ) {
    print "\\section{$family->{title}}\n\\begin{entries}\n";
    for ( @{ $family->{operations} } ) {
        my ( $operation, $file ) = @{$_};
        my $numbers = join ', ', @{ $numbers{$file} };
        print '\skampioperation{', name($operation), "}{$numbers}{%\n", lines_of( '<', $file ),
          "}\n";
    }
    print "\\end{entries}\n\n";
}
