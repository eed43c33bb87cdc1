#!/usr/bin/perl
# Checks that the literals of skampi.out appear only in their owner, src/results/format.c.
use v5.36;

use File::Find qw(find);

my $OWNER   = qr{results/format[.][ch]$|/record/};    # recordings have a format of their own
my $LITERAL = qr{"[^"]*(?:\#eol|/\*\@in|[.]ski\*/|skampi[ ]finished|-postprocessed|\#\@[A-Z%])};

my $root = shift // 'src';
my $bad  = 0;

# Comments and the help of options may contain them.
sub check_file ($path) {
    return if $path =~ $OWNER || $path =~ m{/cli/options[.]c$};
    open my $in, '<', $path or die "$path: $!\n";
    while ( my $line = <$in> ) {
        next if $line =~ m{^\s*/?\*} || $line =~ s{/\*.*}{}r !~ $LITERAL;
        say "$path:$.: a literal of skampi.out belongs to src/results/format.c";
        $bad++;
    }
    close $in or die "$path: $!\n";
    return;
}

find( { no_chdir => 1, wanted => sub { check_file($_) if /[.][ch]$/ } }, $root );
exit( $bad ? 1 : 0 );
