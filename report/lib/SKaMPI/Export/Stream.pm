package SKaMPI::Export::Stream;

# CSV of results of any size. Each row is written to a temporary file when it is read, so that memory does not grow with
# the rows. They are copied in the order of the suites, after all files were read and found to be free of errors.
use SKaMPI::Base;

use List::Util qw(min);

use SKaMPI::Base::TextFile   qw(utf8_bytes);
use SKaMPI::Export::Columns  qw(record_of);
use SKaMPI::Export::Formats  qw(csv_line_of csv_titles);
use SKaMPI::Read::ResultFile qw(read_whole_results);

my $CHUNK = 256 * 1024;

sub new ($class) {
    open my $file, '+>:raw', undef    ## no critic (RequireBriefOpen): the object has it
      or die "cannot create a temporary file: $!\n";
    return bless { file => $file, bytes => 0, last => {} }, $class;
}

# Reads a file. Keeps the lines of suites for which a function is true. Returns the results, whose suites have only
# their first row.
sub add ( $self, $path, $number, $is_wanted ) {
    my $file = $self->{file};
    my $take = sub ( $output, $suite, $row ) {
        return if $suite->is_internal || !$is_wanted->($suite);
        my $part  = $suite->once( part => sub ($) { $self->_part( $output, $number, $suite ) } );
        my $bytes = utf8_bytes( $part->{line}->($row) );
        print {$file} $bytes or die "cannot write a temporary file: $!\n";
        $self->{bytes} += length $bytes;
        return;
    };
    my %any = map { $_ => 'inf' } qw(bytes lines rows), 'node times';
    return read_whole_results( $path, $path, %any, take => $take );
}

# The place of a suite's lines in the temporary file, and the function that makes a line.
sub _part ( $self, $output, $number, $suite ) {
    my $of_run = $output->once(
        of_run => sub ($) { record_of( run => { output => $output, number => $number } ) } );
    $self->{last}{end} = $self->{bytes};
    return $self->{last} = { from => $self->{bytes}, line => csv_line_of( $of_run, $suite ) };
}

# Prints the CSV of the runs to a handle of bytes. Returns whether that succeeded.
sub print_to ( $self, $to, @runs ) {
    my $file = $self->{file};
    $self->{last}{end} = $self->{bytes};
    print {$to} csv_titles() or return 0;
    for my $part (
        map {
            $_->once( part => sub ($) { } )
              // ()
        } map { @{ $_->{suites} } } @runs
      )
    {
        seek $file, $part->{from}, 0 or return 0;
        my $left = $part->{end} - $part->{from};
        while ( $left > 0 ) {
            my $got = read $file, my $bytes, min( $left, $CHUNK ) or return 0;
            print {$to} $bytes or return 0;
            $left -= $got;
        }
    }
    return 1;
}

1;
