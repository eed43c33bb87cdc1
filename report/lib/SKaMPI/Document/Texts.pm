package SKaMPI::Document::Texts;

# The texts of the report about what suites measure, in LaTeX. An object has the texts of one report, each printed once;
# the introduction of a section defines the times of its pattern. Those that ship are in report/texts, one file for each
# family of patterns and common.tex; the heading %% NAME begins a text. Texts of the user, in files NAME.dri (dorep(1)),
# come first, in the order of the directories. That of a single suite replaces the combined text; all others depend on
# what the suite measures (SKaMPI::Meaning::Subject), not on its name. The text for all suites of an operation is
# combined from parts. Each is searched separately, so the file operation/col_MPI_Bcast.dri replaces the text with the
# heading %% operation/col_MPI_Bcast. FAMILY is the pattern's prefix without vt, but col for syncol and p2p for pairs.
# - operation/FAMILY_OPERATION: what is called, on which process, with which arguments; what the
#     length is the length of; what the result shows, and what to compare it with. OPERATION is the
#     name up to the last hyphen for which there is such a text. A suite without such a text has
#     none at all.
# - word/SCOPE-WORD, word/WORD: the meaning of the other words of the name, from the last to the
#     first: grid, pack, 30. SCOPE is FAMILY_OPERATION, the same up to the second underscore, vt on
#     a virtual topology, or FAMILY; the first of these with a text is used. A word without a text
#     is ignored. common/topology precedes them on a virtual topology, and common/datatype follows a
#     number.
# - time/PATTERN-together, time/PATTERN_OPERATION, time/PATTERN: the definition of the time,
#     separately for col, for col with enter=together, and for syncol. OPERATION may lack parts at
#     its end.
# - variation/SCOPE-VARIATION: what is varied (length, nodes, chunks or window) and what is fixed:
#     as the result file says or, if only a label is known, as a word of the name says.
# The introductions are pattern/PATTERN, family/FAMILY and, on a virtual topology, pattern/vt.
# Write MPI functions that the operation calls as \texttt{MPI\_Send}, and names of suites and
# operations to compare with as \textsf{MPI\_Ssend-MPI\_Recv}; tests/report/texts.t checks what a
# text mentions. Use plain LaTeX without packages.
use SKaMPI::Base;

use List::Util qw(any);

use SKaMPI::Base::TextFile   qw(characters is_present read_text shipped_path);
use SKaMPI::Meaning::Catalog qw(axes is_derived row_of);
use SKaMPI::Meaning::Subject qw(attribute family_of subject_of);
use SKaMPI::Safe::UserFiles  qw(bytes_of);

# A heading of the files that ship: "%% operation/col_MPI_Bcast".
my $HEADING = qr/^%%[ ](\S+)\n/m;

# Results before version 4.2 do not define their times (#@TIMEOF): of them, texts describe only the measured calls.
my $OF_ANY_VERSION = qr{\A(?:operation/|word/[0-9]|common/datatype\z)};

# Parts about the operation. A suite that shares such a part refers to the suite where it is printed.
my $WHAT_IS_DONE = qr{\A(?:operation/|[^/]+\z)};

sub new ( $class, @directories ) {
    return bless { directories => \@directories, printed_at => {} }, $class;
}

# The introduction of a section (SKaMPI::Document::Sections): how its pattern measures, and what its times are.
sub intro_for ( $self, $section ) {
    my @directories = @{ $self->{directories} };
    my ( $prefix, @suites ) = ( $section->{prefix}, @{ $section->{suites} } );
    return q{} if !grep { _defines_its_time($_) } @suites;

    # The text for an operation whose time is defined differently is printed with its suite.
    my $name   = 'time/' . $prefix =~ s/\Avt//r;
    my @parts  = map  { @{$_} } map { text_parts( $_, @directories ) } @suites;
    my ($time) = grep { $_->{name} eq $name } @parts;
    return $self->_text( undef, intro_parts( $prefix, @directories ), $time ? [$time] : () );
}

# Members of a view: text, without what was printed before, and see, the id of the suite that has the rest, or q{}.
sub text_for ( $self, $suite, $id ) {
    my @paragraphs = text_parts( $suite, @{ $self->{directories} } );
    if ( !_defines_its_time($suite) ) {
        my $is_kept = sub ($part) { $part->{name} =~ $OF_ANY_VERSION || $part->{name} !~ m{/} };
        @paragraphs = grep { @{$_} } map {
            [ grep { $is_kept->($_) } @{$_} ]
        } @paragraphs;
    }
    my ($see) = map { $self->{printed_at}{ $_->{name} } // () }
      grep { $_->{name} =~ $WHAT_IS_DONE } map { @{$_} } @paragraphs;
    return ( text => $self->_text( $id, @paragraphs ), see => $see // q{} );
}

sub _defines_its_time ($suite) { return defined $suite->note('TIMEOF') }

# The first sentences of a text, as NAME, at least one and not many more than MOST characters; and the others, as more.
sub brief_and_rest ( $name, $text, $most ) {
    my ( $brief, @more ) = split /(?<=[.])\s+(?=[A-Z\\])/, $text;
    $brief //= q{};
    $brief .= q{ } . shift @more while @more && $most > length "$brief $more[0]" =~ s/\\[a-z]+//gr;
    return ( $name => $brief, more => join q{ }, @more );
}

# The parts that have not been printed yet. ID is where they are printed now, or undef.
sub _text ( $self, $id, @paragraphs ) {
    my @texts;
    for my $paragraph (@paragraphs) {
        my @new = grep { !exists $self->{printed_at}{ $_->{name} } } @{$paragraph};
        $self->{printed_at}{ $_->{name} } = $id for @new;
        push @texts, join "\n", map { $_->{text} } @new if @new;
    }
    return join "\n\n", @texts;
}

# The text for a suite: a list of paragraphs, each a list of hashes of name and text. Dies if a file cannot be read or
# is larger than 1 MiB.
sub text_parts ( $suite, @directories ) {
    my ( $label, $varied ) = ( $suite->label, $suite->varied );
    return if !_is_sound($label);
    my ( $prefix, $name ) = $label =~ /\A([^_]+)_(.+)\z/ ? ( $1, $2 ) : ( q{}, $label );
    my $usual   = _usual_name( $suite, $name );
    my @shelves = ( @directories, shipped_texts() );
    my $own     = _first( \@directories, $label, $name )
      // _first( \@shelves, "${prefix}_$usual", $usual );
    return [$own] if $own;
    my $entered = ( $varied // q{} ) eq 'pair' ? 'pair' : attribute( $suite, 'enter' );
    return _composed( \@shelves, $prefix, $usual, { varied => $varied, entered => $entered } );
}

# Keys whose values are words in the suite names of the shipped parameter files.
my @NAMED = qw(data method op root spread io_cache);

my @SAID = qw(otherroot by_chance synced same);

# A suite may have any name. This is the name that the shipped parameter files would give it: the operation, the words
# that follow the operation in the suite's name and are no values of its keys, and those of the keys and the datatype.
sub _usual_name ( $suite, $name ) {
    my $subject = subject_of($suite);
    return $name if !defined $subject->{number} || !_is_sound( $subject->{operation} );
    my @given  = $name =~ /\A\Q$subject->{operation}\E-(.+)\z/ ? split /-/, $1 : ();
    my %is     = %{ $subject->{attributes} };
    my @memory = (
        $is{in_place} eq 'yes'                      ? 'in_place'   : (),
        $is{send_in} =~ /\A(?!host\z)[a-z]+\z/      ? $is{send_in} : (),
        $is{receive_in} =~ /\A(?!same\z)([a-z]+)\z/ ? "to_$1"      : (),
        $is{staged} eq 'yes'                        ? 'staged'     : ()
    );
    my %said = map { $_ => 1 } @SAID, @memory,
      map { row_of( keys => $_ )->{values} =~ /\w+/g } grep { _has_key( $subject, $_ ) } @NAMED;
    my @words = grep { !/\A[0-9]+\z/ && !$said{$_} } @given;

    # Kept data need no text, except if another suite is compared with them.
    push @words, $is{data} =~ /\A(?:fresh|cold)\z/ ? $is{data} : $is{paced} eq 'yes' ? 'kept' : ();
    push @words, $is{root} =~ /\A[0-9]/ ? 'otherroot' : $is{root} if $is{root} ne '0';
    push @words, grep { /\A(?!sum\z)[a-z_]+\z/ } $is{op};
    push @words, map { $_ eq 'random' ? 'by_chance' : $_ } $is{spread} =~ /\A([a-z_]+)/
      if _has_key( $subject, 'spread' );
    push @words,
      $is{io_cache} eq 'dropped' ? 'dropped' : (),
      $is{io_sync} eq 'yes' ? 'synced' : (), $is{io_walk} eq 'no' ? 'same' : ()
      if _has_key( $subject, 'io_walk' );
    push @words, @memory;
    push @words, $is{method} if $is{method} ne 'ddt' && $is{method} =~ /\A\w+\z/;
    push @words, grep { is_derived($_) } $is{datatype}              =~ /\A([0-9]{1,3})/;
    return join q{-}, $subject->{operation}, @words;
}

sub _has_key ( $subject, $name ) {
    my $type = row_of( types => $subject->{number} ) // {};
    return any { $_ eq $name } @{ $type->{keys} // [] };
}

sub intro_parts ( $prefix, @directories ) {
    return if !_is_sound($prefix);
    my @shelves = ( @directories, shipped_texts() );
    my ( $topology, $pattern ) = _parts_of($prefix);
    my $family = family_of($pattern);
    return grep { @{$_} } [ map { _first( \@shelves, $_ ) } "pattern/$pattern", "family/$family" ],
      [ $topology ? _first( \@shelves, 'pattern/vt' ) : () ];
}

# Names come from a result file and must not lead to another directory or to a hidden file.
sub _is_sound ($name) {
    return
         length $name <= 200
      && $name =~ /\A[A-Za-z0-9_][A-Za-z0-9_.-]*\z/
      && $name !~ /[.][.]/;
}

# vtsyncol is syncol on a virtual topology.
sub _parts_of ($prefix) { return $prefix =~ /\A(vt)?(.*)\z/ }

# The paragraphs of a suite: the operation, the definition of the time, and the variation.
sub _composed ( $shelves, $prefix, $name, $suite ) {
    my ( $topology, $pattern ) = _parts_of($prefix);
    my $family = family_of($pattern);
    my ( $operation, @words ) = _operation( $shelves, $family, $name ) or return;
    my %is_axis     = map  { $_ => 1 } axes();
    my ($variation) = grep { $is_axis{$_} } map { /(\w+)\z/ } $suite->{varied} // q{}, @words;
    my ($kind)      = $operation =~ /\A(\Q$family\E_[^_-]+)/;
    my @scopes      = ( "$operation-", "$kind-", ( $topology ? 'vt-' : () ), "$family-" );
    my @done        = (
        _first( $shelves, "operation/$operation" ),
        ( $topology ? _first( $shelves, 'common/topology' ) : () ),
        map { _word( $shelves, $_, @scopes, q{} ) } reverse @words
    );

    # The text of the operation in this pattern or any, of a shorter name, or of the pattern.
    my @names = "${pattern}_" . $operation =~ s/\A[^_]*_//r;
    push @names, $names[-1] =~ s/[-_][^-_]*\z//r while $names[-1] =~ /_.*[-_]/;
    unshift @names, "$pattern-$suite->{entered}", $operation =~ s/\A[^_]+/$pattern/r;
    my @defined = _first( $shelves, map { "time/$_" } @names, $pattern );
    push @defined, _first( $shelves, map { "variation/$_$variation" } @scopes )
      if defined $variation;
    return grep { @{$_} } \@done, \@defined;
}

# The longest part of the name, up to a hyphen, that is an operation; and the words that follow it.
sub _operation ( $shelves, $family, $name ) {
    my @parts = split /-/, $name;
    for my $count ( reverse 1 .. @parts ) {
        my $operation = "${family}_" . join q{-}, @parts[ 0 .. $count - 1 ];
        next if !_first( $shelves, "operation/$operation" );
        return ( $operation, @parts[ $count .. $#parts ] );
    }
    return;
}

# The text of a word of a suite's name. A number is a datatype; the text about all datatypes follows it.
sub _word ( $shelves, $word, @scopes ) {
    my $text = _first( $shelves, map { "word/$_$word" } @scopes ) // return;
    return $text if $word !~ /\A[0-9]+\z/;
    return ( $text, _first( $shelves, 'common/datatype' ) );
}

# The first of these texts on the first shelf (a directory, or a hash of texts) that has one: a hash of name and text.
sub _first ( $shelves, @names ) {
    for my $shelf ( @{$shelves} ) {
        for my $name (@names) {
            my $text = ref $shelf ? $shelf->{$name} : _read("$shelf/$name.dri");
            return { name => $name, text => $text } if defined $text;
        }
    }
    return;
}

sub _read ($path) {
    return if !is_present($path);
    return characters( bytes_of($path) ) =~ s/\s+\z//r;
}

# A hash of the texts that ship, by name. Read once per process.
sub shipped_texts () {
    state %texts;
    for my $path ( %texts ? () : glob quotemeta( shipped_path('texts') ) . '/*.tex' ) {
        my ( undef, %own ) = split $HEADING, read_text($path);
        $texts{$_} = $own{$_} =~ s/\s+\z//r for keys %own;
    }
    return \%texts;
}

1;
