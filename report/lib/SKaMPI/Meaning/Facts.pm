package SKaMPI::Meaning::Facts;

# Reads the texts of facts by their forms, which the program writes and the catalogue has (src/results/fact.h explains
# the notation). No other module parses such a text, except SKaMPI::Meaning::Legacy. Results and suites (SKaMPI::Read)
# have read_fact as fact(NAME): a hash of
#   the values that the form names; undef, those that the text leaves out
#   list     a list of such hashes, of what the form repeats, with its text
#   unknown  1 if the text has neither this form nor one of an older version
# unknown_facts(OUTPUT) are sentences without their full stop about such facts.
use SKaMPI::Base;

use SKaMPI::Base::Table      qw(shorten);
use SKaMPI::Base::Units      qw(counted);
use SKaMPI::Meaning::Catalog qw(rows_of);
use SKaMPI::Meaning::Legacy  qw(older_forms);

# Numbers and words; other values are any text up to what follows.
my $WHOLE = qr/[0-9]{1,18}/;
my %KINDS = ( d => qr/-?$WHOLE/, f => qr/-?$WHOLE(?:[.][0-9]{1,9})?/, s => qr/\S+/ );

my $LONGEST = 80;

# Texts that are kept with their values.
my $MOST_KNOWN = 1000;

# Reads a fact of a block, or of the header or the trailer. Most blocks have the same short texts.
sub read_fact ( $is_block, $name, $text ) {
    state %known;
    return _read_fact( $is_block, $name, $text ) if length( $text // q{} ) > $LONGEST;
    %known = ()                                  if keys %known > $MOST_KNOWN;
    return $known{ join "\n", $is_block, $name, $text // () } //=
      _read_fact( $is_block, $name, $text );
}

sub _read_fact ( $is_block, $name, $text ) {
    state %rows;
    $rows{$is_block} //= {
        map  { $_->{name} => $_ }
        grep { ( $_->{place} eq 'blocks' ) == $is_block } rows_of('facts')
    };
    my $row = $rows{$is_block}{$name} // {};
    my $found;
    for my $form ( defined $text ? ( $row->{form} // (), older_forms( $is_block, $name ) ) : () ) {
        my $values = _read( $form, $text );
        return $values if !$values->{unknown};
        $found //= $values;
    }
    return $found // { list => [] };
}

sub unknown_facts ($output) {
    my ( %text, %suites );
    for my $field ( $output->fields ) {
        $text{ $field->{name} } //= $field->{value}
          if read_fact( 0, @{$field}{qw(name value)} )->{unknown};
    }
    for my $suite ( $output->suites ) {
        for my $name ( grep { $suite->fact($_)->{unknown} } $suite->fact_names ) {
            $text{$name} //= $suite->note($name);
            $suites{$name}++;
        }
    }
    return map {
            "the fact $_ has a form that is not known"
          . ( $suites{$_} ? ' in ' . counted( $suites{$_}, 'suite' ) : q{} ) . q{: }
          . shorten( $text{$_} =~ s/\n.*//sr, $LONGEST )
    } sort keys %text;
}

sub _read ( $form, $text ) {
    state %compiled;
    my $of = $compiled{$form} //= _compiled($form);
    my ( $found, $rest ) = defined $of->{head} ? _values( $of->{head}, $text ) : ( {}, $text );
    my %found = ( unknown => $found ? undef : 1, %{ $found // {} }, list => [] );
    for my $item ( defined $of->{item} ? split $of->{separator}, $rest // q{} : () ) {
        my ($values) = _values( $of->{item}, $item );
        if ($values) { push @{ $found{list} }, { %{$values}, text => $item } }
        else         { $found{unknown} = 1 }
    }
    return \%found;
}

# The values of the names in an expression, and what follows its text; nothing if it does not match.
sub _values ( $expression, $text ) {
    my @caught = $text =~ $expression->{regex} or return;
    my ( $names, %values ) = $expression->{names};
    $values{ $names->[$_] } //= $caught[$_] for keys @{$names};
    return ( \%values, $caught[-1] );
}

# Head and item of a form as expressions.
sub _compiled ($form) {
    return { head => _expression( $form, qr/()\z/ ) } if $form !~ s/(\n|, | )[.]{3}\z//;
    my $separator = $1;
    my ( $head, $item ) = $form =~ /\A(?:(.*)\Q$separator\E)?(.*)\z/s;
    return {
        separator => qr/\Q$separator\E/,
        item      => _expression( $item, qr/()\z/ ),
        head      => defined $head ? _expression( $head, qr/(?:\Q$separator\E(.*))?\z/s ) : undef
    };
}

sub _expression ( $form, $end ) {
    my @names;
    my ($parts) = _parsed( \$form );
    my $regex = _regex( \@names, $parts );
    return { names => \@names, regex => qr/\A$regex$end/ };
}

# Parses a form up to its end or a bracket. Each of its alternatives is a list of expressions for single characters,
# values (hashes of name and kind) and choices (lists of alternatives).
sub _parsed ($form) {
    my @alternatives = [];
    while ( ${$form} =~ /\G(?:[{](\w+)(?::[^}]*([dfs]))?[}]|(\[)|([|])|\\(.)|([^\]]))/gcs ) {
        if    ( defined $1 ) { push @{ $alternatives[-1] }, { name => $1, kind => $2 } }
        elsif ( defined $3 ) { push @{ $alternatives[-1] }, [ _parsed($form) ] }
        elsif ( defined $4 ) { push @alternatives, [] }
        else                 { push @{ $alternatives[-1] }, quotemeta( $5 // $6 ) }
    }
    ${$form} =~ /\G\]/gc;
    return @alternatives;
}

# Adds the names to a list. What follows the parts decides where a text ends.
sub _regex ( $names, $parts, @after ) {
    my @parts = @{$parts};
    my $regex = q{};
    while ( defined( my $part = shift @parts ) ) {
        if ( ref $part eq 'ARRAY' ) {
            my $any = join q{|}, map { _regex( $names, $_, @parts, @after ) } @{$part};
            $regex .= @{$part} > 1 ? "(?:$any)" : "(?:$any)?";
        }
        elsif ( ref $part ) {
            push @{$names}, $part->{name};
            $regex .= '('
              . (
                  $part->{kind}
                ? $KINDS{ $part->{kind} }
                : '(?:(?!' . _next( @parts, @after ) . ')[^\n])*+'
              ) . ')';
        }
        else { $regex .= $part }
    }
    return $regex;
}

# An expression for what follows a text, up to the next text or word, so that time is proportional to length.
sub _next ( $part = undef, @parts ) {
    return '(?:\n|\z)'           if !defined $part;
    return $part . _next(@parts) if !ref $part;
    return
        '(?:'
      . join( q{|}, ( map { _next( @{$_}, @parts ) } @{$part} ), @{$part} > 1 ? () : _next(@parts) )
      . ')'
      if ref $part eq 'ARRAY';
    return $part->{kind} && $part->{kind} ne 's' ? $KINDS{ $part->{kind} } . _next(@parts) : q{};
}

1;
