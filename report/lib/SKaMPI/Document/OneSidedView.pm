package SKaMPI::Document::OneSidedView;

# The pages about one-sided communication, one for each set of SKaMPI::Findings::OneSided.
use SKaMPI::Base qw(@plots);

use SKaMPI::Base::Units qw(with_mu);
use SKaMPI::Figure::PlotKey;
use SKaMPI::Figure::GroupedBars qw(stacked_bars);
use SKaMPI::Findings::OneSided  qw(one_sided_sets sentence_about);

# NAMES is a function that makes names (SKaMPI::Document::Sections).
sub views_of ( $class, $output, $names ) {
    return map { $class->new( $_, $names ) } one_sided_sets($output);
}

sub new ( $class, $set, $names ) {
    my $name = $names->('onesided');
    my @key  = (
        { title => 'synchronisation alone, without access', style => 1, stripes => 1 },
        { title => 'the rest',                              style => 0, stripes => 0 }
    );
    my $count = 0;
    my @plots =
      map { stacked_bars( "$name-bars" . ++$count, $_->{clusters}, y_title => $_->{title} ) }
      @{ $set->{panels} };
    return bless {
        set   => $set,
        name  => $name,
        plots => [ SKaMPI::Figure::PlotKey->new( "$name-key", \@key ), @plots ]
      },
      $class;
}

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
