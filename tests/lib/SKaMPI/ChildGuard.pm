package SKaMPI::ChildGuard;

# Ends a child process when the guard goes out of scope.
use v5.36;

sub new ( $class, $child ) {
    return bless { child => $child, owner => $$ }, $class;
}

sub DESTROY ($self) {
    return if $self->{owner} != $$;
    local $? = 0;
    kill 'TERM', $self->{child};
    waitpid $self->{child}, 0;
    return;
}

1;
