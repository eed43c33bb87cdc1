package SKaMPI::Launch::Sweep;

# Configurations for skampi-launch --sweep: the command as it is, and with each setting of the variables. A setting is
# one value of each variable.
use SKaMPI::Base;

use SKaMPI::Base::Program         qw(fail_usage);
use SKaMPI::Base::Units           qw(counted format_duration);
use SKaMPI::Launch::Configuration qw(exported $MCA);
use SKaMPI::Meaning::Facts        qw(read_fact);
use SKaMPI::Stat::Estimate        qw($ALPHA);
use SKaMPI::Verdict::Family       qw(fewest_launches);

# The configuration of the command as it is.
my $DEFAULT = 'default';

# The most settings; --budget is usually spent before.
my $MOST = 1000;

# The variables of the options --sweep, each a hash of name (as it was given), variable (of the environment) and values.
# An empty value leaves the variable as it is.
sub sweep_of (@texts) {
    fail_usage('--sweep: expected NAME=VALUE,VALUE...') if !@texts;
    my @sweep = map { _variable($_) } @texts;
    my ( %seen, $count );
    $count = ( $count // 1 ) * @{ $_->{values} } for @sweep;
    fail_usage("--sweep: '$_->{name}' is given twice; list all values in one --sweep")
      for grep { $seen{ $_->{variable} }++ } @sweep;
    fail_usage("--sweep: $count settings are more than $MOST; list fewer values") if $count > $MOST;
    return @sweep;
}

sub _variable ($text) {
    my ( $name, $list ) = $text =~ /\A([A-Za-z_][A-Za-z0-9_]*)=(.+)\z/s
      or fail_usage("--sweep: expected NAME=VALUE,VALUE..., got '$text'");
    fail_usage("--sweep $name: a value contains a NUL byte") if $list =~ /\0/;
    my @values = split $list =~ /;/ ? qr/;/ : qr/,/, $list, -1;
    pop @values if $list =~ /;\z/;
    my %seen;
    $seen{$_}++ and fail_usage("--sweep $name: the value '$_' is given twice") for @values;
    return {
        name     => $name,
        variable => $name =~ /\A[a-z][a-z0-9_]*\z/ ? "$MCA$name" : $name,
        values   => \@values
    };
}

# The CONFIGURATION as it is, and a copy of it for each setting, with the member setting: a list of NAME=VALUE.
sub sweep_configurations ( $configuration, $command, @sweep ) {
    my @words    = @{ $configuration->{words} // $command };
    my @settings = grep { @{$_} } _settings(@sweep);
    fail_usage('--sweep: expected a value') if !@settings;
    my %names;
    return ( { %{$configuration}, name => $DEFAULT, setting => [] },
        map { _configuration( $configuration, \%names, $_, @words ) } @settings );
}

# Each list of pairs of a variable and its value.
sub _settings ( $variable = undef, @more ) {
    return [] if !$variable;
    my @rest = _settings(@more);
    return map {
        my $value = $_;
        map { [ $value eq q{} ? () : [ $variable, $value ], @{$_} ] } @rest
    } @{ $variable->{values} };
}

sub _configuration ( $of, $names, $setting, @words ) {
    my %environment = map { ( $_->[0]{variable} => $_->[1] ) } @{$setting};
    my @given       = map { "$_->[0]{name}=$_->[1]" } @{$setting};
    my $name        = substr join( '_', map { tr/A-Za-z0-9.-/_/cr } @given ), 0, 80;
    my $count       = $names->{$name}++;
    return {
        %{$of},
        name        => $count ? "$name-$count" : $name,
        environment => { %{ $of->{environment} }, %environment },
        setting     => \@given,
        words       => [ exported( \@words, keys %environment ) ]
    };
}

# The error of each comparison with the default, such that all together have that of a family.
sub alpha_of (@configurations) { return $ALPHA / ( @configurations - 1 ) }

# The number of launches of each setting that can have verdicts; at least FEWEST.
sub launches_for ( $fewest, @configurations ) {
    my $needed = fewest_launches( 0, alpha_of(@configurations) );
    return $needed > $fewest ? $needed : $fewest;
}

# Fails if the launches would take longer than --budget on a quiet machine. Returns a sentence about the cost.
sub bound_sweep ( $options, $session ) {
    my $seconds = $session->expected_s;
    my $what =
      counted( scalar $session->names, 'setting' ) . " with $options->{launches} launches each";
    return "$what; the first launch will show how long one takes" if !defined $seconds;
    my $takes = "$what take about " . format_duration($seconds);
    fail_usage( "--sweep: $takes, more than the budget of $options->{budget}; list fewer values,"
          . ' or give more time with --budget' )
      if $seconds > $options->{budget_s} - $session->spent_s;
    return "$takes on a quiet machine";
}

# The shell command for a setting.
sub line_to_set ($configuration) {
    my $environment = $configuration->{environment};
    return join q{ }, 'export', map {
        my $value = $environment->{$_};
        "$_="
          . ( $value =~ m{\A[\w.,:/=+^\@%-]+\z} ? $value : q{'} . $value =~ s/'/'\\''/gr . q{'} )
    } sort keys %{$environment};
}

# Messages about settings that a launch's header lacks, or that its library does not know.
sub unseen_settings ( $configuration, $launch ) {
    my $text   = $launch->{facts}{SETTINGS} // return;
    my %origin = map { $_->{name} => $_->{origin} } @{ read_fact( 0, 'SETTINGS', $text )->{list} };
    my @given  = @{ $configuration->{setting} };
    return map {
        my ($name) = /\A(?:$MCA)?(\w+)=/;
        !defined $origin{$name}                ? "@given: $name did not reach the processes"
          : $origin{$name} =~ /, not in use\z/ ? "@given: the MPI library does not use $name"
          : ()
    } grep { /\A(?:[a-z]|OMPI_MCA_|MPIR_CVAR_|MPICH_|I_MPI_|UCX_|FI_)/ } @given;
}

1;
