package SKaMPI::Meaning::Matrix;

# The times of all pairs of processes. A pair is a hash of ranks, name (3-11), time, error, row and closeness.
use SKaMPI::Base qw(suite @pairs);

use List::Util qw(max min);

use SKaMPI::Meaning::Catalog       qw(row_of);
use SKaMPI::Meaning::PlottedPoints qw(grouped);
use SKaMPI::Stat::Estimate         qw(is_beyond median);

# How near two processes are, nearest first.
my @CLOSENESS = (
    'on the same core',
    'on the same socket',
    'on the same host',
    'on different hosts',
    'at unknown places',
);
my $UNKNOWN = $#CLOSENESS;

# A pair is judged among more than this many similar pairs.
my $FEWEST = 3;

# Returns undef if the suite does not measure all pairs.
sub of ( $class, $suite ) {
    my @names = map { $_->{name} } @{ $suite->arguments };
    return if join( q{ }, @names ) ne 'rank partner';
    my @places = @{ $suite->fact('PLACES')->{list} };
    my %places = map { $_->{rank} => [ @{$_}{qw(host socket core)} ] } @places;
    my $self   = bless { suite => $suite, places => \%places }, $class;
    my @timed  = grep { ( $_->{time} // 0 ) > 0 } @{ $suite->rows };
    my @usable = grep {
        !grep { !/\A[0-9]{1,9}\z/ }
          @{ $_->{arguments} }
    } @timed;
    $self->{pairs} = [ map { $self->_pair($_) } @usable ];
    return $self;
}

# The shortest and the longest time.
sub limits ($self) {
    my @times = map { $_->{time} } $self->pairs;
    return ( min(@times), max(@times) );
}

# The hosts of a pair's processes, as far as they are known.
sub hosts_of ( $self, $pair ) {
    return map { $self->{places}{$_} ? $self->{places}{$_}[0] : () } @{ $pair->{ranks} };
}

sub processes ($self) {
    return 1 + max( -1, map { @{ $_->{ranks} } } $self->pairs );
}

sub _pair ( $self, $row ) {
    my @ranks = @{ $row->{arguments} };
    return {
        ranks     => \@ranks,
        name      => join( q{-}, @ranks ),
        time      => $row->{time},
        error     => $row->{error} // 0,
        row       => $row,
        closeness => _closeness( map { $self->{places}{$_} } @ranks ),
    };
}

sub _closeness ( $one, $other ) {
    return $UNKNOWN if !$one || !$other;
    my ( $host, $socket, $core ) =
      map { defined $one->[$_] && $one->[$_] eq ( $other->[$_] // q{} ) } 0 .. 2;
    return !$host ? 3 : $core ? 0 : $socket ? 1 : 2;
}

# The pairs that are equally near, as the block's #@PLACES says, and have enough repetitions: hashes of name, pairs in
# ascending order of their times, and their median.
sub classes ($self) {
    my @pairs = sort { $a->{closeness} <=> $b->{closeness} || $a->{time} <=> $b->{time} }
      grep { !$_->{row}{few} } $self->pairs;
    return map {
        my $median = median( map { $_->{time} } @{$_} );
        +{ name => $CLOSENESS[ $_->[0]{closeness} ], pairs => $_, median => $median }
    } grouped( sub ($pair) { return $pair->{closeness} }, @pairs );
}

# Pairs beyond their limit, against others that are equally near, and beyond their errors: each pair with its class.
sub slow_pairs ($self) {
    my ( $limit, @slow ) = row_of( limits => 'pair' )->{limit};
    for my $class ( grep { @{ $_->{pairs} } > $FEWEST } $self->classes ) {
        for my $pair ( @{ $class->{pairs} } ) {
            my %time;
            @time{qw(ratio error)} = map { $_ / $class->{median} } @{$pair}{qw(time error)};
            push @slow, [ $pair, $class ] if is_beyond( \%time, $limit );
        }
    }
    return @slow;
}

1;
