package SKaMPI::Statements;

# Counts the Perl statements that a process runs, whatever else the machine does: perl -MSKaMPI::Statements adds their
# number to the file that SKAMPI_STATEMENTS names when the process ends. A child counts its own.
use v5.36;

my $count = 0;

BEGIN {
    sub DB::DB { $count++; return }             ## no critic (Capitalization)
    $^P |= 0x02;                                ## no critic (RequireLocalizedPunctuationVars)
    $DB::single         = 1;                    ## no critic (ProhibitPackageVars)
    *CORE::GLOBAL::fork = sub : prototype() {
        my $child = CORE::fork;
        $count = 0 if defined $child && !$child;
        return $child;
    };
}

sub counted () { return $count }

END {
    if ( my $path = $ENV{SKAMPI_STATEMENTS} ) {
        open my $out, '>', $path or die "$path: $!\n";
        print {$out} $count;
        close $out or die "$path: $!\n";
    }
}

1;
