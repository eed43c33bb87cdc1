package SKaMPI::Tune::File;

# A table as a file: what the library reads, and comments from which skampi-tune verify reads the choices. It has rules
# of Open MPI, or variables of the environment; some of these name files beside it, which cannot have comments.
use SKaMPI::Base;

use List::Util qw(any sum0 uniq);

use SKaMPI::Base::TextFile         qw(read_bytes);
use SKaMPI::Meaning::PlottedPoints qw(grouped);
use SKaMPI::Tune::Cells            qw(%SIZES);
use SKaMPI::Tune::JsonRules        qw(json_rules problems_of_json_rules);
use SKaMPI::Tune::Presets          qw(everywhere presets_of problems_of_presets);
use SKaMPI::Tune::Rules            qw(problems_of read_rules rules_of rules_text);
use SKaMPI::Tune::Selection qw(own_trees problems_of_selection selection_names selection_texts);

# The least factor by which a canary must be slower.
my $CANARY = 3;

# Type, collective, processes, length, algorithm, name, variable, ratio and its interval.
my $CELL =
  qr/\A[ ][0-9]{1,9}[ ]\w+(?:[ ][0-9]{1,15}){3}[ ]\S+[ ]\S+(?:[ ][0-9]{1,9}[.][0-9]{3}){3}\z/;

my $DYNAMIC = 'OMPI_MCA_coll_tuned_use_dynamic_rules';
my $RULES   = 'OMPI_MCA_coll_tuned_dynamic_rules_filename';
my %LAYERS  = (
    mpir => 'MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE',
    ch4  => 'MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE'
);

# In a row: of which results (the variable of a cell), whether it needs the library's file, the choices that it can
# have, whether those of a collective are used or dropped together, and what it has: a version of rules, or variables,
# and texts of the files beside, by the variable that names each.
my %FORMATS = (
    ompi        => { of => qr/\Acoll_/, rules => 1 },
    'ompi-v2'   => { of => qr/\Acoll_/, rules => 2 },
    'ompi-json' => {
        of        => qr/\Acoll_/,
        variables => sub { return ( $DYNAMIC => 1 ) },
        beside    => sub ( $own, @cells ) { return ( $RULES => json_rules(@cells) ) },
    },
    'mpich-env' => {
        of        => qr/\AMPIR_/,
        choices   => sub ( $own, @cells ) { return _without_lengths( 'collective', @cells ) },
        together  => 1,
        variables => sub (@cells) {

            # With an algorithm of MPICH, the device's own ones have to be off.
            return map {
                my $device = $_->{variable} =~ s/_INTRA_ALGORITHM\z/_DEVICE_COLLECTIVE/r;
                ( $_->{variable} => $_->{names}{ $_->{chosen} }, $device => 0 )
            } grep { $_->{chosen} } @cells;
        },
    },
    'mpich-json' => {
        of      => qr/\AMPIR_/,
        library => 1,
        choices => \&_selectable,
        beside  => sub ( $own, @cells ) {
            my %text = selection_texts( $own, @cells );
            return map { $LAYERS{$_} => $text{$_} } keys %text;
        },
    },
    'intel-env' => {
        of        => qr/\AI_MPI_/,
        choices   => sub ( $own, @cells ) { return everywhere(@cells) },
        together  => 1,
        variables => \&presets_of,
    },
);

sub formats { return ( sort( keys %FORMATS ) ) }

# The formats for results of a library, the default first: it needs nothing else.
sub formats_for ($cell) {
    my @fit = grep { $cell->{variable} =~ $FORMATS{$_}{of} } formats();
    return ( ( grep { !$FORMATS{$_}{beside} } @fit ), grep { $FORMATS{$_}{beside} } @fit );
}

# The cell and the algorithm, for each collective of the table, that is slower than the own choice by the largest
# factor.
sub canaries_of (@cells) {
    my %slowest;
    for my $cell (@cells) {
        for my $number ( keys %{ $cell->{points} // {} } ) {
            my $log = $cell->{points}{$number}{log};
            my $now = $slowest{ $cell->{collective} };
            $slowest{ $cell->{collective} } = { %{$cell}, chosen => $number, ratio => exp $log }
              if $log >= log $CANARY && ( !$now || $log > log $now->{ratio} );
        }
    }
    my %tuned = map { $_->{collective} => 1 } grep { $_->{chosen} } @cells;
    return map { $slowest{$_} } grep { $tuned{$_} } sort keys %slowest;
}

# One algorithm for all cells that have the same KEYS: of those chosen in some cell and slower in none, the one with the
# smallest product.
sub _without_lengths ( $keys, @cells ) {
    my $key_of = sub ($cell) { return join q{ }, @{$cell}{ split q{ }, $keys } };
    return map { _one_of( @{$_} ) } grouped( $key_of, @cells );
}

# The choices that MPICH can select by name, without lengths where it does not count bytes.
sub _selectable ( $own, @cells ) {
    my @named = map {
        my %name = selection_names( $own, $_ );
        +{ %{$_}, chosen => $name{ $_->{chosen} } ? $_->{chosen} : 0 }
    } @cells;
    my ( @with, @without );
    push @{ $SIZES{ $_->{collective} }{mpich} ? \@with : \@without }, $_ for @named;
    return ( @with, _without_lengths( 'collective processes', @without ) );
}

sub _one_of (@cells) {
    my @able = grep {
        my $number = $_;
        !any { ( $_->{points}{$number} // { verdict => 'slower' } )->{verdict} eq 'slower' } @cells
    } uniq grep { $_ } map { $_->{chosen} } @cells;
    my %sum = map {
        my $n = $_;
        $n => sum0 map { $_->{points}{$n}{log} } @cells
    } @able;
    my ($best) = sort { $sum{$a} <=> $sum{$b} || $a <=> $b } grep { $sum{$_} < 0 } @able;
    return map { +{ %{$_}, chosen => $best // 0 } } @cells;
}

# The choice as the format can express it. LIBRARY is the file of MPICH's library, where the format needs it.
sub with_choices ( $format, $library, @cells ) {
    my $choices = $FORMATS{$format}{choices} // return @cells;
    return $choices->( scalar _own( $format, $library ), @cells );
}

sub _own ( $format, $library ) {
    return if !$FORMATS{$format}{library};
    return own_trees( $library
          // die "--format $format needs --library FILE, MPICH's libmpi.so\n" );
}

sub _line ( $kind, $cell ) {
    my $point = $cell->{points}{ $cell->{chosen} } // {};
    my @ratio = map { sprintf '%.3f', $point->{$_} // $cell->{ratio} // 1 } qw(ratio low high);
    return join q{ }, "#\@$kind", @{$cell}{qw(type collective processes length chosen)},
      $cell->{names}{ $cell->{chosen} } // q{-}, $cell->{variable}, @ratio;
}

# The files of a table: [ path, text ], first PATH itself. ABOUT has lines of a comment.
sub table_files ( $format, $path, $with, @cells ) {
    my $row = $FORMATS{$format};
    die "'$path': the name of a table cannot have a quote\n" if $path =~ /'/;
    my $own   = _own( $format, $with->{library} );
    my $rules = $row->{rules}               ? rules_text( $row->{rules}, rules_of(@cells) ) : q{};
    my $head  = $rules =~ s/\A(rule\S+\n)// ? $1                                            : q{};
    my %value = $row->{variables}           ? $row->{variables}->(@cells)                   : ();
    my %text =
      $row->{beside} && ( any { $_->{chosen} } @cells ) ? $row->{beside}->( $own, @cells ) : ();
    my %file = map { $_ => $path . ( /CH4/ ? '.ch4' : q{} ) . '.json' } keys %text;
    %value = %text || !$row->{beside} ? ( %value, %file ) : ();
    my $text = join q{}, $head,
      (
        map { "$_\n" } '# algorithms of collectives',
        "#\@format $format",
        ( map { "#\@library $_" } $row->{library} ? $with->{library} : () ),
        map { "# $_" } $with->{about}->@*
      ),
      ( map { _line( 'cell', $_ ) . "\n" } grep { $_->{chosen} } @cells ),
      ( map { _line( 'canary', $_ ) . "\n" } $with->{canaries}->@* ), $rules,
      map { "$_='$value{$_}'\n" } sort keys %value;
    return ( [ $path, $text ], map { [ $file{$_}, $text{$_} ] } sort keys %text );
}

sub usage_of ( $format, $path ) {
    return
"mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename $path ..."
      if $FORMATS{$format}{rules};
    return "set -a; . $path; mpirun ...";
}

# The cells that stay if only these are KEPT of ALL.
sub stay ( $format, $kept, @all ) {
    return @{$kept} if !$FORMATS{$format}{together};
    my %seen;
    $seen{ $_->{collective} }++ for @{$kept};
    return grep {
        my $collective = $_->{collective};
        $seen{$collective} == grep { $_->{collective} eq $collective } @all
    } @{$kept};
}

# A file: format, cells and canaries (those of its comments), text, problems ("LINE: text"), the library's file and, of
# rules, table.
sub read_table ($path) {
    my $text = read_bytes($path);
    my %file = (
        path    => $path,
        text    => $text,
        library => $text =~ /^#\@library (.+)/m ? "$1" : undef,
        format  => $text =~ /^#\@format (\S+)/m ? "$1" : _guess($text)
    );
    @file{qw(cell canary problems)} = ( [], [], [] );
    my $number = 0;
    for my $line ( split /\n/, $text ) {
        $number++;
        push $file{problems}->@*, map { "$number: $_" } _problems_of_line( $line, \%file );
        my ( $kind, $fields ) = $line =~ /\A#\@(cell|canary)\b(.*)/ or next;
        my %cell;
        @cell{qw(type collective processes length chosen name variable ratio low high)} =
          split q{ }, $fields;
        push $file{ $fields =~ $CELL ? $kind : 'problems' }->@*,
          $fields =~ $CELL
          ? { %cell, names => { $cell{chosen} => $cell{name} } }
          : "$number: not a $kind as skampi tune writes it";
    }
    push $file{problems}->@*, _problems_of_json($text) if $text =~ /\A\s*[{]/;
    return \%file if !( $FORMATS{ $file{format} } // {} )->{rules};
    my @problems;
    ( $file{table}, @problems ) = read_rules($text);
    push $file{problems}->@*, @problems, $file{table} ? problems_of( $file{table}->@* ) : ();
    $file{dropped} = 'the library drops the whole file, without a message' if !$file{table};
    return \%file;
}

sub _problems_of_json ($text) {
    return $text =~ /\A\s*[{]\s*"\w+=/
      ? problems_of_selection($text)
      : problems_of_json_rules($text);
}

# Messages about a line of an environment, and about the file that it names.
sub _problems_of_line ( $line, $file ) {
    my ( $name, $value ) = _setting($line) or return;
    return "$name: 'set -a; . FILE' needs quotes: $name='$value'" if $line =~ /=[^']*[;&|<> ]/;
    return map { "$name: $_" } problems_of_presets($value)        if $name =~ /\AI_MPI_ADJUST_/;
    return if !any { $name eq $_ } $RULES, values %LAYERS;
    my $text = eval { read_bytes($value) } // return "$name: $@" =~ s/\n\z//r;
    return map { "$name: $value:$_" } _problems_of_json($text);
}

sub _guess ($text) {
    my ($variable) = map { ( _setting($_) )[0] // () } split /\n/, $text;
    my ($format)   = formats_for( { variable => $variable // q{} } );
    return $format if $format;
    return 'ompi-json' if ( $variable // q{} ) =~ /\AOMPI_MCA_/;
    return $text =~ /\A\s*[{]\s*"\w+=/ ? 'mpich-json' : 'ompi-json' if $text =~ /\A\s*[{]/;
    return $text =~ /\Arule-file-version-/ ? 'ompi-v2' : 'ompi';
}

# A variable that chooses algorithms, and its value; nothing for another line: a stranger's file sets nothing else.
my $CHOOSES = qr/(?:MPIR_CVAR_|I_MPI_ADJUST_|OMPI_MCA_coll_tuned_)\w+/;

sub _setting ($line) {
    my ( $name, $value ) = $line =~ /\A($CHOOSES)=(.*)\z/ or return;
    return ( $name, $value =~ s/\A'(.*)'\z/$1/r );
}

sub environment_of ( $format, $path, $text ) {
    return { $DYNAMIC => 1, $RULES => $path } if $FORMATS{$format}{rules};
    return { map { _setting($_) } split /\n/, $text };
}

1;
