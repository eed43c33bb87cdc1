package SKaMPI::Verdict::Formats;

# The formats of sides (SKaMPI::Verdict::Sides).
use SKaMPI::Base;

use SKaMPI::Verdict::Csv      qw(sides_csv);
use SKaMPI::Verdict::Json     qw(sides_json);
use SKaMPI::Verdict::Junit    qw(sides_junit);
use SKaMPI::Verdict::Markdown qw(sides_markdown);
use SKaMPI::Verdict::Text     qw(sides_text);

our @EXPORT_OK = qw(formatted_sides sides_formats);

my %FORMATS = (
    text     => \&sides_text,
    csv      => \&sides_csv,
    json     => \&sides_json,
    markdown => \&sides_markdown,
    junit    => \&sides_junit,
);

sub sides_formats () { return ( sort keys %FORMATS ) }

# The text of sides in this format; with ALL, of every point.
sub formatted_sides ( $format, $sides, $all ) { return $FORMATS{$format}->( $sides, $all ) }

1;
