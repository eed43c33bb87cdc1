package SKaMPI::Launch::Decision;

# The modes of skampi-launch that measure again: the candidates of a result file, and points that
# exceed a baseline. Both functions take the options of a session (SKaMPI::Launch::Session) and the
# command, and return an exit status, or the name of the signal that ended the launches.
use SKaMPI::Base;

use Digest::SHA qw(sha256_hex);
use List::Util  qw(first max min);

use SKaMPI::Base::Program         qw(check_output complain deliver fail fail_usage print_plain);
use SKaMPI::Base::TextFile        qw(is_present read_bytes read_text write_new_file);
use SKaMPI::Base::Units           qw(counted format_duration);
use SKaMPI::Launch::Configuration qw(only_configuration);
use SKaMPI::Launch::Confirmation;
use SKaMPI::Launch::PointsFile qw(parameters_for with_folded_points);
use SKaMPI::Launch::Session;
use SKaMPI::Launch::Store;
use SKaMPI::Meaning::Likeness qw(hardware_note obstacles);
use SKaMPI::Read::ResultFile  qw(read_whole_results);
use SKaMPI::Read::VerdictFile qw(verdict_path);
use SKaMPI::Verdict::Family   qw(fewest_launches);
use SKaMPI::Verdict::Formats  qw(formatted_sides);
use SKaMPI::Verdict::Sides;
use SKaMPI::Verdict::Thresholds;

our @EXPORT_OK = qw(check_hardware compared confirm decided guard not_copied tripped);

# Exit statuses of --guard: something is slower; a point that is measured again stays undecided, or
# the budget is spent; other quantities.
my ( $DONE, $SLOWER, $UNKNOWN, $NOT_COMPARABLE ) = ( 0, 1, 3, 4 );

# The default time limit of --confirm.
my $CONFIRM_S = 60;

# The launches in which --guard measures again, which can decide against a baseline of four.
my $AGAIN = 6;

my $MOST = 20;

# Confirms or refutes the candidates of a result file by other launches.
sub confirm ( $options, @command ) {
    my $path  = $options->{confirm};
    my $given = first { /\A(?:-f|--file(?:=.*)?)\z/s } @command;
    fail_usage("--confirm writes the parameter file; leave out $given") if defined $given;
    check_output( verdict_path($path) );
    my $budget_s     = $options->{budget_s} // $CONFIRM_S;
    my $confirmation = SKaMPI::Launch::Confirmation->new( $path, $budget_s );
    if ( !$confirmation->members ) {
        if   ( $options->{is_json} ) { complain("$path has no candidates") }
        else                         { print_plain("$path has no candidates") }
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
    my @base      = @{ $options->{base} };
    my @obstacles = obstacles( map { not_copied($_) } @base, @new );
    fail( "not comparable: $obstacles[0]", $NOT_COMPARABLE ) if @obstacles;
    check_hardware( $options, \@base, \@new );
    my $sides = compared( \@base, \@new, $options->{threshold} );
    my ($result) = $sides->comparisons;
    fail( 'not comparable: ' . $result->why_nothing, $NOT_COMPARABLE ) if !$result->points;
    my @tripped = $result->has_verdicts ? tripped($result) : ();
    return _guarded( $options, $sides, 0 ) if !@tripped;
    ( my $end, $sides ) = _measured_again( $options, $command, \@base, $new[0]{name}, @tripped );
    return $end eq 'done' ? _guarded( $options, $sides, 1 ) : $end eq 'budget' ? $UNKNOWN : $end;
}

# Fails if the sides were measured on different hardware; with --force, warns.
sub check_hardware ( $options, @sides ) {
    my $note = hardware_note(@sides) // return;
    fail( "not comparable: $note; --force compares anyway", $NOT_COMPARABLE ) if !$options->{force};
    return complain("warning: $note");
}

# Allows equal files: this program has started all launches, and a simulated launch repeats exactly.
sub not_copied ($launch) { return { %{$launch}, sum => undef } }

sub _measured_again ( $options, $command, $base, $path, @points ) {
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
    my ( $end, @again ) = _launches_of( \@words, $text, \%with );
    return $end if $end ne 'done';
    return ( $end, decided( $base, \@again, $options->{threshold}, @points ) );
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
    my $counts = $result->counts;
    if ( !$options->{is_json} ) {
        print_plain(
            $has_tripped ? formatted_sides( 'text', $sides, 0 ) : 'nothing exceeds the baseline' );
    }
    return $DONE if !$has_tripped;
    return $SLOWER if $counts->{slower} || $counts->{mixed};
    return $counts->{undecided} || $options->{strict} && $counts->{'time equal'} ? $UNKNOWN : $DONE;
}

# Two sides (SKaMPI::Verdict::Sides), whose suites were found to be alike.
sub compared ( $base, $new, $threshold, %settings ) {
    my $thresholds = SKaMPI::Verdict::Thresholds->new($threshold);
    return SKaMPI::Verdict::Sides->new(
        [ $base, $new ],
        thresholds => $thresholds,
        is_forced  => 1,
        %settings
    );
}

# The points of which a number exceeds the baseline by the threshold, with the strongest evidence first.
sub tripped ($result) {
    my %t;
    for my $point ( $result->points ) {
        my @t = map { $_->{t} }
          grep { defined $_->{t} && $_->{log} >= log( 1 + $_->{threshold} ) } $point,
          $point->{mean} // ();
        $t{$point} = max(@t) if @t;
    }
    my @points = sort { $t{$b} <=> $t{$a} || $a->{label} cmp $b->{label} }
      grep { defined $t{$_} } $result->points;
    return @points[ 0 .. min( $MOST, scalar @points ) - 1 ];
}

sub decided ( $base, $again, $threshold, @points ) {
    my %wanted;
    $wanted{ $_->{label} }{ $_->{argument} // q{} } = 1 for @points;
    my @base  = map { _only( $_, \%wanted ) } @{$base};
    my @again = map { with_folded_points($_) } @{$again};
    return compared( \@base, \@again, $threshold, is_selected => 1 );
}

sub _only ( $launch, $wanted ) {
    my %suites;
    for my $label ( grep { $wanted->{$_} } keys %{ $launch->{suites} } ) {
        my %suite = %{ $launch->{suites}{$label} };
        $suite{values} = {
            map  { $_ => $suite{values}{$_} }
            grep { $wanted->{$label}{$_} } keys %{ $suite{values} }
        };
        $suites{$label} = \%suite;
    }
    return { %{$launch}, suites => \%suites };
}

# The launches of a parameter file of single points (SKaMPI::Launch::PointsFile) and why they ended.
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
