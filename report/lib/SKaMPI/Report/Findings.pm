package SKaMPI::Report::Findings;

use v5.36;

use List::Util qw(any);

use SKaMPI::Report::Cases qw(each_once);
use SKaMPI::Report::Drops;
use SKaMPI::Report::Estimate qw(quotient);
use SKaMPI::Report::Guidelines;
use SKaMPI::Report::Selection;
use SKaMPI::Report::Subject qw(axis_of heading_of title_of);
use SKaMPI::Report::Words   qw(argument_text ratio_text);
use SKaMPI::Units           qw(format_time);

# More than a page of them nobody reads; and those of one kind are not to drive out the others.
my $MOST_OF_A_KIND = 10;

# By the kind of a finding; all others are about what could take an operation's place.
my %ABOUT = ( longer => 'not steady', datatype => 'datatypes' );

# What is true of the counted arguments.
my %SLOWER = ( datatype => 'it takes at least twice as long' );

# Of the run; their number and length are up to whoever wrote the file.
my $MOST_WARNINGS   = 20;
my $LONGEST_WARNING = 500;

sub of ( $class, $output ) {
    my $selection = SKaMPI::Report::Selection->of($output);
    my %found;
    push @{ $found{ $ABOUT{ $_->{kind} } // 'slower' } },
      $_
      for each_once( SKaMPI::Report::Guidelines->violations($selection),
        SKaMPI::Report::Drops->of($selection) );
    my @groups = map { _group( $_, @{ $found{$_} // [] } ) } 'slower', 'datatypes', 'not steady';
    return {
        groups   => [ grep { @{ $_->{findings} } } @groups ],
        warnings => [ _warnings($output) ],
    };
}

sub _group ( $about, @findings ) {
    $_->{is_weak} = _is_weak($_) for @findings;
    $_->{text}    = _text($_)    for @findings;
    @findings     = sort { $b->{factor} <=> $a->{factor} || $a->{text} cmp $b->{text} } @findings;
    my @left_out = @findings > $MOST_OF_A_KIND ? splice @findings, $MOST_OF_A_KIND : ();
    return { about => $about, findings => \@findings, left_out => scalar @left_out };
}

# One of its times is less exact than asked for.
sub _is_weak ($finding) {
    return ( any { $_->{inexact} } $finding->{slow}, @{ $finding->{fast} } ) ? 1 : 0;
}

sub _text ($finding) {
    my $text =
      $finding->{kind} eq 'longer' ? _text_of_drop($finding) : _text_of_guideline($finding);
    $text .= ' One of these times is less exact than asked for.' if $finding->{is_weak};
    return $text;
}

sub _text_of_guideline ($finding) {
    my ( $slow, @fast ) = ( $finding->{slow}, @{ $finding->{fast} } );
    my $name    = title_of( $slow->{suite} );
    my $factor  = _factor($finding);
    my $instead = join ' followed by ', map { _part( $slow, $_ ) } @fast;
    my $place   = join ', ',            argument_text( $slow->{argument}, $slow->{column} ),
      _default( $slow->{suite} );
    my $times = join ' against ', map { format_time( $_->{time} ) } $slow, $finding->{sum};
    return
      "$name takes $factor times as long as $instead at $place ($times)"
      . _extent( $SLOWER{ $finding->{kind} } // 'it is slower', $finding ) . q{.};
}

sub _factor ($finding) {
    my $quotient = quotient( $finding->{slow}, $finding->{sum} );
    return ratio_text( @{$quotient}{qw(ratio error)} );
}

# With its length where that is another one.
sub _part ( $slow, $fast ) {
    my $name = title_of( $fast->{suite} );
    return $name if $fast->{argument} == $slow->{argument};
    return "$name of " . argument_text( $fast->{argument}, $fast->{column} );
}

sub _default ($suite) {
    return "$suite->{nodes} processes" if axis_of($suite) eq 'length' && defined $suite->{nodes};
    return argument_text( $suite->{message_length}, { unit => 'bytes' } )
      if axis_of($suite) eq 'nodes' && defined $suite->{message_length};
    return;
}

sub _text_of_drop ($finding) {
    my ( $slow, $fast ) = ( $finding->{slow}, $finding->{fast}[0] );
    my $factor = _factor($finding);
    my ( $short, $long ) = map { argument_text( $_->{argument}, $_->{column} ) } $slow, $fast;
    my ( $time, $less ) = map { format_time( $_->{time} ) } $slow, $fast;
    my $label = heading_of( $slow->{suite}, $slow->{label} );
    return
      "$label: $short take $time, $factor times as long as $long ($less)"
      . _extent( 'a longer message is faster', $finding ) . q{.};
}

# How often that is, if there is more to tell than the one argument.
sub _extent ( $what, $finding ) {
    my ( $count, $of, $column ) = ( @{$finding}{qw(count of)}, $finding->{slow}{column} );
    return q{}                                    if $of == 1;
    return "; of $of arguments, $what only there" if $count == 1;
    my $range = join ' to ', map { argument_text( $_, $column ) } @{$finding}{qw(first last)};
    return
        "; $what at "
      . ( $count == $of ? "all $of" : "$count of $of" )
      . " arguments from $range";
}

# What makes all of this less certain.
sub _warnings ($output) {
    my @told = map { substr $_->{value} =~ s/\n.*//sr, 0, $LONGEST_WARNING }
      grep { $_->{name} eq 'WARNING' } $output->fields;
    splice @told, $MOST_WARNINGS if @told > $MOST_WARNINGS;
    my $oversubscribed = ( $output->field('OVERSUBSCRIBED') // 'no' ) eq 'yes';
    push @told, 'more processes than CPUs' if $oversubscribed && !grep { /oversubscribed/ } @told;
    push @told, 'the run is not finished'  if !$output->is_finished;
    push @told,
      'these are times of one launch: the next one may differ by more than the errors tell'
      if !$output->is_postprocessed;
    return ( @told, _inexact($output) );
}

sub _inexact ($output) {
    my ( $count, $all ) = ( 0, 0 );
    for my $suite ( grep { $_->{prefix} ne 'internal' } $output->suites ) {
        my @judged = grep { defined $_->{extras}{stop} } @{ $suite->{rows} };
        $all   += @judged;
        $count += grep { $suite->is_inexact($_) } @judged;
    }
    return if !$count;
    return "$count of $all measurements ended before they were as exact as asked for";
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Findings - what in these results should be looked at

=head1 SYNOPSIS

    my $findings = SKaMPI::Report::Findings->of($output);
    say $_->{text} for @{ $findings->{findings} };

=head1 DESCRIPTION

C<of(OUTPUT)> returns a hash of

=over

=item groups

a list of those groups in which something was found: C<about> is C<slower> (than what could take its
place), C<datatypes> (much slower than the same bytes without gaps) or C<not steady> (a longer message
is faster), C<left_out> how many more there are than C<findings> has, the greatest factor first, at
most ten. Each is a hash as L<SKaMPI::Report::Cases> says, of L<SKaMPI::Report::Guidelines> or
L<SKaMPI::Report::Drops>, and with

    text     one or two sentences
    is_weak  1 if one of the times ended before it was as exact as asked for

=item warnings

a list of texts: what the run warned of, and what else makes the findings less certain.

=back

All texts hold names as they stand in the results: whoever prints them has to take care.

=cut
