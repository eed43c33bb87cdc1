package SKaMPI::Document::OneSidedView;

# The pages about one-sided communication, one for each set of SKaMPI::Findings::OneSided.
use SKaMPI::Base;

use SKaMPI::Base::Units qw(with_mu);
use SKaMPI::Figure::PlotKey;
use SKaMPI::Figure::StackedBars;
use SKaMPI::Findings::OneSided qw(one_sided_sets sentence_about);

# NAMES is a function that makes names (SKaMPI::Document::Sections).
sub views_of ( $class, $output, $names ) {
    return map { $class->new( $_, $names ) } one_sided_sets($output);
}

sub new ( $class, $set, $names ) {
    my $self = bless { set => $set, name => $names->('onesided') }, $class;
    my @key  = (
        { title => 'synchronisation alone, without access', style => 1, stripes => 1 },
        { title => 'the rest',                              style => 0, stripes => 0 }
    );
    my @panels = @{ $set->{panels} };
    $self->{plots} = [
        SKaMPI::Figure::PlotKey->new( "$self->{name}-key", \@key ),
        map {
            SKaMPI::Figure::StackedBars->new(
                "$self->{name}-bars$_",
                $panels[ $_ - 1 ]{clusters},
                y_title => $panels[ $_ - 1 ]{title}
            )
        } 1 .. @panels
    ];
    return $self;
}

sub plots ($self) { return @{ $self->{plots} } }

sub data ($self) {
    my $set = $self->{set};
    return {
        id        => $self->{name},
        words     => $set->{words},
        sentences => [ map { with_mu( sentence_about($_) ) } @{ $set->{panels} } ],
        plots     => [ map { $_->name } $self->plots ],
    };
}

1;
