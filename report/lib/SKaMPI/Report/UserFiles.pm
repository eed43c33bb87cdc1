package SKaMPI::Report::UserFiles;

use v5.36;

use Exporter   qw(import);
use File::Spec ();

use SKaMPI::TextFile qw(read_text);

our @EXPORT_OK = qw(dorep_path dorep_ships tex_modules);

my $MOST_BYTES = 1024 * 1024;
my $SHIPPED =
  File::Spec->rel2abs(__FILE__) =~ s{lib/SKaMPI/Report/UserFiles[.]pm\z}{default.dorep}r;

# $DOREP, or .dorep of the working directory, or what ships.
sub dorep_path {
    return $ENV{DOREP} if defined $ENV{DOREP} && $ENV{DOREP} ne q{};
    return -f '.dorep' ? '.dorep' : $SHIPPED;
}

sub dorep_ships {
    return dorep_path() eq $SHIPPED;
}

# The texts of the .tma files of the working directory, in the order of their names.
sub tex_modules {
    return map { read_text( $_, $MOST_BYTES ) } sort grep { -f } glob '*.tma';
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
