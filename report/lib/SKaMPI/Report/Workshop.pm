package SKaMPI::Report::Workshop;

use v5.36;

use File::Temp ();

use SKaMPI::Report::Delivery qw(check_file deliver_directory deliver_file);

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

sub put_bytes ( $self, $name, $bytes ) {
    _write( $self->path($name), $bytes, ':raw' );
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

# A result to where it was asked for.
sub deliver ( $self, $name, $path ) {
    deliver_file( $self->path($name), $path );
    return;
}

# All files to a directory, and a script that removes just these.
sub keep ( $self, $directory, $script ) {
    check_file($script);
    my @names = deliver_directory( $directory, map { $_ => $self->path($_) } $self->files );
    my @lines = map { 'rm -f ' . _quoted("$directory/$_") } @names;
    my $text  = join q{}, map { "$_\n" } '#!/bin/sh',
      '# Removes the files that dorep.pl -t has kept, and itself.', @lines,
      'rmdir ' . _quoted($directory), 'rm -f ' . _quoted($script);
    deliver_file( \$text, $script, oct 777 );
    return;
}

sub _write ( $path, $text, $layer = ':encoding(UTF-8)' ) {
    open my $file, ">$layer", $path or die "cannot write '$path': $!\n";
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
SCRIPT)> all of them, and writes a shell script that removes them; see L<SKaMPI::Report::Delivery>.

=cut
