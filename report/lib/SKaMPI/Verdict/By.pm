package SKaMPI::Verdict::By;

# Divides launches into sides by a fact of their headers.
use SKaMPI::Base;

use List::Util qw(first uniq);

use SKaMPI::Base::Program    qw(fail_usage meant);
use SKaMPI::Base::Units      qw(counted);
use SKaMPI::Meaning::Catalog qw(fact_title rows_of);
use SKaMPI::Meaning::Facts   qw(read_fact);

our @EXPORT_OK = qw(check_by sides_by title_of_by);

# Words: the fact that has the value, and the text that follows from the values of this fact.
my %BY = (
    library => [ MPILIBRARY       => sub ($of) { return $of->{list}[0]{version} } ],
    hosts   => [ PROCESSESPERHOST => sub ($of) { return join ', ', sort( _hosts($of) ) } ],
    nodes   => [ PROCESSESPERHOST => sub ($of) { return counted( scalar _hosts($of), 'node' ) } ],
);

sub _hosts ($of) {
    return uniq( map { $_->{host} } @{ $of->{list} } );
}

# @LABEL=NAME is the value of a label.
my $LABEL = qr/\A\@LABEL=(.+)\z/;

# Fails if BY is neither one of these words nor @FACT.
sub check_by ($by) {
    return if $BY{$by} || $by =~ $LABEL;
    my @facts = map { "\@$_->{name}" } grep { $_->{place} eq 'header' } rows_of('facts');
    return if first { $_ eq $by } @facts;
    return fail_usage(
"--by: expected library, hosts, nodes, \@LABEL=NAME, or \@FACT, a fact of the header; got '$by'"
          . meant( $by, sort( keys %BY ), @facts ) );
}

# Returns the title of a column of sides: "library", "kernel".
sub title_of_by ($by) {
    return $by if $BY{$by};
    return $1 if $by =~ $LABEL;
    my $name = $by =~ s/\A\@//r;
    return fact_title($name) // $name;
}

# Divides FILES, hashes with fact, a function that returns the text of a fact by its name. Returns the sides in the
# order of their first files: pairs of the name and a list of files.
sub sides_by ( $by, @files ) {
    my ($label) = $by =~ $LABEL;
    my $of_label = sub ($of) {
        return map { $_->{value} } grep { $_->{name} eq $label } @{ $of->{list} };
    };
    my ( $fact, $text_of ) =
      @{ defined $label ? [ LABEL => $of_label ] : $BY{$by} // [ $by =~ s/\A\@//r ] };
    my ( %of, @names );
    for my $file (@files) {
        my $text = $file->{fact}->($fact);
        ($text) = $text_of->( read_fact( 0, $fact, $text ) ) if defined $text && $text_of;
        my $name = length( $text // q{} ) ? $text =~ s/\s*\n\s*/; /gr : 'unknown';
        push @names,          $name if !$of{$name};
        push @{ $of{$name} }, $file;
    }
    return map { [ $_, $of{$_} ] } @names;
}

1;
