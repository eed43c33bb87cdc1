#!/usr/bin/perl
# Checks the functions that files of src share, as the compiled objects have them: no circle of files that call each
# other, and each function is declared in the header of its file or of its stem (a_b.c: a_b.h or a.h).
use v5.36;

use File::Find qw(find);

my ( $build, $root ) = @ARGV;
my ( %home, %uses, %headers );
my $bad = 0;

sub slurp ( $mode, @of ) {
    open my $in, $mode, @of or die "@of: $!\n";
    my @lines = <$in>;
    close $in or die "@of: failed\n";
    return @lines;
}

sub read_object ($path) {
    my $file = $path =~ s{^\Q$build\E/|[.]o\z}{}gr;
    return if !-e "$root/$file.c";
    for ( slurp( '-|', qw(nm -P -g), $path ) ) {
        my ( $name, $kind ) = split;
        $home{$name} = $file if $kind eq 'T';
        push @{ $uses{$file} }, $name if $kind eq 'U';
    }
    return;
}

sub read_header ($path) {
    my $text = join( q{}, slurp( '<', $path ) ) =~ s{/[*].*?[*]/}{}gsr;
    push @{ $headers{$_} }, $path =~ s{^\Q$root\E/|[.]h\z}{}gr for $text =~ /\b(\w+)[(]/g;
    return;
}

sub check_header ($name) {
    my @in = @{ $headers{$name} // [] } or return;
    return if grep { $home{$name} =~ /^\Q$_\E(?:_[^\/]*)?\z/ } @in;
    say
"$root/$home{$name}.c: '$name' is declared in '$in[0].h', not in a header of its file or stem";
    return $bad++;
}

# Removes files that call no other file; the rest is a circle, or calls one.
sub check_circles (%calls) {
    while ( my @ends = grep { !%{ $calls{$_} } } keys %calls ) {
        delete @calls{@ends};
        delete @{$_}{@ends} for values %calls;
    }
    my ($file) = sort keys %calls or return;
    my ( %seen, @way );
    for ( ; !$seen{$file}++ ; ($file) = sort keys %{ $calls{$file} } ) { push @way, $file }
    shift @way while $way[0] ne $file;
    for my $at ( 0 .. $#way ) {
        my $next = $way[ ( $at + 1 ) % @way ];
        say
          "$root/$way[$at].c: calls '$calls{ $way[$at] }{$next}' of $next.c, in a circle of files";
        $bad++;
    }
    return;
}

find( { no_chdir => 1, wanted => sub { read_object($_) if /[.]o\z/ } }, $build );
find( { no_chdir => 1, wanted => sub { read_header($_) if /[.]h\z/ } }, $root );
die "$build: no objects of $root; run make\n" if !%home;

my %calls = map { $_ => {} } values %home;
for my $file ( keys %uses ) {
    $calls{$file}{ $home{$_} } = $_ for grep { exists $home{$_} } @{ $uses{$file} };
}
check_header($_) for sort keys %home;
check_circles(%calls);
exit( $bad ? 1 : 0 );
