import {
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  Schema,
  Table,
  Uint64,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { fromRows } from '../../../src/frame/formats/from-rows.js';
import { fromCsv, parseCsv } from '../../../src/frame/formats/read-csv.js';
import { frame } from '../../../src/frame/frame.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { exactRows } from '../exact-rows.js';
import { NAMES, runsOf, seriesOf } from '../points.js';
import { anyFrame, contents } from './round-trip.js';

const LONG_HEADER =
  'start_date,end_date,value,unit_id,metric_id,item_id,region_id,partner_region_id,frequency_id,source_id';

const fieldsOf = (text: string) => parseCsv(text).map(({ name, texts }) => [name, ...texts]);

describe('CSV', () => {
  test('has a header, CRLF, ISO dates, quotes where necessary, and empty fields for null', () => {
    const points = {
      series: [seriesOf({ metric_id: 2, item_id: 4 })],
      runs: runsOf([
        { series: 0, start: '2000-01-01', end: '2000-12-31', value: 0.1, metadata: 'a\nb' },
        { series: 0, start: '2001-01-01', end: '2001-12-31', value: null, metadata: '' },
        { series: 0, start: '2002-01-01', end: '2002-12-31', value: -0, metadata: null },
      ]),
    };
    const names = { ...NAMES, regions: new Map([[0, 'World']]) };
    expect(longFrame(points, { names, show_metadata: true }).toCsv().split('\r\n')).toEqual([
      'start_date,end_date,value,unit_id,reporting_date,metric_id,item_id,region_id,partner_region_id,frequency_id,source_id,metadata,metric_name,item_name,region_name,partner_region_name,frequency_name,source_name,unit_name',
      '2000-01-01T00:00:00.000Z,2000-12-31T00:00:00.000Z,0.1,7,,2,4,3,0,9,5,"a\nb","Area, harvested","Winter ""hard"" wheat",3,World,annual,USDA NASS,t/ha',
      '2001-01-01T00:00:00.000Z,2001-12-31T00:00:00.000Z,,7,,2,4,3,0,9,5,"","Area, harvested","Winter ""hard"" wheat",3,World,annual,USDA NASS,t/ha',
      '2002-01-01T00:00:00.000Z,2002-12-31T00:00:00.000Z,-0,7,,2,4,3,0,9,5,,"Area, harvested","Winter ""hard"" wheat",3,World,annual,USDA NASS,t/ha',
      '',
    ]);
  });

  test('writes dates alone where they are asked for, and keeps times', () => {
    const rows = fromRows([
      { end_date: new Date('2000-01-01'), reporting_date: new Date('2000-01-10T15:00:00Z'), value: 1 },
      { end_date: new Date('2000-01-02'), reporting_date: null, value: 2 },
    ]);
    const csv = rows.toCsv({ date_only: true });
    expect(csv.split('\r\n').slice(1, 3)).toEqual(['2000-01-01,2000-01-10T15:00:00.000Z,1', '2000-01-02,,2']);
    expect(exactRows(fromCsv(csv))).toEqual(exactRows(rows));
  });

  test('round-trips any frame, with field metadata through the schema', () => {
    fc.assert(
      fc.property(anyFrame, (table) => {
        expect(contents(fromCsv(frame(table).toCsv(), { schema: table.schema }))).toEqual(contents(table));
        expect(exactRows(fromCsv(frame(table).toCsv()))).toEqual(exactRows(table));
      }),
    );
  });

  test('reads LF, a byte order mark, and a last line without a line end', () => {
    expect(fieldsOf('\ufeffa,b\n1,"x\ny"\n,""')).toEqual([
      ['a', '1', null],
      ['b', 'x\ny', ''],
    ]);
    const table = fromCsv('end_date,yield,note\n2001-12-31,1e-3,"0x10"\n2002-12-31,,\n');
    const types = ['Timestamp<MILLISECOND, UTC>', 'Float64', 'Utf8'];
    expect(table.schema.fields.map((field) => String(field.type))).toEqual(types);
    expect(exactRows(table)[0]).toEqual({ end_date: '2001-12-31T00:00:00.000Z', yield: 0.001, note: '0x10' });
  });

  test('keeps a carriage return alone, blanks, and a column without a name', () => {
    expect(fieldsOf('a,,"b""c"\r\nx\ry,\r, z \r\n1,2,3')).toEqual([
      ['a', 'x\ry', '1'],
      ['', '\r', '2'],
      ['b"c', ' z ', '3'],
    ]);
    expect(fieldsOf('a\n')).toEqual([['a']]);
    expect(fieldsOf('a\n\n1\n')).toEqual([['a', null, '1']]);
  });

  test.each(['a,b\n1,2\n3,4\n\n', '\n\na,b\r\n1,2\r\n\r\n3,4\r\n  \r\n\r\n', 'a,b\n\n1,2\n3,4\n\t'])(
    'skips the blank lines of %j',
    (text) => {
      expect(fieldsOf(text)).toEqual([
        ['a', '1', '3'],
        ['b', '2', '4'],
      ]);
    },
  );

  test('keeps U+FEFF at the beginning of texts', () => {
    const rows = [{ one: '\ufeffa', two: '\ufeff' }];
    const fields = [new Field('one', new Utf8()), new Field('two', new Dictionary(new Utf8(), new Int32()))];
    const csv = fromRows(rows, { schema: new Schema(fields) }).toCsv();
    expect(csv).toBe('one,two\r\n"\ufeffa","\ufeff"\r\n');
    expect(exactRows(fromCsv(csv))).toEqual(rows);
  });

  test('quotes texts that a reader would trim, and no others', () => {
    const texts = [' a', 'a ', 'a b', 'a\tb', 'é', "it's", 'a;b'];
    const lines = fromRows(texts.map((name) => ({ name }))).toCsv();
    expect(lines).toBe(['name', '" a"', '"a "', ...texts.slice(2), ''].join('\r\n'));
  });

  test('has the metadata of the schema that it is read by', () => {
    const schema = new Schema(
      [new Field('code', new Utf8(), true, new Map([['unit', 'ha']]))],
      new Map([['farm', 'Ames']]),
    );
    const table = fromCsv('code,other\n007,1\n', { schema });
    expect(exactRows(table)).toEqual([{ code: '007', other: 1 }]);
    expect([...table.schema.metadata]).toEqual([['farm', 'Ames']]);
    expect([...table.schema.fields[0]!.metadata]).toEqual([['unit', 'ha']]);
  });

  test.each([
    ['a,b\r\n1\r\n', 'row 2'],
    ['a,b\r\n1,"2\r\n', 'row 2'],
    ['a,b\r\n1,"2"3\r\n', 'closing quote'],
    [`${LONG_HEADER}\n2001-01-01,2001-12-31,9,1.5,1,1,1,0,1,1\n`, '"1.5" in row 1'],
    [`${LONG_HEADER}\n2001-02-30,2001-12-31,9,1,1,1,1,0,1,1\n`, '2001-02-30'],
    ['', 'empty'],
    ['a\n1\n"2"x\n', 'row 3 is not valid CSV: text after'],
    ['a\n1\n"2', 'row 3 is not valid CSV: a quoted field'],
    ['a,b\n1,2,3\n', '3 fields where the header has 2'],
  ])('%j is refused, and the message says where', (text, where) => {
    expect(() => fromCsv(text)).toThrow(ArgumentError);
    expect(() => fromCsv(text)).toThrow(where);
  });
});

describe('CSV that a spreadsheet opens', () => {
  const TEXTS = [
    ...['=cmd|"/c calc"!A0', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1'],
    ...['Ames', "'=1", 'a=1', ''],
  ];
  const rows = TEXTS.map((name, at) => ({ '=name': name, value: -1 - at }));

  test('keeps texts as they are, unless it is to be safe', () => {
    expect(exactRows(fromCsv(fromRows(rows).toCsv()))).toEqual(rows);
    expect(fromRows(rows).toCsv({ safe: false })).toBe(fromRows(rows).toCsv());
  });

  test('has an apostrophe before texts that begin like a formula, and leaves numbers alone', () => {
    const csv = fromRows(rows).toCsv({ safe: true });
    expect(csv.split('\r\n').slice(0, 3)).toEqual(["'=name,value", `"'=cmd|""/c calc""!A0",-1`, "'+1,-2"]);
    const read = exactRows(fromCsv(csv)).map((row) => row["'=name"]);
    expect(read.slice(2, 8)).toEqual(["'-1", "'@SUM(A1)", "'\t'=1", "'\r'=1", "'\n'=1", "'＝1"]);
    expect(read.slice(8)).toEqual(['Ames', "''=1", 'a=1', '']);
  });
});

test('reads booleans, and integers that doubles do not hold', () => {
  const text =
    'id,flag,mixed,huge,safe\n9007199254740993,true,true,123456789012345678901,1\n-1,,1,2,\n,FALSE,,3,3\n';
  const table = fromCsv(text);
  const types = ['Int64', 'Bool', 'Utf8', 'Utf8', 'Float64'];
  expect(table.schema.fields.map(({ type }) => String(type))).toEqual(types);
  expect(exactRows(table)).toEqual([
    { id: 9007199254740993n, flag: true, mixed: 'true', huge: '123456789012345678901', safe: 1 },
    { id: -1n, flag: null, mixed: '1', huge: '2', safe: null },
    { id: null, flag: false, mixed: null, huge: '3', safe: 3 },
  ]);
  const again = fromCsv(table.toCsv(), { schema: table.schema });
  expect(exactRows(again)).toEqual(exactRows(table));
  const wrong = text.replace('FALSE', 'maybe');
  expect(() => fromCsv(wrong, { schema: table.schema })).toThrow(
    /flag: "maybe" in row 3 is not true or false/,
  );
});

test('reads files whose lines end in CR', () => {
  expect(exactRows(fromCsv('a,b\r1,"x"\r2,y\r'))).toEqual([
    { a: 1, b: 'x' },
    { a: 2, b: 'y' },
  ]);
});

test('reads unsigned integers of 64 bits back by the schema, and refuses others', () => {
  const largest = 2n ** 64n - 1n;
  const table = new Table({ n: vectorFromArray([largest, null], new Uint64()) });
  const { schema } = table;
  expect(exactRows(fromCsv(frame(table).toCsv(), { schema }))).toEqual([{ n: largest }, { n: null }]);
  expect(() => fromCsv('n\n-1\n', { schema })).toThrow(
    /n: "-1" in row 1 is not an integer of 64 bits; add it to/,
  );
});

describe('the types of CSV', () => {
  const named = (name: string, fields: string[]) =>
    exactRows(fromCsv([name, ...fields, ''].join('\n'))).map((row) => row[name]);
  const only = (...fields: string[]) => named('c', fields);

  test.each([
    ['FIPS', ['01001', '19169']],
    ['HS, with a point', ['0101.21', '1005.90']],
    ['negative, with zeros', ['-05', '7']],
    ['months', ['01', '12']],
    ['telephone', ['+4915', '+44']],
    ['lots', ['1E5', '2e10', '7']],
    ['words', ['infinity', 'nan', 'Inf']],
    ['beyond any double', ['1e400', '1']],
    ['integers between decimals', ['9007199254740993', '0.5']],
    ['integers with a point', ['9007199254740993.0', '1']],
    ['with blanks', [' 1', '2']],
    ['hexadecimal', ['0x10', '1']],
  ])('%s stay text', (_, texts) => expect(only(...texts)).toEqual(texts));

  test.each([[['01001', '19169']], [['1E5', '7']], [['+49']]])(
    '%j stay text in a column of ids too',
    (codes) => {
      expect(named('region_id', codes)).toEqual(codes);
      expect(named('region_id', ['-1', '19169'])).toEqual([-1, 19169]);
    },
  );

  test('names of columns fix no types in a table that is no long frame', () => {
    const table = fromCsv(
      'region_id,start_date,end_date,item_name\nIA,01/05/2020,2020-05-31,1\nOH,soon,,2\n',
    );
    expect(table.toRows()).toEqual([
      { region_id: 'IA', start_date: '01/05/2020', end_date: new Date('2020-05-31'), item_name: 1 },
      { region_id: 'OH', start_date: 'soon', end_date: null, item_name: 2 },
    ]);
    const rows = [{ region_id: 'IA', start_date: '01/05/2020' }];
    expect(fromRows(rows).toRows()).toEqual(rows);
    expect(table.withColumn('unit_id', ({ region_id }) => String(region_id)).toRows()[0]!.unit_id).toBe('IA');
  });

  test('a decimal that ends in zero stays text in a column of codes', () => {
    const texts = ['1005.9', '1005.90', '1.1'];
    for (const name of ['hs_code', 'HS code', 'plotId', 'lot', 'Sections'])
      expect(named(name, texts)).toEqual(texts);
    for (const name of ['yield', 'paid', 'plots_per_ha'])
      expect(named(name, texts)).toEqual(texts.map(Number));
    expect(named('hs_code', ['1005.9', '7'])).toEqual([1005.9, 7]);
  });

  test.each([
    ['0.5', 0.5],
    ['-0', -0],
    ['.5', 0.5],
    ['1e+05', 100_000],
    ['1.5E3', 1500],
    ['5e-324', 5e-324],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['100000000000000000000.5', 1e20],
    ['9007199254740993', 9007199254740993n],
    ['1152921504606847000', 1152921504606847000n],
    ['TRUE', true],
  ])('%s is a value', (text, value) => expect(only(text)).toEqual([value]));

  test('quotes tell text from values, unless the file quotes every field', () => {
    const types = (text: string) => fromCsv(text).schema.fields.map(({ type }) => String(type));
    expect(types('a,b\n"1",1\n')).toEqual(['Utf8', 'Float64']);
    expect(types('"a","b"\n"1","true"\n"",""\n')).toEqual(['Float64', 'Bool']);
    // As R and pandas write: names, texts and dates with quotes, numbers without.
    expect(types('"end_date","unit_id","zip"\n"2020-01-31",3,"12"\n')).toEqual([
      'Timestamp<MILLISECOND, UTC>',
      'Float64',
      'Utf8',
    ]);
  });

  test('any texts and numbers come back as they were, whatever their column is called', () => {
    const odd = [
      '1',
      '007',
      '1E5',
      'true',
      'NaN',
      'Infinity',
      '-0',
      '2020-01-01',
      '',
      '9007199254740993',
      ';',
    ];
    const quoted = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', 'é') });
    const text = fc.option(fc.oneof(fc.constantFrom(...odd), fc.string(), quoted, fc.double().map(String)), {
      freq: 9,
    });
    const number = fc.oneof(
      fc.double({ noNaN: true }),
      fc.constantFrom(2 ** 53, 2 ** 60, 2 ** 63, 1e20, -1e300, 0.1),
      fc.maxSafeInteger(),
    );
    const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const row = fc.record({ value: text, unit_id: text, note: text, 'a;b': text, n: number, i: integer });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
        const schema = new Schema([
          ...['value', 'unit_id', 'note', 'a;b'].map((name) => new Field(name, new Utf8(), true)),
          new Field('n', new Float64(), true),
          new Field('i', new Int64(), true),
        ]);
        const read = exactRows(fromCsv(fromRows(rows, { schema }).toCsv()));
        // Integers that a double holds are numbers.
        const back = read.map((row) => ({ ...row, i: BigInt(row.i as number) }));
        expect(back).toEqual(rows);
      }),
    );
  });

  test('a number means a missing value in every form, but not in a column of texts', () => {
    const options = { missing: ['-9999', '1,50'], delimiter: ';', decimal: ',' } as const;
    const text = 'a;b;c\n-9999,0;-9999;x\n1,5;2;1,5\n7;-9999,00;-9999\n';
    expect(exactRows(fromCsv(text, options))).toEqual([
      { a: null, b: null, c: 'x' },
      { a: null, b: 2, c: '1,5' },
      { a: 7, b: null, c: null },
    ]);
    expect(exactRows(fromCsv('d\n2020-01-31\n', { missing: ['NaN'], dates: ['d'] }))[0]!.d).not.toBeNull();
  });

  test('the options say delimiter, decimal separator, missing values, types and dates', () => {
    const text = 'fips;day;area;n;flag\n1001;31.01.2020;1,5;7;true\n..;1.2.2020;NA;;..\n';
    const table = fromCsv(text, {
      delimiter: ';',
      decimal: ',',
      missing: ['..', 'NA'],
      types: { fips: 'string', n: 'integer' },
      dates: { day: 'DD.MM.YYYY' },
    });
    expect(exactRows(table)).toEqual([
      { fips: '1001', day: '2020-01-31T00:00:00.000Z', area: 1.5, n: 7n, flag: true },
      { fips: null, day: '2020-02-01T00:00:00.000Z', area: null, n: null, flag: null },
    ]);
    const typed = { dates: ['d'], types: { e: 'date', x: 'number' } } as const;
    expect(exactRows(fromCsv('d,e,x\n2020-01-31,2020-02-01T06:00Z,007\n', typed))).toEqual([
      { d: '2020-01-31T00:00:00.000Z', e: '2020-02-01T06:00:00.000Z', x: 7 },
    ]);
    const [day] = exactRows(fromCsv('d\n20200131\n', { dates: { d: 'YYYYMMDD' } }));
    expect(day).toEqual({ d: '2020-01-31T00:00:00.000Z' });
    const points = fromCsv('a;b\n1.234;1,234.5\n', { delimiter: ';', decimal: ',' });
    expect(exactRows(points)).toEqual([{ a: '1.234', b: '1,234.5' }]);
  });

  test.each<[string, Parameters<typeof fromCsv>[1], string]>([
    ['a;b\n1;2\n', {}, 'delimiter: the fields are separated by ";", not by ","; use { delimiter: ";" }'],
    ['a;b\n1,5;2\n', {}, 'separated by ";"'],
    ['area, harvested;b\n1;2\n', {}, 'separated by ";"'],
    ['a\tb\n1\t2\n', {}, 'separated by "\\t"'],
    ['a|b', {}, 'separated by "|"'],
    ['a,b\n1,2\n', { delimiter: ';' }, 'separated by ",", not by ";"'],
    ['a;b\n', { decimal: ',' }, 'delimiter: "," is also the decimal separator'],
    ['a\n1\n', { delimiter: ';;' }, 'delimiter: ";;" is not one character'],
    ['fips\n1\n', { types: { fip: 'string' } }, 'types: the CSV has no column "fip"; did you mean "fips"?'],
    ['a\n1\n', { dates: ['b'] }, 'dates: the CSV has no column "b"; it has a'],
    ['a\n1\n', { types: { a: 'text' as never } }, 'types.a: "text" is unknown; '],
    ['a\n1\n', { dates: { a: 'D.M.Y' } }, 'dates.a: "D.M.Y" is not a date format; write YYYY, MM and DD'],
    [
      'a\n31.02.2020\n',
      { dates: { a: 'DD.MM.YYYY' } },
      'a: "31.02.2020" in row 1 does not match the date format DD.MM.YYYY',
    ],
    [
      'a\n1;5\n',
      { types: { a: 'number' }, decimal: ',', delimiter: '|' },
      '"1;5" in row 1 is not a number; add it to { missing }',
    ],
    ['a\n1.5\n', { types: { a: 'number' }, decimal: ',', delimiter: '|' }, '"1.5" in row 1 is not a number'],
    [
      'a\n9007199254740993\n',
      { types: { a: 'number' } },
      '"9007199254740993" in row 1 has more digits than a 64-bit float',
    ],
    [
      'a\nnan\n',
      { types: { a: 'number' } },
      `"nan" in row 1 is not a number; add it to { missing } if it means no value, or read the column with { types: { "a": 'string' } }`,
    ],
  ])('%j with %j is refused by name', (text, options, message) => {
    expect(() => fromCsv(text, options)).toThrow(ArgumentError);
    expect(() => fromCsv(text, options)).toThrow(message);
  });
});

test.each([
  ['a;=1+1', "a;'=1+1"],
  ['a\t@x', "a\t'@x"],
  ['a|-1', "a|'-1"],
  ['a, +1', "a,' +1"],
  ['a\r\n=1', "a\r\n'=1"],
  ['  =1', "'  =1"],
  ['\u00a0\u200b=1', "'\u00a0\u200b=1"],
  ['"=1', `'"=1`],
  ['a";"=1', `a";'"=1`],
  [';＝1', ";'＝1"],
  ['a-b; c=d', 'a-b; c=d'],
  [`${'; '.repeat(20_000)}x`, `${'; '.repeat(20_000)}x`],
])('%j has no formula in safe CSV, whatever delimiter a spreadsheet takes', (name, safe) => {
  const [row] = exactRows(fromCsv(fromRows([{ name }]).toCsv({ safe: true })));
  expect(row).toEqual({ name: safe });
});
