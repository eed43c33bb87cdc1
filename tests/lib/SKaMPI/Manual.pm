package SKaMPI::Manual;

# The examples in the manual's chapters, in the environments of docs/manual/skampi.sty, and how they are tried.
use v5.36;

use Exporter        qw(import);
use File::Basename  qw(basename);
use File::Copy      qw(copy);
use IPC::Run        qw(run);
use SKaMPI::Install qw(make_in);
use SKaMPI::Read::Output;
use SKaMPI::Sim   qw(why_not build);
use SKaMPI::Test  qw($ROOT scratch read_file write_file skampi);
use SKaMPI::Typed qw(typed);
use Test::More;

our @EXPORT_OK = qw(answers kinds try_chapters);

# This number of characters fits on a line.
my $WIDTH = 100;

my %NAMED = map { $_ => 1 } qw(skampifile wrongfile resultfile textfile addition);
my $KINDS = join q{|}, sort keys %NAMED, qw(command measured shell);

# In the order of the text: { kind, name (of a file), line, text, and from comments before it:
# options ("% -n 6"), before ("%! command", to be typed unseen) and needs ("%? command"; the example
# is skipped if the command fails) }.
sub examples ($tex) {
    my @examples;
    while (
        $tex =~ m{(?:^%[?]\s(?<needs>[^\n]*)\n)?
                  (?:^%!\s(?<before>[^\n]*)\n)?
                  (?:^%\s(?<options>-[^\n]*)\n)?
                  ^\\begin[{](?<kind>$KINDS)[}](?:[{](?<name>[^{}]+)[}])?\n
                  (?<text>.*?)
                  ^\\end[{]\g{kind}[}]$}gmsx
      )
    {
        my %example = ( options => q{}, %+ );
        $example{line} = 1 + ( substr( $tex, 0, $-[0] ) =~ tr/\n// );
        die "line $example{line}: a $example{kind} has a name or none\n"
          if !defined $example{name} != !$NAMED{ $example{kind} };
        push @examples, \%example;
    }
    return @examples;
}

# A session's commands, each with its output. A command that ends in a backslash continues in a line
# that begins with "> ".
sub steps ($session) {
    my @steps;
    for my $line ( split /^/, $session =~ s/\\\n> / /gr ) {
        if ( $line =~ /^[\$] (.*)\n/ ) {
            push @steps, { command => $1, answer => q{} };
        }
        else {
            die "an answer before the first command: $line" if !@steps;
            $steps[-1]{answer} .= $line;
        }
    }
    return @steps;
}

# Without what varies between runs: numbers, their units, marks, bounds (> 999 %) and missing errors,
# blanks, why a row ended, and whether its visits had two states.
sub without_numbers ($text) {
    return $text =~ s/\d+(?:[.]\d+)?/0/gr =~
      s/\b0(?::0 min| [nmu]?s\b[*?!^]*(?: ?[tv]+\b)?)/0 s/gr =~ s/[ ]+/ /gr =~
      s/ (?:accuracy|visits|clock|repetitions|time|ended by|fast|slow)$//gmr =~ s/\[ /[/gr =~
      s/> (?=0 %)//gr =~ s/\b0 s -(?= )/0 s 0 %/gr;
}

# Does the text match the manual? "..." stands for any lines; numbers may differ.
sub answers ( $shown, $got, $measured ) {
    ( $shown, $got ) = map { without_numbers($_) } $shown, $got if $measured;
    my $regex = join '(?:.*\n)*?', map { quotemeta } split /^[.]{3}\n/m, $shown, -1;
    return $got =~ /\A$regex\z/;
}

sub try_session ( $dir, $example ) {
    is + ( typed( $dir, $example->{before} ) )[0], 0, $example->{before}
      if defined $example->{before};
    for my $step ( steps( $example->{text} ) ) {
        my ( $status, $got ) = typed( $dir, $step->{command} );
        is $status, 0, "$step->{command}";
        my $is_shown = answers( $step->{answer}, $got, $example->{kind} eq 'measured' );
        ok( $is_shown, 'prints that' ) or diag "line $example->{line}: printed was\n$got";
    }
    return;
}

# By the chapter's own program, if it has one.
sub checked ( $dir, @args ) {
    local $ENV{SKAMPI_PROGRAM} = $ENV{EXTENDED} // $ENV{SKAMPI_PROGRAM};
    return skampi( $dir, '--check', @args );
}

sub try_file ( $dir, $example ) {
    my $wanted = $example->{kind} eq 'wrongfile' ? 2 : 0;
    write_file( "$dir/$example->{name}", $example->{text} );
    my $run = checked( $dir, $example->{name}, split q{ }, $example->{options} );
    is $run->{status}, $wanted, "$example->{name}: exit status" or diag $run->{err};
    return;
}

sub try_result ( $dir, $example ) {
    write_file( "$dir/$example->{name}", $example->{text} =~ s/ \\\n/ /gr );
    my $output = SKaMPI::Read::Output->from_file("$dir/$example->{name}");
    is_deeply [ map { "$_->{line}: $_->{text}" } $output->problems ], [],
      "$example->{name}: understood";
    ok $output->suites > 0, 'and contains suites';
    return;
}

sub try_text ( $dir, $example ) {
    write_file( "$dir/$example->{name}", $example->{text} );
    return;
}

# Typed in the source tree: make knows the targets, and does nothing. Those without variables are one command.
sub try_shell ( $dir, $example ) {
    my @typed    = map { $_->{command} =~ /^make\b(.*)/ ? $1 : () } steps( $example->{text} );
    my $together = join q{ }, grep { !/=/ } @typed;
    for my $words ( $together || (), grep { /=/ } @typed ) {
        my $out = q{};
        local @ENV{qw(MAKEFLAGS MAKEOVERRIDES MFLAGS)};
        run [ 'make', '-n', '-C', $ROOT, split q{ }, $words ], '<', \undef, '>&', \$out;
        is $?, 0, "make $words" or diag $out;
    }
    return;
}

my %TRY = (
    command    => \&try_session,
    measured   => \&try_session,
    shell      => \&try_shell,
    skampifile => \&try_file,
    wrongfile  => \&try_file,
    resultfile => \&try_result,
    textfile   => \&try_text,
    addition   => sub { },
);

sub kinds () { return keys %TRY }

sub attempt ( $dir, $example ) {
  SKIP: {
        my $needs = $example->{needs};
        skip "line $example->{line} needs: $needs", 1
          if defined $needs && ( typed( $dir, $needs ) )[0] != 0;
        $TRY{ $example->{kind} }->( $dir, $example );
    }
    return;
}

# The files of a build; object files keep their times, so that few are compiled again. Additions go before this line.
my @PARTS = qw(Makefile *.mk mpi.sh tests src configs docs report);
my $FIRST = qr/^    FAMILY[(]/m;

# The path of the program of a copy of this tree, with the chapter's additions and these files for src/ops.
sub extended ( $dir, $additions, @sources ) {
    my $built = "build/$ENV{SKAMPI_MPI}$ENV{SKAMPI_VARIANT}";
    mkdir "$dir/build" or die "$dir/build: $!\n";
    for my $part ( @PARTS, $built ) {
        my $to = $part eq $built ? "$dir/build/" : "$dir/";
        system( 'cp', '-pR', glob("$ROOT/$part"), $to ) == 0 or die "cannot copy $part\n";
    }
    for my $addition ( @{$additions} ) {
        my $path = "$dir/$addition->{name}";
        my $text = read_file($path);
        $text =~ s/(?=$FIRST)/$addition->{text}/ or die "no place in $path\n";
        write_file( $path, $text );
    }
    for my $source (@sources) {
        copy( "$ROOT/$source", "$dir/src/ops/" . basename($source) ) or die "$source: $!\n";
    }
    make_in( $dir, "$built/skampi" );
    return "$dir/$built/skampi";
}

# The environment of the chapter's sessions: programs that the chapter says how to make.
sub made_for ( $tex, @examples ) {
    my %made      = ( ROOT => $ROOT );
    my @additions = grep { $_->{kind} eq 'addition' } @examples;
    $made{EXTENDED} = extended( scratch(), \@additions, $tex =~ m{^\$ cp (docs/examples/\S+)}m )
      if @additions;
    ( $made{SMPI} ) = build('truth')
      if $tex =~ /\$SMPI\b/ && !why_not() && grep { $_->{kind} =~ /command|measured/ } @examples;
    return %made;
}

# Tries the examples of these kinds. Without additions, chapters that add to the program are left out.
sub try_chapters (@kinds) {
    my %is_tried = map { $_ => 1 } @kinds;
    for my $chapter ( sort glob "$ROOT/docs/manual/*.tex" ) {
        my $tex = read_file($chapter);
        my @all = examples($tex);
        next if !$is_tried{addition} && grep { $_->{kind} eq 'addition' } @all;
        my @examples     = grep { $is_tried{ $_->{kind} } } @all or next;
        my $is_simulated = $is_tried{command} && $tex =~ /^\$ smpirun/m;
        subtest basename($chapter) => sub {
            plan skip_all => why_not() if $is_simulated && why_not();
            my $dir = scratch();
            local %ENV = ( %ENV, made_for( $tex, @examples ) );
            is scalar(@all), scalar( () = $tex =~ /^\\end[{](?:@{[ join q{|}, keys %TRY ]})[}]/mg ),
              'all examples are found';
            my @wide = grep { length > $WIDTH } map { split /\n/, $_->{text} } @all;
            is_deeply \@wide, [], "at most $WIDTH columns";
            attempt( $dir, $_ ) for @examples;
        };
    }
    return;
}

1;
