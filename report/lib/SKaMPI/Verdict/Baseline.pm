package SKaMPI::Verdict::Baseline;

# Runs in a small file, as the base of later comparisons and of what is usual: the one format of skampi-compare, skampi
# --health and skampi-db (report/schema.txt), which the program reads, too (src/health/baseline.h).
use SKaMPI::Base;

use List::Util qw(uniq);

use SKaMPI::Base::Json       qw(decode_own to_json);
use SKaMPI::Base::Program    qw(complain fail fail_usage);
use SKaMPI::Base::TextFile   qw(beginning_of characters number_of read_bytes utf8_bytes);
use SKaMPI::Meaning::Catalog qw(shown_facts);
use SKaMPI::Meaning::Curve   qw($LONGEST_US);
use SKaMPI::Meaning::Facts   qw(read_fact);
use SKaMPI::Meaning::Legacy  qw(updated_definition);
use SKaMPI::Meaning::Subject qw(plain_options);
use SKaMPI::Read::ResultFile qw(fail_at);

# The schema of versions up to 4.2, which is still read.
my $SCHEMA       = 'skampi-baseline/1';
my $LARGEST      = 64 * 1024 * 1024;
my $NOT_POSSIBLE = 4;

# Members of a launch that are stored as they are.
my @MEMBERS = qw(name facts sum merged resumed few unusable);

# The members of a suite of a launch that rows have, besides values: the name in the file is without an s. Without
# means, only times are judged.
my @MORE = qw(means fast slow);

# The fact that names hosts.
my $HOSTS = 'PROCESSESPERHOST';

# The suite of what skampi --health measures, which is no part of comparisons: by "HOST KIND".
my $HEALTH_LABEL = 'health';

sub is_baseline ($path) {
    return $path =~ /[.]json\z/
      || beginning_of( $path, 20 ) =~ /\A(?:\@BASELINE|\# skampi health)/;
}

# The names of the hosts of a launch.
sub hosts_of ($launch) {
    return @{ $launch->{hosts} } if $launch->{hosts};
    my $read = read_fact( 0, $HOSTS, $launch->{facts}{$HOSTS} );
    return map { $_->{host} } @{ $read->{list} // [] };
}

# The facts that must agree for values to be usual, by name: lines without the names of hosts.
sub class_of ($launch) {
    my $hosts = join( q{|}, map { quotemeta } hosts_of($launch) ) || '(?!)';
    return $launch->{class} //= {
        map {
            my $text = $launch->{facts}{$_};
            defined $text
              ? ( $_ => $text =~ s/(?<![\w.-])(?:$hosts)(?![\w.-])/*/gr =~ s/\s*\n/; /gr )
              : ()
        } shown_facts('class')
    };
}

# Why launches are not to be saved, as sentences.
sub unfit (@launches) {
    return map {
        my $name = "'$_->{name}'";
        map    { "$name: $_" } $_->{merged} ? 'a merge of several runs' : (),
          grep { defined }
          @{$_}{qw(some contended)}
    } @launches;
}

# The baseline of these launches, with values of this kind. Facts that differ are no part of its class.
sub baseline_bytes ( $kind, @launches ) {
    my %asked  = map { %{ $_->{asked} // {} } } reverse @launches;
    my @of     = map { +{ %{ $_->{suites} }, $HEALTH_LABEL => $_->{health} // {} } } @launches;
    my %suites = map { %{$_} } reverse @of;
    my @lines  = "\@BASELINE 2 $kind";
    for my $fact ( shown_facts('class') ) {
        my @texts = uniq map { class_of($_)->{$fact} // q{} } @launches;
        push @lines, "\@CLASS $fact $texts[0]" if @texts == 1 && length $texts[0];
        complain("warning: $fact differs between the runs: no part of the baseline's class")
          if @texts > 1;
    }
    for my $launch (@launches) {
        my $start = int( $launch->{start} // 0 );
        my $hosts = join( q{,}, hosts_of($launch) ) || q{-};
        push @lines, "\@RUN $start $hosts " . to_json( { %{$launch}{@MEMBERS} } );
    }
    for my $label ( sort keys %suites ) {
        my ( $suite, $name ) = ( $suites{$label}, $label =~ s{\A[a-z0-9]+_|/[0-9]+\z}{}gr );
        my @rows = map {
            _rows( $kind, $_, map { $_->{$label} } @of )
        } 'values', @MORE or next;
        push @lines, "\@SUITE $label " . to_json( { %{$suite}{qw(definition column)} } ),
          ( map { "\@ASKED $_" } @{ $suite->{asked} // $asked{$name} // [] } ), @rows;
    }
    return utf8_bytes( join q{}, map { "$_\n" } @lines );
}

# Lines of argument, kind and a value of each launch; the arguments of health have their kind.
sub _rows ( $kind, $member, @suites ) {
    my @maps  = map  { $_->{$member} // {} } @suites;
    my @names = sort { length $a <=> length $b || $a cmp $b } uniq map { keys %{$_} } @maps;
    my $word  = $member eq 'values' ? $kind : $member =~ s/s\z//r;
    return map {
        my $argument = $_;
        my @place    = length $argument ? $argument : q{-};
        push @place, $word if $argument !~ / /;
        join q{ }, @place, map { $_->{$argument} // q{-} } @maps
    } @names;
}

# The launches (SKaMPI::Verdict::Launch) of such a file. Fails if it is damaged, comes from another version, or has
# another kind of value.
sub read_baseline ( $path, $kind ) {
    my $bytes = eval { read_bytes( $path, $LARGEST ) } // fail_usage($@);
    my ( $content, $line ) = ( { launches => [], suites => {} }, 1 );
    my $is_read = eval {
        if ( $bytes =~ /\A\s*\{/ ) { $content = decode_own($bytes) }
        else {
            for ( split /\n/, characters($bytes) ) { _take( $content, $_ ); $line++ }
        }
        1;
    };
    fail_at( $path, $line, 'not a baseline: ' . ( $@ =~ s/(?: at \S+ line [0-9]+[.])?\n//r ) )
      if !$is_read;
    fail_at( $path, 1, "not a baseline of skampi-compare: expected the schema '$SCHEMA'" )
      if ref $content ne 'HASH' || ( $content->{schema} // q{} ) ne $SCHEMA;
    my $launches = eval {
        [ map { _restored( $_, $content ) } @{ $content->{launches} } ]
    };
    fail_at( $path, 1, 'damaged baseline; save it again' ) if !$launches || !@{$launches};
    fail( "'$path' has the value '$content->{value}' of the rows, not '$kind'", $NOT_POSSIBLE )
      if $content->{value} ne $kind;
    return @{$launches};
}

# Takes a line of the file.
sub _take ( $content, $line ) {
    my ( $launches, $suites, $label ) = @{$content}{qw(launches suites label)};
    if ( !defined $content->{schema} ) {
        die "it is of skampi health of 4.2; skampi health --save writes a new one\n"
          if $line =~ /\A\# skampi health/;
        ( $content->{value} ) = $line =~ /\A\@BASELINE 2 (\w+)\z/
          or die "expected \@BASELINE 2 VALUE; skampi compare --save writes one\n";
        $content->{schema} = $SCHEMA;
    }
    elsif ( $line =~ /\A\@CLASS (\S+) (.*)/ ) { $content->{class}{$1} = $2 }
    elsif ( $line =~ /\A\@RUN ([0-9]+) (\S+) (.*)/ ) {
        my ( $start, $hosts ) = ( $1, [ $2 eq q{-} ? () : split /,/, $2 ] );
        push @{$launches},
          { %{ decode_own( utf8_bytes($3) ) }, start => $start || undef, hosts => $hosts };
    }
    elsif ( $line =~ /\A\@SUITE (\S+) (.*)/ ) {
        $content->{label} = $1;
        $suites->{$1} = decode_own( utf8_bytes($2) );
    }
    elsif ( $line =~ /\A\@ASKED (.*)/ && $label ) { push @{ $suites->{$label}{asked} }, $1 }
    else {
        my ( $argument, $kind, @values ) = split q{ }, $line;
        die "expected ARGUMENT KIND and a value of each run\n"
          if !defined $label || !@values || @values != @{$launches};
        my ($member) = grep { $kind =~ /\A$_?\z/ } @MORE;
        $member //= 'values';
        $argument = $label eq $HEALTH_LABEL ? "$argument $kind" : $argument =~ s/\A-\z//r;
        for ( grep { $values[$_] ne q{-} } keys @values ) {
            $launches->[$_]{$member}{$label}{$argument} = $values[$_];
        }
    }
    return;
}

sub _restored ( $stored, $content ) {
    my %launch = map { $_ => $stored->{$_} } @MEMBERS, qw(start hosts);
    die "incomplete\n"
      if !defined $launch{name}
      || grep { ref ne q{} } @launch{ 'start', grep { $_ ne 'facts' } @MEMBERS };
    _check_texts( $launch{facts} );
    $launch{class} = $content->{class} if $content->{class};
    for my $label ( keys %{ $stored->{values} } ) {
        my $suite  = $content->{suites}{$label};
        my %values = map { $_ => $stored->{$_}{$label} // {} } 'values', @MORE;
        _check_texts($_) for $suite->{definition}, $suite->{column} // ();
        _check_numbers( $_, $label ) for values %values;
        my $options = plain_options( ( $suite->{definition}{options} // q{} ) =~ /(\S+)=(\S+)/g );
        my $definition =
          $label eq $HEALTH_LABEL ? {} : updated_definition( $suite->{definition}, $options );
        $launch{suites}{$label} = { %{$suite}, definition => $definition, %values };
    }
    $launch{health} = delete $launch{suites}{$HEALTH_LABEL};
    return \%launch;
}

sub _check_texts ($texts) {
    die "no texts\n" if ref $texts ne 'HASH' || grep { !defined || ref } values %{$texts};
    return;
}

sub _check_numbers ( $values, $label ) {
    die "no numbers\n" if ref $values ne 'HASH';
    for my $argument ( keys %{$values} ) {
        my $value = $values->{$argument};
        die "no number\n"
          if $label ne $HEALTH_LABEL && $argument !~ /\A(?:[0-9.eE+-]+)?\z/
          || ref $value
          || !( ( number_of($value) // 0 ) > 0 && $value < $LONGEST_US );
    }
    return;
}

1;
