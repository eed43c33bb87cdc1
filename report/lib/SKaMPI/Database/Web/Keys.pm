package SKaMPI::Database::Web::Keys;

# Keys that let the owner of the server in, each once, kept as private files because several processes answer requests.
use SKaMPI::Base;

use SKaMPI::Base::TextFile qw(read_text write_bytes);
use SKaMPI::Database::Accounts;

sub new ( $class, $room, $listen, $print ) {
    my $self = bless { room => $room, listen => $listen, print => $print }, $class;
    $self->_make;
    return $self;
}

sub address ($self) {
    my $key = read_text( $self->_path, 100 );
    return $self->{listen} =~ s{//\*}{//127.0.0.1}r . "/?key=$key";
}

# Uses up a key: returns 1 if it is the current one. The next key is printed for another browser.
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
    write_bytes( "$path.new.$$", SKaMPI::Database::Accounts::random_text() );
    rename "$path.new.$$", $path or die "cannot write a key: $!\n";
    return;
}

1;
