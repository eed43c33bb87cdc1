#!/usr/bin/perl
# Checks that a folder of the report's modules uses only itself and folders before it, and one that could leave one day
# only few of these.
use v5.36;

use File::Find qw(find);

my @ORDER =
  qw(Base Safe Stat Meaning Read Verdict Findings Figure Document Launch Profile Tune Model Export Database);
my %LEVEL = map { $ORDER[$_] => $_ } 0 .. $#ORDER;

# The database stores findings and exports, and so uses them, too.
my @COMMON = qw(Base Safe Stat Meaning Read Verdict Figure);
my %USES   = (
    Database => [ @COMMON, qw(Findings Export) ],
    map { $_ => [@COMMON] } qw(Profile Tune Model)
);

my $root = shift // 'report/lib/SKaMPI';
my $bad  = 0;

sub complain ( $place, $text ) {
    say "$place: $text";
    return $bad++;
}

sub check_line ( $own, $place, $line ) {
    for my $used ( $line =~ /\bSKaMPI::(\w+)/g ) {
        complain( $place, "uses 'SKaMPI::$used'; '$own' comes before '$used'" )
          if ( $LEVEL{$used} // 'inf' ) > $LEVEL{$own};
        complain( $place, "uses 'SKaMPI::$used'; '$own' uses only @{ $USES{$own} }" )
          if $USES{$own} && !grep { $_ eq $used } $own, @{ $USES{$own} };
    }
    return;
}

sub check_file ($path) {
    my ($own) = $path =~ m{^\Q$root\E/(\w+)(?:/|[.]pm\z)};
    return complain( $path, "is in none of the folders @ORDER" ) if !exists $LEVEL{ $own // q{} };
    open my $in, '<', $path or die "$path: $!\n";
    while ( my $line = <$in> ) {
        check_line( $own, "$path:$.", $line ) if $line !~ /^\s*\#/;
    }
    close $in or die "$path: $!\n";
    return;
}

find( { no_chdir => 1, wanted => sub { check_file($_) if /[.]pm$/ } }, $root );
exit( $bad ? 1 : 0 );
