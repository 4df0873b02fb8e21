import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { itemId } from '../../../src/ingest/vocabulary/entities.js';
import { temporaryFiles } from '../../temporary-files.js';
import { type Collected, collect, inWords, named, type PlainPoint, pointsOf, rejects } from '../collect.js';
import { sample } from '../samples.js';
import { zipped } from '../zipped.js';

const { file } = temporaryFiles();
const faostat = documentImporter('faostat');

const read = (name: string): Promise<Collected> =>
  collect(faostat, { files: [`test/fixtures/faostat/${name}.csv`] });

const points = (all: Collected, metric: string, item: string, region: string) =>
  pointsOf(all, { metric, item, region });

/** The points of a table, none of whose rows is rejected. */
const pointsIn = async (header: string, rows: readonly string[]) => {
  const all = await collect(faostat, { files: [file('rows.csv', [header, ...rows].join('\n'))] });
  expect(all.rejected).toEqual([]);
  return inWords(all);
};

it.each([
  ['Sex', ['Total', 'Female'], ['Wheat', 'Wheat, Female']],
  ['Source', ['FAO TIER 1', 'UNFCCC'], ['Wheat', 'Wheat, UNFCCC']],
  ['Release', ['2019', '2020'], ['Wheat, 2019', 'Wheat, 2020']],
  ['Survey', ['DHS 2015', 'MICS 2016'], ['Wheat, DHS 2015', 'Wheat, MICS 2016']],
  ['Purpose', ['Forestry', 'Fishing'], ['Wheat, Fishing', 'Wheat, Forestry']],
  ['Food Group', ['Total', 'Meat'], ['Wheat', 'Wheat, Meat']],
  ['Factor Code,Factor', ['1,Labour', '2,Capital'], ['Wheat, Capital', 'Wheat, Labour']],
])(
  'a sex, a source, a survey or another dimension of the column %s is in the name of the item',
  async (column, parts, names) => {
    const rows = parts.map((part, i) => `France,Wheat,Emissions,${part},2016,kt,${i + 5}`);
    const points = await pointsIn(`Area,Item,Element,${column},Year,Unit,Value`, rows);
    expect(points.map(({ item }) => item).sort()).toEqual(names);
    expect(points.map(({ value }) => value).sort()).toEqual([5, 6]);
  },
);

describe('development flows', () => {
  const HEAD =
    'Donor Code,Donor Code (M49),Donor,Recipient Country Code,Recipient Country Code (M49),Recipient Country,Item,Element,Purpose Code,Purpose,Year,Unit,Value';
  it('have donors as partner regions, by name: their codes are of another system', async () => {
    const rows = [
      "79,'276,Germany,114,'404,Kenya,Disbursement,Value US$,311,Agriculture,2015,million USD,5",
      "702,,African Development Fund,114,'404,Kenya,Disbursement,Value US$,311,Agriculture,2015,million USD,9",
      "114,'404,Kenya,79,'276,Germany,Disbursement,Value US$,311,Agriculture,2015,million USD,1",
    ];
    const points = await pointsIn(HEAD, rows);
    expect(points.map(({ value, region, partner }) => [value, region, partner])).toEqual([
      [5, 'Kenya', 'Germany'],
      [9, 'Kenya', 'African Development Fund'],
      [1, 'Germany', 'Kenya'],
    ]);
  });
});

describe('the same figures', () => {
  it('are the same points in every form', async () => {
    const [web, current, old] = [await read('web-export'), await read('bulk-new'), await read('bulk-old')];
    const corn = (all: Collected): PlainPoint[] => points(all, 'Area harvested', 'Corn', 'Ukraine');
    expect(corn(web)).toMatchObject([{ value: 4_626_900, start: '2014-01-01', metadata: { flag: 'A' } }]);
    expect(corn(current)).toEqual(corn(web));
    expect(corn(old)).toEqual(corn(web));
    const almonds = (all: Collected): PlainPoint[] => points(all, 'Yield', 'Almonds, in shell', 'Ukraine');
    expect(almonds(web)).toMatchObject([{ value: 1600, metadata: { flag: 'E', note: 'Unofficial figure' } }]);
    expect(almonds(current)).toEqual(almonds(web));
  });

  it('are read from the file without flags where an archive has no other', async () => {
    const text = readFileSync('test/fixtures/faostat/bulk-new.csv', 'utf8');
    const other = text.replace('Ukraine', 'Uganda');
    const name = 'Production_E_All_Data';
    const lists = {
      'Production_E_AreaCodes.csv': 'Area Code,Area\n',
      'Production_E_Purposes.csv': 'Purpose Code\n',
    };
    const alone = file('alone.zip', zipped({ [`${name}_NOFLAG.csv`]: text, ...lists }));
    const both = file('both.zip', zipped({ [`${name}_NOFLAG.csv`]: other, [`${name}.csv`]: text, ...lists }));
    for (const path of [alone, both])
      expect((await collect(faostat, { files: [path] })).points).toEqual((await read('bulk-new')).points);
  });

  it('are the same points in a zip file, whose lists of codes are skipped', async () => {
    const text = readFileSync('test/fixtures/faostat/bulk-new.csv', 'utf8');
    const path = file(
      'Production_Crops_Livestock_E_All_Data_(Normalized).zip',
      zipped({
        'Production_Crops_Livestock_E_All_Data_(Normalized).csv': text,
        'Production_Crops_Livestock_E_AreaCodes.csv': "Area Code,M49 Code,Area\n2,'004,Afghanistan\n",
        'Production_Crops_Livestock_E_Flags.csv': 'Flag, Description\nA,Official figure\n',
      }),
    );
    const all = await collect(faostat, { files: [path] });
    expect(all.points).toEqual((await read('bulk-new')).points);
    expect(all.rejected).toEqual([]);
    expect(all.notes).toEqual([
      'these files in Production_Crops_Livestock_E_All_Data_(Normalized).zip are not read: ' +
        'Production_Crops_Livestock_E_AreaCodes.csv, Production_Crops_Livestock_E_Flags.csv',
    ]);
  });
});

describe('files in another form', () => {
  const HEAD = 'Area Code,Area,Item Code,Item,Element Code,Element,Unit';
  const read = (text: string, name = 'wide.csv') => collect(faostat, { files: [file(name, text)] });
  const figures = ({ points }: Collected) =>
    points.map(({ start, end, value, metadata }) => [
      start,
      end,
      value,
      { ...(metadata as { flag?: string } | null) }.flag,
    ]);

  it('have a column for each year, with its flag and note or without', async () => {
    const flagged = await read(
      `${HEAD},Y1961,Y1961F,Y1961N,Y1962,Y1962F,Y1963,Y1963F\n230,Ukraine,15,Wheat,5510,Production,t,12,A,x,,M,,\n230,Ukraine,15,Wheat,5312,Area harvested,ha,0,M,,1500.5,E,7,A\n`,
    );
    expect(figures(flagged)).toEqual([
      ['1961-01-01', '1961-12-31', 12, 'A'],
      ['1962-01-01', '1962-12-31', null, 'M'],
      ['1963-01-01', '1963-12-31', 7, 'A'],
      ['1962-01-01', '1962-12-31', 1500.5, 'E'],
      ['1961-01-01', '1961-12-31', null, 'M'],
    ]);
    expect([...flagged.notRead]).toEqual([['empty cells', 1]]);
    const plain = await read(
      `${HEAD},Y1961,Y19621964\n230,Ukraine,15,Wheat,5510,Production,t,12,3\n`,
      'Production_E_All_Data_NOFLAG.csv',
    );
    expect(figures(plain)).toEqual([
      ['1961-01-01', '1961-12-31', 12, undefined],
      ['1962-01-01', '1964-12-31', 3, undefined],
    ]);
  });

  it('have months, seasons and the meteorological year in place of items', async () => {
    const head = 'Area Code,Area Code (M49),Area,Months Code,Months,Element Code,Element';
    const months = ['January', 'Dec–Jan–Feb', 'Dec?Jan?Feb', 'Mar-Apr-May', 'Meteorological year'];
    const row = (month: string) => `2,'004,Afghanistan,7000,${month},7271,Temperature change`;
    const long = months.map((month, i) => `${row(month)},1990,1990,°c,${i + 1}`);
    const all = await read(`${head},Year Code,Year,Unit,Value\n${long.join('\n')}\n`);
    const wide = await read(
      `${head},Unit,Y1990\n${months.map((month, i) => `${row(month)},°c,${i + 1}`).join('\n')}\n`,
    );
    expect(all.rejected).toEqual([]);
    expect(wide.points).toEqual(all.points);
    expect(figures(all).map(([start, end, value]) => [start, end, value])).toEqual([
      ['1990-01-01', '1990-01-31', 1],
      ['1989-12-01', '1990-02-28', 2],
      ['1989-12-01', '1990-02-28', 3],
      ['1990-03-01', '1990-05-31', 4],
      ['1989-12-01', '1990-11-30', 5],
    ]);
    expect(inWords(all)[0]).toMatchObject({
      item: 'Temperature mean',
      metric: 'Temperature change',
      unit: '°C difference',
    });
    const odd = await read(
      `${head},Year,Unit,Value\n${row('Jan-Mar-May')},1990,°c,1\n${row('Ramadan')},1990,°c,1`,
    );
    expect(rejects(odd)).toEqual([
      '2: "Jan-Mar-May" is not a month, a season or a year',
      '3: "Ramadan" is not a month, a season or a year',
    ]);
  });

  it.each([
    'CountryCode,Country,ItemCode,Item,ElementGroup,ElementCode,Element,Year,Unit,Value,Flag',
    'Country Code,Country,Item Code,Item,Element Group,Element Code,Element,Year,Unit,Value,Flag',
    'AreaCode,AreaName,ItemCode,ItemName,ElementGroup,ElementCode,ElementName,Year,Unit,Value,Flag',
  ])('have the header of an older edition: %s', async (head) => {
    const all = await read(`${head}\n230,Ukraine,56,Maize,51,5510,Production,1995,tonnes,3391800,F\n`);
    expect(points(all, 'Production quantity', 'Corn', 'Ukraine')).toMatchObject([{ value: 3_391_800 }]);
  });

  it('have currencies in place of items', async () => {
    const all = await read(
      'Area,Element,Currency,Year,Unit,Value\nJapan,Standard local currency units per USD,Yen,2020,,106\n',
    );
    expect(points(all, 'Standard local currency units per USD', 'Yen', 'Japan')).toMatchObject([
      { value: 106 },
    ]);
  });

  it.each([
    ['Domain,Area,Element,Item,Year,Value', 'has no column "Unit"'],
    [
      'Area,Element,Year,Unit,Value',
      'has no column "Item"; its columns are "Area, Element, Year, Unit, Value"',
    ],
    [
      'Area,Item,Unit,Y1961',
      'is not a table of the data set faostat: its first line is "Area,Item,Unit,Y1961"',
    ],
  ])('are refused with advice: %s', async (header, message) => {
    await expect(read(`${header}\n`)).rejects.toThrow(message);
  });
});

describe('balances', () => {
  const header = 'Area Code,Area Code (M49),Area,Item Code,Item,Element,Year,Unit,Value,Flag';
  const oats = (code: string, unit: string, value: number) =>
    `2,'004,Afghanistan,${code},Oats,Production,2012,${unit},${value},A`;
  const files = {
    'Production_Crops_Livestock_E_All_Data_(Normalized).csv': `${header}\n${oats('75', 't', 123_456)}\n`,
    'FoodBalanceSheets_E_All_Data_(Normalized).csv': `${header}\n${oats('2516', '1000 t', 120)}\n`,
    'FoodBalanceSheetsHistoric_E_All_Data_(Normalized).csv': `${header}\n${oats('2516', '1000 tonnes', 119)}\n`,
    'by-names.csv':
      'Domain,Area,Element,Item,Year,Unit,Value\n"Food Balances (-2013, old methodology and population)",Afghanistan,Production,Oats,2011,1000 t,117\n"Food Balances (2010-)",Afghanistan,Production,Oats,2013,1000 t,116\nCrops and livestock products,Afghanistan,Production,Oats,2013,t,115000\nSupply Utilization Accounts (2010-),Afghanistan,Production,Oats,2013,t,114000\nFood Balance Sheets,Afghanistan,Production,Oats,2010,1000 t,113\n',
    'FoodBalanceSheets_E_All_Data_(Normalized)-2018.csv': `${header}\n${oats('2516', '1000 t', 112).replace('2012', '1961')}\n`,
    'FoodBalanceSheets_E_All_Data.csv':
      'Area Code,Area,Item Code,Item,Element,Unit,Y1961,Y2013\n2,Afghanistan,2516,Oats,Production,1000 tonnes,,111\n',
    'web.csv': `Domain Code,Area Code (M49),Area,Item Code (FBS),Item,Element,Year,Unit,Value\nFBSH,004,Afghanistan,S2516,Oats,Production,2013,1000 t,118\n`,
  };

  it('have items of their own: production, the balance and the balance of the older method', async () => {
    const paths = Object.entries(files).map(([name, text]) => file(name, text));
    const all = await collect(faostat, { files: paths });
    expect(inWords(all).map(({ item, value }) => [item, value])).toEqual([
      ['Oats', 123_456],
      ['Oats (food balances)', 120],
      ['Oats (historic food balances)', 119],
      ['Oats (historic food balances)', 117],
      ['Oats (food balances)', 116],
      ['Oats', 115_000],
      ['Oats (supply utilization accounts)', 114_000],
      ['Oats (historic food balances)', 113],
      ['Oats (historic food balances)', 112],
      ['Oats (historic food balances)', 111],
      ['Oats (historic food balances)', 118],
    ]);
    expect(named(all.entities.items, 'Oats (food balances)').belongsTo).toEqual([itemId('Oats')]);
  });
});

describe('two codes of one name', () => {
  const names = async (column: string, codes: readonly (readonly [string, string])[]) => {
    const rows = codes.map(([code, item], at) => `Japan,${code},${item},Production,2012,1000 t,${at}`);
    const points = await pointsIn(`Area,${column},Item,Element,Year,Unit,Value`, rows);
    expect(points.map(({ value }) => value)).toEqual(codes.map((_, at) => at));
    return points.map(({ item }) => item);
  };

  it.each([
    ['Item Code', ''],
    ['Item Code (FBS)', 'S'],
    ['Item Code (FBS)', "'S"],
  ])('are an item and a group of balances, in either order: %s, %s2899', async (column, prefix) => {
    const item = [`${prefix}2899`, 'Miscellaneous'] as const;
    const group = [`${prefix}2928`, 'Miscellaneous'] as const;
    const expected = ['Miscellaneous (food balances)', 'Miscellaneous, group (food balances)'];
    expect(await names(column, [item, group])).toEqual(expected);
    expect(await names(column, [group, item])).toEqual(expected.toReversed());
    expect(await names(column, [[`${prefix}2905`, 'Cereals']])).toEqual(['Cereals (food balances)']);
  });

  it('are two items in any other data set', async () => {
    const codes = [
      ['15', 'Wheat'],
      ['8015', 'wheat'],
    ] as const;
    expect(await names('Item Code', codes)).toEqual(['Wheat', 'wheat (8015)']);
  });
});

describe('supply utilization accounts', () => {
  const header = 'Area Code,Area,Item Code,Item,Element Code,Element,Year,Unit,Value';
  const row = (code: number, element: string, value: number) =>
    `2,Afghanistan,15,Wheat,${code},${element},2019,t,${value}`;
  const names = async ([header, ...rows]: readonly string[]) =>
    (await pointsIn(header!, rows)).map(({ item, value }) => [item, value]);

  it('have items of their own, whatever the name of the file, though their codes are those of trade', async () => {
    const trade = [row(5610, 'Import quantity', 100_000), row(5910, 'Export quantity', 5071)];
    expect(await names([header, ...trade])).toEqual([
      ['Wheat', 100_000],
      ['Wheat', 5071],
    ]);
    const quoted = (line: string) => `"${line.replaceAll(',', '","')}"`;
    const accounts = [row(5610, 'Import quantity', 112_000), row(5071, 'Stock Variation', -2000)];
    for (const rows of [accounts, accounts.map(quoted)])
      expect(await names([header, ...rows])).toEqual([
        ['Wheat (supply utilization accounts)', 112_000],
        ['Wheat (supply utilization accounts)', -2000],
      ]);
  });

  it('have them in web exports of a single element', async () => {
    const rows = ['Domain Code,Area,Item,Element,Year,Unit,Value', 'SCL,Japan,Wheat,Production,2019,t,7'];
    expect(await names(rows)).toEqual([['Wheat (supply utilization accounts)', 7]]);
  });
});

it('items are one under old and new names, and two where FAOSTAT has both', async () => {
  const rows = ['Rice', '"Rice, paddy"', '"Rice, milled"'].map(
    (item, at) => `Japan,${item},Import Quantity,${2020 + at},t,1`,
  );
  const path = file('rice.csv', ['Area,Item,Element,Year,Unit,Value', ...rows].join('\n'));
  const { points, entities } = await collect(faostat, { files: [path] });
  const [rice, paddy, milled] = points;
  expect([rice!.item_id, paddy!.item_id]).toEqual([112, 112]);
  expect(milled!.item_id).not.toBe(112);
  expect(entities.items.get(112)!.definition).toMatch(/^Rough rice/);
});

it('figures of several years have their own frequency', async () => {
  const old = await read('bulk-old');
  expect(points(old, 'Value', 'Food supply variability', 'Brazil')).toMatchObject([
    { start: '2013-01-01', end: '2017-12-31', frequency_id: 13 },
  ]);
});

it.each([
  ['hg/ha', '100 g/ha', 'Yield', 'hg/ha'],
  ['hg/An', '100 g/An', 'Yield, 100 g/An', '100 g/An'],
  ['100mg/An', '100 mg/An', 'Yield, 100 mg/An', '100 mg/An'],
  ['0.1g/An', '0.1 g/An', 'Yield, 0.1 g/An', '0.1 g/An'],
  ['hg', '100 g', 'Yield, 100 g', '100 g'],
  ['hg/mt', '100 g/t', 'Yield, 100 g/t', '100 g/t'],
])(
  'units are one, with one metric, in old and new editions: %s and %s',
  async (old, current, metric, unit) => {
    const rows = [old, current].map((text, at) => `Japan,Wheat,Yield,${2019 + at},${text},20345`);
    const points = await pointsIn('Area,Item,Element,Year,Unit,Value', rows);
    expect(points).toMatchObject([
      { metric, unit },
      { metric, unit },
    ]);
  },
);

it('figures with the flag M are null where they are 0 or empty; any other figure is kept, and what is no number is rejected', async () => {
  const values = ['0', '0.00', '', '12.5', 'x'];
  const rows = values.map((value, i) => `9,Argentina,Wheat,Production,${2000 + i},t,${value},M`);
  const text = ['Area Code,Area,Item,Element,Year,Unit,Value,Flag', ...rows].join('\n');
  const all = await collect(faostat, { files: [file('missing.csv', text)] });
  expect(all.points.map(({ value }) => value)).toEqual([null, null, null, 12.5]);
  expect(all.rejected.map(({ line }) => line)).toEqual([6]);
});

describe('areas', () => {
  describe('that are called like a country', () => {
    const AREAS = [
      ['China', { M49: '159', FAO: '351', ISO3: 'CHN', ISO2: 'CN' }, 1159],
      ['China, mainland', { M49: '156', FAO: '41', ISO3: 'F41', ISO2: 'F41' }, 156],
      ['China, Taiwan Province of', { M49: '158', FAO: '214', ISO3: 'TWN', ISO2: 'TW' }, 158],
      ['Micronesia', { M49: '057', FAO: '5503', ISO3: '', ISO2: '' }, 1057],
      ['Micronesia (Federated States of)', { M49: '583', FAO: '145', ISO3: 'FSM', ISO2: 'FM' }, 583],
    ] as const;
    const importAreas = (column: string, codes: readonly string[]): Promise<Collected> => {
      const rows = AREAS.map(([name], at) => `${codes[at]},"${name}",Wheat,Production,2020,t,${at + 1}`);
      const text = [`${column},Area,Item,Element,Year,Unit,Value`, ...rows].join('\n');
      return collect(faostat, { files: [file('alike.csv', text)] });
    };

    it.each(['M49', 'FAO', 'ISO3', 'ISO2'] as const)('are told apart beside codes of %s', async (system) => {
      const all = await importAreas(
        `Area Code (${system})`,
        AREAS.map(([, codes]) => codes[system]),
      );
      expect(all.rejected).toEqual([]);
      expect(all.points.map(({ region_id, value }) => [region_id, value])).toEqual(
        AREAS.map(([, , id], at) => [id, at + 1]),
      );
    });

    it('are told apart by name alone', async () => {
      const { points } = await importAreas(
        'Note',
        AREAS.map(() => ''),
      );
      expect(points.map(({ region_id }) => region_id)).toEqual(AREAS.map(([, , id]) => id));
    });

    it('are rejected where two codes would become one region', async () => {
      const all = await importAreas('Area Code (M49)', ['156', '041', '158', '057', '583']);
      expect(all.rejected.map(({ reason }) => reason)).toEqual([
        'the area "China, mainland" (041) would become the same region as "China" (156)',
      ]);
    });
  });

  it('are one region under all names of their codes, and by older names alone', async () => {
    const AREAS = [
      ['807', '154', 'The former Yugoslav Republic of Macedonia', 'TFYR of Macedonia', 'North Macedonia'],
      ['434', '124', 'Libyan Arab Jamahiriya', 'Libya'],
      ['275', '299', 'Occupied Palestinian Territory', 'Palestine, Occupied Tr.', 'Palestine'],
      ['748', '209', 'Swaziland', 'Eswatini'],
      ['203', '167', 'Czech Republic', 'Czechia'],
      ['792', '223', 'Turkey', 'Türkiye', 'TÃ¼rkiye'],
      ['132', '35', 'Cape Verde', 'Cabo Verde'],
      ['384', '107', "Côte d'Ivoire", "Cote d'Ivoire", "C?te d'Ivoire", "CÃ´te d'Ivoire"],
      ['528', '150', 'Netherlands', 'Netherlands (Kingdom of the)'],
      ['862', '236', 'Venezuela (Bolivarian Republic of)', 'Venezuela, Boliv Rep of'],
      ['180', '250', 'Congo, Dem Republic of', 'Democratic Republic of the Congo'],
      ['234', '64', 'Faeroe Islands', 'Faroe Islands'],
    ] as const;
    const rows = AREAS.flatMap(([id, code, ...names]) =>
      names.map((name) => ({ id: Number(id), code, name })),
    );
    const idsOf = async (column: string, cell: (row: (typeof rows)[number]) => string) => {
      const lines = rows.map((row, i) => `${cell(row)},"${row.name}",Wheat,Production,${1961 + i},t,1`);
      const points = await pointsIn(`${column},Area,Item,Element,Year,Unit,Value`, lines);
      return points.map(({ region_id }) => region_id);
    };
    const expected = rows.map(({ id }) => id);
    expect(await idsOf('Note', () => '')).toEqual(expected);
    expect(await idsOf('Area Code', ({ code }) => code)).toEqual(expected);
    expect(await idsOf('Area Code (M49)', ({ id }) => `'${id}`)).toEqual(expected);
    // Codes of M49 without the name of the system, as some exports have them.
    expect(await idsOf('Area Code', ({ id }) => String(id))).toEqual(expected);
  });

  it.each([
    ['Area Code', '206', 'Sudan', 3736],
    ['Area Code', '276', 'Sudan', 729],
    ['Area Code', '62', 'Ethiopia', 3230],
    ['Area Code', '41', 'China', 156],
    ['Area Code', '96', 'Hong Kong', 344],
    ['Area Code', '999', 'Atlantis', undefined],
    ['Area Code', '5706', 'European Union', 1928],
    ['Area Code', '5706', 'European Union + (Total)', 1928],
    ['Area Code', '5707', 'European Union', 1097],
    ['Area Code (M49)', "'097", 'European Union (27)', 1097],
    ['Area Code (M49)', "'097", 'European Union (28)', 1928],
    ['Note', '', 'European Union', 1928],
    ['Area Code (ISO3)', 'MKD', 'FYROM (1993)', 807],
    ['Area Code (ISO3)', 'F206', 'Sudan', 3736],
  ])('are found by their code: %s %s %s', async (column, code, name, id) => {
    const row = `${code},${name},Wheat,Production,2010,t,1`;
    const [point] = await pointsIn(`${column},Area,Item,Element,Year,Unit,Value`, [row]);
    if (id === undefined) expect(point!.region).toBe(name);
    else expect(point!.region_id).toBe(id);
  });

  const codes = sample('faostat/Production_Crops_Livestock_E_AreaCodes.csv');
  it.skipIf(!existsSync(codes)).each([
    ['Area Code,Area Code (M49)', [0, 1]],
    ['Area Code', [0]],
    ['Note', []],
  ] as const)(`are all known and told apart beside %s (skipped without ${codes})`, async (columns, at) => {
    const rows = readFileSync(codes, 'utf8').trim().split(/\r?\n/).slice(1);
    const lines = rows.map((row) => {
      const fields = row.split(',');
      const name = fields.slice(2).join().replaceAll('"', '');
      return `${at.map((column) => fields[column]).join()},"${name}",Wheat,Production,2020,t,1`;
    });
    const points = await pointsIn(`${columns},Area,Item,Element,Year,Unit,Value`, lines);
    const unknown = points.filter(({ region_id }) => region_id >= 2 ** 30);
    expect(unknown.map(({ region }) => region)).toEqual([]);
    expect(new Set(points.map(({ region_id }) => region_id)).size).toBe(rows.length);
  });
});
