package SKaMPI::Needs;

# Skips a test file that uses a Perl module which is not installed, and names the module.
use v5.36;
use POSIX ();

# Whether a "use" of a file asks for the module. Otherwise a program tries it, in an eval of a block or a text.
sub is_used () {
    return if ( caller 2 )[3] !~ /::BEGIN\z/;
    my ( $i, @frame ) = (3);
    while ( @frame = caller $i++ ) {
        return if defined $frame[6] && !$frame[7];
    }
    return 1;
}

# Asked last for a module.
sub skip_without ( $self, $path ) {
    return if $path =~ m{^SKaMPI/} || $path !~ /[.]pm\z/ || !is_used();
    my $module = $path =~ s{/}{::}gr =~ s/[.]pm\z//r;
    say "1..0 # SKIP Perl's $module is missing (make deps)";
    STDOUT->flush;
    return POSIX::_exit(0);
}

push @INC, \&skip_without;

1;
