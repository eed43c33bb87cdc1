package SKaMPI::Launch::Grid;

# Parameter files without refinement, which chooses other arguments in each launch: a comparison has
# only arguments that most launches measured.
use SKaMPI::Base;

use File::Temp ();
use List::Util qw(first);

use SKaMPI::Base::Process  qw(run_command);
use SKaMPI::Base::TextFile qw(read_bytes write_new_file);
use SKaMPI::Launch::Cost   qw(program_at);

our @EXPORT_OK = qw(fixed_file fixed_grid with_fixed_grid);

# The text of a file whose suites measure only the arguments that refinement starts from. Without a
# scale, a suite over the message length is refined.
sub fixed_grid ($text) {
    my $fixed = $text =~ s/\b(Scale\s*=\s*)Dynamic_/$1Fixed_/gir;
    return $fixed =~
      s{(\{)(?=[^{}]*\bVariation\s*=\s*Length\b)(?![^{}]*\bScale\s*=)}{$1 Scale = Fixed_log;}gir;
}

# The words of a command with the parameter file of skampi replaced by such a copy in DIRECTORY;
# unchanged if no word after the program names the file.
sub with_fixed_grid ( $directory, @words ) {
    my $program = program_at(@words) // return @words;
    my $at      = first { $words[$_] =~ /\A(?:-f|--file(?:=.*)?)\z/s } $program + 1 .. $#words;
    return @words if !defined $at;
    my ($name) = $words[$at] =~ /=(.*)/s;
    my $of = defined $name ? $at : $at + 1;
    $name //= $words[$of] // return @words;
    my $text = -f $name ? read_bytes($name) : _shipped( $directory, $words[$program], $name )
      // return @words;
    splice @words, $at, $of - $at + 1, '-f', fixed_file( $directory, $name, $text );
    return @words;
}

# Writes the copy of a file, and returns its path.
sub fixed_file ( $directory, $name, $text ) {
    my $path =
      "$directory/" . ( $name =~ s{.*/|[.]skampi\z}{}gr =~ s/[^\w.-]/_/gr ) . '-fixed.skampi';
    write_new_file( $path, fixed_grid($text) );
    return $path;
}

# A parameter file that ships with the program, or undef.
sub _shipped ( $directory, $program, $name ) {
    my $place = File::Temp->newdir;
    my $run   = run_command(
        [ $program, '--print-config', $name ],
        directory => $directory,
        output    => "$place/shipped",
        seconds   => 30
    );
    return defined $run->{failed} ? undef : read_bytes("$place/shipped");
}

1;
