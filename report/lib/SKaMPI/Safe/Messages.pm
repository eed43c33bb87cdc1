package SKaMPI::Safe::Messages;

# Messages of dorep, without characters that control a terminal.
use v5.36;

use Encode qw(encode);

use SKaMPI::Base::Table    qw(printable shorten);
use SKaMPI::Base::TextFile qw(characters);
use SKaMPI::Safe::Delivery qw(check_file deliver_file);

my $LONGEST = 500;

# Messages go to standard output and standard error, or to the file PATH, which finish writes.
sub new ( $class, $path = undef, $is_quiet = 0 ) {
    check_file($path) if defined $path;
    return bless { quiet => $is_quiet, path => $path, kept => q{} }, $class;
}

# Writes the file. Returns 1, or 0 after a complaint if that fails.
sub finish ($self) {
    my $path = delete $self->{path} // return 1;
    return 1 if eval { deliver_file( \encode( 'UTF-8', $self->{kept} ), $path ); 1 };
    $self->complain($@);
    return 0;
}

sub _say ( $self, $file, $line ) {
    if ( defined $self->{path} ) { $self->{kept} .= $line }
    else                         { print {$file} $line }
    return;
}

# Prints a message unless quiet.
sub inform ( $self, $text ) {
    $self->_say( *STDOUT, _line($text) ) if !$self->{quiet};
    return;
}

# Prints a complaint, also if quiet.
sub complain ( $self, $text ) {
    $self->_say( *STDERR, 'dorep: ' . _line($text) );
    return;
}

# File names are bytes.
sub _line ($text) {
    chomp $text;
    $text = characters($text) if !utf8::is_utf8($text);
    return shorten( printable($text), $LONGEST ) . "\n";
}

1;
