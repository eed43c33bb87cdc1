package SKaMPI::Findings::Disturbers;

# Findings about processes that delay the others (SKaMPI::Stat::Disturbance). The factor is the part of the slow
# repetitions, the evidence their number. The text names the host of a process if the results do.
use v5.36;

use List::Util qw(max);

use SKaMPI::Base::Table      qw(shorten);
use SKaMPI::Base::Units      qw(format_percent);
use SKaMPI::Meaning::Subject qw(heading_of);
use SKaMPI::Stat::Disturbance;

# The longest name of a host, and the most processes that are named.
my ( $LONGEST_HOST, $MAX_NAMED ) = ( 40, 8 );

sub of ( $class, $output, $selection ) {
    my ( @tallies, %suite );
    for my $suite ( grep { $_->kept_times } $selection->all ) {
        my @own = SKaMPI::Stat::Disturbance->tallies( $suite->kept_times );
        $suite{$_} = $suite for @own;
        push @tallies, @own;
    }
    return
      map { _finding( $output, $suite{ $_->{tally} }, $_ ) }
      SKaMPI::Stat::Disturbance->findings(@tallies);
}

sub _finding ( $output, $suite, $found ) {
    my ( $tally, @processes ) = ( $found->{tally}, @{ $found->{processes} } );
    my $part = max( map { $tally->may_cause($_) } @processes ) / $tally->disturbed;
    return {
        kind     => 'disturber',
        factor   => $part,
        evidence => $part * $tally->disturbed,
        slow     => { suite => $suite, inexact => 0 },
        fast     => [],
        text     => _text( $output, $suite, $tally, $part, @processes ),
    };
}

sub _text ( $output, $suite, $tally, $part, @processes ) {
    my $name  = heading_of( $suite, $suite->{label} );
    my $slow  = $tally->disturbed . ' slow repetitions';
    my $share = format_percent($part);
    my $hosts = $suite->{prefix} =~ /\Avt/ ? {} : _hosts($output);
    my @names = map { defined $hosts->{$_} ? "$_ on $hosts->{$_}" : $_ } @processes;
    splice @names, $MAX_NAMED, @names, 'others' if @names > $MAX_NAMED;
    return "$name: process $names[0] delays the others in $share of $slow." if @names == 1;
    my $all = join ' or ', join( ', ', @names[ 0 .. $#names - 1 ] ), $names[-1];
    return "$name: one of the processes $all delays the others in up to $share of $slow;"
      . ' these processes are late together, so that their times do not show which.';
}

# "RANK HOST CPUS", a line for each process after the first line.
sub _hosts ($output) {
    my ( undef, @lines ) = split /\n/, $output->field('BINDING') // q{};
    my %host = map { /\A([0-9]{1,9}) (\S+)/ ? ( $1 => shorten( $2, $LONGEST_HOST ) ) : () } @lines;
    return \%host;
}

1;

