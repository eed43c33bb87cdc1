#!/usr/bin/perl
# Every example in the manual works as it is printed: files are accepted or refused, sessions typed
# and compared. Each chapter has a directory of its own.
use v5.36;

use File::Basename qw(basename);
use IPC::Run       qw(run);
use Test::More;
use SKaMPI::Extension qw(extended);
use SKaMPI::Install   qw(root);
use SKaMPI::Manual    qw(examples steps answers);
use SKaMPI::Read::Output;
use SKaMPI::Sim   qw(why_not build);
use SKaMPI::Test  qw(scratch read_file write_file skampi);
use SKaMPI::Typed qw(typed);

# This number of characters fits on a line.
my $WIDTH = 100;

my $ROOT = root();

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

sub attempt ( $dir, $example ) {
  SKIP: {
        my $needs = $example->{needs};
        skip "line $example->{line} needs: $needs", 1
          if defined $needs && ( typed( $dir, $needs ) )[0] != 0;
        $TRY{ $example->{kind} }->( $dir, $example );
    }
    return;
}

# The environment of the chapter's sessions: programs that the chapter says how to make.
sub made_for ( $tex, @examples ) {
    my %made      = ( ROOT => $ROOT );
    my @additions = grep { $_->{kind} eq 'addition' } @examples;
    $made{EXTENDED} = extended( scratch(), \@additions, $tex =~ m{^\$ cp (docs/examples/\S+)}m )
      if @additions;
    ( $made{SMPI} ) = build('truth') if $tex =~ /\$SMPI\b/ && !why_not();
    return %made;
}

for my $chapter ( sort glob "$ROOT/docs/manual/*.tex" ) {
    my $tex      = read_file($chapter);
    my @examples = examples($tex) or next;
    subtest basename($chapter) => sub {
        plan skip_all => why_not() if $tex =~ /^\$ smpirun/m && why_not();
        my $dir = scratch();
        local %ENV = ( %ENV, made_for( $tex, @examples ) );
        is scalar(@examples),
          scalar( () = $tex =~ /^\\end[{](?:@{[ join q{|}, keys %TRY ]})[}]/mg ),
          'all examples are found';
        my @wide = grep { length > $WIDTH } map { split /\n/, $_->{text} } @examples;
        is_deeply \@wide, [], "at most $WIDTH columns";
        attempt( $dir, $_ ) for @examples;
    };
}

subtest 'the comparison can fail' => sub {
    ok answers( "a 1.5 us\n...\nz\n", "a 22 us\nb\nc\nz\n", 1 ), 'other numbers';
    ok !answers( "a 1.5 us\n",        "a 22 us\n",          0 ), 'not those that are the same';
    ok !answers( "a\n...\nz\n",       "a\nb\n",             1 ), 'a missing end';
    ok !answers( "a\n",               "a\nb\n",             0 ), 'more than that';
};

done_testing;
