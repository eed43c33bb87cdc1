#!/usr/bin/perl
# Tables of the catalogue for the manual and its pages.
#   docs/tables.pl CATALOG NAME        as LaTeX (skampi.sty)
#   docs/tables.pl CATALOG PAGE.pod    the page, each line "=for tables NAME" replaced by a list
use File::Basename qw(basename);
use FindBin;
use JSON::PP ();

use lib "$FindBin::Bin/../report/lib";
use SKaMPI::Base;
use SKaMPI::Base::TextFile         qw(read_bytes);
use SKaMPI::Document::Texts        qw(shipped_texts);
use SKaMPI::Meaning::PlottedPoints qw(grouped);
use SKaMPI::Safe::Escape           qw(tex);

die
"usage: perl tables.pl CATALOG params|options|facts|types|commands|foreign|launchers|libraries|health_limits|health_states|host_limits|operations|PAGE.pod\n"
  if @ARGV != 2;
my ( $path, $wanted ) = @ARGV;
my $catalog = JSON::PP->new->utf8->decode( read_bytes($path) );

my %POD = ( q{<} => 'E<lt>', q{>} => 'E<gt>', q{/} => 'E<sol>', q{|} => 'E<verbar>' );

# A macro and its arguments, which are texts.
sub macro ( $name, @arguments ) {
    return "\\$name" . join( q{}, map { '{' . tex( $_ // q{}, 'inf' ) . '}' } @arguments ) . "\n";
}

# A macro for each row, with these members of the row.
sub macros ( $name, $members, @rows ) {
    return map { macro( $name, @{$_}{ @{$members} } ) } @rows;
}

sub cells (@texts) {
    return join( q{&}, map { tex( $_ // q{} ) } @texts ) . "\\\\\n";
}

sub plain ($text) { return $text =~ s{([<>/|])}{$POD{$1}}gr }

sub environment ( $name, $arguments, @lines ) {
    return ( macro( "begin{$name}", @{$arguments} ), @lines, "\\end{$name}\n\n" );
}

sub longtable ( $columns, $titles, @rows ) {
    return "\\begin{longtable}{\@{}$columns\@{}}\n$titles\\\\\\midrule\\endhead\n", @rows,
      "\\end{longtable}\n";
}

# The text of a fact, its unit, what must be the same and what is submitted.
sub fact_text ($fact) {
    return join '; ', $fact->{text} . ( defined $fact->{unit} ? " [$fact->{unit}]" : q{} ),
      grep { length } map { $_ // q{} } @{$fact}{qw(same submitted)};
}

# Place, and its facts or, for rows, what follows their numbers.
sub places () {
    my @places = grouped( sub ($fact) { return $fact->{place} }, @{ $catalog->{facts} } );
    return map( { [ "In the $_->[0]{place}", $_ ] } @places ),
      [ "In the rows, after '#'", $catalog->{details} ];
}

# Returns what tests/mpi/libraries.t found: a column for each library, whose cells name the notes below.
sub libraries_table (@paths) {
    my ( %outcome, @features, %number, @notes );
    for my $path (@paths) {
        for ( split /\n/, read_bytes($path) ) {
            my ( $feature, $text ) = split /: /, $_, 2;
            push @features, $feature if !$outcome{$feature};
            my @marks = map { $number{$_} //= push @notes, $_ }
              grep { $_ ne 'run' } split /; (?=refused|fault|run)/, $text;
            push @{ $outcome{$feature} }, join q{, }, $text =~ /\Arun/ ? 'run' : (),
              map { "($_)" } @marks;
        }
    }
    my @names = map { join q{ }, split /[-_]/, basename( $_, '.txt' ) } @paths;
    return (
        '\begin{tabular}{@{}l' . 'l' x @names . '@{}}',
        cells( q{}, @names ),
        ( map { cells( $_, @{ $outcome{$_} } ) } @features ),
        "\\end{tabular}\n\n",
        map { '(' . $number{$_} . ') ' . tex($_) . ".\n\n" } @notes
    );
}

sub pattern_types ($pattern) {
    my $varied = join ' or ', grep { $_ ne 'None' } @{ $pattern->{variations} };
    return environment(
        skampitypes => [ @{$pattern}{qw(title prefix)}, $varied ],
        map    { macro( skampitype => $_->{number}, "$_->{pattern}_$_->{name}", $_->{text} ) }
          grep { $_->{pattern} eq $pattern->{prefix} } @{ $catalog->{types} }
    );
}

# A row of a table of limits, below the LINE that it begins.
sub limit_row ( $row, @line ) {
    my $limit =
      $row->{limit} == 1 ? 'none' : "$row->{least}$row->{limit} " . ( $row->{unit} || 'times' );
    my @cells = ( $row->{name}, $limit, "$row->{what}; $row->{against}", $row->{todo} );
    return ( map { '\multicolumn{4}{@{}l}{\emph{' . tex($_) . "}}\\\\\n" } @line ), cells(@cells);
}

sub limit_table (@limits) {
    my $line = 'hosts';
    return longtable(
        'lrp{50mm}p{54mm}',
        'Value&Limit&What it is; reference&What to do',
        map { limit_row( $_, $_->{line} ne $line ? $line = $_->{line} : () ) } @limits
    );
}

# A macro, and the members of a row that are its arguments.
my %MACRO = (
    options   => [ skampioption   => qw(letter name value text) ],
    commands  => [ skampicommand  => qw(name program first text) ],
    foreign   => [ skampiforeign  => qw(words whose here) ],
    launchers => [ skampilauncher => qw(library start spread core each free) ],
);

# For each family, name and numbers of each type with the report's text about it; without one, as for a user's
# operation, nothing. An operation that several patterns measure is described once: the collective patterns have
# different texts about their dummies, and share all others.
sub operations () {
    my $texts = shipped_texts();
    my ( @families, %family, %numbers );
    for my $pattern ( @{ $catalog->{patterns} } ) {
        my ( $prefix, $name, $title ) = @{$pattern}{qw(prefix family title)};
        push @families, $family{$name} = { title => $title } if !$family{$name};
        my @types = grep { $_->{pattern} eq $prefix } @{ $catalog->{types} };
        for my $type ( map { @{$_} } grouped( sub ($type) { return $type->{topic} }, @types ) ) {
            my ($text) = grep { exists $texts->{$_} } "${prefix}_$type->{name}",
              "operation/${name}_$type->{name}";
            next if !defined $text;
            push @{ $family{$name}{types} }, [ $type->{name}, $text ] if !$numbers{$text};
            push @{ $numbers{$text} }, $type->{number};
        }
    }
    return map {
        my @rows = map {
            my ( $name, $text ) = @{$_};
            my $numbers = join ', ', @{ $numbers{$text} };
            '\skampioperation{' . $name =~ s{_}{\\_}gr . "}{$numbers}{%\n$texts->{$text}\n}\n"
        } @{ $_->{types} };
        ( "\\section{$_->{title}}\n\\begin{entries}\n", @rows, "\\end{entries}\n\n" )
    } grep { $_->{types} } @families;
}

my %latex = (
    operations => \&operations,
    map( {
            my ( $name, $macro, @members ) = ( $_, @{ $MACRO{$_} } );
            $name => sub { macros( $macro, \@members, @{ $catalog->{$name} } ) }
    } keys %MACRO ),
    params => sub {
        my @members = qw(name values default text also);
        map {
            my @rows = map { +{ %{$_}, also => join ', ', @{ $_->{aliases} } } } @{ $_->{rows} };
            environment(
                skampirows => [ @{$_}{qw(title form)} ],
                macros( skampirow => \@members, @rows )
            )
        } @{ $catalog->{help} };
    },
    libraries =>
      sub { libraries_table( sort glob quotemeta("$FindBin::Bin/libraries") . '/*.txt' ) },
    facts => sub {
        map {
            environment(
                skampifacts => [ $_->[0] ],
                map { macro( skampifact => $_->{name}, fact_text($_) ) } @{ $_->[1] }
            )
        } places();
    },
    host_limits => sub {
        my @rows = map { cells( @{$_}{qw(name text least few todo)} ) } @{ $catalog->{health} };
        (
            longtable( 'lp{44mm}rrp{46mm}', 'Value&Time of&At least&Few hosts&What to do', @rows ),
            limit_table( grep { $_->{line} eq 'hosts' } @{ $catalog->{limits} } )
        );
    },
    health_limits => sub {
        limit_table( grep { $_->{line} ne 'hosts' } @{ $catalog->{limits} } );
    },
    health_states => sub {
        my @rows = map { cells( @{$_}{qw(status name shown text)} ) } @{ $catalog->{states} };
        longtable( 'rllp{78mm}', 'Status&\code{skampi health}&Launches&When', @rows );
    },
    types => sub {
        my @rows = map {
            my $needs = defined $_->{needs} ? "; needs $_->{needs}" : q{};
            +{ %{$_}, text => "$_->{text}$needs" }
        } @{ $catalog->{datatypes} };
        (
            map( { pattern_types($_) } @{ $catalog->{patterns} } ),
            environment(
                skampidatatypes => [],
                macros( skampidatatype => [qw(number text)], @rows )
            )
        );
    },
);

sub item ( $name, @paragraphs ) {
    return "=item $name\n\n", map { "$_\n\n" } @paragraphs;
}

sub list ( $head, @items ) { return "$head\n\n=over\n\n", @items, "=back\n\n" }

sub pod_row ($row) {
    my $values = $row->{values} . ( defined $row->{default} ? "; default $row->{default}" : q{} );
    my @also   = map { 'B<' . plain($_) . '>' } @{ $row->{aliases} };
    my $text   = plain( $row->{text} );
    $text .= ' Also written as ' . join( ', ', @also ) . q{.} if @also;
    return item( 'B<' . plain( $row->{name} ) . '>', 'I<' . plain($values) . '>', $text );
}

sub pod_option ($row) {
    my $letter = defined $row->{letter} ? "B<-$row->{letter}>, "               : q{};
    my $value  = defined $row->{value}  ? ' I<' . plain( $row->{value} ) . '>' : q{};
    return item( "${letter}B<--$row->{name}>$value", plain( $row->{text} ) );
}

my %pod = (
    params => sub {
        map {
            my ( $title, $form ) = map { plain($_) } @{$_}{qw(title form)};
            list( "=head2 $title\n\n$form", map { pod_row($_) } @{ $_->{rows} } )
        } @{ $catalog->{help} };
    },
    options => sub {
        map { pod_option($_) } @{ $catalog->{options} };
    },
    commands => sub {
        map {
            item( "B<$_->{name}>",
                $_->{text} . ( defined $_->{program} ? "; $_->{program}(1)" : q{} ) )
        } @{ $catalog->{commands} };
    },
    foreign => sub {
        map { item( 'C<' . plain( $_->{words} ) . "> ($_->{whose})", plain( $_->{here} ) ) }
          @{ $catalog->{foreign} };
    },
    facts => sub {
        map {
            my @items = map { item( "B<$_->{name}>", plain( fact_text($_) ) ) } @{ $_->[1] };
            list( "$_->[0]:", @items )
        } places();
    },
);

my @text =
    $latex{$wanted}
  ? $latex{$wanted}->()
  : read_bytes($wanted) =~ s/^=for tables (\w+)\n/join q{}, $pod{$1}->()/germ;
print @text  or die "tables.pl: cannot write: $!\n";
close STDOUT or die "tables.pl: cannot write: $!\n";
