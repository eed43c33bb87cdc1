package SKaMPI::Database::Names;

# The names of hosts, users and paths in results. Hosts become node1, node2, ... in the order of the
# ranks, the machine on which this runs node0, and users user.
use SKaMPI::Base;

use List::Util    qw(uniq);
use Sys::Hostname qw(hostname);

# The longest name, and the most hosts, that are looked for.
my ( $LONGEST, $MOST ) = ( 255, 100_000 );

# user@host, as libraries say who built them; and absolute paths with two parts or more, or in a home directory.
my $ADDRESS = qr/[\w.+-]+@[\w-]+(?:[.][\w-]+)*/;
my $PART    = qr{[^\s/,;:"'<>|()\[\]]+};
my $PATH    = qr{(?:(?<![\w.])|(?<=-[A-Za-z]))(?:(?:/$PART){2,}/?|~[\w.-]*/$PART(?:/$PART)*)};

# Addresses of servers, and numbers that may be addresses: versions of libraries look like them, so texts keep them.
my $URL     = qr{\b[a-z][a-z0-9+.-]*://\S+};
my $NUMBERS = qr/\b[0-9]{1,3}(?:[.][0-9]{1,3}){3}\b/;

# Environment variables with the name of an account.
my $ACCOUNT = qr/\A(?:USER|LOGNAME|SLURM_JOB_USER|SLURM_JOB_ACCOUNT)\z/;

# Names that say nothing about anybody.
my %COMMON = map { $_ => 1 } qw(localhost none unknown);

# Finds the names in the header of a run (SKaMPI::Read::Output), and those of this machine and user.
sub new ( $class, $output ) {
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
    my %lower = map { lc $_ => $replace{$_} } reverse sort keys %replace;

    # The longest first, as they contain shorter ones. Hosts with a digit have any case.
    my @parts = map { /[0-9]/ ? "(?i:\Q$_\E)" : quotemeta }
      sort { length $b <=> length $a || $a cmp $b } keys %replace;
    my $any  = join q{|}, @parts;
    my $find = @parts ? qr/(?<![A-Za-z0-9])(?:$any)(?![A-Za-z0-9])/ : undef;
    return bless { replace => \%replace, lower => \%lower, find => $find }, $class;
}

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

# Replaces hosts only, for texts whose other words the program has written.
sub without_hosts ( $self, $text ) {
    my $find = $self->{find} // return $text;
    return $text =~ s/($find)/$self->{replace}{$1} \/\/ $self->{lower}{ lc $1 }/ger;
}

sub occur_in ( $self, $text ) {
    return 1 if $text =~ /$ADDRESS|$URL|$NUMBERS|$PATH/;
    return $self->{find} && $text =~ $self->{find} ? 1 : 0;
}

1;
