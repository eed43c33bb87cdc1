package SKaMPI::Database::Anonymous;

# A result file without names of persons, hosts and paths. It has nothing but
# - only those facts that are public (SKaMPI::Meaning::Catalog);
# - only those environment variables that are settings of MPI libraries, without those that contain
#   a path or a host;
# - node1, node2, ... instead of hosts, and no users, addresses or absolute paths
#   (SKaMPI::Database::Names);
# - the rows, and of the words after them those key=value that contain no such name; and the lines
#   that define a suite.
use SKaMPI::Base;

use Encode qw(encode);

use SKaMPI::Base::TextFile qw(characters);
use SKaMPI::Database::Names;
use SKaMPI::Database::Settings qw(is_setting);
use SKaMPI::Meaning::Catalog   qw(row_of);
use SKaMPI::Read::Output;
use SKaMPI::Read::Skampi5 qw(own_text);

our @EXPORT_OK = qw(anonymous_bytes anonymous_text);

# Lines of a block besides facts and rows; any other line is left out, unless it continues one of them.
my $STRUCTURE =
qr{\A(?:\#?/\*\@in|\#Description |\#Pattern: |\#The x scale |\#range: ?|\#default values: |\#max[.] allowed |\#Format: |\#-{3,}|\#eol\b|\#?\s?skampi finished|\#\z)};
my $LABELLED = qr{\A(?:\#?/\*\@in|\#Description )};
my $ROW      = qr/\A\s*[+-]?(?:[.]?[0-9]|nan|inf)/i;

# Changes to the value of a fact, besides names: a function of its lines.
my %TIDY = (

    # Settings may leave the machine if their values contain no path, address or host.
    ENVIRONMENT => sub ( $work, @lines ) {
        return grep { is_setting($_) && !$work->{names}->occur_in(s/\A[^=]*=//r) } @lines;
    },
    MACHINE =>
      sub ( $work, @lines ) { return defined $work->{machine} ? $work->{machine} : @lines },

    # Other launches may have had other hosts than the header.
    VERDICTS => sub ( $work, @lines ) {
        return map { /"hosts"/ ? s/[^\s":]+:(?=[0-9]+\b)/node:/gr : $_ } @lines;
    },
);

sub anonymous_bytes ( $bytes, $machine = undef ) {
    return encode( 'UTF-8', anonymous_text( characters($bytes), $machine ) );
}

# Makes a result file anonymous. MACHINE, if defined, becomes the name of the machine.
sub anonymous_text ( $file, $machine = undef ) {
    my $text  = own_text($file);
    my $names = SKaMPI::Database::Names->new( SKaMPI::Read::Output->from_text($text) );
    my $work  = { names => $names, machine => $machine, text => q{}, fact => undef };
    _take( $work, $_ ) for split /\r?\n/, $text;
    _finish_fact($work);
    return $work->{text};
}

sub _take ( $work, $line ) {
    if ( $line =~ /\A\#\@(\S+) ?(.*)\z/s ) {
        _finish_fact($work);
        $work->{fact} = { name => $1, lines => [$2] };
        return;
    }
    if ( $work->{fact} && $line =~ /\A\#\ (.*)\z/s ) {
        push @{ $work->{fact}{lines} }, $1;
        return;
    }
    _finish_fact($work);
    my $wrapped = delete $work->{header};
    return _add( $work, _row( $work, $line ) ) if $line =~ $ROW;
    $work->{header} = $line =~ /\A\#[A-Zmr]/;
    return _add( $work, $work->{names}->without_hosts($line) ) if $line =~ $LABELLED;
    return _add( $work, $line )                                if $line =~ $STRUCTURE;
    $work->{header} = $wrapped && $line =~ /\A[^\#]/;
    return _add( $work, $work->{names}->replaced($line) ) if $work->{header};
    return;
}

sub _add ( $work, $line ) {
    $work->{text} .= "$line\n";
    return;
}

# The words after # may be texts.
sub _row ( $work, $line ) {
    my ( $numbers, $words ) = split /\#/, $line, 2;
    return $line if !defined $words;
    my @kept = grep { /\A[\w.]+=/ && !$work->{names}->occur_in(s/\A[^=]*=//r) } split q{ }, $words;
    return join q{ }, $numbers =~ s/\s+\z//r, q{#}, @kept;
}

sub _finish_fact ($work) {
    my $fact = delete $work->{fact} // return;
    my $name = $fact->{name};
    my $row  = row_of( facts => $name ) // {};
    return if !$row->{public};
    my @lines = @{ $fact->{lines} };
    @lines = $TIDY{$name}->( $work, @lines ) if $TIDY{$name};
    @lines = map { $work->{names}->replaced($_) } @lines      if $row->{with_names};
    @lines = map { $work->{names}->without_hosts($_) } @lines if $name eq 'SUITES';
    return if !@lines;
    my ( $first, @more ) = @lines;
    _add( $work, $first eq q{} ? "#\@$name" : "#\@$name $first" );
    _add( $work, "# $_" ) for @more;
    return;
}

1;
