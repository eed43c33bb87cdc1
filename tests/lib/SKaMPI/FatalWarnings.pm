package SKaMPI::FatalWarnings;

# A warning of Perl that users would see ends its process with status 99, so that the test of what it does fails. make
# check loads this into each test, which loads it into the programs that it starts.
use v5.36;

use File::Spec;

# Places of the project, and of the web framework, which passes on what it was given.
my $OURS   = qr{[ ]at[ ]\S*(?:(?<!tests/)\breport/|/Mojo)\S*[ ]line[ ][0-9]};
my $STATUS = 99;

## no critic (RequireLocalizedPunctuationVars): for all of the process
$ENV{PERL5OPT} //=
  '-I' . File::Spec->rel2abs( __FILE__ =~ s{/SKaMPI/[^/]+\z}{}r ) . ' -M' . __PACKAGE__;
$SIG{__WARN__} = sub ($text) {
    print {*STDERR} $text;
    return if $text !~ $OURS;
    STDERR->flush;
    require POSIX;
    POSIX::_exit($STATUS);
};

1;
