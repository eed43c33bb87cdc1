package SKaMPI::Report::Document;

use v5.36;

use File::Spec ();
use Template   ();

use SKaMPI::Report::Escape qw(tex);

my $TEMPLATES = File::Spec->rel2abs(__FILE__) =~ s{lib/SKaMPI/Report/Document[.]pm\z}{templates}r;

# Every text of a template goes through one of these: tex for whatever may come from a file, raw for
# what is LaTeX already. tests/report/document.t sees to that.
my %FILTERS = ( tex => \&tex, raw => sub ($text) { return $text } );

sub new ($class) {
    my $engine = Template->new(
        {
            INCLUDE_PATH => $TEMPLATES,
            FILTERS      => \%FILTERS,
            ENCODING     => 'UTF-8',
            STRICT       => 1,
            TAG_STYLE    => 'template',
            TRIM         => 0,
        }
    ) or die Template->error . "\n";
    return bless { engine => $engine }, $class;
}

# The text of TEMPLATE.tt with this data.
sub text ( $self, $template, $data ) {
    my $text = q{};
    $self->{engine}->process( "$template.tt", $data, \$text )
      or die 'template ' . $self->{engine}->error . "\n";
    return $text;
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Document - fills the LaTeX templates of the report

=head1 DESCRIPTION

C<< SKaMPI::Report::Document->new->text(TEMPLATE, DATA) >> returns LaTeX (characters).

=cut
