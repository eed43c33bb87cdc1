package SKaMPI::Tune::Verify;

# Launches with and without a table, and their verdict on it. A canary is a table of slow algorithms: if they change
# nothing, the library does not use tables.
use SKaMPI::Base;

use Cwd         qw(abs_path);
use Digest::SHA qw(sha256_hex);
use List::Util  qw(all sum0);

use SKaMPI::Base::Program         qw(complain fail);
use SKaMPI::Base::TextFile        qw(write_new_file);
use SKaMPI::Launch::Configuration qw(new_configuration);
use SKaMPI::Launch::Session       qw(ended);
use SKaMPI::Launch::Store;
use SKaMPI::Read::ResultFile qw(read_results);
use SKaMPI::Verdict::Family  qw(judge_pairs);
use SKaMPI::Tune::Cells      qw(own_value);
use SKaMPI::Tune::File       qw(environment_of table_files);

our @EXPORT_OK = qw(felt launch_all launched verdicts_of);

my $FELT = 1.5;

my $HEAD = <<'END';
@VERSION 4.2
@POSTPROC no
@SHUFFLE yes
@MEMORY 65536
@MINREPDEFAULT 12
@MAXREPDEFAULT 36
@STANDARDERRORDEFAULT 1.0
@MEASUREMENTS
END

# A suite for each cell: the operation as any program calls it.
sub parameters_of (@cells) {
    my %suites = map {
        my ( $varied, $value, $keys ) =
          $_->{length}
          ? ( 'Scale = Fixed_linear', $_->{length}, " processes=$_->{processes}" )
          : ( 'Variation = Nodes', $_->{processes}, q{} );
        _name($_) =>
          " { Type = $_->{type}; $varied; Start_Argument = $value; End_Argument = $value; "
          . "Multiple_of = 1; Parameters = \"passes=3$keys\"; }\n"
    } @cells;
    return $HEAD . join q{}, map { "$_$suites{$_}" } sort keys %suites;
}

sub _name ($cell) { return join q{_}, 'tune', @{$cell}{qw(collective processes length)} }

# A session of launches of a parameter file (SKaMPI::Launch::Session), at its end. Fails if it ended early.
sub launched ( $options, $store, $command, $parameters, $launches, @sides ) {
    my $session = SKaMPI::Launch::Session->new(
        $store, $command,
        \@sides,
        {
            %{$options},
            launches   => $launches,
            parameters => $parameters,
            value      => 'time',
            asked      => [],
            inform     => \&complain
        }
    );
    my $status = ended( $session->run );
    return $status ? fail( q{}, $status ) : $session;
}

# Launches of the command without the table FILE, with it and, twice, with canaries: for each, lists of hashes of the
# value of each cell. The launches of a table have a directory of their own, whose time counts in the budget.
sub launch_all ( $options, $file, $command, @cells ) {
    my @canaries = $file->{canary}->@*;
    my $text     = parameters_of( @cells, @canaries );
    my $tuned    = environment_of( $file->{format}, abs_path( $file->{path} ), $file->{text} );
    my @sides    = (
        new_configuration( name => 'default' ),
        new_configuration( name => 'tuned', environment => $tuned )
    );
    my $part = substr sha256_hex( $file->{text} . $text ), 0, 8;
    my $store =
      SKaMPI::Launch::Store->open_directory( "$options->{directory}/$part", $command, @sides );
    my $slow = $store->path . '/canary.rules';
    my @slow = table_files( $file->{format}, $slow,
        { about => [], canaries => [], library => $file->{library} }, @canaries );
    write_new_file( @{$_} ) for @slow, [ $store->path . '/cells.skampi', $text ];
    my $canary = new_configuration(
        name        => 'canary',
        environment => environment_of( $file->{format}, $slow, $slow[0][1] )
    );
    my %values;

    for my $turn ( [ $options->{rounds}, @sides ], @canaries ? [ 2, $canary ] : () ) {
        my $session =
          launched( $options, $store, $command, $store->path . '/cells.skampi', @{$turn} );
        $values{$_} = [ map { _values( $_->{name} ) } $session->launches($_) ] for $session->names;
    }
    $options->{budget_s} -= $store->spent_s if defined $options->{budget_s};
    return \%values;
}

sub _values ($path) {
    my $output = read_results($path);
    my %values;
    for my $suite ( $output->suites ) {
        my ($row) = @{ $suite->rows };
        my $value = $row ? own_value($row) : undef;
        $values{ $suite->name } = $value if defined $value;
    }
    return \%values;
}

# Adds a point to each cell; returns that of the sum over all cells.
sub verdicts_of ( $values, @cells ) {
    my ( $tuned, $default ) = @{$values}{qw(tuned default)};
    my $sum_of = sub ( $launch, @names ) {
        return sum0 grep { defined } @{$launch}{@names};
    };
    my $pairs = sub (@names) {
        my ( $new, $old ) = map {
            [ map { $sum_of->( $_, @names ) } @{$_} ]
        } $tuned, $default;
        return [
            map { $new->[$_] && $old->[$_] ? log( $new->[$_] / $old->[$_] ) : undef }
              keys @{$old}
        ];
    };
    $_->{verified} = { pairs => $pairs->( _name($_) ), log => undef } for @cells;
    my @known = grep {
        all { defined }
          $_->{verified}{pairs}->@*
    } @cells;
    my $sum = { pairs => $pairs->( map { _name($_) } @known ) };
    judge_pairs( $sum, map { $_->{verified} } @known ) if @known;
    return $sum;
}

# The least factor for each canary by which it was slower than the default; felt is whether that is enough.
sub felt ( $values, @canaries ) {
    return map {
        my $name = _name($_);
        my ( $default, $canary ) = map {
            [ sort { $a <=> $b } grep { defined } map { $_->{$name} } $values->{$_}->@* ]
        } qw(default canary);
        my $factor = @{$default} && @{$canary} ? $canary->[0] / $default->[ @{$default} / 2 ] : 0;
        +{ %{$_}, factor => $factor, felt => $factor > $FELT };
    } @canaries;
}

1;
