# skampi-model: what it prints and writes of generated launches whose formulas are known, and of wrong input.
use v5.36;

use Cpanel::JSON::XS ();
use List::Util       qw(first);
use Test::More;
use SKaMPI::Model::Twin qw(twin_of);
use SKaMPI::Read::Output;
use SKaMPI::Stat::Pieces qw(breaks_of pieces_of value_at with_errors);
use SKaMPI::Stat::Terms  qw(least_squares terms_of);
use SKaMPI::ReportTest   qw(tool workplace);
use SKaMPI::Test         qw($ROOT read_file refusals write_file);
use SKaMPI::Results      qw(results);
use SKaMPI::TwinMachine  qw(covered fit_of);

my $MODEL = "$ROOT/report/model.pl";

my $dir = workplace();

# Two curves of the example: it takes seconds to fit all.
my $SAMPLE = write_file( "$dir/sample.out",
    read_file("$ROOT/docs/examples/standard.out") =~
      s{^#/\*\@in(?!p2p_MPI_Send-MPI_Recv[.]|syncol_MPI_Bcast-).*?^#eol\n}{}gmsr );

sub model (@arguments) { return tool( $dir, $^X, $MODEL, @arguments ) }

# The points of a curve at these lengths, with a relative error.
sub points_of ( $curve, $sigma, @lengths ) {
    return
      map { { argument => $_, value => $curve->($_), sigma => $sigma * $curve->($_) } } @lengths;
}

my @LENGTHS = map { int 2**( $_ / 2 ) } 4 .. 36;

subtest 'pieces' => sub {
    my $curve =
      sub ($l) { return $l <= 90 ? 1 + 1e-3 * $l : $l <= 5000 ? 2 + 2e-3 * $l : 4e-3 * $l };
    my @pieces = pieces_of( points_of( $curve, 1e-6, @LENGTHS ) );
    is scalar @pieces, 3, 'as many as the curve has';
    my @lines = map { sprintf '%.4f %.4f', @{$_}{qw(a b)} } @pieces;
    is_deeply \@lines, [ '1.0000 0.0010', '2.0000 0.0020', '0.0000 0.0040' ], 'with its lines';
    my @breaks = breaks_of(@pieces);
    is_deeply [ map { @{$_}{qw(low high wide)} } @breaks ], [ 90, 128, 1, 4096, 5792, 1 ],
      'and breaks';
    cmp_ok abs( $breaks[0]{jump} - ( 2 + 2e-3 * 109 ) / ( 1 + 1e-3 * 109 ) + 1 ), '<', 1e-9,
      'a jump';
    cmp_ok abs( value_at( 6000, @pieces ) - $curve->(6000) ), '<', 1e-6, 'between points';
    is scalar pieces_of( points_of( $curve, 1e-6, 1 .. 3 ) ), 0, 'too few points make none';
    my @level = pieces_of( points_of( sub ($l) { return 5 - 1e-4 * $l }, 0.1, 4, 8, 16, 32 ) );
    is $level[0]{b}, 0, 'longer messages take no less time';

    my $kink = sub ($l) { return $l <= 1000 ? 1 + 1e-3 * $l : 2e-3 * $l };
    @breaks = breaks_of( pieces_of( points_of( $kink, 1e-6, @LENGTHS ) ) );
    is_deeply [ map { $_->{jump} } @breaks ], [0], 'lines that meet do not jump';
    srand 7;
    my $noisy = sub ($l) {
        return ( 1 + 1e-3 * $l ) *
          ( 1 + 0.05 * sqrt( -2 * log( 1 - rand ) ) * cos( 6.283185 * rand ) );
    };
    my @counts = map { scalar pieces_of( points_of( $noisy, 0.05, @LENGTHS ) ) } 1 .. 50;
    cmp_ok scalar( grep { $_ > 1 } @counts ), '<=', 2, 'noise makes no piece';
};

subtest 'a disturbed launch' => sub {
    my @points = with_errors(
        map {
            +{
                argument => $_,
                values   => [ 1, 1.01, 0.99, 1.02, $_ == 8 ? 10 : 0.98 ],
                errors   => []
            }
        } @LENGTHS
    );
    my ($hit) = grep { $_->{argument} == 8 } @points;
    is $hit->{value}, 1.01, 'its time does not count';
    cmp_ok $hit->{sigma}, '<', 0.01, 'nor its distance';
};

subtest 'terms' => sub {
    my @points;
    for my $p ( 2, 4, 8, 13 ) {
        push @points, map {
            {
                processes => $p,
                argument  => $_,
                value     => 3 + 2 * log($p) / log(2) + 1e-3 * $_ * ( $p - 1 ) / $p
            }
        } 8, 512, 32_768;
    }
    my $fit = terms_of(@points);
    is join( ' + ', map { sprintf '%.4g %s', @{$_}{qw(value name)} } @{ $fit->{terms} } ),
      '3 1 + 2 log p + 0.001 L (p-1)/p', 'those of the formula';
    is_deeply [ @{ $fit->{processes} }, @{ $fit->{lengths} } ], [ 2, 13, 8, 32_768 ],
      'and its range';
    cmp_ok $fit->{worst}, '<', 1e-9, 'exactly';
    is terms_of( $points[0] ), undef, 'one point has no formula';
    is_deeply [ least_squares( [ [ 1, 1 ], 2, 1 ], [ [ 2, 2 ], 4, 1 ] ) ], [],
      'what cannot be separated';
};

subtest 'intervals' => sub {
    my $count = covered( 13, 10, 0.03 );
    is_deeply $count->{breaks}, [ 1, 1 ], 'the breaks are found under noise';
    cmp_ok $count->{$_}[0], '>=', $count->{$_}[1] - 1, "$_: the truth is within" for qw(a b place);
};

# Results of a ping-pong with each partner, whose number ends the name, and whose messages take these microseconds and 1
# ns per byte.
sub launch ( $noise, $stated, %us ) {
    my @suites = map {
        my ( $name, $label, $partner ) = /((\D*)(\d+))/;
        my @rows = map {
            my $us = 2 * ( $us{$name} + 1e-3 * $_ ) * ( 1 + $noise * ( 2 * rand() - 1 ) );
            sprintf '%d %.6f %.6f 8', $_, $us, $stated * $us
        } @LENGTHS;
        my %more =
          ( type => '1 p2p_MPI_Send-MPI_Recv', notes => "#\@PARTNER $partner host$partner" );
        [ 'p2p_' . ( $label || $partner ), 'length', \@rows, \%more ]
    } sort keys %us;
    return results( { HOSTNAME => 'host0' }, @suites );
}

subtest 'kinds of pairs' => sub {
    srand 3;
    my %alike = map { $_ => 10 } 1 .. 3;
    for my $case (
        [ 1, 0,    1, %alike ],
        [ 2, 0,    1, %alike, 3 => 10.1 ],
        [ 1, 0.03, 1, %alike ],
        [ 1, 0.03, 6, %alike ],
        [ 2, 0.03, 1, %alike, 2 => 15 ],
        [ 3, 0.03, 6, 1 => 10, 2 => 15, 3 => 25 ]
      )
    {
        my ( $kinds, $noise, $launches, %us ) = @{$case};
        my @outputs = map { launch( $noise, $noise / 2, %us ) } 1 .. $launches;
        is scalar keys %{ fit_of(@outputs)->{curves} }, $kinds,
          "$kinds of @us{1 .. 3} us, noise $noise, $launches launches";
    }
    my @others = map { launch( 0.03, 0.01, "farthest$_" => 10 + 3 * $_ ) } 1 .. 6;
    is scalar keys %{ fit_of(@others)->{curves} }, 1, 'the choice of each launch is one kind';
};

subtest 'residuals' => sub {
    srand 5;
    my $fit = SKaMPI::Model::Fit->new( SKaMPI::Model::Readings->new( launch( 0.05, 0, 1 => 10 ) ) );
    my ($piece) = @{ $fit->{curves}{'message far'}{pieces} };
    cmp_ok $piece->{a_high} - $piece->{a}, '>', 0.02, 'intervals are not narrower';
    ok $piece->{a_low} < 10 && 10 < $piece->{a_high}, 'and hold the truth';
};

subtest 'the programs' => sub {
    my $fit = model( 'fit', $SAMPLE );
    is "$fit->{status} $fit->{err}", '0 ', 'fit';
    like $fit->{out},   qr/^Messages within a host: a \+ b L$/m, 'messages';
    like $fit->{out},   qr/^  LogGP .*\n  within a host$/m,      'of which processes';
    like $fit->{out},   qr/^  o_r +not identifiable/m,           'parameters';
    like $fit->{out},   qr/^  MPI_Bcast = .* off, at.* L \S+/ms, 'collectives';
    unlike $fit->{out}, qr/\bp\s+(\S+)\s+to\s+\1,/,              'a range has two ends';
    like $fit->{out}, qr/^Not measured: .*what receiving takes .*skampi\s-f\smodel/ms,
      'what is missing';
    ok !( first { length > 80 } split /\n/, $fit->{out} ), 'lines fit';

    my $data = Cpanel::JSON::XS->new->decode( model( 'fit', '--format', 'json', $SAMPLE )->{out} );
    my ($piece) = @{ $data->{curves}{'message near'}{pieces} };
    ok $piece->{a_low_us} <= $piece->{a_us} && $piece->{a_us} <= $piece->{a_high_us}, 'JSON';
    my %parameter = map { $_->{name} => $_ } @{ $data->{parameters} };
    is_deeply [ map { defined $parameter{$_}{value} ? 1 : 0 } qw(L o_s o_r o_u g G) ],
      [ (0) x 5, 1 ],
      'what cannot be identified has no value';

    my $more = model( 'points', '-o', 'more.skampi', $SAMPLE );
    is "$more->{status} $more->{err}", '0 ', 'points';
    like read_file("$dir/more.skampi"),
      qr/^message-near-\d+ \{ .*Type = 1;.*Start_Argument = \d+; End_Argument = \d+;/m,
      'a parameter file';

    my $twin = model( 'twin', '-o', 'm.xml', $SAMPLE );
    is $twin->{status}, 0, 'twin';
    like $twin->{err}, qr/note: no suite measured what a process spends to send/, 'what it lacks';
    like read_file("$dir/m.xml"), qr{<prop id="smpi/lat-factor" value="0:1;},     'a platform';
    is read_file("$dir/m.hosts"), "host0\n" x 2, 'a host file';
};

# A curve of ranges of lengths, each with a and b of its line.
sub curve_of ( $role, @lines ) {
    my @pieces = map {
        my %piece;
        @piece{qw(first last a b)} = @{$_};
        \%piece
    } @lines;
    return {
        curve  => { role => $role, distance => 'far', points => [] },
        pieces => \@pieces,
        breaks => [ breaks_of(@pieces) ]
    };
}

sub platform_of (@curves) {
    my %curves = map { ( "$_->{curve}{role} far" => $_ ) } @curves;
    return twin_of( { curves => \%curves }, SKaMPI::Read::Output->from_file($SAMPLE) )->{platform};
}

subtest 'overheads' => sub {
    like platform_of(
        curve_of( 'message', [ 1, 900,  50, 1e-3 ], [ 1010, 1e6, 10, 1e-3 ] ),
        curve_of( 'send',    [ 1, 1000, 1,  0 ],    [ 1001, 1e6, 10, 1e-3 ] )
      ),
      qr{"smpi/send-is-detached-thresh" value="1001"},
      'MPI_Send waits from where it has a step; that of ping-pongs is between 900 and 1010 bytes';
    like platform_of(
        curve_of( 'message', [ 1, 1e4, 50, 1e-3 ] ),
        curve_of( 'send',    [ 1, 10,  1,  1 ], [ 11, 1e4, 1, 0 ] )
      ),
      qr{"smpi/os" value="0:1e-06:1e-06;10:1e-06:0"},
      'a steep piece ends where the next one begins';
};

subtest 'wrong input' => sub {
    write_file( "$dir/none.out",   read_file($SAMPLE) =~ s{^\#/\*\@inp2p_.*?^\#eol\n}{}gmsr );
    write_file( "$dir/cut.out",    substr read_file($SAMPLE), 0, 20_000 );
    write_file( "$dir/merged.out", read_file("$ROOT/tests/cli/data/merged-disjoint.txt") );
    write_file( "$dir/mean.out", read_file($SAMPLE) =~ s/^#\@ESTIMATE cut$/#\@ESTIMATE median/gmr );
    refusals( <<'END', sub (@words) { model( map { $_ eq 'SAMPLE' ? $SAMPLE : $_ } @words ) } );
4 fit SAMPLE mean.out : by the rules 'cut' and 'median'; measure all by the same
2 fit : expected fit, points or twin, and result files
2 fix SAMPLE : command: expected fit, points or twin; got 'fix'; did you mean 'fit'
2 fit --format xml SAMPLE : --format: expected text or json; got 'xml'
2 twin -o SAMPLE SAMPLE : is also read; choose another name
2 fit merged.out : 'merged.out' is a merge
1 fit none.out : nothing to fit: no ping-pong with at least 4 lengths; measure them by skampi -f model
END
    my $cut = model(qw(fit cut.out));
    is $cut->{status}, 5, 'a file that is cut';
    like $cut->{err}, qr/^skampi-model: cut[.]out:\d+: [^\n]*\n\z/m, 'ends with the place';
    my $missing = model( qw(twin --check --skampi no-such-skampi), $SAMPLE );
    is $missing->{status}, 1, 'a program that is missing';
    like $missing->{err}, qr/'no-such-skampi' is missing; 'make MPI=smpi' makes it/, 'and why';
};

done_testing;
