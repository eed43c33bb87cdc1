package SKaMPI::Database::Accounts;

# Accounts of the result database, their tokens and machines. What a trusted account sends is published at once.
use SKaMPI::Base;

use Digest::SHA qw(sha256_hex);

use SKaMPI::Base::Units   qw(moment);
use SKaMPI::Base::Program qw(fail fail_usage);

# The account local, the owner of each database.
our $OWNER = 1;

my $NAME  = qr/\A[A-Za-z0-9][A-Za-z0-9._-]{0,39}\z/;
my $TOKEN = qr/\A[0-9a-f]{64}\z/;

my $LONGEST_SLUG = 50;

sub new ( $class, $store ) { return bless { store => $store }, $class }

# A new token of the account, which is made if it is new: 64 hexadecimal digits. The database keeps
# only its SHA-256, and nothing if the function PRINT fails.
sub make ( $self, $name, %how ) {
    fail_usage(
        "'$name' is not a valid name of an account: at most 40 letters, digits, dots, - and _")
      if $name !~ $NAME;
    my $token = random_text();
    my $store = $self->{store};
    $store->transaction(
        sub {
            my $account = $store->row( account => $name );
            if ( !$account ) {
                my %new = ( name => $name, trusted => 0, created => moment() );
                $account = { %new, id => $store->next_id('account') };
                $store->insert( account => $account );
            }
            $store->update( account => $account->{id}, trusted => $how{trusted} ? 1 : 0 )
              if defined $how{trusted};
            $store->insert(
                token => {
                    secret     => secret_of($token),
                    account_id => $account->{id},
                    created    => moment()
                }
            );
            $how{print}->($token) if $how{print};
        }
    );
    return $token;
}

# 64 hexadecimal digits that nobody can guess.
sub random_text () {
    open my $random, '<:raw', '/dev/urandom' or die "cannot read /dev/urandom: $!\n";
    my $got = read $random, my $bytes, 32;
    close $random or die "cannot read /dev/urandom: $!\n";
    return $got == 32 ? unpack 'H*', $bytes : die "cannot read /dev/urandom\n";
}

# The account of a token: a hash of id, name and trusted, or undef.
sub of_token ( $self, $token ) {
    return if ( $token // q{} ) !~ $TOKEN;
    return $self->of_secret( secret_of($token) );
}

sub of_secret ( $self, $secret ) {
    return $self->{store}->row( account_of_token => $secret );
}

# The form in which the database keeps a token.
sub secret_of ($token) { return sha256_hex($token) }

sub revoke ( $self, $name ) {
    my $store   = $self->{store};
    my $account = $store->row( account => $name ) // fail_usage("there is no account '$name'");
    return $store->transaction( sub { $store->change( revoke_tokens => $account->{id} ) } );
}

# The number of a machine, for the number of an account. It is made if it is new, and belongs to the account that used
# its name first; others fail.
sub machine ( $self, $account, $name ) {
    my $store = $self->{store};
    if ( my $machine = $store->row( machine_by_name => $name ) ) {
        my $owner = $store->row( account_by_id => $machine->{owner_id} );
        fail(
"the machine '$name' belongs to the account '$owner->{name}'; give yours another name (\@MACHINE)"
        ) if $account != $OWNER && $machine->{owner_id} != $account;
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
            owner_id => $account,
            created  => moment(),
        }
    );
    return $id;
}

# Changes the title on the pages, or the account to which the machine belongs.
sub change_machine ( $self, $slug, %new ) {
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
