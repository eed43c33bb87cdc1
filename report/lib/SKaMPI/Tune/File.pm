package SKaMPI::Tune::File;

# A table as a file: the rules for the library, and comments from which skampi-tune verify reads the choices. FORMATS
# are ompi and ompi-v2 (rules of Open MPI), and mpich-env (environment variables, which know no lengths).
use SKaMPI::Base;

use List::Util qw(any sum0 uniq);

use SKaMPI::Base::TextFile qw(read_bytes);
use SKaMPI::Tune::Rules    qw(problems_of read_rules rules_of rules_text);

our @EXPORT_OK = qw(canaries_of environment_of formats read_table table_text with_choices);

# The least factor by which a canary must be slower.
my $CANARY = 3;

# Type, collective, processes, length, algorithm, name, variable, ratio and its interval.
my $CELL =
  qr/\A[ ][0-9]{1,9}[ ]\w+(?:[ ][0-9]{1,15}){3}[ ]\S+[ ]\S+(?:[ ][0-9]{1,9}[.][0-9]{3}){3}\z/;

my %RULES = ( ompi => 1, 'ompi-v2' => 2 );

sub formats { return ( sort( keys %RULES ), 'mpich-env' ) }

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

# One algorithm for each collective: of those chosen in some cell and slower in none, the one with the smallest product.
sub _without_lengths (@cells) {
    my %by;
    push $by{ $_->{collective} }->@*, $_ for @cells;
    return map { _one_of( $by{$_}->@* ) } sort keys %by;
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

# The choice as the format can express it.
sub with_choices ( $format, @cells ) {
    return $RULES{$format} ? @cells : _without_lengths(@cells);
}

sub _line ( $kind, $cell ) {
    my $point = $cell->{points}{ $cell->{chosen} } // {};
    my @ratio = map { sprintf '%.3f', $point->{$_} // $cell->{ratio} // 1 } qw(ratio low high);
    return join q{ }, "#\@$kind", @{$cell}{qw(type collective processes length chosen)},
      $cell->{names}{ $cell->{chosen} } // q{-}, $cell->{variable}, @ratio;
}

sub _variables (@cells) {
    my %value = map { $_->{variable} => $_->{names}{ $_->{chosen} } } grep { $_->{chosen} } @cells;
    return join q{}, map { "$_=$value{$_}\n" } sort keys %value;
}

# ABOUT has lines of a comment.
sub table_text ( $format, $about, $canaries, @cells ) {
    my $rules =
      $RULES{$format} ? rules_text( $RULES{$format}, rules_of(@cells) ) : _variables(@cells);
    my $head = $format eq 'ompi-v2' ? ( $rules =~ s/\A(rule\S+\n)// ? $1 : q{} ) : q{};
    return join q{}, $head,
      (
        map { "$_\n" } '# algorithms of collectives',
        "#\@format $format",
        map { "# $_" } @{$about}
      ),
      ( map { _line( 'cell', $_ ) . "\n" } grep { $_->{chosen} } @cells ),
      ( map { _line( 'canary', $_ ) . "\n" } @{$canaries} ), $rules;
}

# A file: format, cells and canaries (those of its comments), text, problems ("LINE: text") and, of rules, table.
sub read_table ($path) {
    my $text = read_bytes($path);
    my %file = (
        path   => $path,
        text   => $text,
        format => $text =~ /^#\@format (\S+)/m ? $1 : _guess($text)
    );
    @file{qw(cell canary problems)} = ( [], [], [] );
    my $number = 0;
    for my $line ( split /\n/, $text ) {
        $number++;
        my ( $kind, $cell ) = $line =~ /\A#\@(cell|canary)\b(.*)/ or next;
        push $file{ $cell =~ $CELL ? $kind : 'problems' }->@*,
          $cell =~ $CELL ? _read_line($cell) : "$number: not a $kind as skampi-tune writes it";
    }
    return \%file if !$RULES{ $file{format} };
    my @problems;
    ( $file{table}, @problems ) = read_rules($text);
    push $file{problems}->@*, @problems, $file{table} ? problems_of( $file{table}->@* ) : ();
    return \%file;
}

sub _guess ($text) {
    return
        $text =~ /^MPIR_CVAR_\w+=/m     ? 'mpich-env'
      : $text =~ /\Arule-file-version-/ ? 'ompi-v2'
      :                                   'ompi';
}

sub _read_line ($line) {
    my %cell;
    @cell{qw(type collective processes length chosen name variable ratio low high)} = split q{ },
      $line;
    $cell{names} = { $cell{chosen} => $cell{name} };
    return \%cell;
}

# The environment in which the library uses the file.
sub environment_of ( $format, $path, $text ) {
    return {
        OMPI_MCA_coll_tuned_use_dynamic_rules      => 1,
        OMPI_MCA_coll_tuned_dynamic_rules_filename => $path,
      }
      if $RULES{$format};
    return { map { /\A(MPIR_CVAR_\w+)=(\S+)/ ? ( $1 => $2 ) : () } split /\n/, $text };
}

1;
