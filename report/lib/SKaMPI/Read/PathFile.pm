package SKaMPI::Read::PathFile;

# The path that messages take, as the MPI library said in a launch that was not measured: FILE.path beside the results
# FILE, which skampi-launch --path writes. It is JSON, with
#   schema      skampi-path/1
#   library     the name and version of the MPI library, as the header of the results begins with them
#   hosts       processes on each host, as the header of the results has them
#   sources     texts: the reports that were read, with the version of what made them
#   paths       a list of pair (within: on a host, between: of hosts), calls (blocking, nonblocking or all), from and to
#               (bytes; to is null for all longer messages), transport, device, protocol (eager or rendezvous) and
#               copies; null: not known
# A file that is sent to a database has them as texts, the facts PATHS of the header and PATH of ping-pongs.
use SKaMPI::Base;

use List::Util qw(any uniq);

use SKaMPI::Base::Json     qw(decode_json pretty_json);
use SKaMPI::Base::Program  qw(complain);
use SKaMPI::Base::TextFile qw(is_present number_of read_bytes utf8_bytes write_new_file);
use SKaMPI::Base::Units    qw(format_bytes);

our @EXPORT_OK = qw(add_paths path_file path_rows path_text place_of with_paths write_paths);

my $SCHEMA = 'skampi-path/1';

# The largest file that is read, and the longest text in it.
my ( $LARGEST, $LONGEST ) = ( 1024 * 1024, 200 );

my @PAIRS   = ( [ within => 'within a host' ], [ between => 'between hosts' ] );
my %CALLS   = ( blocking => 'blocking sends', nonblocking => 'nonblocking sends' );
my @MEMBERS = qw(pair calls from to transport device protocol copies);

sub path_file ($path) { return "$path.path" }

# CONTENT is the hash above, without schema.
sub write_paths ( $path, $content ) {
    my %whole = ( schema => $SCHEMA, %{$content}, paths => path_rows($content) );
    write_new_file( path_file($path), utf8_bytes( pretty_json( \%whole ) ) );
    return;
}

# The list paths with all members, as JSON has it.
sub path_rows ($content) {
    return [
        map {
            my $row = $_;
            +{ map { $_ => $row->{$_} } @MEMBERS }
        } @{ $content->{paths} // [] }
    ];
}

# The content of the file beside the results at PATH; a hash of wrong, why it is not used; undef without a file.
sub _paths_of ( $path, %header ) {
    return if !defined $path || !is_present( path_file($path) );
    my $content = eval { _checked( read_bytes( path_file($path), $LARGEST ) ) };
    my $wrong =
      !$content ? 'it is damaged, or of another version'
      : ( grep { defined $header{$_} && ( $content->{$_} // q{} ) ne $header{$_} }
          qw(library hosts) ) ? 'it is of another library, or of other hosts'
      : undef;
    return defined $wrong ? { wrong => "'$path.path' is not used: $wrong" } : $content;
}

sub _checked ($bytes) {
    my $content = decode_json($bytes);
    die "damaged\n"
      if ref $content ne 'HASH'
      || ( $content->{schema} // q{} ) ne $SCHEMA
      || ref $content->{paths} ne 'ARRAY'
      || any { !_is_row($_) } @{ $content->{paths} };
    return $content;
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
