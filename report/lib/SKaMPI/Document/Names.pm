package SKaMPI::Document::Names;

# Makes names of files and references of a report from the suites' labels.
use v5.36;

use SKaMPI::Safe::Escape qw(file_stem);

# Beginnings of the names of the report's own files.
my $OWN = qr/\A(?:report|dvips)/;

sub new ($class) {
    return bless { taken => {} }, $class;
}

# A unique name: if several suites have the same label, all but the first get a number.
sub name_for ( $self, $label ) {
    my $stem = file_stem($label) // 'suite';
    $stem = "suite-$stem" if $stem =~ $OWN;
    my ( $name, $count ) = ( $stem, 1 );
    $name = "$stem-" . ++$count while $self->{taken}{$name};
    $self->{taken}{$name} = 1;
    return $name;
}

1;

