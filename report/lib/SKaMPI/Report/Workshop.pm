package SKaMPI::Report::Workshop;

use v5.36;

use File::Basename qw(dirname);
use File::Copy     qw(copy);
use File::Temp     ();

sub new ($class) {
    my $directory = File::Temp->newdir( 'dorep-XXXXXXXX', TMPDIR => 1 );
    return bless { directory => $directory }, $class;
}

sub directory ($self) { return "$self->{directory}" }

sub path ( $self, $name ) {
    return "$self->{directory}/$name";
}

sub put ( $self, $name, $text ) {
    _write( $self->path($name), $text );
    return;
}

# The first BYTES of a file that is there, as far as they are ASCII.
sub beginning ( $self, $name, $bytes ) {
    open my $file, '<:raw', $self->path($name) or return q{};
    read $file, ( my $text ), $bytes;
    close $file or return q{};
    return ( $text // q{} ) =~ s/[^\n -~]/?/gr;
}

sub files ($self) {
    opendir my $listing, $self->directory or die "cannot read '$self->{directory}': $!\n";
    my @names = sort grep { -f $self->path($_) } readdir $listing;
    closedir $listing;
    return @names;
}

# A result to where it was asked for: whole or not at all, and never through a link that is there.
sub deliver ( $self, $name, $path ) {
    my $new = eval { File::Temp->new( '.dorep-XXXXXXXX', DIR => dirname($path) ) }
      or die "cannot write '$path': $!\n";
    my $is_made = copy( $self->path($name), $new ) && close $new;
    chmod 0666 & ~umask, "$new";
    die "cannot write '$path': $!\n" if !$is_made || !rename "$new", $path;
    return;
}

# All files to a directory, and a script that removes just these.
sub keep ( $self, $directory, $script ) {
    die "'$directory' is a link\n" if -l $directory;
    -d $directory or mkdir $directory or die "cannot make '$directory': $!\n";
    my @names = $self->files;
    for my $name (@names) {
        unlink "$directory/$name";
        copy( $self->path($name), "$directory/$name" )
          or die "cannot write '$directory/$name': $!\n";
    }
    my @lines = map { 'rm -f ' . _quoted("$directory/$_") } @names;
    my $text  = join q{}, map { "$_\n" } '#!/bin/sh',
      '# Removes the files that dorep.pl -t has kept, and itself.', @lines,
      'rmdir ' . _quoted($directory), 'rm -f ' . _quoted($script);
    unlink $script;
    _write( $script, $text );
    chmod 0755, $script or die "cannot change '$script': $!\n";
    return;
}

sub _write ( $path, $text ) {
    open my $file, '>:encoding(UTF-8)', $path or die "cannot write '$path': $!\n";
    print {$file} $text or die "cannot write '$path': $!\n";
    close $file         or die "cannot write '$path': $!\n";
    return;
}

# For a shell; a name that starts with a hyphen is no option.
sub _quoted ($path) {
    my $plain = $path =~ m{\A/} ? $path : "./$path";
    return q{'} . ( $plain =~ s/'/'\\''/gr ) . q{'};
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::Workshop - the fresh temporary directory in which a report is made

=head1 DESCRIPTION

C<new> makes it; it goes away with the object. C<put(NAME, TEXT)> puts a file there, C<files> names
those that are there. C<deliver(NAME, PATH)> copies one to where it was asked for, C<keep(DIRECTORY,
SCRIPT)> all of them, and writes a shell script that removes them.

=cut
