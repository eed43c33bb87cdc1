package SKaMPI::Document::Summary;

# The report's page of key figures and findings.
use SKaMPI::Base;

use List::Util qw(uniq);

use SKaMPI::Base::Units qw(error_text format_bytes with_mu);
use SKaMPI::Findings::Findings;
use SKaMPI::Findings::KeyFigures qw(figure_text);
use SKaMPI::Meaning::Marks       qw(mark_texts marked);
use SKaMPI::Meaning::RunFacts    qw(defines_times kind_of_errors);

my $STRONGEST = 3;

# IDS has the document's references for the suites' labels.
sub new ( $class, $output, $ids ) {
    return bless { output => $output, ids => $ids }, $class;
}

sub data ($self) {
    my @rows  = SKaMPI::Findings::KeyFigures->rows_of( $self->{output} );
    my $found = SKaMPI::Findings::Findings->of( $self->{output} );
    my @strongest =
      sort { $b->{evidence} <=> $a->{evidence} || $a->{text} cmp $b->{text} }
      map { @{ $_->{findings} } } @{ $found->{groups} };
    splice @strongest, $STRONGEST if @strongest > $STRONGEST;
    my @figures = map {
        {
            what       => ucfirst $_->{what} =~ s{1/2}{\x{bd}}r,
            definition => $_->{definition}   =~ s/10\^6 and 10\^9/a million and 1000 million/r,
            $self->_cell($_),
            defined $_->{unknown} ? ( value => q{}, definition => $_->{unknown} ) : ()
        }
    } grep { $_->{group} ne 'collective' } @rows;

    return {
        errors      => kind_of_errors( $self->{output} ) // q{},
        marks       => join( q{ }, mark_texts(@rows) ),
        figures     => \@figures,
        collectives => $self->_collectives( grep { $_->{group} eq 'collective' } @rows ),
        strongest   => [ map { $self->_finding($_) } @strongest ],
        findings    => [ map { $self->_group( $_, \@strongest ) } @{ $found->{groups} } ],
        nothing     => @{ $found->{groups} }                                       ? 0 : 1,
        is_single   => @{ $found->{groups} } && !$self->{output}->is_postprocessed ? 1 : 0,
        compared    => $found->{compared},
        cautions    => $found->{cautions},
    };
}

# A group without the findings of the first page; nothing if no other is left.
sub _group ( $self, $group, $strongest ) {
    my %said   = map  { $_ => 1 } @{$strongest};
    my @others = grep { !$said{$_} } @{ $group->{findings} };
    return if !@others && !$group->{omitted};
    return {
        title    => $group->{title},
        findings => [ map { $self->_finding($_) } @others ],
        omitted  => $group->{omitted},
    };
}

sub _finding ( $self, $finding ) {
    my @labels = map { $_->{suite}->label } $finding->{slow}, @{ $finding->{fast} };
    return {
        state   => ucfirst( $finding->{state} // q{} ),
        text    => with_mu( $finding->{text} ),
        ids     => [ uniq map { $self->{ids}{$_} // () } @labels ],
        is_weak => $finding->{is_weak},
    };
}

# A row for each operation, a column for each length, and a part of its own for operations without a length.
sub _collectives ( $self, @rows ) {
    my @lengths = sort { $a <=> $b } uniq map { $_->{wanted} // () } @rows;
    my @plain   = grep { !defined $_->{wanted} } @rows;
    my %count;
    $count{ $_->{definition} }++ for @rows;
    my @definitions = sort { $count{$b} <=> $count{$a} } uniq map { $_->{definition} } @rows;
    @definitions = () if !defines_times( $self->{output} );
    $_->{is_other} = @definitions && $_->{definition} ne $definitions[0] for @rows;
    my ( $usual, @others ) = @definitions;
    my @notes = defined $usual ? "Times are: $usual." : ();
    push @notes, map { "\x{2020} $_." } @others;
    push @notes, '~ interpolated between measured lengths.'
      if grep { $_->{where}{interpolated} } @rows;
    my %none = map { $_ => q{} } qw(value error id);
    my ( %row_of, @table );
    $row_of{ $_->{what} }{ $_->{wanted} } = $_ for grep { defined $_->{wanted} } @rows;

    for my $what ( uniq map { defined $_->{wanted} ? $_->{what} : () } @rows ) {
        my @cells = map { +{ $_ ? $self->_cell($_) : %none } } @{ $row_of{$what} }{@lengths};
        push @table, { what => $what, cells => \@cells };
    }
    return {
        lengths => [ map { format_bytes($_) } @lengths ],
        rows    => \@table,
        plain   => [ map { { what => $_->{what}, $self->_cell($_) } } @plain ],
        notes   => \@notes,
    };
}

sub _cell ( $self, $row ) {
    my $value = figure_text($row);
    $value = "~$value" if $row->{where}{interpolated} && $row->{group} eq 'collective';
    $value .= "\x{2020}" if $row->{is_other};
    $value = marked( $value, $row );
    $value .= ' (at ' . format_bytes( $row->{length} ) . ')' if $row->{nearest};
    return (
        value => $value,
        error => error_text( @{$row}{qw(error value)} ),
        id    => $self->{ids}{ $row->{where}{label} },
    );
}

1;
