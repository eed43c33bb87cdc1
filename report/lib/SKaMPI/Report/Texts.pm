package SKaMPI::Report::Texts;

use v5.36;

use Exporter     qw(import);
use File::Spec   ();
use Scalar::Util qw(blessed);

use SKaMPI::Report::Datatypes qw(is_derived);
use SKaMPI::Report::Subject   qw(subject_of);
use SKaMPI::Report::UserFiles qw(bytes_of);
use SKaMPI::TextFile          qw(characters read_text);

our @EXPORT_OK = qw(family_of text_for intro_for text_parts intro_parts);

my $SHIPPED    = File::Spec->rel2abs(__FILE__) =~ s{lib/SKaMPI/Report/Texts[.]pm\z}{texts}r;
my $MOST_BYTES = 1024 * 1024;

# What varies, by the words of a name and by the words of a result file.
my $VARIATION = qr/\A(length|nodes|chunks)\z/;
my $VARIED    = qr/\b(length|nodes|chunks)\z/;

sub text_for ( $suite, @directories ) {
    return _joined( text_parts( $suite, @directories ) );
}

sub text_parts ( $suite, @directories ) {
    my ( $label, $varied ) = ref $suite ? @{$suite}{qw(label varied)} : $suite;
    return if !_is_sound($label);
    my ( $prefix, $name ) = $label =~ /\A([^_]+)_(.+)\z/ ? ( $1, $2 ) : ( q{}, $label );
    my $telling = blessed $suite ? _telling_name( $suite, $name ) : $name;
    my @shelves = ( @directories, $SHIPPED );
    my $own     = _first( \@directories, $label, $name )
      // _first( \@shelves, "${prefix}_$telling", $telling );
    return $own ? [$own] : _composed( \@shelves, $prefix, $telling, $varied );
}

# A suite may have any name: the operation, the words of the name behind it, if it begins with that,
# and the method and datatype, as the shipped parameter files write names.
sub _telling_name ( $suite, $name ) {
    my $subject = subject_of($suite);
    return $name if !defined $subject->{number} || !_is_sound( $subject->{operation} );
    my @said = $name =~ /\A\Q$subject->{operation}\E-(.+)\z/ ? split /-/, $1 : ();
    my ( $method, $datatype ) = @{ $subject->{attributes} }{qw(method datatype)};
    my @words = grep { !/\A(?:[0-9]+|pack|contiguous)\z/ } @said;
    push @words, $method if $method                =~ /\A(?:pack|contiguous)\z/;
    push @words, grep { is_derived($_) } $datatype =~ /\A([0-9]{1,3})/;
    return join q{-}, $subject->{operation}, @words;
}

sub intro_for ( $prefix, @directories ) {
    return _joined( intro_parts( $prefix, @directories ) );
}

sub intro_parts ( $prefix, @directories ) {
    return if !_is_sound($prefix);
    my @shelves = ( @directories, $SHIPPED );
    my ( $topology, $pattern ) = _parts_of($prefix);
    my $family = family_of($pattern);
    return _paragraphs( [ map { _first( \@shelves, $_ ) } "pattern/$pattern", "family/$family" ],
        [ $topology ? _first( \@shelves, 'pattern/vt' ) : () ] );
}

# Names come from a result file: they must not lead to another directory or to a hidden file.
sub _is_sound ($name) {
    return
         length $name <= 200
      && $name =~ /\A[A-Za-z0-9_][A-Za-z0-9_.-]*\z/
      && $name !~ /[.][.]/;
}

# vtsyncol is syncol on a virtual topology.
sub _parts_of ($prefix) {
    return $prefix =~ /\A(vt)?(.*)\z/;
}

# Patterns that measure the operations of another pattern, and share its texts.
my %FAMILY = ( syncol => 'col', pairs => 'p2p' );

sub family_of ($pattern) {
    return $FAMILY{$pattern} // $pattern;
}

# First what is done, then what its time is and over what it varies.
sub _composed ( $shelves, $prefix, $name, $varied ) {
    my ( $topology, $pattern ) = _parts_of($prefix);
    my $family = family_of($pattern);
    my ( $operation, @words ) = _operation( $shelves, $family, $name ) or return;
    my ($named)     = map { /$VARIATION/ } @words;
    my ($variation) = ( $varied // $named // q{} ) =~ $VARIED;
    my @scopes      = ( "$operation-", ( $topology ? 'vt-' : () ), "$family-" );
    return _paragraphs(
        [
            _first( $shelves, "operation/$operation" ),
            ( $topology ? _first( $shelves, 'common/topology' ) : () ),
            map { _word( $shelves, $_, @scopes, q{} ) } reverse @words
        ],
        [ _time( $shelves, $pattern, $operation ), _variation( $shelves, $variation, @scopes ) ]
    );
}

# The longest beginning of the name, up to a hyphen, that is an operation; and the words behind it.
sub _operation ( $shelves, $family, $name ) {
    my @parts = split /-/, $name;
    for my $count ( reverse 1 .. @parts ) {
        my $operation = "${family}_" . join q{-}, @parts[ 0 .. $count - 1 ];
        next if !_first( $shelves, "operation/$operation" );
        return ( $operation, @parts[ $count .. $#parts ] );
    }
    return;
}

# A number is a datatype's, and what the numbers have in common follows it.
sub _word ( $shelves, $word, @scopes ) {
    my $text = _first( $shelves, map { "word/$_$word" } @scopes ) // return;
    return $text if $word !~ /\A[0-9]+\z/;
    return ( $text, _first( $shelves, 'common/datatype' ) );
}

# That of the operation, or of those whose names begin like its own, or else of the pattern.
sub _time ( $shelves, $pattern, $operation ) {
    my @names = $operation;
    push @names, $names[-1] =~ s/[-_][^-_]*\z//r while $names[-1] =~ /_.*[-_]/;
    return _first( $shelves, map { "time/$_" } @names, $pattern );
}

sub _variation ( $shelves, $variation, @scopes ) {
    return if !defined $variation;
    return _first( $shelves, map { "variation/$_$variation" } @scopes );
}

# Those that are not empty.
sub _paragraphs (@paragraphs) {
    return grep { @{$_} } @paragraphs;
}

sub _joined (@paragraphs) {
    my @texts = map {
        join "\n",
          map { $_->{text} }
          @{$_}
    } @paragraphs;
    return @texts ? join( "\n\n", @texts ) : undef;
}

# The first of these texts in the first directory that has one: a hash of name and text, or nothing.
sub _first ( $shelves, @names ) {
    for my $directory ( @{$shelves} ) {
        for my $name (@names) {
            my $text = _read("$directory/$name.dri");
            return { name => $name, text => $text } if defined $text;
        }
    }
    return;
}

# Those that ship may be links, as package managers make them.
sub _read ($path) {
    return if !-e $path && !-l $path;
    my $is_ours = index( $path, "$SHIPPED/" ) == 0;
    my $text    = $is_ours ? read_text( $path, $MOST_BYTES ) : characters( bytes_of($path) );
    return $text =~ s/\s+\z//r;
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Texts - the prose of the report: what a suite measures

=head1 SYNOPSIS

    use SKaMPI::Report::Texts qw(text_for intro_for);

    my $latex = text_for( $suite, @directories );    # a SKaMPI::Suite, or its label
    my $intro = intro_for( $suite->{prefix}, @directories );

=head1 DESCRIPTION

The texts are LaTeX, in files whose names end with F<.dri> (manual 2.2.5). They are looked for in the
directories that are given, in that order, and then in F<report/texts>, where those are that ship.

=over

=item text_for(SUITE, DIRECTORIES...)

The text for a suite, or undef where there is none. SUITE is a label like
C<syncol_MPI_Bcast-nodes-short-SM> or an object of L<SKaMPI::Suite>. Its label comes from a result
file that anybody may have written: one with other characters than letters, digits, C<_>, C<.> and
C<->, or with C<..>, has no text. Dies where a file cannot be read or is larger than 1 MiB.

=item intro_for(PREFIX, DIRECTORIES...)

The text for the section of all suites with this prefix: how their pattern measures.

=item family_of(PATTERN)

The prefix of the pattern whose operations and texts PATTERN shares: C<col> for C<syncol>, C<p2p> for
C<pairs>, else PATTERN itself.

=item text_parts(SUITE, DIRECTORIES...), intro_parts(PREFIX, DIRECTORIES...)

The same in parts: a list of paragraphs, each a list of hashes of name (that of the file, without
F<.dri>) and text, so that a report can print each of them once (L<SKaMPI::Report::Prose>).

=back

=head2 How to add a text

For one suite: write F<LABEL.dri>, as F<p2p_MPI_Send-MPI_Recv.dri>, or F<NAME.dri> without the
pattern's prefix, and put it into the directory that C<dorep.pl -d> names. Such a text stands for
itself; all that follows does not happen then.

All other texts go by what the suite measures (L<SKaMPI::Report::Subject>), whatever its name is.

For an operation, in all its suites: the text is put together of parts, which are looked for in
subdirectories, each part by itself, so that a directory of yours may replace single ones. C<FAMILY> is
the pattern's prefix, but C<col> for C<syncol> and for both on a virtual topology, and C<p2p> for
C<pairs>.

=over

=item F<operation/FAMILY_OPERATION.dri>

What is called, on which process, with which arguments; what the length is the length of; what one
learns, and what to compare with. OPERATION is the name up to one of its hyphens, as far as there is such a file. A
suite without it has no text.

=item F<word/SCOPE-WORD.dri>, F<word/WORD.dri>

What the other words of the name say, from the last to the first: C<grid>, C<pack>, C<30>. SCOPE is
F<FAMILY_OPERATION>, C<vt> on a virtual topology, or FAMILY, and the first of these that has a
file holds. A word without a file says nothing. F<common/topology.dri> comes first where
there is a virtual topology, F<common/datatype.dri> behind every number.

=item F<time/FAMILY_OPERATION.dri>, F<time/PATTERN.dri>

What the time is the time of; here C<col> and C<syncol> are two. OPERATION may lack parts at its end.

=item F<variation/SCOPE-VARIATION.dri>

What is varied, C<length>, C<nodes> or C<chunks>, and what is not: as the result file says, or, where
only a label is known, as one of the name's words says.

=back

The introductions are F<pattern/PATTERN.dri>, F<family/FAMILY.dri> and, on a virtual topology,
F<pattern/vt.dri>.

MPI functions that the operation calls are written C<\texttt{MPI\_Send}>, names of suites and
operations to compare with C<\textsf{MPI\_Ssend-MPI\_Recv}>; F<tests/report/texts.t> knows by that
what a text may mention. Nothing but plain LaTeX is needed. As the names are long, a document that does not
want overfull lines lets them be broken behind an underscore:

    \let\underscore\_
    \renewcommand{\_}{\underscore\allowbreak}
    \setlength{\emergencystretch}{2em}

=cut
