package SKaMPI::Meaning::Subject;

# The quantity that a suite measures. A suite may have any name. Its block (#@TYPE) and the list of
# suites in the header of the file (#@SUITES) define it. Only if these are missing, as in files of
# older versions, it is derived from the suite's name (SKaMPI::Meaning::Legacy).
use SKaMPI::Base;

use List::Util qw(all any uniq);

use SKaMPI::Base::Units      qw(format_bytes);
use SKaMPI::Meaning::Catalog qw(datatype_name is_derived pattern_row row_of rows_of type_row);
use SKaMPI::Meaning::Legacy  qw(axis_in bare_name read_name);

# The attributes on which a value depends besides operation and argument: name, text, and the texts
# of values that have their own.
my @ATTRIBUTES = (
    [ datatype => \&_datatypes ],
    [ basetype => 'basetype %s', struct => 'of a struct' ],
    [
        method     => 'method %s',
        ddt        => 'the datatype',
        pack       => 'packed data',
        contiguous => 'contiguous data',
        manual     => 'manual packing',
        put        => 'by MPI_Put'
    ],
    [ cache      => 'cache %s' ],
    [ enter      => 'entered after a barrier', together => 'entered together' ],
    [ data       => '%s data' ],
    [ paced      => 'paced',             no   => 'unpaced' ],
    [ buffers    => '%s buffers',        one  => 'one buffer' ],
    [ in_place   => 'in place',          no   => q{} ],
    [ op         => 'op %s',             none => 'no arithmetic' ],
    [ loop       => '%s calls in a row', 1    => 'single calls' ],
    [ length_is  => 'length is %s' ],
    [ sync       => 'synchronised by %s' ],
    [ memory     => 'memory by %s' ],
    [ targets    => 'targets %s' ],
    [ busy       => 'target busy for %s us' ],
    [ send_in    => '%s memory' ],
    [ receive_in => 'received in %s', same => q{} ],
    [ staged     => 'staged',         no   => q{} ],
    [ spread     => 'parts %s' ],
    [ io_cache   => 'page cache %s' ],
    [ io_sync    => 'with MPI_File_sync', no => 'not synchronised' ],
    [
        io_walk => sub ($value) { return 'the next place, up to ' . format_bytes($value) },
        no      => 'always the same place'
    ],
    [ io_block       => sub ($value) { return 'blocks of ' . format_bytes($value) } ],
    [ root           => 'root %s', rotate => 'rotating root', each => 'each root' ],
    [ partner        => 'partner %s' ],
    [ distance       => sub ($value) { return 'distances ' . $value =~ s/ /, /gr } ],
    [ topology       => 'topology %s' ],
    [ options        => '%s' ],
    [ message_length => \&format_bytes ],
    [ nodes          => '%s processes' ],
    [ chunks         => '%s chunks' ],
    [ window         => 'window of %s messages' ],
);

# The number of MPI_BYTE, which cannot be added.
my $BYTE = 1;

my %TEXT = map { $_->[0] => $_ } @ATTRIBUTES;

# The defaults of attributes that are not keys of Parameters.
my %DEFAULT = ( datatype => 5, distance => '1 0 1', topology => 0, window => q{} );

sub _datatypes ($value) {
    return join ' to ', map { datatype_name($_) } split / /, $value;
}

my @DISTANCES = qw(x_distance y_distance distance);

# The subject of a suite: a hash of number (of the type, or undef), pattern, operation, attributes and, also as a hash,
# options. Derived once for each suite.
sub subject_of ($suite) { return $suite->once( subject => \&_subject ) }

# For the type 47 syncol_MPI_Bcast, MPI_Bcast and syncol; vtsyncol on a virtual topology.
sub operation_of ($suite) { return subject_of($suite)->{operation} }
sub pattern_of   ($suite) { return subject_of($suite)->{pattern} }

# The prefix of the pattern whose operations and texts PATTERN shares: col for syncol, p2p for
# pairs, else PATTERN itself.
sub family_of ($pattern) {
    return ( pattern_row($pattern) // {} )->{family} // $pattern;
}

sub attributes {
    return map { $_->[0] } @ATTRIBUTES;
}

# An attribute by its name, as in the parameter file. datatype: the number, or the numbers of both sides; basetype: of
# derived datatypes only; paced: of kept data only; options: all other keys of Parameters; message_length, nodes,
# chunks and window: unless they are varied.
sub attribute ( $suite, $name ) {
    return subject_of($suite)->{attributes}{$name};
}

# The variation: length, nodes, chunks, window, none, or the text of the file.
sub axis_of ($suite) {
    my $argument = $suite->arguments->[0] // return 'none';
    state $axes = { map { $_->{text} => $_->{axis} } rows_of('variations') };
    return $axes->{ $argument->{name} } //= axis_in( $argument->{name} );
}

sub _subject ($suite) {
    my ( $number, $pattern, $operation ) =
      @{ $suite->fact('TYPE') }{qw(number pattern operation)};

    # Only the label says whether a type is measured on a virtual topology.
    my $topology = $suite->prefix =~ /\Avt/ ? 'vt' : q{};
    my $named    = read_name($suite);
    my $fields   = $suite->requested;
    my %found =
      ( %{ $named->{attributes} }, $fields ? _read_fields($fields) : (), _defaults($suite) );
    my %attributes = map { $_ => $found{$_} // default_of($_) } attributes();
    state %shared;    # by suites with equal attributes
    return {
        options    => { $attributes{options} =~ /(?:\A| )(\w+)=(\S+)/g },
        number     => $number,
        pattern    => defined $pattern ? $topology . $pattern : $suite->prefix,
        operation  => $operation // $named->{operation},
        attributes => $shared{ join "\n", %attributes{ attributes() } } //= \%attributes,
    };
}

sub _read_fields ($fields) {
    my ( $send, $receive ) = map { $fields->{"${_}_Datatype_Number"} } qw(Send Receive);
    my %found = map { $_ => $fields->{$_} } attributes();
    $found{datatype} = join q{ }, uniq $send, $receive // $send if defined $send;
    $found{basetype} = join q{ }, uniq grep { defined }
      map { $fields->{"${_}_Basetype_Number"} } qw(Send Receive);
    $found{basetype}   = q{} if !defined $send || !is_derived($send);
    $found{distance}   = join q{ }, map { $fields->{$_} // _usual($_) } @DISTANCES;
    $found{topology}   = $fields->{Virtual_Topology_Number};
    $found{options}    = plain_options( %{$fields} );
    $found{receive_in} = 'same'
      if ( $found{receive_in} // q{} ) eq ( $found{send_in} // _usual('send_in') );

    # Rewritten data are always paced, and cold data need a cold cache.
    my $data = $found{data} // 'kept';
    delete $found{paced} if $data ne 'kept';
    delete $found{cache} if $data eq 'cold';
    return map { defined $found{$_} ? ( $_ => $found{$_} ) : () } keys %found;
}

# The other keys of Parameters as a text. A key with its usual value and a missing key are the same,
# and some do not change the values. Only random pairs have several matchings.
sub plain_options (%fields) {
    delete $fields{matchings} if ( $fields{pairs} // q{} ) !~ /\Arandom:/;
    my @names = grep { is_key($_) && !$TEXT{$_} && !/distance\z/ } sort keys %fields;
    return join q{ }, map { "$_=$fields{$_}" } grep { $fields{$_} ne ( _usual($_) // q{} ) } @names;
}

# Whether a field is a key of Parameters that changes what is measured. Only fields have capitals.
sub is_key ($name) {
    return $name =~ /\A[a-z]/ && !( row_of( keys => $name ) // {} )->{aside} ? 1 : 0;
}

sub default_of ($name) { return $DEFAULT{$name} // _usual($name) // q{} }

# The value of a key that results without it have.
sub _usual ($name) { return ( row_of( keys => $name ) // {} )->{default} }

# The value of any key of Parameters; its default if the suite does not have it.
sub option_of ( $suite, $name ) {
    my $subject = subject_of($suite);
    return $subject->{attributes}{$name} // $subject->{options}{$name} // _usual($name);
}

# The value of a key that is a count; undef for another value.
sub count_option_of ( $suite, $name ) {
    my $value = option_of( $suite, $name ) // q{};
    return $value =~ /\A[1-9][0-9]{0,9}\z/ ? $value : undef;
}

sub _defaults ($suite) {
    my %axis_is = ( message_length => 'length', map { $_ => $_ } qw(nodes chunks window) );
    return (
        ( map { $_ => axis_of($suite) eq $axis_is{$_} ? undef : $suite->$_ } keys %axis_is ),
        map { $_ ? ( $_ => q{} ) : () }
          { sent => 'send_in', received => 'receive_in' }->{ axis_of($suite) }
    );
}

# A text that is equal for suites with equal attributes. The given values replace those of the suite.
sub variant_of ( $suite, %other ) {
    my %values = ( %{ subject_of($suite)->{attributes} }, %other );
    return join "\n", map { "$_=" . ( $values{$_} // q{} ) } sort keys %values;
}

# The kinds of memory that no host can access as its own.
my $OF_GPU = qr/\A(?:cuda|managed|hip)\z/;

# The memories of sent and of received messages; empty if they are varied.
sub memories_of ($suite) {
    my ( $sent, $received ) = map { attribute( $suite, $_ ) } qw(send_in receive_in);
    return ( $sent, $received eq 'same' ? $sent : $received );
}

sub is_in_gpu ($suite) {
    return ( any { /$OF_GPU/ } memories_of($suite) ) ? 1 : 0;
}

# Keys with which the operation is not the library's own, of all processes at once.
my @NOT_PLAIN =
  qw(as groups arrival algorithm segment fanout processes send_in receive_in in_place threads);

# Whether figures about the machine may be derived from the suite: plain messages and the whole
# operation as the library does it, by one group of processes that start together.
sub is_plain ($suite) {
    my $attributes = subject_of($suite)->{attributes};
    my ($datatype) = split / /, $attributes->{datatype};
    return
         !is_derived($datatype)
      && $attributes->{method} eq 'ddt'
      && ( $attributes->{op} eq 'sum' || $attributes->{op} eq 'bor' && $datatype eq $BYTE )
      && $attributes->{loop} eq '1'
      && $attributes->{root} eq '0'
      && !$attributes->{topology}
      && axis_of($suite) ne 'threads'
      && !is_tcp($suite)
      && all { option_of( $suite, $_ ) eq _usual($_) } @NOT_PLAIN;
}

# Whether the messages go through TCP without MPI.
sub is_tcp ($suite) {
    my $type = type_row( pattern_of($suite), operation_of($suite) ) // return 0;
    return any { $_ eq 'tcp' } @{ $type->{traits} };
}

sub differing ( $names, @suites ) {
    return grep {
        my $name = $_;
        uniq( map { attribute( $_, $name ) } @suites ) > 1
    } @{$names};
}

# A text for each attribute that has a value: vector, packed data, 256 B.
sub words_for ( $suite, @names ) {
    my %values = %{ subject_of($suite)->{attributes} };
    return grep { length } map {
        my ( $value, undef, $text, %own ) = ( $values{$_}, @{ $TEXT{$_} } );
        $own{$value} // ( ref $text ? $text->($value) : $text =~ s/%s/$value/r )
    } grep { defined $values{$_} && $values{$_} ne q{} } @names;
}

# A name or label for the reader, followed by the operation unless it begins with that.
sub with_operation ( $suite, $text ) {
    my $operation = operation_of($suite);
    my $name      = bare_name($suite);
    return index( "$name-", "$operation-" ) == 0 ? $text : "$text ($operation)";
}

# Like with_operation, with the constructor of a derived datatype, for which names only have a number, the memory of
# messages, and whether they are in place.
sub heading_of ( $suite, $text ) {
    my ($words) = _datatype_words($suite);
    my @words   = ( $words // (), words_for( $suite, 'in_place' ), _memory_words($suite) );
    my $heading = with_operation( $suite, $text );
    return @words ? "$heading (" . join( ', ', @words ) . ')' : $heading;
}

# The operation with its datatype, how a reduction combines, the spread of an irregular one, how a one-sided one is
# synchronised, whether it is in place, and the memory of messages.
sub title_of ($suite) { return $suite->once( title => \&_title ) }

sub _title ($suite) {
    my @words = _datatype_words($suite);
    push @words, words_for( $suite, 'op' )     if attribute( $suite, 'op' ) ne 'sum';
    push @words, words_for( $suite, 'method' ) if attribute( $suite, 'method' ) ne 'ddt';
    push @words, words_for( $suite, 'spread' ) if operation_of($suite) =~ /\AIrregular_/;
    push @words, words_for( $suite, 'sync' )   if operation_of($suite) =~ /\ARMA_/;
    push @words, words_for( $suite, 'in_place' );
    push @words, _memory_words($suite);
    return operation_of($suite) . ( @words ? ' (' . join( ', ', @words ) . ')' : q{} );
}

# Words for the memory of messages, unless they are sent from and received in the host's.
sub _memory_words ($suite) {
    return
      if attribute( $suite, 'send_in' ) eq 'host'
      && attribute( $suite, 'receive_in' ) !~ /\A(?!same)./;
    return words_for( $suite, qw(send_in receive_in staged) );
}

# Words for the datatype, which suites that send contiguous bytes do not use.
sub _datatype_words ($suite) {
    my ( $datatype, $basetype, $method ) =
      map { attribute( $suite, $_ ) } qw(datatype basetype method);
    return if $method eq 'contiguous' || !is_derived( ( split / /, $datatype )[0] );
    return words_for( $suite, 'datatype', $basetype eq 'struct' ? 'basetype' : () );
}

1;
