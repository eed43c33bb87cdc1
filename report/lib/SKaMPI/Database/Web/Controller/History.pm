package SKaMPI::Database::Web::Controller::History;

use SKaMPI::Base;

use Mojo::Base 'SKaMPI::Database::Web::Page', -signatures;

use List::Util qw(uniq);

use SKaMPI::Database::Chart::Changes qw(change_points);
use SKaMPI::Database::Settings       qw(changed_settings differing_settings line_of);
use SKaMPI::Meaning::Catalog         qw(fact_title shown_facts);

# Runs on a page.
our $ROWS = 300;

# The longest value in a change.
my $LONGEST = 60;

sub show ($self) {
    my ( $slug, $label ) = map { $self->param($_) } qw(slug label);
    my $argument = $self->param('argument');
    $argument = undef if ( $argument // q{} ) !~ /\A[0-9]{1,12}\z/;
    my $reader  = $self->reader;
    my $machine = $reader->machine($slug)
      // return $self->refuse( 404, "there is no machine '$slug'" );
    if ( !defined $argument ) {
        my ($newest) = $reader->history( $slug, $label, undef, limit => 1, with_missing => 1 );
        $argument = $newest->{suite}{first} if $newest;
    }
    return $self->answer(
        'history',
        machine  => $machine,
        label    => $label,
        argument => $argument,
        %{
            $self->cached(
                [ 'history', $machine->{id}, $label, $self->page_number ],
                [ $machine->{name}, $argument, $ROWS ],
                sub () { return $self->_page( $slug, $label, $argument ) }
            )
        }
    );
}

# The runs of a page, and all that depends on them.
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
    my ( %line_of, @lines );
    for my $row (@rows) {
        my $key  = join "\n", $row->{suite}{meaning_id}, line_of( $row->{run} );
        my $line = $line_of{$key} //= do { push @lines, { rows => [] }; $lines[-1] };
        push @{ $line->{rows} }, $row;
    }
    $self->_mark( \@lines, @rows );
    my @settings = differing_settings( map { $_->{rows}[0]{run} } @lines );
    for my $i ( 0 .. $#lines ) {
        my ( $line, $run ) = ( $lines[$i], $lines[$i]{rows}[0]{run} );
        @{$line}{qw(library processes settings)} =
          ( $run->{vendor} // $run->{library}, $run->{processes}, $settings[$i] );
        $line->{definition} = _differing_definition( $line, @lines );
        my @runs = map { { time => $_->{point}{time_us}, unit => $_->{unit} } } @{ $line->{rows} };
        for my $change ( change_points(@runs) ) {
            $line->{rows}[ $change->{index} ]{change} = $change;
        }
    }
    return reverse @lines;
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

# The unit of a run: its job or else its day.
sub _unit ( $row, $facts ) {
    my $job = $facts->{JOBID} // 'none';
    return $job ne 'none' ? "job $job" : substr $row->{run}{started} // $row->{run}{id}, 0, 10;
}

# Marks differences from the run before in the same line, and in the settings from the last run with other settings.
sub _mark ( $self, $lines, @rows ) {
    for my $line ( @{$lines} ) {
        my $before;
        for my $row ( @{ $line->{rows} } ) {
            my @facts = reverse $self->reader->facts( $row->{run}{id} );
            my $now   = { map { $_->{name} => $_->{value} } @facts };
            $row->{unit}  = _unit( $row, $now );
            $row->{marks} = $before ? [ _changed( $before, $now ) ] : [];
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
