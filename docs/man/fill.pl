#!/usr/bin/perl
use v5.36;

# What the program prints. It is started without a shell.
sub output_of ( $program, @args ) {
    open my $out, '-|', $program, @args or die "fill.pl: cannot start '$program': $!\n";
    local $/ = undef;
    my $text = <$out>;
    close $out or die "fill.pl: '$program @args' failed\n";
    return $text;
}

die "usage: perl fill.pl PROGRAM PAGE.pod\n" if @ARGV != 2;
my $program = shift @ARGV;
while ( my $line = <> ) {
    print $line =~ /^=for skampi (.+)$/ ? output_of( $program, split q{ }, $1 ) : $line
      or die "fill.pl: cannot write: $!\n";
}
close STDOUT or die "fill.pl: cannot write: $!\n";

__END__

=head1 NAME

fill.pl - insert output of skampi into a manual page

=head1 SYNOPSIS

    perl docs/man/fill.pl ./skampi docs/man/skampi.5.pod

=head1 DESCRIPTION

Copies a page in POD and replaces each line C<=for skampi ARGUMENTS> by the output of skampi with these
arguments.

=cut
