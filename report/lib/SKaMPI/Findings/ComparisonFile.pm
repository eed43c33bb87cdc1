package SKaMPI::Findings::ComparisonFile;

# Reads a .dorep file:
#   # Which send mode is fastest?
#   Ping-pong: p2p_MPI_Send-MPI_Recv, p2p_MPI_Ssend-MPI_Recv,
#              p2p_MPI_Isend-MPI_Recv
#   --mono
# The manual says how its lines are written. The prefix of a label may be omitted if only one suite has this name.
# Instead of labels, a comparison may list descriptions such as syncol_MPI_Bcast/length (SKaMPI::Findings::Selection).
# comparisons are in the order of the file, each a hash of title, labels (a list), line and, if the labels are
# descriptions, descriptions (a list).
# options are lines of them in order, each a hash of words (split as by a shell) and line; they are not checked here.
use SKaMPI::Base qw(@comparisons @options);

use List::Util       qw(uniq);
use Text::ParseWords qw(shellwords);

use SKaMPI::Base::TextFile qw(characters read_text);
use SKaMPI::Base::Units    qw(list_text);
use SKaMPI::Findings::Comparison;
use SKaMPI::Findings::Selection qw(described_groups is_description parse_description);
use SKaMPI::Meaning::Likeness   qw(like_first);
use SKaMPI::Meaning::Subject    qw(axis_of operation_of pattern_of variant_of);

my $MAX_BYTES     = 1024 * 1024;
my $MAX_PROBLEMS  = 100;
my $LONGEST_TITLE = 200;

# Dies if the file cannot be read or is larger than 1 MB. With FITS_ANY, as of the default file, suites may be missing.
sub from_file ( $class, $path, $fits_any = 0 ) {
    return $class->from_text( read_text( $path, $MAX_BYTES ), characters($path), $fits_any );
}

sub from_text ( $class, $text, $name = '.dorep', $fits_any = 0 ) {
    my $self = bless {
        name        => $name,
        comparisons => [],
        options     => [],
        problems    => [],
        fits_any    => $fits_any,
        is_wrong    => 0,
    }, $class;
    my ( $number, $is_continued, @joined ) = ( 0, 0 );
    for my $line ( split /\r?\n/, $text ) {
        $number++;
        next if $line =~ /^\s*(?:\#.*)?$/;
        push @joined, [ $number, q{}, [] ] if !$is_continued;
        push @{ $joined[-1][2] }, [ $number, $line ];
        $joined[-1][1] .= $is_continued ? " $line" : $line;
        $is_continued = $joined[-1][1] =~ s/\s*\\\s*\z// || $line =~ /[,:]\s*\z/;
    }
    $self->_take( @{$_} ) for @joined;
    return $self;
}

# The first 100 problems, each FILE:LINE: TEXT. The correct lines of the file are used nevertheless.
sub problems ($self) {
    return map { "$self->{name}:$_->{line}: $_->{text}" } @{ $self->{problems} };
}

sub are_wrong ($self) {
    return $self->{is_wrong} || @{ $self->{problems} } > 0;
}

# A hash of two lists: comparisons, objects of SKaMPI::Findings::Comparison with at least two suites in the results; and
# notes, FILE:LINE: TEXT about suites that are missing or not like the first one (SKaMPI::Meaning::Likeness), but none
# with FITS_ANY.
sub applied_to ( $self, $output ) {
    my ( @applied, @notes, %named, %compared );
    push @{ $named{ $_->name } }, $_ for $output->suites;
    my $selection = SKaMPI::Findings::Selection->of($output);
    for my $comparison ( $self->comparisons ) {
        if ( my $descriptions = $comparison->{descriptions} ) {

            # A comparison for each set of matching suites; it is not an error if no set matches.
            # The default file compares no pair again with barriers.
            push @applied, map {
                SKaMPI::Findings::Comparison->new(
                    join( ', ', grep { $_ ne q{} } $comparison->{title}, $_->[0] ),
                    @{ $_->[1] } )
            } grep { !$self->{fits_any} || !$compared{ _same( @{$_} ) }++ }
              described_groups( $selection, @{$descriptions} );
            next;
        }
        my ( $suites, @wrong )  = _find_suites( $output, \%named, @{ $comparison->{labels} } );
        my ( $like,   @unlike ) = like_first( @{$suites} );
        my @skipped =
          map {
            my $label = $_->[0]->label;
            { label => $label, text => "skipped '$label': $_->[1]" }
          } @unlike;
        push @notes, map { $self->_note( $comparison, %{$_} ) } @skipped, @wrong;
        my $applied = SKaMPI::Findings::Comparison->new( $comparison->{title}, @{$like} );
        push @applied, $applied if $applied->members > 1;
    }
    @notes = () if $self->{fits_any};
    $self->{is_wrong} ||= @notes > 0;
    return { comparisons => \@applied, notes => \@notes };
}

# A key for what suites compare, but not for how all of them are measured.
sub _same ( $text, $suites ) {
    my @patterns = uniq map { pattern_of($_) } @{$suites};
    my $pattern  = "@patterns" =~ s/\A(?:syn)?col\z/collective/r;
    return join "\n", $pattern, $text,
      map { operation_of($_) . q{ } . axis_of($_) . variant_of( $_, enter => q{} ) } @{$suites};
}

sub _note ( $self, $comparison, %wrong ) {
    my $label = qr/(?:\A|[\s,:])\Q$wrong{label}\E(?:[\s,.\\]|\z)/;
    my ($line) = map { $_->[0] } grep { $_->[1] =~ $label } @{ $comparison->{lines} };
    return "$self->{name}:" . ( $line // $comparison->{line} ) . ": $wrong{text}";
}

sub _take ( $self, $number, $text, $lines ) {
    $text =~ s/\A\s+|\s+\z//g;
    return $self->_problem( $number, 'unexpected control character' )
      if $text =~ s/\t/ /gr =~ /\p{Cc}/;
    if ( $text =~ /\A-/ ) {
        my @words = shellwords($text);
        return $self->_problem( $number, 'unterminated quote' ) if !@words;
        push @{ $self->{options} }, { words => \@words, line => $number };
        return;
    }
    my ( $title, $list ) = $text =~ /\A([^:]*?)\s*:\s*(.*)\z/;
    return $self->_problem( $number, "expected 'name: suite, suite', found no ':'" )
      if !defined $title;
    return $self->_problem( $number, 'missing name of the comparison' ) if $title eq q{};
    return $self->_problem( $number, "name longer than $LONGEST_TITLE characters" )
      if length $title > $LONGEST_TITLE;
    my @labels       = $self->_labels( $number, $list );
    my @descriptions = map { parse_description($_) } grep { is_description($_) } @labels;
    return $self->_problem( $number, 'cannot mix names of suites and descriptions' )
      if @descriptions && @descriptions < @labels;
    return $self->_problem( $number, 'a comparison needs at least two suites' )
      if @labels < 2 && !grep { %{ $_->{any} } } @descriptions;
    my %comparison = ( title => $title, labels => \@labels, line => $number, lines => $lines );
    $comparison{descriptions} = \@descriptions if @descriptions;
    push @{ $self->{comparisons} }, \%comparison;
    return;
}

# The labels of a list. The example in the manual of 4.1 ends with a full stop.
sub _labels ( $self, $number, $list ) {
    my @labels = split /\s*,\s*/, $list =~ s/\s*[.]?\s*\z//r, -1;
    my ( @sound, %seen );
    for my $label (@labels) {
        my $wrong = $seen{$label}++ ? "duplicate suite '$label'" : _wrong_label($label);
        $self->_problem( $number, $wrong ) if defined $wrong;
        push @sound, $label if !defined $wrong;
    }
    return @sound;
}

sub _wrong_label ($label) {
    return 'missing suite before or after a comma' if $label eq q{};
    return "unexpected ':' in '$label'; start each comparison on a line of its own"
      if $label =~ /:/ && $label !~ m{=\w+:\w+(?:/|\z)};
    return eval { parse_description($label) } ? undef : $@ =~ s/\n\z//r if is_description($label);
    return "'$label' is not a suite name" if $label =~ m{[\s/]};
    return;
}

sub _problem ( $self, $number, $text ) {
    push @{ $self->{problems} }, { line => $number, text => $text }
      if @{ $self->{problems} } < $MAX_PROBLEMS;
    return;
}

sub _find_suites ( $output, $named, @labels ) {
    my ( @suites, @notes );
    for my $label (@labels) {
        my $suite = $output->suite($label);
        my @named = $suite ? $suite : @{ $named->{$label} // [] };
        push @suites, @named if @named == 1;
        next if @named == 1;
        my $text =
          @named
          ? "'$label' is ambiguous; it matches " . list_text( map { $_->label } @named )
          : "no suite '$label' in the results";
        push @notes, { label => $label, text => $text };
    }
    return \@suites, @notes;
}

1;
