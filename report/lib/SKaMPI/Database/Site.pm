package SKaMPI::Database::Site;

# The pages of the result database as files, for web servers that run no programs: the pages of all
# published runs as those of the server, with links to files, without forms. It fetches the overview
# from the server's own code and follows the links. Free comparisons need a server; a site has one
# comparison for each suite, of the newest runs of all machines.
use SKaMPI::Base;

use Digest::SHA    qw(sha256_hex);
use Encode         qw(encode);
use File::Basename qw(basename dirname);
use File::Find     qw(find);
use File::Path     qw(make_path remove_tree);
use File::Spec     ();
use File::Temp     ();
use Mojo::DOM;
use Mojo::IOLoop;
use Mojo::URL;
use Mojo::UserAgent;
use Mojo::Util qw(xml_escape);

use SKaMPI::Base::Program  qw(fail fail_usage print_plain);
use SKaMPI::Base::TextFile qw(read_bytes write_bytes);
use SKaMPI::Database::Reader;
use SKaMPI::Database::Store;
use SKaMPI::Database::Web::App;
use SKaMPI::Database::Web::Keys;
use SKaMPI::Meaning::PlottedPoints qw(grouped);

my $DONE = 0;

# The list of the files that this program wrote, in each site, and its size limit.
my $MARK         = 'skampi-site.txt';
my $LONGEST_LIST = 100_000_000;

# Addresses that static pages cannot have, and the parts of a page that lead to them.
my $DYNAMIC = qr{\A/(?:submit|api/|run/[0-9]+/state|run/[0-9]+/report[.])};
my $FORMS   = 'form[method=post], form.search, form.compare, .zoom, nav a[href="/submit"]';

# Pictures in these formats are made of comparisons only; a site may have thousands of suites.
my $PRINTED = qr{/plot[.](?:eps|pdf|png)\z};

my %LINKS = ( a => 'href', link => 'href', script => 'src', img => 'src' );

my $LONGEST_NAME = 100;

my $MAX_MACHINES = 12;

sub run_site ( $options, @words ) {
    fail_usage('expected the name of a directory; see skampi db -h') if @words != 1;
    my $directory = $words[0] =~ s{(?<=.)/+\z}{}r;
    _check_directory( $directory, $options->{force} );
    my $store = SKaMPI::Database::Store->connect_to( $options->{database} );
    my $new   = File::Temp->newdir( 'site-XXXXXXXX', DIR => dirname($directory) );
    my $site  = SKaMPI::Database::Site->new( $store, "$new" );
    $site->write_pages;
    _check_directory( $directory, $options->{force} );
    _replace( $directory, "$new" );
    print_plain( "$directory: " . $site->count . ' files; open index.html' );
    return $DONE;
}

# Refuses a directory with files that are not in its list MARK of those that site has written, unless forced.
sub _check_directory ( $directory, $is_forced ) {
    return if !-e $directory || $is_forced;
    my %own = map { $_ => 1 } $MARK, split /\n/,
      eval { read_bytes( "$directory/$MARK", $LONGEST_LIST ) } // q{};
    my @others;
    my $look = sub {
        my $name = File::Spec->abs2rel( $File::Find::name, $directory );
        push @others, $name if !$own{$name} && ( -l $_ || !-d _ );
    };
    find( { no_chdir => 1, wanted => $look }, $directory );
    return if !@others;
    my ($first) = sort @others;
    return fail_usage(
"'$directory' has files that skampi db has not written, such as '$first'; name a new or empty directory, or add --force to remove them"
    );
}

# Puts the new site in the place of the old one.
sub _replace ( $directory, $new ) {
    chmod oct(777) & ~umask, $new;
    return if !-e $directory && rename $new, $directory;
    my $old = "$new.old";
    rename $directory, $old or fail("cannot replace '$directory': $!");
    if ( !rename $new, $directory ) {
        my $why = $!;
        rename $old, $directory;
        fail("cannot write '$directory': $why");
    }
    remove_tree($old);
    return;
}

sub new ( $class, $store, $directory ) {
    my $room = File::Temp->newdir;
    my $app  = SKaMPI::Database::Web::App->new(
        settings => {
            store  => $store,
            room   => "$room",
            listen => ['http://127.0.0.1:80'],
            host   => [],
            proxy  => [],
            public => 1,
            most   => { read => 'inf', write => 0 },
            keys   => SKaMPI::Database::Web::Keys->new( "$room", q{}, sub ($) { } ),
        }
    );
    my $agent = Mojo::UserAgent->new(
        ioloop             => Mojo::IOLoop->singleton,
        max_redirects      => 0,
        inactivity_timeout => 0,
        max_response_size  => 0
    );
    $agent->server->app($app);
    return bless {
        room      => $room,
        store     => $store,
        agent     => $agent,
        directory => $directory,
        files     => {},
        queue     => []
    }, $class;
}

sub count ($self) { return scalar keys %{ $self->{files} } }

# Writes the overview, a comparison for each suite of the newest run of each machine, and all pages that they link to.
sub write_pages ($self) {
    my $reader = SKaMPI::Database::Reader->new( $self->{store}, public => 1 );
    my @suites = map { $reader->suites( $_->{newest_run} ) } $reader->machines;
    $self->{comparisons} = [];
    for my $same ( grouped( sub ($suite) { return $suite->{label} }, @suites ) ) {
        splice @{$same}, $MAX_MACHINES if @{$same} > $MAX_MACHINES;
        my @keys    = map { ( s => "$_->{run}:$_->{label}" ) } @{$same};
        my $address = '/compare?' . Mojo::URL->new->query( \@keys )->query;
        push @{ $self->{comparisons} }, { label => $same->[0]{label}, address => $address };
    }
    $self->_file_of($_) for q{/}, map { $_->{address} } @{ $self->{comparisons} };
    while ( my $address = shift @{ $self->{queue} } ) {
        my $answer = $self->{agent}->get($address)->result;
        fail( "$address: " . $answer->code . q{ } . $answer->message ) if $answer->is_error;
        my $name  = $self->{files}{$address};
        my $bytes = $answer->body;
        $bytes = encode( 'UTF-8', $self->_page( $name, $answer->text, $address ) )
          if $name =~ /[.]html\z/;
        $self->_write( $name, $bytes );
    }
    $self->_write( $MARK, join "\n", ( sort values %{ $self->{files} } ), q{} );
    return;
}

# The file name of an address; queues the address to be fetched.
sub _file_of ( $self, $address ) {
    my $files = $self->{files};
    return $files->{$address} if defined $files->{$address};
    push @{ $self->{queue} }, $address;
    my ( $path, $query )  = $address =~ m{\A/([^?]*)(?:[?](.*))?\z}s;
    my ( $stem, $ending ) = $path    =~ m{\A(.*?)((?:[.](?:svg|json|csv|eps|pdf|png|css|js))?)\z}s;
    $stem   = 'index' if $stem eq q{};
    $ending = $stem =~ m{/original\z} ? '.out' : $ending || '.html';
    ( $stem, $ending ) = ( $path, '.html' ) if $path =~ m{/suite/|\Ahistory/};
    $stem .= q{-} . substr sha256_hex($query), 0, 16 if length( $query // q{} );
    return $files->{$address} = _plain($stem) . $ending;
}

# A name that every file system and web server takes as it is.
sub _plain ($stem) {
    my $plain = $stem =~ s{%..|[^\w+./-]}{_}gr;
    my $last  = basename($plain);
    return $plain if $plain eq $stem && length $last <= $LONGEST_NAME;
    return $plain =~
      s{[^/]+\z}{}r . substr( $last, 0, $LONGEST_NAME ) . q{-} . substr sha256_hex($stem), 0, 16;
}

# A page with links to files, and without the parts that need a server.
sub _page ( $self, $name, $html, $address ) {
    my $page = Mojo::DOM->new($html);
    $page->find('form')->grep( sub ($form) { !$form->matches($FORMS) } )->map('strip');
    $page->find('svg a')->map('strip');
    $page->find('figure')->each( sub ( $figure, $ ) { delete $figure->attr->{'data-zoom'} } );
    $page->find("input, button, $FORMS")->map('remove');
    if ( $address eq '/compare' ) {
        my @links = map {
            [ map { xml_escape($_) } @{$_}{qw(address label)} ]
        } @{ $self->{comparisons} };
        my $list = join q{}, map { qq{<li><a href="$_->[0]">$_->[1]</a></li>} } @links;
        my $main = $page->at('main');
        $main->find('h1 ~ *')->map('remove');
        $main->append_content(
            "<p>Each suite on all machines, by their newest runs.</p><ul>$list</ul>");
    }
    for my $tag ( sort keys %LINKS ) {
        $page->find($tag)
          ->each( sub ( $link, $ ) { $self->_turn( $link, $LINKS{$tag}, $name, $address ) } );
    }
    return "$page";
}

# Replaces an address by the relative name of its file. A plot has one file, of whole size.
sub _turn ( $self, $link, $attribute, $name, $address ) {
    my $target = $link->attr($attribute) // return;
    return if $target !~ m{\A/};
    return $link->remove
      if $target =~ $DYNAMIC || $address !~ m{\A/compare} && ( $target =~ s/[?].*//sr ) =~ $PRINTED;
    if ( $target =~ m{\A/compare[?]} ) {
        my $wanted = Mojo::URL->new($target)->query->param('s') // q{};
        my ($found) =
          grep { $target eq $_->{address} || $wanted =~ /\A[0-9]+:\Q$_->{label}\E\z/ }
          @{ $self->{comparisons} };
        $target = $found ? $found->{address} : '/compare';
    }
    $target =~ s/[&?]size=small\z//;
    my $file = $self->_file_of($target);
    my $path = File::Spec->abs2rel( "/$file", q{/} . dirname($name) );
    return $link->attr( $attribute => $path );
}

sub _write ( $self, $name, $bytes ) {
    my $path = "$self->{directory}/$name";
    make_path( dirname($path) );
    $self->{files}{$name} //= $name;
    return eval { write_bytes( $path, $bytes ); 1 } || fail( $@ =~ s/\n//r );
}

1;
