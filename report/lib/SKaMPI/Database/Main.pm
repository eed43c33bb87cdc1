package SKaMPI::Database::Main;

# The commands of skampi-db.
use SKaMPI::Base;

use SKaMPI::Base::Program qw(check_choice read_options);

# The module of each command, loaded when it is needed, whose function "run_NAME" does the work, and its options.
my %COMMANDS = (
    add    => [ 'SKaMPI::Database::Commands', qw(again unpublished without-names) ],
    list   => [ 'SKaMPI::Database::Lists',    qw(json machine=s search=s since=s state=s limit=i) ],
    show   => [ 'SKaMPI::Database::Lists',    qw(json) ],
    export => [ 'SKaMPI::Database::Commands', qw(format|f=s original output|o=s) ],
    publish   => [ 'SKaMPI::Database::Commands', qw(note=s) ],
    withdraw  => [ 'SKaMPI::Database::Commands', qw(reason=s) ],
    erase     => ['SKaMPI::Database::Commands'],
    machine   => [ 'SKaMPI::Database::Lists',    qw(json owner=s title=s) ],
    reference => [ 'SKaMPI::Database::Commands', qw(anonymous force output|o=s) ],
    token     => [ 'SKaMPI::Database::Commands', qw(list revoke trusted!) ],
    reindex   => ['SKaMPI::Database::Commands'],
    copy   => [ 'SKaMPI::Database::Commands', qw(public) ],
    submit => [ 'SKaMPI::Database::Submit',   qw(dry-run machine=s token-file=s with-names) ],
    serve  => [ 'SKaMPI::Database::Web',      qw(host=s@ listen|l=s@ proxy=s@ public workers=i) ],
    site   => [ 'SKaMPI::Database::Site',     qw(force) ],
);

sub main (@words) {
    my ($equals) = ( $words[0] // q{} ) =~ /\A--database(=|\z)/;
    my @before   = defined $equals ? splice @words, 0, $equals ? 1 : 2 : ();
    my $name     = @words && $words[0] !~ /\A-/ ? shift @words : undef;
    unshift @words, @before;
    my ( $module, @options ) = @{ $COMMANDS{ $name // q{} } // [] };
    my ( $options, $left, @more ) = read_options( \@words, {}, 'database=s', @options );
    check_choice( 'command', $name // q{}, sort keys %COMMANDS );
    require $module =~ s{::}{/}gr . '.pm';
    my $run = $module->can("run_$name");
    return $run->( $options, @{$left}, map { @{$_} } @more );
}

1;
