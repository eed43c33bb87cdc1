package SKaMPI::Launch::Decision;

# The modes of skampi-launch that measure again: confirm the candidates of a result file, and guard against a baseline
# the points that exceed it. Both take the options of a session (SKaMPI::Launch::Session) and the command, and return an
# exit status, or the name of the signal that ended the launches.
use SKaMPI::Base;

use Digest::SHA qw(sha256_hex);
use List::Util  qw(first max min);

use SKaMPI::Base::Program         qw(check_output complain deliver fail fail_usage print_plain);
use SKaMPI::Base::TextFile        qw(is_present read_bytes read_text write_new_file);
use SKaMPI::Base::Units           qw(counted format_duration);
use SKaMPI::Launch::Configuration qw(only_configuration);
use SKaMPI::Launch::Confirmation;
use SKaMPI::Read::PointsFile qw(parameters_for with_folded_points);
use SKaMPI::Launch::Session;
use SKaMPI::Launch::Store;
use SKaMPI::Meaning::Likeness qw(hardware_note obstacles);
use SKaMPI::Read::ResultFile  qw(read_whole_results);
use SKaMPI::Read::Beside      qw(verdict_path);
use SKaMPI::Verdict::Family   qw(fewest_launches);
use SKaMPI::Verdict::Formats  qw(formatted_sides);
use SKaMPI::Verdict::Sides;
use SKaMPI::Verdict::Thresholds;

# Exit statuses of --guard: something is slower; a point that is measured again stays undecided, or
# the budget is spent; other quantities.
my ( $DONE, $SLOWER, $UNKNOWN, $NOT_COMPARABLE ) = ( 0, 1, 3, 4 );

# The default time limit of --confirm.
my $CONFIRM_S = 60;

# The launches in which --guard measures again, which can decide against a baseline of four.
my $AGAIN = 6;

my $MOST = 20;

sub confirm ( $options, @command ) {
    my $path  = $options->{confirm};
    my $given = first { /\A(?:-f|--file(?:=.*)?)\z/s } @command;
    fail_usage("--confirm writes the parameter file; leave out $given") if defined $given;
    check_output( verdict_path($path) );
    my $budget_s     = $options->{budget_s} // $CONFIRM_S;
    my $confirmation = SKaMPI::Launch::Confirmation->new( $path, $budget_s );
    if ( !$confirmation->members ) {
        my $say = $options->{is_json} ? \&complain : \&print_plain;
        $say->("$path has no candidates");
        return $DONE;
    }
    $options->{inform}->( $confirmation->plan );
    my %with = (
        directory => $options->{directory} // 'confirm-' . substr( $confirmation->{sum}, 0, 8 ),
        fewest    => fewest_launches('pairs'),
        budget_s  => $budget_s,
        most      => $options->{most},
        options   => { %{$options}, budget_s => undef }
    );
    my ( $end, @launches ) = _launches_of( \@command, $confirmation->{text}, \%with );
    return $end if $end ne 'done';
    my ( $judged, $missing ) = $confirmation->judged(@launches);
    $confirmation->save( $judged, @launches );
    return deliver( undef, read_text( verdict_path($path) ) ) if $options->{is_json};
    print_plain(
        $confirmation->lines( $judged, $missing, @launches ),
        'the verdicts are in ' . verdict_path($path)
    );
    return $DONE;
}

# Compares NEW, launches of the command, with those of a baseline, base; slower points are measured again, and only
# these launches decide.
sub guard ( $options, $command, @new ) {
    my ( $sides, $why ) = comparison( $options, $options->{base}, \@new );
    fail( "not comparable: $why", $NOT_COMPARABLE ) if !$sides;
    my ($result) = $sides->comparisons;
    my @tripped = $result->has_verdicts ? _tripped($result) : ();
    return _guarded( $options, $sides, 0 ) if !@tripped;
    ( my $end, $sides ) = _measured_again( $options, $command, $new[0]{name}, @tripped );
    return $end eq 'done' ? _guarded( $options, $sides, 1 ) : $end eq 'budget' ? $UNKNOWN : $end;
}

# Compares two sides; SETTINGS are those of SKaMPI::Verdict::Sides. Returns these, or undef and why the sides cannot be
# compared. Fails if --guard or --duet compares different hardware; with --force, warns. Files may be equal: this
# program has started all launches, and a simulated launch repeats exactly.
sub comparison ( $options, $base, $new, %settings ) {
    my @launches   = map { +{ %{$_}, sum => undef } } @{$base}, @{$new};
    my ($obstacle) = obstacles(@launches);
    return ( undef, $obstacle ) if defined $obstacle;
    my $note = defined $options->{guard} || $options->{duet} ? hardware_note( $base, $new ) : undef;
    if ( defined $note ) {
        fail( "not comparable: $note; --force compares anyway", $NOT_COMPARABLE )
          if !$options->{force};
        complain("warning: $note");
    }
    my $sides = _compared( $options, $base, $new, %settings );
    return $sides->has_points ? $sides : ( undef, ( $sides->comparisons )[0]->why_nothing );
}

sub _compared ( $options, $base, $new, %settings ) {
    $settings{thresholds} = SKaMPI::Verdict::Thresholds->new( $options->{threshold} );
    return SKaMPI::Verdict::Sides->new( [ $base, $new ], is_forced => 1, %settings );
}

sub _measured_again ( $options, $command, $path, @points ) {
    my $count = counted( scalar @points, 'point' );
    $options->{inform}->("$count exceed the baseline; measured again in $AGAIN launches");
    my $text = parameters_for( read_whole_results($path),
        map { { suite => $_->{label}, argument => $_->{argument} } } @points )
      // fail_usage("'$path' lacks the parameters of its suites");
    my %with = (
        directory => "$options->{directory}/again",
        fewest    => $AGAIN,
        most      => $AGAIN,
        budget_s  => 'inf',
        options   => $options
    );
    my @words = @{$command};
    my ($at) = grep { $words[$_] =~ /\A(?:-f|--file)\z/ } 0 .. $#words;
    splice @words, $at, 2 if defined $at;
    @words = grep { !/\A--file=/ } @words;
    my ( $end, @launches ) = _launches_of( \@words, $text, \%with );
    return $end if $end ne 'done';
    my @base  = map { _only( $_, @points ) } @{ $options->{base} };
    my @again = map { with_folded_points($_) } @launches;
    return ( $end, _compared( $options, \@base, \@again, is_selected => 1 ) );
}

sub _only ( $launch, @points ) {
    my %suites;
    for my $point (@points) {
        my ( $label, $argument ) = ( $point->{label}, $point->{argument} // q{} );
        my $suite = $launch->{suites}{$label} // next;
        $suites{$label} //= { %{$suite}, values => {} };
        $suites{$label}{values}{$argument} = $suite->{values}{$argument}
          if exists $suite->{values}{$argument};
    }
    return { %{$launch}, suites => \%suites };
}

# Prints the comparison that decides, and writes JUnit's XML.
sub _guarded ( $options, $sides, $has_tripped ) {
    my ($result) = $sides->comparisons;
    deliver( $options->{junit}, formatted_sides( 'junit', $sides, 0 ) )
      if defined $options->{junit};
    print formatted_sides( 'json', $sides, 0 ) if $options->{is_json};
    if ( !$result->has_verdicts ) {
        complain( 'no verdict: ' . $result->why_no_verdicts );
        return $UNKNOWN;
    }
    my $text = $has_tripped ? formatted_sides( 'text', $sides, 0 ) : 'nothing exceeds the baseline';
    print_plain($text) if !$options->{is_json};
    my $counts = $result->counts;
    return $DONE if !$has_tripped;
    return $SLOWER if $counts->{slower} || $counts->{mixed};
    return $counts->{undecided} || $options->{strict} && $counts->{'time equal'} ? $UNKNOWN : $DONE;
}

# The points of which a number exceeds the baseline by the threshold, with the strongest evidence first.
sub _tripped ($result) {
    my %t;
    for my $point ( $result->points ) {
        my @t = map { $_->{t} }
          grep { defined $_->{t} && $_->{log} >= log( 1 + $_->{threshold} ) } $point,
          $point->{mean} // ();
        $t{$point} = max(@t) if @t;
    }
    my @points = sort { $t{$b} <=> $t{$a} || $a->{label} cmp $b->{label} }
      grep { defined $t{$_} } $result->points;
    splice @points, $MOST;
    return @points;
}

# The launches of a parameter file of single points (SKaMPI::Read::PointsFile) and why they ended.
# WITH has directory, fewest, most, budget_s and the options of a session. The same text in the same
# directory continues with the existing launches. Their number follows from how long the first one
# takes, not from its results: as many as fit into BUDGET_S, at least FEWEST and at most MOST.
sub _launches_of ( $command, $text, $with ) {
    my $only = only_configuration($command);
    $only->{values}{parameters} = sha256_hex($text);
    my $store = SKaMPI::Launch::Store->open_directory( $with->{directory}, $command, $only );
    my $path  = $store->path . '/points.skampi';
    write_new_file( $path, $text );
    my %options = ( %{ $with->{options} }, parameters => $path, asked => [], until => undef );
    my $inform  = $options{inform};
    $options{inform} = sub ($line) { $inform->( $line =~ s/;.*//sr ) };
    my ( $end, $session );

    for my $count ( sub { 1 }, sub { _count( $with, $store, $inform ) } ) {
        $session = SKaMPI::Launch::Session->new( $store, $command, [$only],
            { %options, launches => $count->() } );
        $end = $session->run;
        last if $end ne 'done';
    }
    return ( $end, $session->launches( $only->{name} ) );
}

# The number of launches after the first one; it is kept, so that another start has the same number.
sub _count ( $with, $store, $inform ) {
    my ( $path, $fewest ) = ( $store->path . '/count', $with->{fewest} );
    my $known = is_present($path) ? read_bytes( $path, 100 ) : q{};
    return $1 if $known =~ /\A([0-9]{1,6})\n\z/;
    my $one_s = $store->spent_s;
    my $count = min( $with->{most}, int( $with->{budget_s} / max( $one_s, 1e-3 ) ) );
    $inform->( "$fewest launches take "
          . format_duration( $fewest * $one_s )
          . ', which is more than the budget' )
      if $count < $fewest;
    $count = max( $fewest, $count );
    $inform->("$count launches in all");
    write_new_file( $path, "$count\n" );
    return $count;
}

1;
