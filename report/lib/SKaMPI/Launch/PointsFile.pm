package SKaMPI::Launch::PointsFile;

# A parameter file that measures single points of a result file once more, in another order in each
# launch, and the values of its launches. A point is a hash of suite (its label), argument (undef if
# nothing is varied) and, for a second measurement of the same, again.
use SKaMPI::Base;

our @EXPORT_OK =
  qw(kept_sections parameters_for point_key suite_text value_at_point with_fields with_folded_points);

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
        my ( $name, $text ) = suite_text( $output, $point->{suite} ) or return;
        my $at = $point->{argument};
        $text = with_fields( $text, %SINGLE, Start_Argument => $at, End_Argument => $at )
          if defined $at;
        push @suites, $name . _ending($point) . " { $text}\n";
    }
    my @kept = kept_sections($output) or return;
    return join "\n", @kept, '@SHUFFLE yes', '@POSTPROC no', '@MEASUREMENTS', join q{}, @suites;
}

# The sections of the parameter file, without those of $OWN.
sub kept_sections ($output) {
    return grep { !/$OWN/ } split /\n/, $output->field('PARAMETERS') // q{};
}

# The name of a suite and its fields as the results list them; undef if they do not.
sub suite_text ( $output, $label ) {
    my $suite = $output->suite($label)         // return;
    my $type  = $suite->fact('TYPE')->{number} // return;
    my ($planned) =
      grep { $_->{name} eq $suite->name && $_->{type} eq $type } $output->planned;
    return $planned ? ( $planned->{name}, "Type = $type;$planned->{fields}" ) : ();
}

sub with_fields ( $text, %value ) {
    $text =~ s/\b$_ = [^;]*;/$_ = $value{$_};/ for keys %value;
    return $text;
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
