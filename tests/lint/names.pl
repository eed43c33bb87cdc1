#!/usr/bin/perl
# Checks that the report's Perl takes the names of patterns, variations and facts from the catalogue.
use v5.36;
use File::Find qw(find);
use Cpanel::JSON::XS ();
local $/;
open my $in, '<', 'build/catalog.json' or die; my $c = Cpanel::JSON::XS->new->decode(<$in>);
my @prefix = map { my $p=$_->{prefix}; ($p, "vt$p") } @{$c->{patterns}};
my @axis = map { $_->{text} =~ /(\w+)\z/ } @{$c->{variations}};
my @fact = map { $_->{name} } @{$c->{facts}};
my %is; $is{$_}{prefix}=1 for @prefix; $is{$_}{variation}=1 for @axis; $is{$_}{fact}=1 for @fact;
my %hits;
find({no_chdir=>1, wanted=>sub { return if !/\.p[lm]$/; my $p=$_; open my $f,'<',$p or die; my $s=<$f>; $s =~ s/^__END__.*//ms; $s =~ s/^\s*#.*//mg; 
 my @w;
 push @w, $1 while $s =~ /'(\w+)'/g;
 while($s =~ /\bqw\(([^)]*)\)/g){ push @w, split q{ },$1 }
 push @w, $1 while $s =~ /\b(\w+)\s*=>/g;
 push @w, $1 while $s =~ /\{(\w+)\}/g;
 for my $w (@w){ for my $k (keys %{$is{$w}//{}}){ $hits{$p}{$k}{$w}++ } } }}, 'report');
for my $p (sort keys %hits){ for my $k (sort keys %{$hits{$p}}){ say "$p $k: ", join ' ', sort keys %{$hits{$p}{$k}} } }
