package SKaMPI::Calls;

# What the sources call: the operations of src/ops and the datatypes of src/context, each with the MPI
# names that are reached from its row.
use v5.36;

use Exporter qw(import);

use SKaMPI::Meaning::Subject qw(family_of);
use SKaMPI::Test             qw(read_file);

our @EXPORT_OK = qw(calls_of_operations calls_of_datatypes mentioned);

# "col_MPI_Bcast" => { MPI_Bcast => 1, ... }
sub calls_of_operations ($root) {
    my %derived = map { bodies($_) } datatypes($root),
      map { code("$root/src/patterns/$_") } qw(op.h overlap.c);
    my %prefix = prefixes($root);
    my %calls;
    for
      my $path ( glob("$root/src/ops/*.c"), map { "$root/src/patterns/$_.c" } qw(internal delayed) )
    {
        my $code = code($path);
        my %body = ( %derived, bodies( included( $root, $code ) ), bodies($code) );
        for my $row ( map { forms_of($_) } rows_of($code) ) {
            my %names    = reached( $row =~ s/"[^"]*"//gr, \%body );
            my @families = map { family_of($_) } grep { defined } @prefix{ sort keys %names };
            my ($name)   = $row =~ /"([^"]+)"/;
            $calls{$_} = { %{ $calls{$_} // {} }, %names } for map { "${_}_$name" } @families;
        }
    }
    return %calls;
}

# "syncol_pattern" => "syncol", ...
sub prefixes ($root) {
    return
      map { code($_) =~ /^const struct pattern (\w+) = \{\n.*?[.]prefix = "(\w+)"/ms }
      glob "$root/src/patterns/*.c";
}

# A row COLLECTIVE is four: the operation's forms.
sub forms_of ($row) {
    return "$row \"MPI_File_$1$2\"" =~ s/"[^"]*"(?=.*")//gsr
      if $row =~ /^(?:READ|WRITE)\(\w+, \d+, (\w+), "([^"]*)"/;
    my ( $name, $operation ) = $row =~ /^COLLECTIVE\("(\w+)", "[^"]*", \d+, \d+, (\w+),/;
    ( $name, $operation ) = $row =~ /^(?:PERSISTENT|CREATION)\(\d+, "(\w+)".*BINDS\((\w+),/s
      if !defined $name;
    $name = $operation = $1 if $row =~ /^OVERLAPPED\(\d+, (\w+),/;
    return $row             if !defined $name;
    my %form = (
        CALL       => qq{"MPI_$name" COL_TYPES $operation},
        OVERLAPPED => qq{"MPI_I$operation" i$operation},
        PERSISTENT => qq{"Persistent_$name" bind_$operation},
        CREATION   => qq{"MPI_${name}_init" bind_$operation},
    );
    my ($macro) = $row =~ /^(\w+)/;
    my $rest = $row =~ s/^COLLECTIVE|"[^"]*"|\b$operation\b//gr;
    return map { "$_ $form{$_} $rest" } sort $macro eq 'COLLECTIVE' ? keys %form : $macro;
}

# "30" => { MPI_Type_contiguous => 1, ... }
sub calls_of_datatypes ($root) {
    my $code = datatypes($root);
    my %body = bodies($code);
    return map { /\{ (\d+),/ ? ( $1 => { reached( $_, \%body ) } ) : () } rows_of($code);
}

# The files of operations whose headers a file includes.
sub included ( $root, $code ) {
    my @names = $code =~ m{^#include "ops/(\w+)[.]h"}mg;
    return join q{}, map { code($_) } grep { -e } map { glob "$root/src/ops/{$_,${_}_*}.c" } @names;
}

# The files that know what a constructor is, whatever they are called.
sub datatypes ($root) {
    return join q{}, grep { /\bstruct (?:constructor|application_recipe)\b/ }
      map { code($_) } glob "$root/src/context/*.c";
}

# The MPI names of a piece of C or LaTeX.
sub mentioned ($text) {
    my %seen  = map { $_ => 1 } $text =~ s/\\_/_/gr =~ /\b(MPI_\w+)/g;
    my @names = sort keys %seen;
    return @names;
}

# Without comments, and with macros on one line.
sub code ($path) {
    return read_file($path) =~ s{/[*].*?[*]/}{}gsr =~ s/\\\n/ /gr;
}

# Name => text of functions, macros and tables; "IN_TURN(a, b)" makes a function a_b, and
# "CALLED(a, call, arguments)", "STARTED(a, call, arguments)", "WRITES(a, call)" and "READS(a, call)" a function a;
# "ALL_FORMS(a, name, arguments)", "STARTED(a, arguments)" and "BOUND(a, name, arguments)" one for each form.
sub bodies ($code) {
    my %body;
    $body{$1} = $2 while $code =~ /^#define (\w+)\b(.*)$/mg;
    $body{$1} = $2 while $code =~ /^[A-Za-z][\w *]*?\b(\w+)\([^;{}()]*\)\n\{\n(.*?)^\}/msg;
    $body{$1} = $2
      while $code =~ /^(?:static )?const struct \w+ (?!rows\b)(\w+)\[.*?\] = \{\n(.*?)^\};/msg;
    $body{$1} = $2                while $code =~ /^static const struct \w+ (\w+) = (\{.*?\});/msg;
    $body{$1} = "$2 overlap_wait" while $code =~ /^STARTED\((\w+), ([^;]*?)\)$/msg;
    $body{$1}         = "MPI_File_$1 overlap_wait" while $code =~ /^NON_BLOCKING\((\w+)/mg;
    $body{"$1_begin"} = "MPI_File_$1_begin MPI_File_$1_end" while $code =~ /^SPLIT\((\w+)/mg;
    $body{$1}         = $2 while $code =~ /^(?:WRITES|READS|CALLED)\((\w+), (.*)\)$/mg;

    while ( $code =~ /^(?:ALL_FORMS|BOUND|CALLED)\((\w+), ((?!MPI_)[A-Z]\w+), ([^;]*?)\)$/msg ) {
        @body{ $1, "i$1", "bind_$1" } =
          ( "MPI_$2 $3", "MPI_I$1 overlap_wait $3", "MPI_$2_init $3" );
    }
    $body{"$1_$2"} = "$1 $2" while $code =~ /^IN_TURN\((\w+), (\w+)\)/mg;
    return %body;
}

sub rows_of ($code) {
    my ($table) = $code =~ /^static const struct (?:op|constructor) rows\[\] = \{\n(.*?)^\};/ms
      or return;
    return grep { /\S/ } split /^[ ]{4}(?=[A-Z\{])/m, $table;
}

sub reached ( $text, $body ) {
    my ( %seen, @open );
    push @open, $text;
    while ( defined( my $piece = shift @open ) ) {
        for my $name ( $piece =~ /(?<![>.])\b([A-Za-z_]\w*)/g ) {
            push @open, $body->{$name} if !$seen{$name}++ && exists $body->{$name};
        }
    }
    return %seen;
}

1;
