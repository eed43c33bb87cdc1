package SKaMPI::Database::Web::Keys;

# Keys that let the owner of the server in. address is the server's address with a key; take(KEY) is
# 1 once for each key.
use v5.36;

use SKaMPI::Base::TextFile qw(read_text write_bytes);

my $BYTES = 32;

# Keys that open the database of this server, each once. They are files in ROOM, which nobody else can read,
# as several processes answer requests. PRINT is called with a line that has the next key.
sub new ( $class, $room, $listen, $print ) {
    my $self = bless { room => $room, listen => $listen, print => $print }, $class;
    $self->_make;
    return $self;
}

# The address with the current key.
sub address ($self) {
    my $key = read_text( $self->_path, 100 );
    return $self->{listen} =~ s{//\*}{//127.0.0.1}r . "/?key=$key";
}

# 1 if this is the current key, which becomes invalid. The next one is printed for another browser.
sub take ( $self, $key ) {
    return 0 if $key !~ /\A[0-9a-f]{64}\z/;
    my $path  = $self->_path;
    my $taken = "$path.$$";
    my $known = eval { read_text( $path, 100 ) } // return 0;
    return 0 if $known ne $key;
    rename $path, $taken or return 0;
    unlink $taken;
    $self->_make;
    $self->{print}->( 'for another browser: ' . $self->address );
    return 1;
}

sub _path ($self) { return "$self->{room}/key" }

sub _make ($self) {
    my $path = $self->_path;
    write_bytes( "$path.new.$$", random_text() );
    rename "$path.new.$$", $path or die "cannot write a key: $!\n";
    return;
}

# 64 digits that nobody can guess.
sub random_text () {
    open my $source, '<:raw', '/dev/urandom' or die "cannot read /dev/urandom: $!\n";
    my $count = read $source, ( my $bytes ), $BYTES;
    close $source or die "cannot read /dev/urandom: $!\n";
    die "cannot read /dev/urandom\n" if ( $count // 0 ) != $BYTES;
    return unpack 'H*', $bytes;
}

1;

