package SKaMPI::Report::Messages;

use v5.36;

use IO::File ();

use SKaMPI::Table    qw(printable shorten);
use SKaMPI::TextFile qw(characters);

my $LONGEST = 500;

# To a file, or to standard output and standard error.
sub new ( $class, $path = undef, $is_quiet = 0 ) {
    my $self = bless { quiet => $is_quiet, normal => \*STDOUT, error => \*STDERR }, $class;
    return $self if !defined $path;
    $self->{file} = IO::File->new( $path, '>:encoding(UTF-8)' )
      or die "cannot write '$path': $!\n";
    @{$self}{qw(normal error)} = ( $self->{file} ) x 2;
    return $self;
}

# Not if it should be quiet.
sub inform ( $self, $text ) {
    print { $self->{normal} } _line($text) if !$self->{quiet};
    return;
}

# In any case.
sub complain ( $self, $text ) {
    print { $self->{error} } 'dorep.pl: ', _line($text);
    return;
}

# Names of files come as bytes.
sub _line ($text) {
    chomp $text;
    $text = characters($text) if !utf8::is_utf8($text);
    return shorten( printable($text), $LONGEST ) . "\n";
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Messages - what the report generator says, with nothing that controls a terminal

=cut
