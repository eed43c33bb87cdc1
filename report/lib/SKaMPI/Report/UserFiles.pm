package SKaMPI::Report::UserFiles;

use v5.36;

use Encode     qw(decode FB_CROAK);
use Exporter   qw(import);
use File::Spec ();

our @EXPORT_OK = qw(dorep_path tex_modules);

my $SHIPPED =
  File::Spec->rel2abs(__FILE__) =~ s{lib/SKaMPI/Report/UserFiles[.]pm\z}{default.dorep}r;

# $DOREP, or .dorep of the working directory, or what ships.
sub dorep_path {
    return $ENV{DOREP} if defined $ENV{DOREP} && $ENV{DOREP} ne q{};
    return -f '.dorep' ? '.dorep' : $SHIPPED;
}

# The texts of the .tma files of the working directory, in the order of their names.
sub tex_modules {
    return map { _text($_) } sort grep { -f } glob '*.tma';
}

sub _text ($path) {
    open my $file, '<:raw', $path or die "cannot read '$path': $!\n";
    my $bytes = do { local $/ = undef; <$file> };
    close $file or die "cannot read '$path': $!\n";
    my $copy = $bytes;
    return eval { decode( 'UTF-8', $copy, FB_CROAK ) } // decode( 'ISO-8859-1', $bytes );
}

1;

__END__

=encoding utf8

=head1 NAME

SKaMPI::Report::UserFiles - files by which a user changes the report

=head1 DESCRIPTION

C<dorep_path> is where the comparisons stand; C<tex_modules> are the LaTeX texts that the user wants
in front of them.

=cut
