package SKaMPI::OwnMembers;

# Loaded into a program: where other code than a class reads the hash of its objects, the process ends with status 99.
use v5.36;

use overload ();
use POSIX    ();

my $STATUS = 99;
my $OWN    = qr/\ASKaMPI::(?:Base|Read::(?:Output|Suite))\z/;

for my $class (qw(SKaMPI::Read::Output SKaMPI::Read::Suite)) {
    overload::OVERLOAD(
        $class,
        fallback => 1,
        '%{}'    => sub ( $self, @ ) {
            my ( $reader, $file, $line ) = caller;
            return $self if $reader =~ $OWN;
            print {*STDERR} "$file line $line reads a member of $class; call its method\n";
            return POSIX::_exit($STATUS);
        }
    );
}

1;
