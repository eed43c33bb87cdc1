package SKaMPI::Document::ExtraValues;

# The values that rows carry in addition to their time, as text. The lines #@EXTRA of a suite
# declare these values (SKaMPI::Read::Suite), so this module knows no pattern.
use v5.36;

use Exporter   qw(import);
use List::Util qw(uniq);

use SKaMPI::Base::Table qw(shorten);
use SKaMPI::Base::Units qw(format_percent format_value);

our @EXPORT_OK = qw(extra_cells extra_legend);

# The program's names, units and texts are shorter; those of a result file may have any length.
my $LONGEST_NAME = 40;
my $LONGEST_TEXT = 100;

# The program writes up to eight values for each pattern; a file may declare any number.
my $MAX_NAMES = 16;

# A list in the order of the declarations, each a hash of the texts name, value and error (relative
# to the value, or in percentage points if the value is in percent). Value and error are empty if
# the row does not have them; a share that is not known is "-".
sub extra_cells ( $suite, $row ) {
    return map { _cell( $_, $row, $suite->extra( $row, $_->{name} ) ) } @{ $suite->{extra} };
}

sub _error_text ( $extra, $value, $error ) {
    return q{} if !defined $error || !defined $value;
    return shorten( format_value( $error, $extra->{unit} ), $LONGEST_NAME )
      if $extra->{unit} eq q{%};
    return $value != 0 ? format_percent( $error / abs $value ) : q{};
}

sub _cell ( $extra, $row, $value, $error ) {
    my ( $name, $unit ) = @{$extra}{qw(name unit)};
    my $is_unknown = ( $unit // q{} ) eq q{%} && ( $row->{extras}{$name} // q{} ) eq 'nan';
    return {
        name => shorten( $name, $LONGEST_NAME ),
        value => defined $value ? shorten( format_value( $value, $unit ), $LONGEST_NAME )
        : $is_unknown ? q{-}
        : q{},
        error => _error_text( $extra, $value, $error ),
    };
}

# What the names mean, NAME: TEXT; NAME: TEXT; empty if the suites have no such values.
sub extra_legend (@suites) {
    my @texts = uniq map { shorten( "$_->{name}: $_->{text}", $LONGEST_TEXT ) }
      map { @{ $_->{extra} } } @suites;
    my $more = @texts - $MAX_NAMES;
    return join '; ', @texts if $more <= 0;
    return join '; ', @texts[ 0 .. $MAX_NAMES - 1 ], "and $more more";
}

1;

