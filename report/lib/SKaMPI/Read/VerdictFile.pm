package SKaMPI::Read::VerdictFile;

# The verdicts of other launches on the candidates of a result file: FILE.verdicts beside it, which skampi-launch
# --confirm writes. It is JSON, with
#   schema         skampi-verdicts/1
#   results        name and sha256 of the result file
#   scope          hosts, from, to (when the launches began, UTC), launches, processes, library
#   alpha, matters, seed
#   verdicts       a list of role (candidate or control), kind, slow and fast (suite and argument; fast is a list),
#                  ratio, low, high, p, threshold, outcome (confirmed, refuted or undecided; of a control tripped or
#                  quiet), and further: how many more launches would decide (null: more than 100)
# A file that is sent to a database has the same, without results, as the fact VERDICTS of its header.
use SKaMPI::Base;

use SKaMPI::Base::Json    qw(decode_json indented_json pretty_json);
use SKaMPI::Base::Program qw(complain);
use SKaMPI::Base::TextFile
  qw(is_present number_of read_bytes sum_of_file utf8_bytes write_new_file);

our @EXPORT_OK = qw(key_of verdict_path verdicts_of with_verdicts without_verdicts write_verdicts);

my $SCHEMA  = 'skampi-verdicts/1';
my $LONGEST = 500;

sub verdict_path ($path) {
    return "$path.verdicts";
}

# CONTENT is the hash above, without schema.
sub write_verdicts ( $path, $content ) {
    my $text = pretty_json( { schema => $SCHEMA, %{$content} } );
    write_new_file( verdict_path($path), utf8_bytes($text) );
    return;
}

# A key that identifies a comparison: its kind, and the suites and arguments of both sides.
sub key_of ($comparison) {
    return join "\n", $comparison->{kind},
      map { ( $_->{suite}, defined $_->{argument} ? 0 + $_->{argument} : q{} ) }
      $comparison->{slow}, @{ $comparison->{fast} };
}

# The bytes of the result file at PATH with its verdicts in the header, if it has any. Warns if they are not about it.
sub with_verdicts ( $bytes, $path ) {
    return $bytes if !is_present( verdict_path($path) );
    my $content = eval { _content_beside($path) };
    complain( 'warning: ' . _why_not( $path, $@ ) ) if !$content;
    return $bytes                                   if !$content;
    delete $content->{results};
    delete @{ $content->{scope} }{qw(library processes)};
    my $text = utf8_bytes( indented_json($content) ) =~ s/\n(?=.)/\n# /gr;
    return $bytes =~ s/^(?=\#-----\r?$)/#\@VERDICTS $text/mr;
}

sub without_verdicts ($bytes) {
    return $bytes =~ s/^\#\@VERDICTS .*\n(?:\# .*\n)*//mr;
}

# The verdicts beside a SKaMPI::Read::Output, or in its header: a hash of scope and by_key, or of
# wrong, why they are not used. An empty list without verdicts.
sub verdicts_of ($output) {
    my ( $path, $fact ) = ( $output->path, $output->field('VERDICTS') );
    my $is_beside = defined $path && is_present( verdict_path($path) );
    return if !$is_beside && !defined $fact;
    my $content =
      eval { $is_beside ? _content_beside($path) : _checked( utf8_bytes($fact) ) };
    return { wrong => _why_not( $is_beside ? $path : '#@VERDICTS', $@ ) } if !$content;
    my %by_key = map { key_of($_) => $_ } @{ $content->{verdicts} };
    return { scope => $content->{scope}, by_key => \%by_key };
}

sub _why_not ( $path, $reason ) {
    my $name = $path =~ /\A\#/ ? $path : verdict_path($path);
    return "'$name' is not used: " . $reason =~ s/\s+\z//r;
}

sub _content_beside ($path) {
    my $content = _checked( read_bytes( verdict_path($path) ) );
    die "it is damaged; confirm again\n" if ref $content->{results} ne 'HASH';
    die "it is about another result file of this name\n"
      if ( $content->{results}{sha256} // q{} ) ne sum_of_file($path);
    return $content;
}

sub _checked ($bytes) {
    my $content = eval { decode_json($bytes) };
    die "it is damaged, or of another version; confirm again\n"
      if ref $content ne 'HASH' || ( $content->{schema} // q{} ) ne $SCHEMA;
    my ( $scope, $verdicts ) = @{$content}{qw(scope verdicts)};
    die "it is damaged; confirm again\n"
      if ref $scope ne 'HASH'
      || ref $verdicts ne 'ARRAY'
      || grep( { !_is_complete($_) } @{$verdicts} )
      || grep { !defined || ref || length > $LONGEST } @{$scope}{qw(hosts from to launches)};
    return $content;
}

# Whether a verdict has all members that are shown.
sub _is_complete ($verdict) {
    return
         ref $verdict eq 'HASH'
      && ref $verdict->{fast} eq 'ARRAY'
      && !( grep { !_is_point($_) } $verdict->{slow}, @{ $verdict->{fast} } )
      && !( grep { !defined || ref } @{$verdict}{qw(kind role outcome)} )
      && !( grep { !defined number_of($_) } @{$verdict}{qw(ratio low high)} );
}

sub _is_point ($point) {
    return
         ref $point eq 'HASH'
      && defined $point->{suite}
      && ( !defined $point->{argument} || defined number_of( $point->{argument} ) );
}

1;
