package SKaMPI::Base;

# The pragmas of every program and module of the report: strict, warnings, signatures, say and state. A module exports,
# on request, each function and package variable without "_" before its name. "use SKaMPI::Base qw(NAME ...)" is for
# classes whose objects are hashes that only they read: the package gets a method NAME for each name, which returns this
# member (of @NAME, the list that it refers to), and the methods "with" and "once".
#
# Clusters have Perl 5.26: it and its core modules are enough for all but the database.
use 5.026;
use strict;
use warnings;
use feature qw(say signatures);
no warnings 'experimental::signatures';    ## no critic (ProhibitNoWarnings): Perl 5.26 to 5.34 warn

use FindBin ();                            # before anything changes the directory

# The features of "use v5.36" that Perl 5.26 has, too, and that are the same there.
my @FEATURES = qw(current_sub evalbytes fc postderef_qq say signatures state unicode_strings);

# The core modules that small installations lack (perl-base of Debian, perl-interpreter of RHEL) and the modules of the
# database, with their packages in Debian.
my @CORE =
  qw(Compress::Zlib Cwd Digest::SHA Encode Fcntl File::Basename File::Copy File::Find File::Path File::Spec
  File::Spec::Functions File::Temp FindBin Getopt::Long HTTP::Tiny IO::File IO::Uncompress::Gunzip JSON::PP
  List::Util POSIX Pod::Usage Scalar::Util Sys::Hostname Text::ParseWords Text::Wrap Time::HiRes Time::Piece);
my %PACKAGE = (
    ( map { $_ => 'perl' } @CORE ),
    'DBI'         => 'libdbi-perl',
    'DBD::SQLite' => 'libdbd-sqlite3-perl',
    'Mojo::Base'  => 'libmojolicious-perl',
);
push @INC, \&_fail_without;

sub import ( $class, @members ) {
    my ( $package, $file ) = caller;
    strict->import;
    warnings->import;
    feature->unimport(':all');
    feature->import(@FEATURES);
    warnings->unimport( 'experimental::signatures', 'newline' );    # names of files are anything
    my %method = map { ( s/\A\@//r => _reader($_) ) } @members;
    %method         = ( %method, with => \&_with, once => \&_once ) if @members;
    $method{import} = \&_export                                     if $file =~ /[.]pm\z/;
    no strict 'refs';    ## no critic (ProhibitNoStrict): the names of the methods are data
    *{"${package}::$_"} = $method{$_} for keys %method;
    return;
}

# The kind of a reference to what has this character before its name.
my %KIND = ( q{} => 'CODE', q{$} => 'SCALAR', q{@} => 'ARRAY', q{%} => 'HASH' );

# The method "import" of a module, which Perl calls for "use MODULE qw(NAME ...)".
sub _export ( $module, @names ) {
    my $package = caller;
    no strict 'refs';    ## no critic (ProhibitNoStrict): the names are data
    for (@names) {
        my ( $sigil, $name ) = /\A([\$\@%]?)([[:alpha:]]\w*)\z/;
        my $exported = defined $name ? *{"${module}::$name"}{ $KIND{$sigil} } : undef;
        *{"${package}::$name"} = $exported // die "$module has no $_ for $package\n";
    }
    return;
}

# later(MODULE, NAME ...): functions of a module that is loaded when one of them is called: for what a program needs
# with some of its options only.
sub later ( $class, $module, @names ) {
    my $package = caller;
    my $file    = $module =~ s{::}{/}gr . '.pm';
    no strict 'refs';    ## no critic (ProhibitNoStrict): the names are data
    for my $name (@names) {
        *{"${package}::$name"} = sub (@arguments) {
            require $file;
            return $module->can($name)->(@arguments);
        };
    }
    return;
}

# Called by Perl for a file that it does not find. If this is a module of the list, says in a sentence what of the list
# is missing, and ends the program.
sub _fail_without ( $, $file ) {
    my $package = $PACKAGE{ $file =~ s{/}{::}gr =~ s/[.]pm\z//r } // return;
    my $is_core = $package eq 'perl';
    my @missing =
      sort grep { $is_core == ( $PACKAGE{$_} eq 'perl' ) && !_is_there($_) } keys %PACKAGE;
    my %package = map { $PACKAGE{$_} => 1 } @missing;
    printf {*STDERR} "%s: missing modules of Perl: %s; install %s (Debian) or %s (RHEL, Rocky)%s\n",
      $0 =~ s{.*/}{}sr, join( ', ', @missing ), join( q{ }, sort keys %package ),
      join( q{ }, map { "'perl($_)'" } @missing ),
      $is_core ? q{} : '; only the database needs them';
    exit 1;
}

sub _is_there ($module) {
    my $file = $module =~ s{::}{/}gr . '.pm';
    return scalar grep { !ref && -e "$_/$file" } @INC;
}

sub _reader ($name) {
    return sub ($self) { $self->{$name} }
      if $name !~ s/\A\@//;
    return sub ($self) { @{ $self->{$name} // [] } };
}

# with(NAME => VALUE ...): a copy with other members.
sub _with ( $self, %other ) { return bless { %{$self}, %other }, ref $self }

# once(NAME, MAKE): what the function MAKE returns for the object. It is made once and kept under this name.
sub _once ( $self, $name, $make ) { return $self->{"once $name"} //= $make->($self) }

1;
