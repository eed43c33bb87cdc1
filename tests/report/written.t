# JSON and CSV as they are written: by our own code, since versions of Perl and of JSON::PP differ. The readers of
# others find the same data.
use v5.36;

use Cpanel::JSON::XS ();
use Encode           qw(encode);
use Test::More;
use Text::CSV_XS ();

use SKaMPI::Base::Json  qw(decode_json encode_json from_json pretty_json to_json);
use SKaMPI::Base::Table qw(csv_text);

my $printed = 0.5 + 12;
my $shown   = "number $printed";
my $text    = '08';
my $used    = $text + 1;

for my $case (
    [ 'a number',                      7.25,                   '7.25' ],
    [ 'a number that was printed',     $printed,               '12.5' ],
    [ 'a text',                        '12',                   '"12"' ],
    [ 'a text that was used in a sum', $text,                  '"08"' ],
    [ 'a small number',                1e-7,                   '1e-07' ],
    [ 'a number without end',          9**9**9,                'null' ],
    [ 'nothing',                       undef,                  'null' ],
    [ 'an empty text',                 q{},                    '""' ],
    [ 'yes and no',                    [ \1, \0 ],             '[true,false]' ],
    [ 'what was read',                 from_json('[true,{}]'), '[true,{}]' ],
    [ 'names in order',                { b => 1, a => 2 },     '{"a":2,"b":1}' ],
    [ 'special characters', qq{"\\\n\t\0\x7f\x{e9}}, qq{"\\"\\\\\\n\\t\\u0000\\u007f\x{e9}"} ],
  )
{
    my ( $name, $data, $expected ) = @{$case};
    is encode( 'UTF-8', to_json($data) ), encode( 'UTF-8', $expected ), $name;
}

my $data  = { list => [ 1, 2.5, 'x', undef, {}, [], { deep => ["\x{20ac}"] } ], none => {} };
my $other = Cpanel::JSON::XS->new->canonical;
is encode_json($data), $other->utf8->encode($data), 'as the other writer: bytes';
is pretty_json($data), Cpanel::JSON::XS->new->canonical->pretty->encode($data), 'pretty';
is_deeply decode_json( encode_json($data) ), $data, 'read again';
is eval {
    to_json( [ sub { } ] );
}, undef, 'a function is not data';

my @cells = ( 'a', 'b c', 'x,y', q{say "a"}, "two\r\nlines", q{}, '1.5', 'a;b', "\x{e9}t\x{e9}" );
my @rows  = map { { cell => $_, next => 1 } } @cells;
my $csv   = csv_text( [qw(cell next)], @rows );
my $bytes = encode( 'UTF-8', $csv );
my $got   = Text::CSV_XS::csv( in => \$bytes, headers => 'auto', encoding => 'UTF-8', binary => 1 );
is_deeply [ map { $_->{cell} } @{$got} ], \@cells, 'CSV: each cell is read again';
my $writer = Text::CSV_XS->new( { binary => 1, eol => "\r\n" } );
my @plain  = @cells[ 0 .. 7 ];
$writer->combine(@plain);
is(
    (
        split /\r\n(?=a)/,
        csv_text(
            [
                map {
                    my $i = $_;
                    [ "c$i" => sub ($row) { $row->[$i] } ]
                } keys @plain
            ],
            \@plain
        )
    )[1],
    $writer->string,
    'CSV: as the other writer'
);

is csv_text( ['cell'], { cell => '=1+1' }, { cell => -5 }, {} ), "cell\r\n'=1+1\r\n-5\r\n\r\n",
  'no formulas';

done_testing;
