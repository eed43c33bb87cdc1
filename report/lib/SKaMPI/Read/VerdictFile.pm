package SKaMPI::Read::VerdictFile;

# What other launches said about the candidates of a result file: FILE.verdicts beside it, which skampi-launch --confirm
# writes. It is JSON, with
#   schema         skampi-verdicts/1
#   results        name and sha256 of the result file
#   scope          hosts, from, to (when the launches began, UTC), launches, processes, library
#   alpha, matters, seed
#   verdicts       a list of role (candidate or control), kind, slow and fast (suite and argument; fast is a list),
#                  ratio, low, high, p, threshold, outcome (confirmed, refuted or undecided; of a control tripped or
#                  quiet), and further: how many more launches would decide (null: more than 100)
use v5.36;

use Cpanel::JSON::XS ();
use Digest::SHA      ();
use Exporter         qw(import);

use SKaMPI::Base::NewFile  qw(write_new_file);
use SKaMPI::Base::TextFile qw(read_bytes);

our @EXPORT_OK = qw(key_of sum_of_file verdict_path verdicts_of write_verdicts);

my $SCHEMA  = 'skampi-verdicts/1';
my $LARGEST = 16 * 1024 * 1024;
my $NUMBER  = qr/\A-?[0-9]+(?:[.][0-9]+)?(?:[eE][+-]?[0-9]+)?\z/;

sub verdict_path ($path) {
    return "$path.verdicts";
}

sub sum_of_file ($path) {
    return Digest::SHA->new(256)->addfile( $path, 'b' )->hexdigest;
}

# CONTENT is the hash above, without schema.
sub write_verdicts ( $path, $content ) {
    my $text =
      Cpanel::JSON::XS->new->utf8->canonical->pretty->encode( { schema => $SCHEMA, %{$content} } );
    write_new_file( verdict_path($path), $text );
    return;
}

# What identifies a comparison: its kind, and the suites and arguments of both sides.
sub key_of ($comparison) {
    return join "\n", $comparison->{kind},
      map { ( $_->{suite}, defined $_->{argument} ? 0 + $_->{argument} : q{} ) }
      $comparison->{slow}, @{ $comparison->{fast} };
}

# The verdicts beside a SKaMPI::Read::Output: a hash of scope and by_key, or of wrong, why the file is not used.
# Nothing if there is none.
sub verdicts_of ($output) {
    my $path = $output->path // return;
    return if !-f verdict_path($path);
    my $found = eval { _checked( $path, read_bytes( verdict_path($path), $LARGEST ) ) };
    return $found // { wrong => "'@{[ verdict_path($path) ]}' is not used: " . $@ =~ s/\s+\z//r };
}

sub _checked ( $path, $bytes ) {
    my $content = eval { Cpanel::JSON::XS->new->utf8->decode($bytes) };
    die "it is damaged, or of another version; confirm again\n"
      if ref $content ne 'HASH' || ( $content->{schema} // q{} ) ne $SCHEMA;
    my ( $results, $scope, $verdicts ) = @{$content}{qw(results scope verdicts)};
    die "it is damaged; confirm again\n"
      if ref $results ne 'HASH' || ref $scope ne 'HASH' || ref $verdicts ne 'ARRAY';
    die "it is about another result file of this name\n"
      if ( $results->{sha256} // q{} ) ne sum_of_file($path);
    my %by_key = map { key_of($_) => $_ } grep { _is_complete($_) } @{$verdicts};
    die "it is damaged; confirm again\n"
      if keys %by_key < @{$verdicts}
      || grep { !defined || ref } @{$scope}{qw(hosts from to launches)};
    return { scope => $scope, by_key => \%by_key };
}

# Has what is shown.
sub _is_complete ($verdict) {
    return
         ref $verdict eq 'HASH'
      && ref $verdict->{fast} eq 'ARRAY'
      && !( grep { ref ne 'HASH' || !defined $_->{suite} } $verdict->{slow}, @{ $verdict->{fast} } )
      && !( grep { !defined || ref } @{$verdict}{qw(kind role outcome)} )
      && !( grep { ( $_ // q{} ) !~ $NUMBER } @{$verdict}{qw(ratio low high)} );
}

1;
