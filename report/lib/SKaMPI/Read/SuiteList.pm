package SKaMPI::Read::SuiteList;

# The list of suites in the header of a result file. The header line #@SUITES has a line for each
# suite, with the value of every field.
use v5.36;

# The program writes lines of about 1000 characters.
my $LONGEST = 8192;

sub new ( $class, $text ) {
    my %lines_of;
    while ( $text =~ /^(\S[^\n]*?) \{ ([^\n]*)\}$/mg ) {
        push @{ $lines_of{$1} }, { text => $2 } if length $2 <= $LONGEST;
    }
    return bless { lines_of => \%lines_of }, $class;
}

# A hash that includes the key=value words of Parameters. Suites of different patterns may have the same name; the type
# distinguishes them. Undef unless the list has exactly one such suite.
sub fields_of ( $self, $name, $type = undef ) {
    my @found = map { $_->{fields} //= _fields( $_->{text} ) } @{ $self->{lines_of}{$name} // [] };
    @found = grep { ( $_->{Type} // q{} ) eq $type } @found if defined $type;
    return @found == 1 ? $found[0] : undef;
}

# "Type = 1; Scale = Dynamic_log; Parameters = "partner=farthest cache=warm";"
sub _fields ($text) {
    my %fields     = $text =~ /(\w+) = ("[^"]*"|[^;]*);/g;
    my $parameters = delete $fields{Parameters} // q{};
    my %more       = $parameters =~ /(\w+)=([^\s"]+)/g;
    return { %fields, %more };
}

1;
