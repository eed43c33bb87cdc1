package SKaMPI::Profile::Suites;

# The parameter file that measures the calls of a program. plan_of(PROFILE, COVER) returns the cells that make up that
# part of the MPI time, each a hash of cell, how (SKaMPI::Profile::Calls), name (of the suite) and us, the recorded
# time; recording_of_plan(PROFILE, PLAN) the calls as SKaMPI::Meaning::Costs has them; suites_text(PROFILE, PLAN,
# PREFIX) the text, and the files of arrivals as pairs of name and text.
use SKaMPI::Base;

use List::Util qw(any max min sum0);

use SKaMPI::Base::Units      qw(counted format_bytes);
use SKaMPI::Meaning::Costs   qw(recording_text);
use SKaMPI::Meaning::Catalog qw(pattern_row);
use SKaMPI::Profile::Calls   qw(measured_as mean_bytes);
use SKaMPI::Profile::File    qw(are_all mpi_us);
use SKaMPI::Profile::Show    qw(by_time cell_name cell_words waiting_us);

# Processes that arrive within this time arrive together.
my $TOGETHER_US = 2;

# Lengths that are no multiple of MPI_INT's are sent as MPI_BYTE, or combined as MPI_SIGNED_CHAR.
my $ELEMENT = 4;
my $BYTES   = 'Send_Datatype_Number = 1;';

# The fields of a vector of blocks of this number of bytes.
my $GAPS       = 'Send_Datatype_Number = 31;';
my $GAPS_LEAST = 280;
my $MOST_KIB   = 1024 * 1024;

sub plan_of ( $p, $cover ) {
    my ( $all, $sum, @plan ) = ( mpi_us($p) || 1, 0 );
    my %covered;
    for my $cell ( by_time($p) ) {
        last if $sum >= $cover * $all;
        next if $covered{ $cell->{key} };
        my $how = measured_as( $cell, $p ) // next;
        my $us  = 0;
        $us += $_->{us} for grep { !$covered{ $_->{key} }++ } $cell, @{ $how->{covers} };
        $sum += $us;
        push @plan, { cell => $cell, how => $how, name => cell_name($cell), us => $us };
    }
    return @plan;
}

sub recording_of_plan ( $p, $plan ) {
    my @calls;
    for my $entry ( @{$plan} ) {
        my ( $cell, $how ) = @{$entry}{qw(cell how)};
        my $wait_us = waiting_us($cell);
        my $bytes   = $how->{shares} ? $how->{length} : mean_bytes($cell);
        my @words   = ( cell_words($cell), $cell->{data} eq q{-} ? () : format_bytes($bytes) );
        push @calls,
          {
            name    => $entry->{name},
            us      => sprintf( '%.3f', $entry->{us} ),
            wait_us => defined $wait_us ? sprintf( '%.3f', $wait_us ) : undef,
            bound   => $how->{bound},
            counts  => _counts( $p, $how->{per}, @{ $how->{like} // [$cell] } ),
            what    => join ', ',
            @words, counted( $cell->{processes} || 1, 'process', 'processes' )
          },
          _other_method($entry) // ();
    }
    return { processes => scalar keys %{ $p->{ranks} }, mpi_us => mpi_us($p), calls => \@calls };
}

# A suite that packs a message with gaps, too, where the benchmark can.
sub _other_method ($entry) {
    my ( $name, $type ) = ( $entry->{name}, $entry->{how}{type} );
    return if !_has_gaps($entry) || !grep { $_ eq 'packs' } @{ $type->{traits} };
    return { name => "${name}_packed", instead => $name, what => "$name packed by MPI_Pack" };
}

sub _has_gaps ($entry) {
    my $how = $entry->{how};
    return
         $entry->{cell}{data} eq 'gaps'
      && ( $how->{length} // 0 ) >= $GAPS_LEAST
      && !grep { $_ eq 'reduces' } @{ $how->{type}{traits} };
}

# The calls of each process if all take part, as the measurement has their times, too; otherwise of all together.
sub _counts ( $p, $per, @cells ) {
    my $processes = $cells[0]{processes};
    my $is_of_all = are_all( $p, $processes );
    my ( @counts, @each );
    for my $rank ( 0 .. ( $is_of_all ? $processes : 0 ) - 1 ) {
        push @each, [ map { $_->{of}{$rank} // () } @cells ];
    }
    for my $of ( $is_of_all ? @each : \@cells ) {
        my $count = 0 + sprintf '%.3f', sum0( map { $_->{calls} } @{$of} ) / $per;
        push @counts, [ $count, 0 ] if !@counts || $counts[-1][0] != $count;
        $counts[-1][1]++;
    }
    return \@counts;
}

# The key, and its file's text if needed: each process's mean delay if some are always late, else a random order.
sub _arrival ( $entry, $p, $file ) {
    my $cell = $entry->{cell};
    my $type = $entry->{how}{type};
    return if !$cell->{arrivals} || !grep { $_ eq 'arrival' } @{ $type->{keys} };
    my $mean = $cell->{lead_us} / $cell->{arrivals};
    return if $mean < $TOGETHER_US;
    my %lead = map { $_->[1]{arrivals} ? ( $_->[0] => $_->[1]{lead_us} / $_->[1]{arrivals} ) : () }
      map { [ $_, $cell->{of}{$_} ] } keys %{ $cell->{of} };
    my $most = max( values %lead );
    my $whole =
      $cell->{processes} == ( $p->{head}{PROCESSES} // 0 ) && keys %lead == $cell->{processes};
    return sprintf 'arrival=random:%.0f', 2 * $mean
      if !$whole || $most - min( values %lead ) < $mean;
    my @delays = map { sprintf '%.0f', $most - $lead{$_} } 0 .. $cell->{processes} - 1;
    return ( "arrival=file:$file",
        join( "\n", "# $entry->{name}: microseconds after the first process", @delays ) . "\n" );
}

sub _range ($how) {
    return q{} if _has_trait( $how, 'local' );
    my ( $processes, $length ) = @{$how}{qw(processes length)};
    my $at     = $processes || ( $length // return q{} );
    my $varied = $processes ? 'Nodes' : 'Length; Multiple_of = 1';
    my $text =
"Variation = $varied; Scale = Fixed_linear; Stepwidth = 1; Start_Argument = $at; End_Argument = $at;";
    $text .= " Default_Message_length = $length;" if $processes && defined $length;
    return $text;
}

sub _has_trait ( $how, $trait ) {
    return any { $_ eq $trait } @{ pattern_row( $how->{type}{pattern} )->{traits} };
}

sub _suite ( $entry, @keys ) {
    my $how  = $entry->{how};
    my $type = "$how->{type}{pattern}_$how->{type}{name}";
    $how = { %{$how}, length => $GAPS_LEAST * sprintf '%.0f', $how->{length} / $GAPS_LEAST }
      if _has_gaps($entry);
    my $bytes = !_has_gaps($entry) && ( $how->{length} // 0 ) % $ELEMENT;
    my $adds  = grep { $_ eq 'elem' } @{ $how->{type}{keys} };
    push @keys, 'elem=signed_char' if $bytes && $adds;
    my @text = ( "Type = $type;", _range($how) );
    push @text, $BYTES                                        if $bytes && !$adds;
    push @text, 'Node_Times = yes;'                           if _has_trait( $how, 'own_times' );
    push @text, $GAPS                                         if _has_gaps($entry);
    push @text, 'Parameters = "' . join( q{ }, @keys ) . '";' if @keys;
    return "$entry->{name} {\n    " . join( "\n    ", grep { length } @text ) . "\n}\n";
}

sub suites_text ( $p, $plan, $prefix ) {
    my ( @suites, @files );
    for my $entry ( @{$plan} ) {
        my @keys = @{ $entry->{how}{keys} };
        my ( $key, $text ) = _arrival( $entry, $p, "$prefix.arrival_$entry->{name}" );
        push @keys,  $key                                        if defined $key;
        push @files, [ "$prefix.arrival_$entry->{name}", $text ] if defined $text;
        if ( defined( my $shares = $entry->{how}{shares} ) ) {
            my $file = "$prefix.shares_$entry->{name}";
            push @files, [ $file, "# $entry->{name}: bytes of each process\n$shares\n" ];
            s{\Aspread=.*}{spread=file:$file} for @keys;
        }
        my $other = _other_method($entry);
        push @suites, _suite( $entry, @keys );
        push @suites, _suite( { %{$entry}, %{$other} }, @keys, 'method=pack' ) if $other;
    }

    # Memory for the longest message to each process.
    my $n     = $p->{head}{PROCESSES} // 1;
    my $bytes = max( 0, map { ( $_->{how}{length} // 0 ) * max( 16, 2 * $n ) } @{$plan} );
    my $kib   = min( $MOST_KIB, max( 4096, int( 4 * $bytes / 1024 ) ) );
    my $of    = ( $p->{head}{PROGRAM} // q{} ) =~ s/\@/(at)/gr;
    return (
"\@COMMENT\nThe MPI calls of: $of\n\@VERSION 4.1\n\@NAMEOFRUN profile\n\@MEMORY $kib\n\@RECORDED\n"
          . recording_text( recording_of_plan( $p, $plan ) )
          . "\n\@BASETYPE1 MPI_INT\n\@MEASUREMENTS\n"
          . join( "\n", @suites ),
        @files
    );
}

1;
