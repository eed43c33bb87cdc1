package SKaMPI::Findings::HealthText;

# SKaMPI::Findings::Health in words.
use SKaMPI::Base;

use List::Util qw(uniq);

use SKaMPI::Base::Table qw(wrapped);
use SKaMPI::Base::Units qw(counted with_mu);

my $WIDE   = length 'cannot tell';
my %COLOUR = ( look => 'caution', good => 'accent' );

sub health_title ($health) { return 'Is the machine all right? ' . health_state($health) }

# The state with the lines that determine it, unless all are good; the lines that were not judged; and whether findings
# follow what is good.
sub health_state ($health) {
    my ( $state, @lines ) = ( $health->{state}, _lights($health) );
    my @names = uniq map { $_->{name} }
      grep { $state eq 'cannot tell' ? $_->{doubt} : $_->{state} eq $state } @lines;
    my @open = map { $_->{name} }
      grep { $_->{state} eq 'cannot tell' && !( $state eq 'cannot tell' && $_->{doubt} ) } @lines;
    $state .= ': ' . join ', ', @names if @names && ( $state ne 'good' || @names < @lines );
    $state .= '; not judged: ' . join ', ', @open if @open;
    $state .= '; look at the findings' if $health->{state} eq 'good' && @{ $health->{findings} };
    return "$state (" . counted( $health->{launches}, 'launch', 'launches' ) . ')';
}

sub _lights ($health) {
    return grep { $_->{state} ne 'not measured' } @{ $health->{lines} };
}

# The text of a line after its name.
sub health_sentence ($line) {
    my @parts;
    my $against = $line->{against} =~ s/\A(?!no reference|\z)/reference: /r;
    push @parts, join '; ', grep { $_ ne q{} } $line->{value}, $against if $line->{value} ne q{};
    push @parts, "costs $line->{cost}"  if $line->{cost} ne q{};
    push @parts, "to do: $line->{todo}" if $line->{todo} ne q{};
    return join q{ }, map { ucfirst(s/[.]\z//r) . q{.} } @parts;
}

sub health_text ($health) {
    my @more = map { wrapped( "Another run decides more: $_", q{    }, q{  } ) }
      grep { $_ ne q{} } $health->{more};
    return ( wrapped( health_title($health) ), q{}, health_lines( $health, @more ) );
}

# The lines of the health of a machine without their title; MORE follows the states.
sub health_lines ( $health, @more ) {
    my @lines;
    for ( _lights($health) ) {
        my $state = sprintf "  %-*s  ", $WIDE, $_->{state};
        push @lines, wrapped( "$_->{name}: " . health_sentence($_), q{ } x length $state, $state );
    }
    my @notes = ( @more, map { wrapped( "\u$_", q{    }, q{  } ) } @{ $health->{notes} } );
    push @lines, q{} if @lines && @notes;
    push @lines, @notes;
    push @lines, q{}, 'Strongest findings' if @{ $health->{findings} };
    push @lines, map { wrapped( $_, q{    }, q{  } ) }
      map { ( $_->{state} eq q{} ? q{} : "$_->{state}: " ) . $_->{text} } @{ $health->{findings} };
    return @lines;
}

# The data for the report.
sub health_data ( $health, $ids ) {
    my @lines = map {
        {
            name   => $_->{name},
            state  => $_->{state},
            colour => $COLOUR{ $_->{state} } // 'quiet',
            text   => with_mu( health_sentence($_) ),
            id     => defined $_->{label} ? $ids->{ $_->{label} } : q{}
        }
    } _lights($health);
    return {
        title  => health_title($health),
        colour => $COLOUR{ $health->{state} } // 'quiet',
        lines  => \@lines,
        more   => $health->{more} // q{},
        notes  => [ map { with_mu( ucfirst "$_." ) } @{ $health->{notes} } ],
    };
}

1;
