package SKaMPI::Read::PointsFile;

# A parameter file that measures single points of a result file once more, in another order in each
# launch, and the values of its launches. A point is a hash of suite (its label), argument (undef if
# nothing is varied) and, for a second measurement of the same, again.
use SKaMPI::Base;

use SKaMPI::Meaning::Catalog qw(rows_of);

# Sections that the launches have their own way.
my $OWN = qr/\A\@(?:OUTFILE|LOGFILE|POSTPROC|SHUFFLE)\b/;

# How a suite is restricted to one argument.
my %SINGLE = ( Scale => 'Fixed_linear', Stepwidth => '1.0', Max_Steps => 1 );

# The end of a suite's name: its argument, and whether it is a second measurement.
my $ENDING = qr/[.]at-([0-9.e+-]*?)([.]again)?\z/;

# The text of the file; undef if the results lack their parameters (those of 4.1), or a suite.
sub parameters_for ( $output, @points ) {
    my ( @suites, %seen );
    for my $point ( grep { !$seen{ point_key($_) }++ } @points ) {
        my $at = $point->{argument};
        my ( $name, $text ) =
          suite_text( $output, $point->{suite},
            defined $at ? ( %SINGLE, Start_Argument => $at, End_Argument => $at ) : () )
          or return;
        push @suites, $name . _ending($point) . " { $text }\n";
    }
    my @kept = kept_sections($output) or return;

    # Comparisons list how descriptions of the machine differ.
    my @described = grep { $output->field($_) }
      map { $_->{name} } grep { $_->{same} && $_->{text} eq "\@$_->{name}" } rows_of('facts');
    push @kept, map { "\@$_ " . $output->field($_) } @described;
    push @kept, map { "\@LABEL $_->{text}" } @{ $output->fact('LABEL')->{list} // [] };
    return join "\n", @kept, '@SHUFFLE yes', '@POSTPROC no', '@MEASUREMENTS', join q{}, @suites;
}

# The sections of the parameter file, without those of $OWN.
sub kept_sections ($output) {
    return grep { !/$OWN/ } split /\n/, $output->field('PARAMETERS') // q{};
}

# The name of a suite and its fields as the results list them, but with these values; undef if they do not.
sub suite_text ( $output, $label, %value ) {
    my $suite = $output->suite($label)         // return;
    my $type  = $suite->fact('TYPE')->{number} // return;
    my ($planned) =
      grep { $_->{name} eq $suite->name && $_->{type} eq $type } $output->planned;
    my $fields = $planned->{fields} // return;
    my @fields = "Type = $type;$fields" =~ /(\w+) = ("[^"]*"|[^;]*);/g;
    my %field  = ( @fields, %value );
    return ( $planned->{name},
        join q{ }, map { "$_ = $field{$_};" } @fields[ grep { $_ % 2 == 0 } keys @fields ] );
}

sub point_key ($point) { return $point->{suite} . _ending($point) }

sub _ending ($point) {
    return '.at-' . ( $point->{argument} // q{} ) . ( $point->{again} ? '.again' : q{} );
}

# The value of a point in a launch of such a file (SKaMPI::Verdict::Launch), or undef.
sub value_at_point ( $launch, $point ) {
    my $suite = $launch->{suites}{ point_key($point) } // return;
    my ($value) = values %{ $suite->{values} };
    return $value;
}

# The launch with its points in the suites that they come from.
sub with_folded_points ($launch) {
    my %suites;
    for my $label ( sort keys %{ $launch->{suites} } ) {
        my ( $argument, $again ) = $label =~ $ENDING or next;
        my $suite = $launch->{suites}{$label};
        my ($own) = keys %{ $suite->{values} };
        next if $again || !defined $own;
        my $into = $suites{ $label =~ s/$ENDING//r } //=
          { %{$suite}, map { $_ => {} } qw(values errors marks fast slow) };
        $into->{$_}{$argument} = $suite->{$_}{$own} for qw(values errors marks fast slow);
    }
    return { %{$launch}, suites => \%suites };
}

1;
