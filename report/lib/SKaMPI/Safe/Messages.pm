package SKaMPI::Safe::Messages;

# Messages of dorep, without characters that control a terminal.
use SKaMPI::Base;

use SKaMPI::Base::Program         qw(message_line);
use SKaMPI::Base::TextFile        qw(utf8_bytes);
use SKaMPI::Safe::ReportDirectory qw(check_file deliver_file);

# Messages go to standard output and standard error, or to the file PATH, which finish writes.
sub new ( $class, $path = undef, $is_quiet = 0 ) {
    check_file($path) if defined $path;
    return bless { quiet => $is_quiet, path => $path, kept => q{} }, $class;
}

# Writes the file. Returns 1, or 0 after a complaint if that fails.
sub finish ($self) {
    my $path = delete $self->{path} // return 1;
    return 1 if eval { deliver_file( \utf8_bytes( $self->{kept} ), $path ); 1 };
    $self->complain($@);
    return 0;
}

sub _say ( $self, $file, $text, $before = q{} ) {
    my $line = $before . message_line( $text =~ s/\n\z//r ) . "\n";
    if ( defined $self->{path} ) { $self->{kept} .= $line }
    else                         { print {$file} $line }
    return;
}

sub inform ( $self, $text ) {
    $self->_say( *STDOUT, $text ) if !$self->{quiet};
    return;
}

sub complain ( $self, $text ) {
    $self->_say( *STDERR, $text, 'dorep: ' );
    return;
}

1;
