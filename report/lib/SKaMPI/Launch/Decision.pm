package SKaMPI::Launch::Decision;

# The modes of skampi-launch in which other launches decide: about the candidates of a result file, and about what
# exceeds a baseline. Both functions take the options of the program, the settings of a session and the command, and
# return an exit status, or the name of the signal that ended the launches.
use v5.36;

use Encode   qw(encode);
use Exporter qw(import);

use SKaMPI::Base::NewFile     qw(write_new_file);
use SKaMPI::Base::Program     qw(complain fail);
use SKaMPI::Base::Units       qw(counted);
use SKaMPI::Compare::Baseline qw(read_baseline);
use SKaMPI::Compare::Formats  qw(format_comparison);
use SKaMPI::Compare::Text     qw(comparison_text);
use SKaMPI::Launch::Again     qw(check_command launches_of);
use SKaMPI::Launch::Confirmation;
use SKaMPI::Launch::Guard      qw(compared decided tripped);
use SKaMPI::Launch::PointsFile qw(parameters_for);
use SKaMPI::Meaning::Likeness  qw(obstacles);
use SKaMPI::Read::SoundFile    qw(read_sound_file);
use SKaMPI::Read::VerdictFile  qw(verdict_path);

our @EXPORT_OK = qw(confirm guard not_copied);

# --guard: something is slower; what is measured again stays undecided, or the budget is spent.
my ( $DONE, $SLOWER, $UNKNOWN ) = ( 0, 1, 3 );
my ( $FAILED, $USAGE ) = ( 1, 2 );

# What --confirm may take.
my $CONFIRM_S = 60;

# --guard measures what trips in this many launches, which can decide against a baseline of four.
my $AGAIN = 6;

# Other launches decide about the candidates of a result file.
sub confirm ( $options, $settings, @command ) {
    my $path = $options->{confirm};
    check_command( '--confirm', \@command );
    my $confirmation =
      SKaMPI::Launch::Confirmation->new( $path, $options->{budget_s} // $CONFIRM_S );
    if ( !$confirmation->members ) {
        say "$path has no candidates";
        return $DONE;
    }
    say $confirmation->plan if !$options->{quiet};
    my %with = (
        directory => $options->{directory} // 'confirm-' . substr( $confirmation->sum, 0, 8 ),
        $confirmation->bounds,
        most     => $options->{most},
        settings => { %{$settings}, budget_s => undef }
    );
    my ( $end, @launches ) = launches_of( \@command, $confirmation->parameters, \%with );
    return $end if $end ne 'done';
    my ( $judged, $missing ) = $confirmation->judged(@launches);
    eval { $confirmation->save( $judged, @launches ); 1 } or fail( $FAILED, $@ );
    say for $confirmation->lines( $judged, $missing, @launches );
    say 'the verdicts are in ', verdict_path($path);
    return $DONE;
}

# NEW are launches of the command; what trips is measured again, and only that decides.
sub guard ( $options, $settings, $command, @new ) {
    my @base      = read_baseline( $options->{guard}, 'time' );
    my @obstacles = obstacles( map { not_copied($_) } @base, @new );
    fail( $USAGE, "not comparable: $obstacles[0]" ) if @obstacles;
    my $result = compared( \@base, \@new, $options->{threshold} );
    fail( $USAGE, 'not comparable: ' . $result->why_nothing ) if !$result->points;
    my @tripped = $result->has_verdicts ? tripped($result) : ();
    return _guarded( $options, $result, 0 ) if !@tripped;
    ( my $end, $result ) =
      _measured_again( $options, $settings, $command, \@base, $new[0]{name}, @tripped );
    return $end eq 'done' ? _guarded( $options, $result, 1 ) : $end eq 'budget' ? $UNKNOWN : $end;
}

# This program has started all launches, so equal files are not copies: a simulated launch repeats exactly.
sub not_copied ($launch) {
    return { %{$launch}, sum => undef };
}

sub _measured_again ( $options, $settings, $command, $base, $path, @points ) {
    say counted( scalar @points, 'point' ), ' exceed the baseline; measured again in ', $AGAIN,
      ' launches'
      if !$options->{quiet};
    my $text =
      parameters_for( read_sound_file($path),
        map { { suite => $_->{label}, argument => $_->{argument} } } @points )
      // fail( $USAGE, "'$path' lacks the parameters of its suites" );
    my %with = (
        directory => "$options->{directory}/again",
        fewest    => $AGAIN,
        most      => $AGAIN,
        budget_s  => 'inf',
        settings  => $settings
    );
    my ( $end, @again ) = launches_of( [ _without_file( @{$command} ) ], $text, \%with );
    return $end if $end ne 'done';
    return ( $end, decided( $base, \@again, $options->{threshold}, @points ) );
}

# The command without its parameter file.
sub _without_file (@words) {
    my ($at) = grep { $words[$_] =~ /\A(?:-f|--file)\z/ } 0 .. $#words;
    splice @words, $at, 2 if defined $at;
    return grep { !/\A--file=/ } @words;
}

# Prints the comparison that decides, and writes JUnit's XML.
sub _guarded ( $options, $result, $has_tripped ) {
    if ( defined $options->{junit} ) {
        my $text = encode( 'UTF-8', format_comparison( 'junit', $result, 0 ) );
        eval { write_new_file( $options->{junit}, $text ); 1 } or fail( $FAILED, $@ );
    }
    if ( !$result->has_verdicts ) {
        complain( 'no verdict: ' . $result->why_no_verdicts );
        return $UNKNOWN;
    }
    my $counts = $result->counts;
    print $has_tripped ? comparison_text( $result, 0 ) : "nothing exceeds the baseline\n";
    return $DONE if !$has_tripped;
    return $counts->{slower} ? $SLOWER : $counts->{undecided} ? $UNKNOWN : $DONE;
}

1;
