package SKaMPI::Verdict::Baseline;

# Launches in a small file, as the base of later comparisons.
use SKaMPI::Base;

use SKaMPI::Base::Json       qw(decode_json encode_json);
use SKaMPI::Base::Program    qw(fail fail_usage);
use SKaMPI::Base::TextFile   qw(read_bytes write_new_file);
use SKaMPI::Meaning::Curve   qw($LONGEST_US);
use SKaMPI::Meaning::Legacy  qw(updated_definition);
use SKaMPI::Meaning::Subject qw(plain_options);
use SKaMPI::Read::ResultFile qw(fail_at);

our @EXPORT_OK = qw(is_baseline read_baseline save_baseline);

my $SCHEMA       = 'skampi-baseline/1';
my $LARGEST      = 64 * 1024 * 1024;
my $NOT_POSSIBLE = 4;

# Members of a launch that are stored as they are.
my @MEMBERS = qw(name start facts sum merged resumed few unusable);

# Optional members of a suite of a launch; without means, only times are judged.
my @MORE = qw(means fast slow);

sub is_baseline ($path) { return $path =~ /[.]json\z/ }

# Writes the launches as JSON, with the numbers of each point and launch, and the states of its visits. Each suite is
# stored once.
sub save_baseline ( $path, $kind, @launches ) {
    my ( %suites, @stored );
    for my $launch (@launches) {
        my %stored = %{$launch}{@MEMBERS};
        for my $label ( keys %{ $launch->{suites} } ) {
            my $suite = $launch->{suites}{$label};
            $suites{$label} //= { %{$suite}{qw(definition column)} };
            $stored{values}{$label} = $suite->{values};
            $stored{$_}{$label} = $suite->{$_} for grep { %{ $suite->{$_} // {} } } @MORE;
        }
        push @stored, \%stored;
    }
    my %content = (
        schema   => $SCHEMA,
        value    => $kind,
        suites   => \%suites,
        launches => \@stored,
    );
    write_new_file( $path, encode_json( \%content ) . "\n" );
    return;
}

# The launches (SKaMPI::Verdict::Launch) of such a file. Fails if it is damaged, comes from another
# version, or has another kind of value.
sub read_baseline ( $path, $kind ) {
    my $bytes   = eval { read_bytes( $path, $LARGEST ) } // fail_usage($@);
    my $content = eval { decode_json($bytes) };
    fail_at( $path, 1, 'not a baseline: ' . ( $@ =~ s/ at \S+ line [0-9]+[.]\n//r ) ) if $@;
    fail_at( $path, 1, "not a baseline of skampi-compare: expected the schema '$SCHEMA'" )
      if ref $content ne 'HASH' || ( $content->{schema} // q{} ) ne $SCHEMA;
    my $launches = eval {
        [ map { _restored( $_, $content->{suites} ) } @{ $content->{launches} } ]
    };
    fail_at( $path, 1, 'damaged baseline; save it again' ) if !$launches || !@{$launches};
    fail( "'$path' has the value '$content->{value}' of the rows, not '$kind'", $NOT_POSSIBLE )
      if $content->{value} ne $kind;
    return @{$launches};
}

sub _restored ( $stored, $suites ) {
    my %launch = map { $_ => $stored->{$_} } @MEMBERS;
    die "incomplete\n"
      if !defined $launch{sum}
      || !defined $launch{name}
      || grep { ref ne q{} } @launch{qw(name start sum merged resumed few unusable)};
    _check_texts( $launch{facts} );
    for my $label ( keys %{ $stored->{values} } ) {
        my $suite  = $suites->{$label};
        my %values = ( values => $stored->{values}{$label} );
        $values{$_} = $stored->{$_}{$label} // {} for @MORE;
        _check_texts( $suite->{definition} );
        _check_texts( $suite->{column} ) if defined $suite->{column};
        _check_numbers($_) for values %values;
        my $options = plain_options( ( $suite->{definition}{options} // q{} ) =~ /(\S+)=(\S+)/g );
        my $definition = updated_definition( $suite->{definition}, $options );
        $launch{suites}{$label} = { %{$suite}, definition => $definition, %values };
    }
    return \%launch;
}

sub _check_texts ($texts) {
    die "no texts\n" if ref $texts ne 'HASH' || grep { !defined || ref } values %{$texts};
    return;
}

sub _check_numbers ($values) {
    die "no numbers\n" if ref $values ne 'HASH';
    for my $argument ( keys %{$values} ) {
        my $value = $values->{$argument};
        die "no number\n"
          if $argument !~ /\A(?:[0-9.eE+-]+)?\z/
          || ref $value
          || ( $value // q{} ) !~ /\A[0-9.eE+-]+\z/
          || !( $value > 0 && $value < $LONGEST_US );
    }
    return;
}

1;
