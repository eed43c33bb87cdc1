package SKaMPI::Database::Web::Controller::History;

use SKaMPI::Base;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;

use List::Util qw(uniq);

use SKaMPI::Database::OddRuns      qw(change_points odd_among runs_like);
use SKaMPI::Database::Settings     qw(changed_settings differing_settings line_of);
use SKaMPI::Meaning::Catalog       qw(fact_title shown_facts);
use SKaMPI::Meaning::PlottedPoints qw(grouped spread);
use SKaMPI::Stat::Estimate         qw(median);

# Runs on a page.
our $ROWS = 300;

# Runs and arguments of the map; ratios from which a cell is shaded, lightly to darkly.
my ( $MAP_RUNS, $MAP_ARGUMENTS ) = ( 30, 24 );
my @SHADED = ( 1.05, 1.1, 1.25, 1.5 );

# The longest value in a change.
my $LONGEST = 60;

sub show ($self) {
    my ( $slug, $label ) = map { $self->param($_) } qw(slug label);
    my $argument = $self->param('argument');
    $argument = undef if ( $argument // q{} ) !~ /\A[0-9]{1,12}\z/;
    my $reader  = $self->reader;
    my $machine = $reader->machine($slug)
      // return $self->refuse( 404, "there is no machine '$slug'" );
    my $map = defined $argument ? undef : $self->_map( $slug, $label );
    if ( !defined $argument ) {
        my ($newest) = $reader->history( $slug, $label, undef, limit => 1, with_missing => 1 );
        $argument = $newest->{suite}{first} if $newest;
    }
    my $data = $self->cached(
        [ 'history', $machine->{id}, $label, $self->page_number ],
        [ $machine->{name}, $argument, $ROWS ],
        sub () { return $self->_page( $slug, $label, $argument ) }
    );
    return $self->answer_with_figures(
        'history',
        [
            map { @{ $_->{rows} } > 1 ? $self->_figure( @{ $_->{rows} } ) : () } @{ $data->{lines} }
        ],
        machine  => $machine,
        label    => $label,
        argument => $argument,
        map      => $map,
        %{$data}
    );
}

# Vertical lines are where a fact changed (dashed) and where the level of the times did (solid).
sub _figure ( $self, @rows ) {
    my @values = map {
        my ( $run, $point ) = @{$_}{qw(run point)};
        {
            run     => $run->{id},
            started => $run->{started},
            value   => $point->{time_us},
            error   => $point->{time_error_us},
            text    => $self->time_text( $point->{time_us} ) . $self->marks($point),
            line    => $_->{change} ? 1 : @{ $_->{marks} } ? 0 : undef
        }
    } @rows;
    my $plot =
      $self->plot_of_runs( 'us', \@values, y_title => 'Time', width_cm => 17.3, height_cm => 5 );
    return { plot => $plot, runs => [ map { $_->{run}{id} } @rows ] };
}

# The arguments that half of the newest runs have: the time of each run, divided by the median over the runs. A hash of
# arguments, a suite and rows of run and cells (ratio and level, or undef); undef for a suite with one argument.
sub _map ( $self, $slug, $label ) {
    my $reader = $self->reader;
    my @found =
      map  { { run => $_->{run}, suite => scalar $reader->series( $_->{run}{id}, $label ) } }
      grep { $_->{run} }
      $reader->history( $slug, $label, undef, limit => $MAP_RUNS, with_missing => 1 );
    my %times;
    for my $found (@found) {
        push @{ $times{ $_->{argument} } }, $_->{time_us}
          for grep { defined $_->{argument} && ( $_->{time_us} // 0 ) > 0 }
          @{ $found->{suite}{points} };
    }
    my @arguments = sort { $a <=> $b } grep { 2 * @{ $times{$_} } >= @found } keys %times;
    return if @arguments < 2;
    @arguments = spread( $MAP_ARGUMENTS, @arguments );
    my %median = map { $_ => median( @{ $times{$_} } ) } @arguments;
    return {
        arguments => \@arguments,
        suite     => { map { $_ => $found[0]{suite}{$_} } qw(argument_name argument_unit) },
        rows      => [ map { _map_row( $_, \@arguments, \%median ) } @found ],
    };
}

sub _map_row ( $found, $arguments, $median ) {
    my %time  = map { ( $_->{argument} // q{} ) => $_->{time_us} } @{ $found->{suite}{points} };
    my @cells = map {
        my $ratio = ( $time{$_} // 0 ) > 0 ? $time{$_} / $median->{$_} : undef;
        $ratio
          ? { ratio => $ratio, level => scalar grep { $ratio >= $_ || $ratio <= 1 / $_ } @SHADED }
          : undef
    } @{$arguments};
    return { run => $found->{run}, cells => \@cells };
}

sub _page ( $self, $slug, $label, $argument ) {
    my $list = $self->page_of(
        sub (%part) {
            return $self->reader->history( $slug, $label, $argument, %part, with_missing => 1 );
        },
        $ROWS
    );
    my @rows = grep { $_->{run} && $_->{point} && ( $_->{point}{time_us} // 0 ) > 0 }
      reverse @{ delete $list->{rows} };
    return ( { lines => [ $self->_lines(@rows) ], list => { %{$list}, rows => [] } },
        map { $_->{run}{id} } @rows );
}

# Only runs with the same library, settings, processes and definition form a line; its title has the
# parts that distinguish it from other lines.
sub _lines ( $self, @rows ) {
    my $line_of =
      sub ($row) { return join "\n", $row->{suite}{meaning_id}, line_of( $row->{run} ) };
    my @lines = map { { rows => $_ } } grouped( $line_of, @rows );
    $self->_mark( \@lines, @rows );
    my @settings = differing_settings( map { $_->{rows}[0]{run} } @lines );
    for my $i ( 0 .. $#lines ) {
        my ( $line, $run ) = ( $lines[$i], $lines[$i]{rows}[0]{run} );
        @{$line}{qw(library processes settings)} =
          ( $run->{vendor} // $run->{library}, $run->{processes}, $settings[$i] );
        $line->{definition} = _differing_definition( $line, @lines );
        $self->_mark_odd($line);
        my @runs = map { { time => $_->{point}{time_us}, unit => $_->{unit} } } @{ $line->{rows} };
        for my $change ( change_points(@runs) ) {
            $line->{rows}[ $change->{index} ]{change} = $change;
        }
    }
    return reverse @lines;
}

# Marks runs of a line that are odd as a whole or in this suite.
sub _mark_odd ( $self, $line ) {
    my $reader = $self->reader;
    my ($row) = @{ $line->{rows} };
    my %odd;
    for my $odd ( @{ odd_among( $reader, runs_like( $reader, $row->{run} ) )->{odd} } ) {
        push @{ $odd{ $odd->{id} } }, $odd
          if ( $odd->{suite} // $row->{suite}{label} ) eq $row->{suite}{label};
    }
    $_->{odd} = $odd{ $_->{run}{id} } // [] for @{ $line->{rows} };
    return;
}

# The parts of the definition that differ between lines, besides the number of processes.
sub _differing_definition ( $own, @lines ) {
    my @all = map { $_->{rows}[0]{suite}{definition} } @lines;
    my %own = %{ $own->{rows}[0]{suite}{definition} };
    delete $_->{nodes} for grep { ( $_->{nodes} // q{} ) eq ( $own->{processes} // q{} ) } \%own;
    return [
        map { "$_: " . ( $own{$_} // 'none' ) }
          grep {
            my $name = $_;
            uniq( map { $_->{$name} // q{} } @all ) > 1
          }
          sort { $a cmp $b } uniq( map { keys %{$_} } @all )
    ];
}

# Marks differences from the run before in the same line, and in the settings from the last run with other settings.
sub _mark ( $self, $lines, @rows ) {
    for my $line ( @{$lines} ) {
        my $before;
        for my $row ( @{ $line->{rows} } ) {
            my @facts = reverse $self->reader->facts( $row->{run}{id} );
            my $now   = { map { $_->{name} => $_->{value} } @facts };
            my $job   = $now->{JOBID} // 'none';
            my $day   = substr $row->{run}{started} // $row->{run}{id}, 0, 10;
            $row->{unit}  = $job ne 'none' ? "job $job"                    : $day;
            $row->{marks} = $before        ? [ _changed( $before, $now ) ] : [];
            $before       = $now;
        }
    }
    my %last;
    for my $row (@rows) {
        my $same = join "\n", $row->{suite}{meaning_id},
          line_of( { %{ $row->{run} }, settings => [] } );
        my $before = $last{$same};
        unshift @{ $row->{marks} }, changed_settings( map { $_->{run}{settings} } $before, $row )
          if $before && ( grep { $_->{rows}[0] == $row } @{$lines} );
        $last{$same} = $row;
    }
    return;
}

sub _changed ( $before, $now ) {
    my @found;
    for my $name ( shown_facts('history') ) {
        my ( $from, $to ) = map { ( $_->{$name} // 'unknown' ) =~ s/\s*\n/; /gr } $before, $now;
        next if $from eq $to;
        my ( $short, $new ) = map { s/,.*//sr } $from, $to;
        ( $from, $to ) = ( $short, $new ) if $short ne $new;
        push @found,
          {
            what => fact_title($name),
            map { $_->[0] => substr $_->[1], 0, $LONGEST } [ from => $from ], [ to => $to ]
          };
    }
    return @found;
}

1;
