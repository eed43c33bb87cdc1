package SKaMPI::Manual;

# The examples in the manual's chapters, in the environments of docs/manual/skampi.sty.
use v5.36;

use Exporter qw(import);

our @EXPORT_OK = qw(examples steps answers);

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
# blanks, and why a row ended.
sub without_numbers ($text) {
    return $text      =~ s/\d+(?:[.]\d+)?/0/gr =~ s/\b0(?::0 min| [nmu]?s\b[*?!^]*)/0 s/gr =~
      s/[ ]+/ /gr     =~ s/ (?:accuracy|repetitions|time)$/ time/gmr =~ s/\[ /[/gr =~
      s/> (?=0 %)//gr =~ s/\b0 s -(?= )/0 s 0 %/gr;
}

# Does the text match the manual? "..." stands for any lines; numbers may differ.
sub answers ( $shown, $got, $measured ) {
    ( $shown, $got ) = map { without_numbers($_) } $shown, $got if $measured;
    my $regex = join '(?:.*\n)*?', map { quotemeta } split /^[.]{3}\n/m, $shown, -1;
    return $got =~ /\A$regex\z/;
}

1;
