package SKaMPI::Database::Anonymous;

# A result file without names of persons, hosts and paths. It has nothing but
# - only those facts that are public (SKaMPI::Meaning::Catalog);
# - only those environment variables that are settings of MPI libraries, without those that contain
#   a path or a host;
# - node1, node2, ... instead of hosts, in the order of the ranks, and node0 for the machine on which this runs; user
#   instead of users, and no addresses or absolute paths;
# - the rows, and of the words after them those key=value that contain no such name; and the lines
#   that define a suite.
use SKaMPI::Base;

use Encode        qw(encode);
use List::Util    qw(uniq);
use Sys::Hostname qw(hostname);

use SKaMPI::Base::TextFile     qw(characters);
use SKaMPI::Database::Settings qw(is_setting);
use SKaMPI::Meaning::Catalog   qw(row_of);
use SKaMPI::Read::Output;
use SKaMPI::Read::Skampi5 qw(own_text);

# Lines of a block besides facts and rows; any other line is left out, unless it continues one of them.
my $STRUCTURE =
qr{\A(?:\#?/\*\@in|\#Description |\#Pattern: |\#The x scale |\#range: ?|\#default values: |\#max[.] allowed |\#Format: |\#-{3,}|\#eol\b|\#?\s?skampi finished|\#\z)};
my $LABELLED = qr{\A(?:\#?/\*\@in|\#Description )};
my $ROW      = qr/\A\s*[+-]?(?:[.]?[0-9]|nan|inf)/i;

# The longest name, and the most hosts, that are looked for.
my ( $LONGEST, $MOST ) = ( 255, 100_000 );

# user@host, as libraries say who built them; and absolute paths with two parts or more, or in a home directory.
my $ADDRESS = qr/[\w.+-]+@[\w-]+(?:[.][\w-]+)*/;
my $PART    = qr{[^\s/,;:"'<>|()\[\]]+};
my $PATH    = qr{(?:(?<![\w.])|(?<=-[A-Za-z]))(?:(?:/$PART){2,}/?|~[\w.-]*/$PART(?:/$PART)*)};

# Addresses of servers and devices, and numbers that may be addresses: versions look like them, so texts keep them.
my $URL         = qr{\b[a-z][a-z0-9+.-]*://\S+};
my $DEVICE      = qr/enx[0-9a-f]{12}|(?:[0-9a-f]{2}-){5}[0-9a-f]{2}|0x[0-9a-f]{16}/i;
my $NUMBERS     = qr/\b(?:[0-9]{1,3}(?:[.][0-9]{1,3}){3}|$DEVICE)\b/;
my $IPV6        = qr/(?<![\w:])[0-9a-f]{1,4}(?::[0-9a-f]{1,4})*::[0-9a-f:]*/i;
my $HEXADECIMAL = qr/(?<![\w:])(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{1,4}(?:[.][0-9]+){0,3}(?![\w:])/i;
my $LIST        = qr{\b[A-Za-z][\w.-]*\[[0-9]+[0-9,:-]*\][\w.-]*};

# Environment variables with the name of an account.
my $ACCOUNT = qr/\A(?:USER|LOGNAME|SLURM_JOB_USER|SLURM_JOB_ACCOUNT)\z/;

# Names that say nothing about anybody.
my %COMMON = map { $_ => 1 } qw(localhost none unknown);

# Changes to the value of a fact, besides names: a function of its lines.
my %TIDY = (

# Settings may leave the machine if their values contain no path, address or host; their names are the library's.
    ENVIRONMENT => sub ( $work, @lines ) {
        return grep { is_setting($_) && !$work->occur_in(s/\A[^=]*=//r) } @lines;
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

# Makes a result file anonymous. MACHINE, if defined, becomes the name of the machine. RENAMED, a hash, has names and
# what replaces them, instead of node1 and so on.
sub anonymous_text ( $file, $machine = undef, $renamed = {} ) {
    my $text = own_text($file);
    my $work = __PACKAGE__->new( SKaMPI::Read::Output->from_text($text), $renamed );
    @{$work}{qw(machine text)} = ( $machine, q{} );
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
    return _add( $work, $work->without_hosts($line) ) if $line =~ $LABELLED;
    return _add( $work, $line )                       if $line =~ $STRUCTURE;
    $work->{header} = $wrapped && $line =~ /\A[^\#]/;
    return _add( $work, $work->replaced($line) ) if $work->{header};
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
    my @kept = grep { /\A[\w.]+=/ && !$work->occur_in(s/\A[^=]*=//r) } split q{ }, $words;
    return join q{ }, $numbers =~ s/\s+\z//r, q{#}, @kept;
}

sub _finish_fact ($work) {
    my $fact = delete $work->{fact} // return;
    my $name = $fact->{name};
    my $row  = row_of( facts => $name ) // {};
    return if !$row->{public};
    my @lines = @{ $fact->{lines} };
    @lines = $TIDY{$name}->( $work, @lines ) if $TIDY{$name};
    @lines = map { $work->replaced($_) } @lines if $row->{with_names} && $name ne 'ENVIRONMENT';
    @lines = map { $work->without_hosts($_) } @lines if $name eq 'SUITES';
    return if !@lines;
    my ( $first, @more ) = @lines;
    _add( $work, $first eq q{} ? "#\@$name" : "#\@$name $first" );
    _add( $work, "# $_" ) for @more;
    return;
}

# Finds the names in the header of a run (SKaMPI::Read::Output), and those of this machine and user.
sub new ( $class, $output, $renamed = {} ) {
    my @found = map { $_->{host} }
      map { @{ $output->fact($_)->{list} } } qw(PROCESSESPERHOST BINDING);
    push @found, $output->field('HOSTNAME') // ();
    @found = grep { !/\A[0-9]+\z/ } @found;
    splice @found, $MOST if @found > $MOST;
    my @hosts   = uniq grep { _is_name($_) } @found;
    my %replace = map       { $hosts[$_] => 'node' . ( $_ + 1 ) } 0 .. $#hosts;
    for my $host (@hosts) {
        my ( $short, $domain ) = split /[.]/, $host, 2;
        $replace{$short}  //= $replace{$host} if _is_name($short);
        $replace{$domain} //= 'domain'        if defined $domain && $domain =~ /[.]/;
    }
    for my $own ( uniq hostname(), hostname() =~ s/[.].*//r ) {
        $replace{$own} //= 'node0' if _is_name($own);
    }
    $replace{$_} //= 'user' for grep { _is_name($_) } _users($output);
    @replace{ keys %{$renamed} } = values %{$renamed};
    my %lower = map { lc $_ => $replace{$_} } reverse sort keys %replace;

    # The longest first, as they contain shorter ones. Hosts with a digit have any case.
    my @parts = map { /[0-9]/ ? "(?i:\Q$_\E)" : quotemeta }
      sort { length $b <=> length $a || $a cmp $b } keys %replace;
    my $any  = join q{|}, @parts;
    my $find = @parts ? qr/(?<![A-Za-z0-9])(?:$any)(?![A-Za-z0-9])/ : undef;
    return bless { replace => \%replace, lower => \%lower, find => $find }, $class;
}

# The names that are replaced, each with what replaces it.
sub names ($self) { return %{ $self->{replace} } }

sub _is_name ($word) {
    return
         defined $word
      && length $word <= $LONGEST
      && $word =~ /\A[\w][\w.-]*\z/
      && $word =~ /[A-Za-z]/
      && !$COMMON{$word};
}

# The names of the account that ran the benchmark and of the one that sends the results.
sub _users ($output) {
    my ($account) = getpwuid $>;
    my @found = ( $account, @ENV{qw(USER LOGNAME)} );
    push @found,
      map { $_->{value} } grep { $_->{name} =~ $ACCOUNT } @{ $output->fact('ENVIRONMENT')->{list} };
    return uniq grep { defined && $_ ne 'root' } @found;
}

# Replaces names, addresses user@host and absolute paths.
sub replaced ( $self, $text ) {
    $text =~ s/$ADDRESS/user\@node/g;
    $text =~ s/$URL/(address)/g;
    $text =~ s/$PATH/(path)/g;
    return $self->without_hosts($text);
}

# Replaces also what may be an address or a list of hosts such as n[1-3], for messages of any program.
sub replaced_message ( $self, $text ) {
    $text =~ s/$NUMBERS|$IPV6|$HEXADECIMAL/(address)/g;
    return $self->replaced( $text =~ s/$LIST/(hosts)/gr );
}

# Replaces hosts only, for texts whose other words the program has written.
sub without_hosts ( $self, $text ) {
    my $find = $self->{find} // return $text;
    return $text =~ s/($find)/$self->{replace}{$1} \/\/ $self->{lower}{ lc $1 }/ger;
}

sub occur_in ( $self, $text ) {
    return 1 if $text =~ /$ADDRESS|$URL|$NUMBERS|$IPV6|$PATH/;
    return $self->{find} && $text =~ $self->{find} ? 1 : 0;
}

1;
