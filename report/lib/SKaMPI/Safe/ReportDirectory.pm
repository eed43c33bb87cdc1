package SKaMPI::Safe::ReportDirectory;

# The temporary directory in which a report is made; it is removed with the object.
use SKaMPI::Base;

use File::Temp ();

use SKaMPI::Base::TextFile    qw(beginning_of names_in utf8_bytes write_bytes);
use SKaMPI::Safe::OutputFiles qw(check_file deliver_directory deliver_file);

sub new ($class) {
    my $directory = File::Temp->newdir( 'dorep-XXXXXXXX', TMPDIR => 1 );
    return bless { directory => $directory }, $class;
}

# The path of the directory, or of a file in it.
sub path ( $self, @name ) { return join q{/}, $self->{directory}, @name }

sub put ( $self, $name, $text ) { return $self->put_bytes( $name, utf8_bytes($text) ) }

sub put_bytes ( $self, $name, $bytes ) {
    write_bytes( $self->path($name), $bytes );
    return;
}

# The first BYTES of a file; question marks replace characters that are not ASCII.
sub beginning ( $self, $name, $bytes ) {
    return beginning_of( $self->path($name), $bytes ) =~ s/[^\n -~]/?/gr;
}

sub files ($self) {
    return grep { -f $self->path($_) } names_in( $self->path );
}

sub deliver ( $self, $name, $path ) {
    deliver_file( $self->path($name), $path );
    return;
}

# Copies all files to a directory, and writes a script that removes exactly these.
sub keep ( $self, $directory, $script ) {
    check_file($script);
    my @names = deliver_directory( $directory, map { $_ => $self->path($_) } $self->files );
    my @lines = map { 'rm -f ' . _quoted("$directory/$_") } @names;
    my $text  = join q{}, map { "$_\n" } '#!/bin/sh',
      '# Removes the files that dorep -t kept, and itself.', @lines,
      'rmdir ' . _quoted($directory), 'rm -f ' . _quoted($script);
    deliver_file( \$text, $script, oct 777 );
    return;
}

# Quotes a path for a shell, safely if it starts with a hyphen.
sub _quoted ($path) {
    my $plain = $path =~ m{\A/} ? $path : "./$path";
    return q{'} . ( $plain =~ s/'/'\\''/gr ) . q{'};
}

1;
