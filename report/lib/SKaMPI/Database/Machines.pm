package SKaMPI::Database::Machines;

# The machines of the result database, for an account.
use SKaMPI::Base;

use SKaMPI::Base::Moment       qw(moment);
use SKaMPI::Base::Program      qw(fail fail_usage);
use SKaMPI::Database::Accounts qw($OWNER);

my $LONGEST_SLUG = 50;

sub new ( $class, $store, $account ) {
    return bless { store => $store, account => $account }, $class;
}

# The number of a machine, which is made if it is new. It belongs to the account that used its name first; others fail.
sub of_name ( $self, $name ) {
    my $store = $self->{store};
    if ( my $machine = $store->row( machine_by_name => $name ) ) {
        my $owner = $store->row( account_by_id => $machine->{owner_id} );
        fail(
"the machine '$name' belongs to the account '$owner->{name}'; give yours another name (\@MACHINE)"
        ) if $self->{account} != $OWNER && $machine->{owner_id} != $self->{account};
        return $machine->{id};
    }

    # The name as a part of an address: "two-virtual-cpus", or with a number if that is taken.
    my $stem = substr lc($name) =~ s/[^a-z0-9]+/-/gr, 0, $LONGEST_SLUG;
    $stem =~ s/\A-|-\z//g;
    $stem = 'machine' if $stem eq q{};
    my ( $slug, $number ) = ( $stem, 1 );
    $slug = $stem . q{-} . ++$number while $store->row( machine_by_slug => $slug );
    my $id = $store->next_id('machine');
    $store->insert(
        machine => {
            id       => $id,
            slug     => $slug,
            name     => $name,
            title    => $name,
            owner_id => $self->{account},
            created  => moment(),
        }
    );
    return $id;
}

# Changes the title on the pages, or the account to which the machine belongs.
sub change ( $self, $slug, %new ) {
    my $store = $self->{store};
    return $store->transaction(
        sub {
            my $machine = $store->row( machine_by_slug => $slug )
              // fail_usage("there is no machine '$slug'");
            $store->update( machine => $machine->{id}, title => $new{title} )
              if defined $new{title};
            return if !defined $new{owner};
            my $owner = $store->row( account => $new{owner} )
              // fail_usage("there is no account '$new{owner}'");
            return $store->update( machine => $machine->{id}, owner_id => $owner->{id} );
        }
    );
}

1;
