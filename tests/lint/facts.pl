#!/usr/bin/perl
# Checks that no Perl code except SKaMPI::Meaning::Facts and Legacy parses the text of a fact that has a form
# (src/results/facts.def): no statement names such a fact and matches, replaces or splits.
use v5.36;

use File::Find qw(find);
use Mojo::File qw(path);

my $OWNER  = qr{/Meaning/(?:Facts|Legacy)[.]pm\z};
my $PARSES = qr/=~|\bsplit\b/;

my ( $table, @roots ) = @ARGV;

my @names = map { /\A[^"]*"(\w+)".*[.]form\b/s ? $1 : () } split /^FACT\(/m, path($table)->slurp;
my $fact  = join q{|}, @names or die "$table: no fact has a form\n";
my $bad   = 0;

sub check_file ($path) {
    my $line = 1;
    for my $statement ( split /(?<=;)$/m, path($path)->slurp ) {
        my $code = $statement =~ s/^\s*#.*//gmr;
        if ( $code =~ $PARSES && $code =~ /(?:(?<!fact\()'|[{])(?:$fact)(?:'|[}])/ ) {
            say "$path:$line: read the text of a fact by its form, with fact('NAME')";
            $bad++;
        }
        $line += $statement =~ tr/\n//;
    }
    return;
}

find( { no_chdir => 1, wanted => sub { check_file($_) if /[.]p[lm]\z/ && !/$OWNER/ } }, @roots );
exit( $bad ? 1 : 0 );
