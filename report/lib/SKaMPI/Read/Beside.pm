package SKaMPI::Read::Beside;

# Files beside results that launches of skampi-launch write, as JSON (report/schema.txt):
# - FILE.verdicts, skampi-verdicts/1: the verdicts of other launches on the candidates of the result file FILE. A file
#   that is sent to a database has the same, without results, as the fact VERDICTS of its header.
# - FILE.path, skampi-path/1: the path that messages take, as the MPI library said in a launch that was not measured. A
#   file that is sent to a database has texts of it, the facts PATHS of the header and PATH of ping-pongs.
use SKaMPI::Base;

use List::Util qw(any uniq);

use SKaMPI::Base::Json    qw(decode_json pretty_json);
use SKaMPI::Base::Program qw(complain);
use SKaMPI::Base::TextFile
  qw(is_present number_of read_bytes sum_of_file utf8_bytes write_new_file);
use SKaMPI::Base::Units qw(format_bytes);

my ( $VERDICTS, $PATHS ) = qw(skampi-verdicts/1 skampi-path/1);

# The largest file with paths that is read, and the longest texts of paths and of verdicts.
my ( $LARGEST, $LONGEST, $LONGEST_TEXT ) = ( 1024 * 1024, 200, 500 );

my @PAIRS   = ( [ within => 'within a host' ], [ between => 'between hosts' ] );
my %CALLS   = ( blocking => 'blocking sends', nonblocking => 'nonblocking sends' );
my @MEMBERS = qw(pair calls from to transport device protocol copies);

sub path_file    ($path) { return "$path.path" }
sub verdict_path ($path) { return "$path.verdicts" }

# CONTENT is one of the hashes above, without schema.
sub write_verdicts ( $path, $content ) {
    return _write( verdict_path($path), { schema => $VERDICTS, %{$content} } );
}

sub write_paths ( $path, $content ) {
    return _write( path_file($path),
        { schema => $PATHS, %{$content}, paths => path_rows($content) } );
}

sub _write ( $path, $content ) {
    return write_new_file( $path, utf8_bytes( pretty_json($content) ) );
}

# The content of a file with this schema; undef if it is another one.
sub _document ( $bytes, $schema ) {
    my $content = eval { decode_json($bytes) };
    return ref $content eq 'HASH' && ( $content->{schema} // q{} ) eq $schema ? $content : undef;
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
    my $text = utf8_bytes( pretty_json($content) ) =~ s/\n(?=.)/\n# /gr;
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
      eval { $is_beside ? _content_beside($path) : _verdicts_in( utf8_bytes($fact) ) };
    return { wrong => _why_not( $is_beside ? $path : '#@VERDICTS', $@ ) } if !$content;
    my %by_key = map { key_of($_) => $_ } @{ $content->{verdicts} };
    return { scope => $content->{scope}, by_key => \%by_key };
}

sub _why_not ( $path, $reason ) {
    my $name = $path =~ /\A\#/ ? $path : verdict_path($path);
    return "'$name' is not used: " . $reason =~ s/\s+\z//r;
}

sub _content_beside ($path) {
    my $content = _verdicts_in( read_bytes( verdict_path($path) ) );
    die "it is damaged; confirm again\n" if ref $content->{results} ne 'HASH';
    die "it is about another result file of this name\n"
      if ( $content->{results}{sha256} // q{} ) ne sum_of_file($path);
    return $content;
}

sub _verdicts_in ($bytes) {
    my $content = _document( $bytes, $VERDICTS )
      // die "it is damaged, or of another version; confirm again\n";
    my ( $scope, $verdicts ) = @{$content}{qw(scope verdicts)};
    die "it is damaged; confirm again\n"
      if ref $scope ne 'HASH'
      || ref $verdicts ne 'ARRAY'
      || grep( { !_is_verdict($_) } @{$verdicts} )
      || grep { !defined || ref || length > $LONGEST_TEXT } @{$scope}{qw(hosts from to launches)};
    return $content;
}

# Whether a verdict has all members that are shown.
sub _is_verdict ($verdict) {
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

# The list paths with all members, as JSON has it.
sub path_rows ($content) {
    return [ map { +{ %{$_}{@MEMBERS} } } @{ $content->{paths} // [] } ];
}

# The content of the file beside the results at PATH; a hash of wrong, why it is not used; undef without a file.
sub _paths_of ( $path, %header ) {
    return if !defined $path || !is_present( path_file($path) );
    my $content = eval { _document( read_bytes( path_file($path), $LARGEST ), $PATHS ) };
    my $list    = ref $content ? $content->{paths} : undef;
    undef $content if ref $list ne 'ARRAY' || any { !_is_row($_) } @{$list};
    my $wrong =
      !$content ? 'it is damaged, or of another version'
      : ( grep { defined $header{$_} && ( $content->{$_} // q{} ) ne $header{$_} }
          qw(library hosts) ) ? 'it is of another library, or of other hosts'
      : undef;
    return defined $wrong ? { wrong => "'$path.path' is not used: $wrong" } : $content;
}

sub _is_row ($row) {
    return
         ref $row eq 'HASH'
      && defined number_of( $row->{from} )
      && ( !defined $row->{to} || defined number_of( $row->{to} ) )
      && ( grep { $_->[0] eq ( $row->{pair} // q{} ) } @PAIRS )
      && !grep { ref || length( $_ // q{} ) > $LONGEST || ( $_ // q{} ) =~ /[\x00-\x1f]/ }
      @{$row}{@MEMBERS};
}

# The paths of a pair (within or between), as one text: only lengths of FIRST to LAST, if they are given.
sub path_text ( $content, $pair, $first = undef, $last = undef ) {
    my @rows = grep {
             $_->{pair} eq $pair
          && ( !defined $last || $_->{from} <= $last )
          && ( !defined $first || !defined $_->{to} || $_->{to} >= $first )
    } @{ $content->{paths} };
    return 'not known' if !@rows;
    my @texts;
    for my $calls ( uniq map { $_->{calls} // 'all' } @rows ) {
        my @of = grep { ( $_->{calls} // 'all' ) eq $calls } @rows;
        push @texts, ( $CALLS{$calls} ? "$CALLS{$calls}: " : q{} ) . join '; ',
          map { _row_text($_) } _joined(@of);
    }
    return join ' | ', @texts;
}

# Neighbours that say the same are one range.
sub _joined (@rows) {
    my @joined;
    for my $row ( sort { $a->{from} <=> $b->{from} } @rows ) {
        if ( @joined && _way($row) eq _way( $joined[-1] ) ) { $joined[-1]{to} = $row->{to} }
        else                                                { push @joined, { %{$row} } }
    }
    return @joined;
}

sub _row_text ($row) {
    my $range =
      !defined $row->{to}
      ? ( $row->{from} ? 'from ' . format_bytes( $row->{from} ) : 'all lengths' )
      : join ' to ', map { format_bytes($_) } @{$row}{qw(from to)};
    return "$range by " . _way($row);
}

# "vader, eager, copied twice"
sub _way ($row) {
    my ( $transport, $device ) = @{$row}{qw(transport device)};
    return join ', ',
      ( $transport // 'a transport that is not known' ) . ( defined $device ? " ($device)" : q{} ),
      $row->{protocol} // 'protocol not known', $row->{copies} // 'copies not known';
}

# Adds the texts about the file beside the results to an output (SKaMPI::Read::Output): PATHS to its fields, PATH to
# the notes of its ping-pongs.
sub add_paths ($output) {
    my $content = _content_for($output) // return;
    push @{ $output->{fields} },
      { name => 'PATHS', value => _summary( $output, $content ), line => 0 };
    return if defined $content->{wrong};
    for my $suite ( grep { defined $_->note('PARTNER') } $output->suites ) {
        $suite->{notes}{PATH} = _suite_text( $output, $suite, $content );
    }
    return;
}

sub _content_for ($output) {
    return _paths_of( $output->path, %{ place_of($output) } );
}

# Where the paths are those of an output: a hash of library and hosts.
sub place_of ($output) {
    return {
        library => ( $output->fact('MPILIBRARY')->{list} // [] )->[0]{version},
        hosts   => $output->field('PROCESSESPERHOST')
    };
}

sub _summary ( $output, $content ) {
    return $content->{wrong} if defined $content->{wrong};
    my @hosts = @{ $output->fact('PROCESSESPERHOST')->{list} // [] };
    my %has   = ( between => @hosts > 1, within => scalar grep { $_->{processes} > 1 } @hosts );
    my @kinds = grep { $has{ $_->[0] } } @PAIRS;
    return join '; ', map { "$_->[1]: " . path_text( $content, $_->[0] ) } @kinds;
}

sub _suite_text ( $output, $suite, $content ) {
    my $host = $suite->fact('PARTNER')->{host}
      // return 'not known';    # a form that this version does not know
    my $pair = $host eq ( $output->field('HOSTNAME') // q{} ) ? 'within' : 'between';
    my @ends =
      ( $suite->varied // q{} ) eq 'message length'
      ? map { $_->{argument} } @{ $suite->rows }[ 0, -1 ]
      : ( $suite->message_length ) x 2;
    return path_text( $content, $pair, @ends );
}

# The bytes of a result file with the texts that its output (SKaMPI::Read::Output) has from the file beside it.
sub with_paths ( $bytes, $output ) {
    my $content = _content_for($output) // return $bytes;
    complain("warning: $content->{wrong}") if defined $content->{wrong};
    return $bytes                          if defined $content->{wrong} || $bytes =~ /^\#\@PATHS /m;
    my %text = map { $_->label => $_->note('PATH') } $output->suites;
    my ( $label, @lines ) = (q{});
    for my $line ( split /^/, $bytes ) {
        push @lines, _field( PATHS => $output->field('PATHS') )
          if $line =~ /\A\#-----\r?$/ && $label eq q{};
        push @lines, $line;
        $label = $1 if $line =~ m{\A\#?/\*\@in(.*)[.]ski\*/\s*\z};
        push @lines, _field( PATH => $text{$label} )
          if $line =~ /\A\#\@PARTNER / && defined $text{$label};
    }
    return join q{}, @lines;
}

sub _field ( $name, $text ) { return utf8_bytes("#\@$name $text\n") }

1;
