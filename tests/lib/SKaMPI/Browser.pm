package SKaMPI::Browser;

use v5.36;

use IPC::Run qw(start);
use Mojo::UserAgent;
use Mojo::Util  qw(b64_decode);
use Time::HiRes qw(sleep);

use SKaMPI::Base::Process qw(is_there);

# The name of the reference to an element in the protocol.
my $ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

my @ARGUMENTS =
  qw(--headless --no-sandbox --disable-dev-shm-usage --disable-gpu --disable-background-networking
  --disable-component-update --no-first-run --force-color-profile=srgb);

# A setting of Chromium, and its values.
my $SCRIPTS = 'profile.managed_default_content_settings.javascript';
my ( $ALLOW, $BLOCK ) = ( 1, 2 );

my %KEY = (
    Tab    => "\x{e004}",
    Enter  => "\x{e007}",
    Space  => q{ },
    Escape => "\x{e00c}",
    Left   => "\x{e012}",
    Right  => "\x{e014}",
    Up     => "\x{e013}",
    Down   => "\x{e015}"
);

my $TRIES = 3;

# Browsers that have not been ended.
my %live;

sub why_not ($class) {
    my @missing = grep { !is_there($_) } qw(chromium chromedriver);
    return @missing ? "not installed: @missing" : undef;
}

# The process that drives a browser, and its port; again if it ends at once, as where another has its port.
sub _driver ($tries) {
    my ( $output, $port ) = (q{});
    my $driver = start( [qw(chromedriver --port=0)], '<', \undef, '>&', \$output );
    while ( !$port && eval { $driver->pump_nb; 1 } ) {
        ($port) = $output =~ /successfully on port ([0-9]+)/;
        sleep 0.02;
    }
    return ( $driver, $port ) if $port;
    $driver->kill_kill;
    die "chromedriver does not start: $output\n" if $tries <= 1;
    return _driver( $tries - 1 );
}

# With scripts => 0, its user has turned JavaScript off; `js` still works.
sub new ( $class, %how ) {
    my ( $driver, $port ) = _driver($TRIES);
    my $agent = Mojo::UserAgent->new( inactivity_timeout => 0, request_timeout => 0 );
    my $self  = bless {
        driver => $driver,
        agent  => $agent,
        base   => "http://127.0.0.1:$port/session",
        owner  => $$
    }, $class;
    my %options = (
        binary => '/usr/bin/chromium',
        args   => \@ARGUMENTS,
        prefs  => { $SCRIPTS => $how{scripts} // 1 ? $ALLOW : $BLOCK },
    );
    my $session = $self->_ask(
        POST => q{},
        {
            capabilities => {
                alwaysMatch => {
                    'goog:chromeOptions' => \%options,
                    'goog:loggingPrefs'  => { browser => 'ALL' }
                }
            }
        }
    );
    $self->{base} .= "/$session->{sessionId}";
    $live{$self} = $self;
    return $self;
}

# Also when the test dies.
END {
    my $status = $?;
    $_->quit for values %live;
    $? = $status;    ## no critic (RequireLocalizedPunctuationVars): the test's own
}

sub quit ($self) {
    delete $live{$self};
    return if $self->{owner} != $$;
    my $left = eval { $self->_ask( DELETE => q{} ); 1 };
    $self->{driver}->kill_kill;
    return $left;
}

sub _ask ( $self, $method, $path, $data = undef ) {
    my $tx = $self->{agent}->build_tx(
        $method => "$self->{base}$path",
        $method eq 'POST' ? ( json => $data // {} ) : ()
    );
    my $answer = $self->{agent}->start($tx)->res->json
      // die "the browser does not answer $method $path\n";
    my $value = $answer->{value};
    die "browser: $value->{error}: $value->{message}\n" if ref $value eq 'HASH' && $value->{error};
    return $value;
}

sub go    ( $self, $url ) { return $self->_ask( POST => '/url', { url => $url } ) }
sub url   ($self)         { return $self->_ask( GET  => '/url' ) }
sub title ($self)         { return $self->_ask( GET  => '/title' ) }

# Runs JavaScript in the page and returns what it returns.
sub js ( $self, $script, @arguments ) {
    return $self->_ask( POST => '/execute/sync', { script => $script, args => \@arguments } );
}

# Until the script returns something that is true in JavaScript; it fails while a page is loaded.
sub wait_for ( $self, $script, @arguments ) {
    my $wrapped = "const found = function () { $script }.apply(null, arguments);"
      . 'return found ? [found] : null;';
    my $found;
    sleep 0.05 until $found = eval { $self->js( $wrapped, @arguments ) };
    return $found->[0];
}

# Commands of Chromium's own protocol.
sub devtools ( $self, $command, %parameters ) {
    return $self->_ask( POST => '/goog/cdp/execute', { cmd => $command, params => \%parameters } );
}

sub element ( $self, $selector ) {
    return $self->_ask( POST => '/element', { using => 'css selector', value => $selector } )
      ->{$ELEMENT};
}

sub click ( $self, $selector ) {
    return $self->_ask( POST => '/element/' . $self->element($selector) . '/click' );
}

sub text ( $self, $selector ) {
    return $self->_ask( GET => '/element/' . $self->element($selector) . '/text' );
}

sub press ( $self, @keys ) {
    my @actions = map {
        my $key = $KEY{$_} // $_;
        map { { type => $_, value => $key } } qw(keyDown keyUp)
    } @keys;
    return $self->_ask(
        POST => '/actions',
        { actions => [ { type => 'key', id => 'keys', actions => \@actions } ] }
    );
}

# Moves the mouse along places of the window, with the button pressed if there are several.
sub mouse ( $self, $first, @others ) {
    my @actions = (
        _move($first),
        @others ? { type => 'pointerDown', button => 0 } : (),
        ( map { _move($_) } @others ),
        @others ? { type => 'pointerUp', button => 0 } : ()
    );
    return $self->_ask(
        POST => '/actions',
        {
            actions => [
                {
                    type       => 'pointer',
                    id         => 'mouse',
                    parameters => { pointerType => 'mouse' },
                    actions    => \@actions
                }
            ]
        }
    );
}

sub _move ($place) {
    return { type => 'pointerMove', duration => 50, x => int $place->[0], y => int $place->[1] };
}

sub size ( $self, $width, $height ) {
    return $self->devtools(
        'Emulation.setDeviceMetricsOverride',
        width             => 0 + $width,
        height            => 0 + $height,
        deviceScaleFactor => 1,
        mobile            => \0
    );
}

sub dark ( $self, $is_dark ) {
    return $self->devtools( 'Emulation.setEmulatedMedia',
        features => [ { name => 'prefers-color-scheme', value => $is_dark ? 'dark' : 'light' } ] );
}

sub new_window ($self) {
    my $window = $self->_ask( POST => '/window/new', { type => 'window' } );
    return $self->_ask( POST => '/window', { handle => $window->{handle} } );
}

sub console ($self) {
    return map { $_->{message} } @{ $self->_ask( POST => '/se/log', { type => 'browser' } ) };
}

sub picture ($self) {
    return b64_decode(
        $self->devtools( 'Page.captureScreenshot', captureBeyondViewport => \1 )->{data} );
}

# The data for a screen reader: role, name and whether it can have the focus.
sub accessible ($self) {
    my $tree = $self->devtools('Accessibility.getFullAXTree');
    return map {
        my $node     = $_;
        my %property = map { $_->{name} => $_->{value}{value} } @{ $node->{properties} // [] };
        {
            role      => $node->{role}{value},
            name      => $node->{name}{value} // q{},
            focusable => $property{focusable} ? 1 : 0
        }
    } grep { !$_->{ignored} } @{ $tree->{nodes} };
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Browser - a real browser without a window, for tests of web pages

=head1 DESCRIPTION

Starts Chromium through chromedriver (the WebDriver protocol and, in C<devtools>, Chromium's own).

=cut
