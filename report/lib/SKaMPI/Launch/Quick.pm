package SKaMPI::Launch::Quick;

# A comparison of two commands without any file: a suite by its name, and the answer in a sentence.
use SKaMPI::Base;

use File::Spec::Functions qw(rel2abs);
use List::Util            qw(any sum);

use SKaMPI::Base::Program         qw(fail_usage meant parts_of);
use SKaMPI::Base::Units           qw(exact_percent format_ratio);
use SKaMPI::Compare::Text         qw(argument_of);
use SKaMPI::Launch::Configuration qw(command_configurations);
use SKaMPI::Meaning::Catalog      qw(pattern_row rows_of);
use SKaMPI::Stat::Verdicts        qw(judge_family needed_text);

our @EXPORT_OK = qw(quick_configurations quick_sentence quick_suite);

# The text of the parameter file; as in the quick suite, each argument takes about a sixteenth of a second.
my $FILE = <<'END';
@VERSION 4.1
@MEMORY 4096
@MAXREPDEFAULT 20000
@TIMEMEASDEFAULT 0.001
@STANDARDERRORDEFAULT 0.03
@MULTIPLEOFDEFAULT 8
@BASETYPE1 MPI_INT
@TOPOLOGY1 Cartesian 2 yes yes
@MEASUREMENTS
%s {
  Type = %d;  Variation = %s;  Time_Measurement = Default_Value;%s
}
END

# The variation of an operation: the first of its pattern or, without a message, the next.
my @AXES = (
    '  Scale = Fixed_log;  Start_Argument = 8;  End_Argument = Max_Value;  Stepwidth = 4;',
    '  Scale = Fixed_linear;  Start_Argument = 2;  End_Argument = Max_Value;  Stepwidth = 1;'
);

# Fields that some operations require: neighbours, and a datatype to build.
my %MORE = (
    neighbours => '  Virtual_Topology_Number = 1;',
    builds     => '  Send_Datatype_Number = 30;',
);

# The parameter file, a pair of path and text, and the configurations; each -- of the words begins another command. The
# launches of a suite have a directory of their own, if none was chosen.
sub quick_configurations ( $options, $paths, @words ) {
    fail_usage("--quick: expected -- and a command, got '$paths->[0]'") if @{$paths};
    my @commands = parts_of(@words);
    fail_usage('--quick: expected one or two commands: -- A or -- A -- B')
      if @commands > 2 || grep { !@{$_} } @commands;
    my ( $suite, $text ) = quick_suite( $options->{quick} );
    $options->{directory} .= "/$suite" if $options->{directory} eq 'launches';
    my $path = rel2abs("$options->{directory}/quick.skampi");
    return ( [ $path, $text ], command_configurations( $path, @commands ) );
}

# The name of the suite of an operation and the text of its parameter file; fails with a suggestion.
sub quick_suite ($name) {
    my $wanted = lc $name =~ tr/-/_/r;
    my @found  = grep {
        my $type = $_;
        any { $_ eq $wanted } map { lc tr/-/_/r } _names_of($type)
    } rows_of('types');
    my ($type) =
      sort { pattern_row( $a->{pattern} )->{place} <=> pattern_row( $b->{pattern} )->{place} }
      @found;
    fail_usage( "--quick: no operation is called '$name'"
          . ( meant( $name, map { _names_of($_) } rows_of('types') ) || '; see skampi --list' ) )
      if !$type;
    my @variations = @{ pattern_row( $type->{pattern} )->{variations} };
    my $is_long    = any { $_ eq 'has_length' } @{ $type->{traits} };
    my $axis       = $is_long || @variations == 1 ? 0 : 1;
    my $fields     = join q{}, ( @variations == 1 ? () : $AXES[$axis] ),
      map { $MORE{$_} // () } @{ $type->{traits} };
    return (
        "$type->{pattern}_$type->{name}",
        sprintf $FILE,
        @{$type}{qw(name number)},
        $variations[$axis], $fields
    );
}

# The names by which people call it: with and without its pattern, and MPI_.
sub _names_of ($type) {
    my @names = ( $type->{name}, $type->{name} =~ s/\AMPI_//r );
    return ( @names, map { "$type->{pattern}-$_" } @names );
}

# The statement of a SKaMPI::Compare::Result of that suite about the sides with these names. The
# mean over the arguments is judged together with them, by the same rule.
sub quick_sentence ( $result, $base, $new ) {
    my @points = map { +{ %{$_} } }
      sort { ( $a->{argument} // 0 ) <=> ( $b->{argument} // 0 ) }
      grep { !$_->{part} } $result->points;
    my %mean =
      ( threshold => $points[0]{threshold}, map { $_ => _means( $_, @points ) } qw(base new) );
    return 'No verdict: ' . $result->why_no_verdicts . q{.} if !judge_family( [ @points, \%mean ] );
    my %where   = map { $_ => scalar _where( $_, @points ) } qw(slower faster);
    my $verdict = $mean{verdict};
    my @numbers = @mean{qw(ratio low high)};
    @numbers = map { 1 / $_ } @numbers[ 0, 2, 1 ] if $verdict eq 'faster';
    my ( $ratio, @limits ) = map { format_ratio($_) } @numbers;
    my $text =
      $verdict =~ /er\z/
      ? "$new is $ratio times $verdict than $base ($limits[0] to $limits[1])"
      : "$new / $base is $ratio ($limits[0] to $limits[1]), " . _unsure( \%mean );
    $text .= ", certainly $where{$verdict}" if $where{$verdict};
    $text .= "; $_ $where{$_}" for grep { $where{$_} && $_ ne $verdict } sort keys %where;
    return "$text.";
}

sub _unsure ($mean) {
    return 'equal within ' . exact_percent( $mean->{threshold} ) if $mean->{verdict} eq 'equal';
    return 'undecided: ' . needed_text($mean) . ' launches of each would decide';
}

sub _means ( $side, @points ) {
    my @launches = 0 .. $#{ $points[0]{$side} };
    return [
        map {
            my $i     = $_;
            my @known = map { $_->{$side}[$i] } @points;
            ( any { !defined } @known ) ? undef : sum(@known) / @known
        } @launches
    ];
}

# "from 4 KiB to 64 KiB and at 1 MiB": neighbours with this verdict, or undef.
sub _where ( $verdict, @points ) {
    my @runs = ( [] );
    for my $point (@points) {
        if ( $point->{verdict} eq $verdict ) { push @{ $runs[-1] }, $point }
        else                                 { push @runs, [] }
    }
    my @texts = map {
        join ' to ', map { argument_of($_) } @{$_} > 1
          ? @{$_}[ 0, -1 ]
          : @{$_}
    } grep { @{$_} } @runs;
    return if !@texts || $texts[0] eq q{};
    return join ' and ', map { ( / to / ? 'from ' : 'at ' ) . $_ } @texts;
}

1;
