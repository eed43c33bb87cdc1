package SKaMPI::Database::Record;

# The record of a run in the result database. record_of_run(OUTPUT) returns a hash of
#   run       columns of the table run that the file defines
#   machine   its name
#   facts     the header, a list of name and value
#   warnings  a list of kind (warning or note) and text
#   figures   as SKaMPI::Findings::KeyFigures
#   findings  as SKaMPI::Findings::Findings, with texts, factors and is_weak only, health as
#             SKaMPI::Findings::Health (without findings) and costs as SKaMPI::Meaning::Costs
#   suites    a list of label, points, first, last, rows (SKaMPI::Database::StoredPoints) and meaning
# The meaning of a suite is what its values mean, shared by all suites that measure the same. Suites
# with the same axis_key may be drawn on one axis. Runs of a machine with the same group_key are
# launches of one group: parameters, suites, library and its settings, kernel, hosts, binding and
# processes are the same.
use SKaMPI::Base;

use Digest::SHA qw(sha256_hex);
use Encode      qw(encode);
use List::Util  qw(first sum0);

use SKaMPI::Base::Json             qw(to_json);
use SKaMPI::Base::Units            qw(utc_date);
use SKaMPI::Database::StoredPoints qw(pack_points);
use SKaMPI::Database::Settings     qw(is_setting settings_in);
use SKaMPI::Export::Columns        qw(record_of);
use SKaMPI::Meaning::Algorithms    qw(algorithms_of);
use SKaMPI::Findings::Findings;
use SKaMPI::Meaning::Costs   qw(cost_page);
use SKaMPI::Findings::Health qw(health_of);
use SKaMPI::Findings::KeyFigures;
use SKaMPI::Meaning::Rates    qw(bandwidth_of);
use SKaMPI::Meaning::Likeness qw(axis_text definition_of is_round_trip);
use SKaMPI::Meaning::RunFacts qw(machine_name run_notes run_warnings);

# Longer values of the header are cut; the received file has all of them.
my $LONGEST = 4000;

# Header fields that launches of one group have in common, and those of the parameters among them.
my @PARAMETERS = qw(PROCESSES PARAMETERS SUITES);
my @GROUP      = qw(MPILIBRARY PROCESSESPERHOST BINDING OVERSUBSCRIBED SKAMPIVERSION OSRELEASE);

my $FILES = qr/^\@(?:OUTFILE|LOGFILE)[^\n]*\n?/m;

# The first words of a library's version, by its name here.
my @VENDORS = (
    [ 'Open MPI'  => qr/\AOpen MPI v?([0-9][^\s,]*)/ ],
    [ 'Intel MPI' => qr/\AIntel.*? MPI Library.*?([0-9]{4}[^\s,]*)/ ],
    [ 'MVAPICH'   => qr/\AMVAPICH\S* Version\s*:?\s*([0-9]\S*)/i ],
    [ 'MPICH'     => qr/\AMPICH Version\s*:?\s*([0-9]\S*)/i ],
    [ 'SimGrid'   => qr/\ASMPI Version\s*([0-9]+(?:[.][0-9]+)*)/ ],
    [ undef()     => qr/\A([A-Za-z][\w -]{0,40}?)\s+(?:version\s*)?v?([0-9][^\s,]*)/i ],
);

# Returns a record whose texts are canonical, so that equal meanings have equal texts.
sub record_of_run ($output) {
    my @suites   = map { _suite($_) } $output->results;
    my @warnings = (
        ( map { { kind => 'warning', text => _cut($_) } } run_warnings($output) ),
        map { { kind => 'note', text => _cut($_) } } run_notes($output)
    );
    my %record = (
        run =>
          { %{ _run($output) }, warnings => scalar grep { $_->{kind} eq 'warning' } @warnings },
        machine  => _cut( machine_name($output) ),
        warnings => \@warnings,
        facts    => [ map { { name => $_->{name}, value => _kept($_) } } $output->fields ],
        figures  => [ SKaMPI::Findings::KeyFigures->rows_of($output) ],
        findings => _findings($output),
        suites   => \@suites,
    );
    $record{run}{suites} = @suites;
    $record{run}{points} = sum0 map { $_->{points} } @suites;
    my @parameters = map { ( $output->field($_) // q{} ) =~ s/$FILES//gr } @PARAMETERS;
    my @measured   = map { "$_->{label} $_->{meaning}{key}" } @suites;
    my @settings   = @{ settings_in( $output->field('ENVIRONMENT') ) };
    my @group      = ( machine_name($output), @settings, map { $output->field($_) // q{} } @GROUP );
    @{ $record{run} }{qw(group_key parameters_key)} =
      map { sha256_hex( encode( 'UTF-8', join "\0", @{$_} ) ) } [ @parameters, @measured, @group ],
      [ @parameters, @measured ];
    return \%record;
}

sub _run ($output) {
    my $known   = record_of( run => { output => $output } );
    my $library = $output->fact('MPILIBRARY')->{list}[0]{text}
      // $output->fact('MPIVERSION')->{list}[0]{text};
    my $known_as = first { ( $library // q{} ) =~ $_->[1] } @VENDORS;
    my ( $vendor, $version ) =
      $known_as ? ( $known_as->[0] // (), $library =~ $known_as->[1] ) : ();
    my @hosts     = @{ $output->fact('PROCESSESPERHOST')->{list} };
    my $processes = $output->fact('PROCESSES')->{processes};
    undef $processes if length( $processes // q{} ) > 9;    # more digits than any database keeps
    return {
        started         => utc_date( $output->field('DATE') ),
        version         => _cut( $known->{skampi} ),
        library         => _cut($library),
        vendor          => $vendor,
        library_version => $version,
        processes       => defined $processes                           ? 0 + $processes : undef,
        hosts           => @hosts                                       ? scalar @hosts  : undef,
        oversubscribed  => ( $known->{oversubscribed} // q{} ) eq 'yes' ? 1              : 0,
        merged          => $output->is_postprocessed                    ? 1              : 0,
        wall_s          => $output->fact('WALLTIME')->{took_s},
    };
}

# Keeps settings of libraries before anything else if the environment is too long.
sub _kept ($field) {
    my $value = $field->{value};
    return _cut($value) if $field->{name} ne 'ENVIRONMENT' || length $value <= $LONGEST;
    my @lines = split /\n/, $value;
    return _cut( join "\n", ( grep { is_setting($_) } @lines ), grep { !is_setting($_) } @lines );
}

# Cuts a text, and removes NUL, which no database keeps.
sub _cut ($text) {
    return undef if !defined $text;    ## no critic (ProhibitExplicitReturnUndef): a value of a hash
    my $short = $text =~ tr/\0/\x{fffd}/r;
    return $short if length $short <= $LONGEST;
    return substr( $short, 0, $LONGEST ) . "\n(cut; the original file has all of it)";
}

sub _findings ($output) {
    my $found = SKaMPI::Findings::Findings->of($output);

    # Texts, without the suites that they refer to.
    my @groups;
    for my $group ( @{ $found->{groups} } ) {
        my @findings = map { +{ %{$_}{qw(text state factor is_weak)} } } @{ $group->{findings} };
        push @groups, { %{$group}{qw(about omitted)}, findings => \@findings };
    }
    return {
        health     => { %{ health_of($output) }, findings => [] },
        costs      => cost_page( [ q{}, $output ] ),
        algorithms => scalar algorithms_of( $output->field('CHOICES') ),
        groups     => \@groups,
    };
}

sub _suite ($suite) {
    my $columns   = record_of( suite => $suite );
    my @arguments = grep { defined } map { $_->{argument} } @{ $suite->rows };
    my $bandwidth = bandwidth_of($suite);
    my ($label)   = delete @{$columns}{qw(suite visits)};
    my %meaning   = (
        %{$columns},
        one_way          => is_round_trip($suite),
        bandwidth_factor => $bandwidth ? 0 + $bandwidth->{factor} : undef,
        bandwidth_text   => $bandwidth ? $bandwidth->{text}       : undef,
        definition       => definition_of($suite),
        map { $_ => defined $suite->$_ ? 0 + $suite->$_ : undef } qw(nodes message_length),
    );
    $meaning{axis} = axis_text($columns);
    my $data = to_json( \%meaning );
    return {
        label   => $label,
        points  => scalar @{ $suite->rows },
        first   => $arguments[0],
        last    => $arguments[-1],
        rows    => pack_points($suite),
        meaning => {
            key      => sha256_hex( encode( 'UTF-8', $data ) ),
            axis_key => substr( sha256_hex( encode( 'UTF-8', $meaning{axis} ) ), 0, 16 ),
            data     => $data,
            map { $_ => _cut( $columns->{$_} ) // q{} } qw(operation pattern variation),
        },
    };
}

1;
