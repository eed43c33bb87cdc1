package SKaMPI::ParameterFile;

# The suites of a parameter file, read as text, with a suite for each value of a list.
use v5.36;

use Exporter     qw(import);
use SKaMPI::Test qw(skampi);

our @EXPORT_OK = qw(suites_written);

sub operations () {
    state $operations = { skampi( q{.}, '--list' )->{out} =~ /^ *(\d+)  [a-z0-9]+_(\S+)/mg };
    return $operations;
}

# Each value of a list in a copy of the suite, and in its name.
sub spread_list ( $suite, $field ) {
    return map {
        my %copy  = ( $suite->%*, $field => $_ );
        my $value = $field eq 'Type' ? operations()->{$_} : $_;
        $copy{name} =~ s/[*]/$value/ or $copy{name} .= "-$value";
        \%copy;
    } split /\s*,\s*/, $suite->{$field};
}

sub spread ( $name, $fields, $wrong ) {
    my %suite = ( name => $name );
    my @lists;
    while ( $fields =~ s/^\s*(\w+)\s*=\s*("[^"]*"|[\w.]+(?:\s*,\s*[\w.]+)*)\s*;// ) {
        my ( $field, $value ) = ( $1, $2 );
        push @{$wrong}, "$name: $field twice" if exists $suite{$field};
        push @lists,    $field                if $value =~ /^[^"]*,/;
        $suite{$field} = $value;
    }
    push @{$wrong}, "$name: '$fields' is not a field" if $fields =~ /\S/;
    my @suites = ( \%suite );
    for my $field (@lists) {
        @suites = map { spread_list( $_, $field ) } @suites;
    }
    return @suites;
}

# One hash for each suite of a whole file or of the text under @MEASUREMENTS: its name and fields. What
# is neither record nor blank there is added to @{$wrong}.
sub suites_written ( $text, $wrong = [] ) {
    my @parts = split /^[ \t]*@(\w+)/m, "\@MEASUREMENTS\n$text";
    my @suites;
    shift @parts;
    while ( my ( $section, $records ) = splice @parts, 0, 2 ) {
        next if uc $section ne 'MEASUREMENTS';
        while ( $records =~ s/^\s*(\S+)\s*\{([^{}]*)\}// ) {
            push @suites, spread( $1, $2, $wrong );
        }
        push @{$wrong}, "'$records' is not a suite" if $records =~ /\S/;
    }
    return @suites;
}

1;
