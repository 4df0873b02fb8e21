import { join } from 'node:path';
import { tableFromArrays } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import writeWorkbook from 'write-excel-file/node';
import { frame } from '../../../../src/frame/frame.js';
import { defineDataset } from '../../../../src/ingest/document/define-dataset.js';
import { suggestDocument } from '../../../../src/ingest/document/suggest/suggest-document.js';
import { temporaryFiles } from '../../../temporary-files.js';
import { collect, figureLines, rejects } from '../../collect.js';

const { folder, file } = temporaryFiles();

/** Tables whose suggested document imports as it is written. */
const TABLES: readonly (readonly [what: string, text: string, points: readonly string[]])[] = [
  [
    'commas, long, years, countries by ISO3',
    'iso3,year,crop,metric,unit,value,remark\nIND,2019,Wheat,Yield,t/ha,3.5,a\nIND,2020,Rice,Yield,t/ha,2.75,b\nFRA,2020,Wheat,Yield,t/ha,,c\n',
    [
      'Yield | Wheat | India | 2019-01-01/2019-12-31 | 3.5 t/ha',
      'Yield | Rice | India | 2020-01-01/2020-12-31 | 2.75 t/ha',
    ],
  ],
  [
    'semicolons and decimal commas, several measures, days of Germany',
    'Datum;Land;Corn yield (t/ha);Wheat yield (t/ha)\n15.03.2021;Germany;1.009,5;7,25\n16.03.2021;France;9,75;NA\n',
    [
      'Yield | Corn | Germany | 2021-03-15 | 1009.5 t/ha',
      'Yield | Corn | France | 2021-03-16 | 9.75 t/ha',
      'Yield | Wheat | Germany | 2021-03-15 | 7.25 t/ha',
      'Yield | Wheat | France | 2021-03-16 | null t/ha',
    ],
  ],
  [
    'tabs, months, counties by FIPS',
    'fips\tmonth\tprecipitation_mm\n19169\t2021-05\t80.5\n1001\t2021-06\t12\n19\t2021-06\t40\n',
    [
      'Precipitation quantity | Precipitation | Autauga County, Alabama | 2021-06-01/2021-06-30 | 12 mm',
      'Precipitation quantity | Precipitation | Iowa | 2021-06-01/2021-06-30 | 40 mm',
      'Precipitation quantity | Precipitation | Story County, Iowa | 2021-05-01/2021-05-31 | 80.5 mm',
    ],
  ],
  [
    'days at the end of weeks, and codes that are not ours beside names',
    'Week Ending,Country Code,Country,Corn price (USD/t)\n2020-01-05,CH,China,200\n2020-01-12,GM,Germany,210\n2020-01-19,GM,Germany,220\n',
    [
      'Price | Corn | China | 2019-12-30/2020-01-05 | 200 USD/t',
      'Price | Corn | Germany | 2020-01-06/2020-01-12 | 210 USD/t',
      'Price | Corn | Germany | 2020-01-13/2020-01-19 | 220 USD/t',
    ],
  ],
  [
    'a title that a spreadsheet filled up with delimiters',
    'Prices of wheat;;\nprinted 03.02.2024;;\ncountry;year;wheat_price_usd_t\nFrance;2020;200\n',
    ['Price | Wheat | France | 2020-01-01/2020-12-31 | 200 USD/t'],
  ],
  [
    'units after an underscore, with their currency',
    'country,year,wheat_price_usd_t\nFrance,2020,200\nGermany,2021,210\n',
    [
      'Price | Wheat | France | 2020-01-01/2020-12-31 | 200 USD/t',
      'Price | Wheat | Germany | 2021-01-01/2021-12-31 | 210 USD/t',
    ],
  ],
  [
    'counties by names that several states have, and bushels without their crop',
    'County,State,Year,Corn yield (bu/ac)\nBoone,Iowa,2020,181\nOrange,California,2020,170\nBOONE,ILLINOIS,2021,190\n',
    [
      'Yield | Corn | Boone County, Illinois | 2021-01-01/2021-12-31 | 190 bu/ac (corn)',
      'Yield | Corn | Boone County, Iowa | 2020-01-01/2020-12-31 | 181 bu/ac (corn)',
      'Yield | Corn | Orange County, California | 2020-01-01/2020-12-31 | 170 bu/ac (corn)',
    ],
  ],
  [
    'a column for each year, states of the US',
    'state,item,metric,unit,2019,2020\nIowa,Corn,Yield,bu/ac (corn),198,..\nGeorgia,Corn,Yield,bu/ac (corn),160,180\n',
    [
      'Yield | Corn | Georgia, United States | 2019-01-01/2019-12-31 | 160 bu/ac (corn)',
      'Yield | Corn | Georgia, United States | 2020-01-01/2020-12-31 | 180 bu/ac (corn)',
      'Yield | Corn | Iowa | 2019-01-01/2019-12-31 | 198 bu/ac (corn)',
      'Yield | Corn | Iowa | 2020-01-01/2020-12-31 | null bu/ac (corn)',
    ],
  ],
  [
    'weeks of stations with coordinates',
    'station,lat,lon,week,tmax_°C\nG1,42.03,-93.8,2021-W01,-2.5\nG1,42.03,-93.8,2021-W02,M\nG1,42.03,-93.8,2021-W03,0\n',
    [
      'Temperature | Temperature max | G1 | 2021-01-04/2021-01-10 | -2.5 °C',
      'Temperature | Temperature max | G1 | 2021-01-11/2021-01-17 | null °C',
      'Temperature | Temperature max | G1 | 2021-01-18/2021-01-24 | 0 °C',
    ],
  ],
  [
    'lines above the header, reports, days in US form',
    'Crop reports\n\nWeek beginning date,Released,State,Soybeans area planted (1000 ac)\n4/13/2020,4/20/2020,Iowa,"1,250"\n4/20/2020,4/27/2020,Iowa,"2,500"\n4/27/2020,5/4/2020,Iowa,900\n',
    [
      'Area planted | Soybeans | Iowa | 2020-04-13/2020-04-19 | 1250 1000 ac',
      'Area planted | Soybeans | Iowa | 2020-04-20/2020-04-26 | 2500 1000 ac',
      'Area planted | Soybeans | Iowa | 2020-04-27/2020-05-03 | 900 1000 ac',
    ],
  ],
];

describe('suggestDocument', () => {
  it.each(TABLES)('imports as suggested: %s', async (what, text, expected) => {
    const files = [file(`${what}.csv`, text)];
    const { document, notes } = await suggestDocument(files[0]!);
    expect(notes.filter((note) => note.startsWith('fill in'))).toEqual([]);
    const all = await collect(defineDataset(document), { files });
    expect(all.rejected).toEqual([]);
    expect(figureLines(all).sort()).toEqual([...expected].sort());
  });

  it('reads Parquet files too', async () => {
    const columns = { day: ['2021-03-15', '2021-03-16'], state: ['Iowa', 'Ohio'], corn_yield_t_ha: [9.5, 8] };
    const path = file('typed.parquet', await frame(tableFromArrays(columns)).toParquet());
    const { document, notes } = await suggestDocument(path);
    expect(notes).toEqual([]);
    expect(figureLines(await collect(defineDataset(document), { files: [path] })).sort()).toEqual([
      'Yield | Corn | Iowa | 2021-03-15 | 9.5 t/ha',
      'Yield | Corn | Ohio | 2021-03-16 | 8 t/ha',
    ]);
  });

  it('finds the table of a workbook below its title, in the sheet that has most of it', async () => {
    const path = join(folder, 'yields.xlsx');
    const cells = (rows: readonly (readonly (string | number | null)[])[]) =>
      rows.map((row) => row.map((value) => (value === null ? null : { value })));
    await writeWorkbook([
      { sheet: 'About', data: cells([['Made up for a test', null]]) },
      {
        sheet: 'Units',
        data: cells([
          ['measure', 'unit'],
          ['yield', 't/ha'],
        ]),
      },
      {
        sheet: 'Yields',
        data: cells([
          ['Corn yields of the Midwest', null, null],
          [null, null, null],
          ['State', 'Year', 'Corn yield (t/ha)'],
          ['Iowa', 2020, 9.5],
          ['Ohio', 2021, 8],
          ['Illinois', 2021, 10.25],
          ['Source: made up', null, null],
        ]),
      },
    ]).toFile(path);
    const { document, notes } = await suggestDocument(path);
    expect(document).toMatchObject({ sheet: 'Yields', header_line: 3 });
    expect(notes).toEqual(['only the sheet "Yields" of the workbook is read, not "Units"']);
    const all = await collect(defineDataset(document), { files: [path] });
    expect(figureLines(all).sort()).toEqual([
      'Yield | Corn | Illinois | 2021-01-01/2021-12-31 | 10.25 t/ha',
      'Yield | Corn | Iowa | 2020-01-01/2020-12-31 | 9.5 t/ha',
      'Yield | Corn | Ohio | 2021-01-01/2021-12-31 | 8 t/ha',
    ]);
    expect(rejects(all)).toEqual(['7: the date is empty']);
  });

  it('says what the columns do not show, and an import refuses it until it is filled in', async () => {
    const table = file(
      'open.csv',
      'when;where;amount;note\n03/04/2021;Qzx;1,234;x\n05/06/2021;Zqq;2,345;y\n',
    );
    const { document, notes } = await suggestDocument(table);
    expect(notes).toEqual([
      'fill in the format of "when": "03/04/2021" could be MM/DD/YYYY or DD/MM/YYYY',
      'fill in "region": a column of region names, or { "name": … } if all rows have the same region',
      'fill in "decimal": "1,234" is ambiguous',
      'fill in the metric of "amount"',
      'fill in the item of "amount"',
      'fill in the unit of "amount"',
      'columns that are not read: where, note',
    ]);
    const read = async (given: object) => collect(defineDataset(given), { files: [table] });
    await expect(read(document)).rejects.toThrow('document: region.name is still "?"; fill it in');
    await expect(read({ ...document, region: 'where' })).rejects.toThrow(/ is still "\?"; fill it in$/);
  });

  it('leaves gaps for numbers that can be two, and for a unit of which a multiple or a currency is unknown', async () => {
    const tabs = file(
      'tabs.tsv',
      'country\tyear\twheat yield (t/ha)\nFrance\t2020\t5,123\nGermany\t2021\t6,250\n',
    );
    expect((await suggestDocument(tabs)).document).toMatchObject({ decimal: '?' });
    const units = file(
      'units.csv',
      'country,year,wheat_area_1000_ha,wheat_price_eur_t\nFrance,2020,5,180\nSpain,2021,6,190\n',
    );
    const { document } = await suggestDocument(units);
    expect(document.values).toMatchObject([{ unit: { name: '?' } }, { unit: { name: '?' } }]);
  });

  it.each([
    ['2020-02-29T00:00:00+01:00', 'YYYY-MM-DD'],
    ['2020/02/29', 'YYYY/MM/DD'],
    ['29-Feb-2020', 'DD Mon YYYY'],
    ['Feb-2020', 'Mon YYYY'],
    ['202002', 'YYYYMM'],
    ['2020-S1', 'YYYYSn'],
    ['2020-B1', 'YYYYBn'],
    ['2020-D060', 'YYYYDnnn'],
    ['2020060', 'YYYYDDD'],
    ['2019/20', 'YYYY/YY'],
    ['Q1 2020', 'Qn YYYY'],
    ['H1 2020', 'Sn YYYY'],
    ['2020/060', 'YYYY/DDD'],
    ['02/29/20', 'MM/DD/YY'],
    ['29/02/2020 00:00', 'DD/MM/YYYY'],
    ['02/03/2020', '?'],
    ['02/03/20', '?'],
    ['2010-11', '?'],
  ])('finds the format of dates, and says where there are two: %s is %s', async (date, format) => {
    const table = file('dates.csv', `place,when,v\nIowa,${date},1\nOhio,${date},1\n`);
    const { document, notes } = await suggestDocument(table);
    expect(document.start_date).toEqual({ column: 'when', format });
    expect(notes.some((note) => note.startsWith(`fill in the format of "when": "${date}" could be `))).toBe(
      format === '?',
    );
  });

  it.each([
    ['year,yday', '2020,59\n2020,60', { year: 'year', day_of_year: 'yday' }],
    ['YEAR,MO,DY', '2020,2,28\n2020,2,29', { year: 'YEAR', month: 'MO', day: 'DY' }],
    ['Year,Month', '2020,JAN\n2020,FEB', { year: 'Year', month: 'Month' }],
    ['Year,Quarter', '2020,Q1\n2020,Q2', { year: 'Year', quarter: 'Quarter' }],
  ])('joins the columns of a date: %s', async (header, dates, start_date) => {
    const rows = dates.split('\n').map((date, i) => `${date},Iowa,${i}.5\n`);
    const { document } = await suggestDocument(
      file('parts.csv', `${header},state,Corn yield (t/ha)\n${rows.join('')}`),
    );
    expect(document).toMatchObject({ start_date, values: 'Corn yield (t/ha)' });
  });

  it('dates weeks of crop progress by their ends, and takes no number of the row for a value', async () => {
    const weeks = ['2023-06-04', '2023-05-28'].map(
      (end, i) => `"${i + 1}","2023","WEEK #${22 - i}","${end}","IOWA","CORN","9${i}"\n`,
    );
    const table = file(
      'progress.csv',
      `"","Year","Period","Week Ending","State","Commodity","Value"\n${weeks.join('')}`,
    );
    const { document, notes } = await suggestDocument(table);
    expect(document).toMatchObject({
      start_date: { column: 'Week Ending', format: 'YYYY-MM-DD', last_day: true },
      frequency: 'weekly',
      values: 'Value',
    });
    expect(notes).toContain('columns that are not read: column 1, Year, Period');
  });

  it('names columns without a name by their position', async () => {
    const table = file('unnamed.csv', ',,year,lat,lon,v\n1,x,2020,42.1,-93.5,5\n2,y,2021,42.2,-93.6,6\n');
    const { document, notes } = await suggestDocument(table);
    expect(document).toMatchObject({
      recognise: { columns: ['year', 'lat', 'lon', 'v'] },
      region: { station: '?' },
      values: 'v',
    });
    expect(notes).toContain('columns that are not read: column 1, column 2');
  });

  it('takes no typing error for a missing value, nor one decimal comma for all', async () => {
    const rows = ['2O2', '196', 'NR', '"1,94"', '204.5', '1l.5', 'lO', '7', '8.5', '9'].map(
      (value, i) => `IA,${2010 + i},${value}\n`,
    );
    const { document } = await suggestDocument(
      file('typing.csv', `State,Year,Yield (bu/ac)\n${rows.join('')}`),
    );
    expect(document).toMatchObject({ missing: ['NA', 'NR'], values: 'Yield (bu/ac)' });
    expect(document).not.toHaveProperty('decimal');
  });

  it.each([
    ['1.234', '1.250', '?'],
    ['1.234', '12.5', '.'],
    ['1.234', '1,5', ','],
    ['0.234', '500', '.'],
  ])('says that 1.234 is ambiguous between semicolons: %s and %s', async (one, other, decimal) => {
    const table = file(
      'points.csv',
      `Land;Jahr;Corn yield (t/ha)\nGermany;2019;${one}\nFrance;2020;${other}\n`,
    );
    expect((await suggestDocument(table)).document.decimal).toBe(decimal);
  });

  it('says when the only date is that of a report', async () => {
    const table = file(
      'reports.csv',
      'report_month,value\n2012-05-01,1881\n2012-06-01,1881\n2012-06-01,1183\n',
    );
    const { document, notes } = await suggestDocument(table);
    expect(document).toMatchObject({
      start_date: { column: '?', format: '?' },
      reporting_date: { column: 'report_month', format: 'YYYY-MM-DD' },
    });
    expect(notes[0]).toBe(
      'fill in "start_date": the only date, "report_month", was used as the reporting date',
    );
  });

  it('takes no remark for a code of a region', async () => {
    const table = file('remarks.csv', 'year,check,Corn yield (t/ha)\n2020,OK,1\n2021,OK,2\n');
    expect((await suggestDocument(table)).document).toMatchObject({ region: { name: '?' } });
  });

  it('names the texts that nothing has as its name', async () => {
    const rows = ['Iowa,Goats', 'Iowa,Oats', 'Iowa,Corn'].map(
      (row) => `2020,${row},Production quantity,1,t\n`,
    );
    const table = file('goats.csv', `year,state,item,metric,value,unit\n${rows.join('')}`);
    const { document, notes } = await suggestDocument(table);
    expect(document).toMatchObject({ item: 'item', region: { column: 'state', level: 'province' } });
    expect(notes).toEqual([
      '"item" contains items that are not in the vocabulary: Goats; map them with "names", or add them with "define"',
    ]);
  });

  it('takes columns titled metric and unit for such, though the vocabulary has none of their names', async () => {
    const text = 'date,region,item,metric,value,unit\n2025-01-02,Iowa,Corn,Futures price,450.5,$/bu\n';
    const { document, notes } = await suggestDocument(file('futures.csv', text));
    expect(document).toMatchObject({ metric: 'metric', item: 'item', unit: 'unit', values: 'value' });
    expect(notes).toEqual([
      expect.stringContaining('"metric" contains metrics that are not in the vocabulary: Futures price;'),
      expect.stringContaining('"unit" contains units that are not in the vocabulary: $/bu;'),
    ]);
  });

  it('refuses a file that is no table', async () => {
    await expect(suggestDocument(file('words.txt', 'one\ntwo\n'))).rejects.toThrow(
      'words.txt is not a table with several columns',
    );
    const utf16 = file('wide.csv', Buffer.from('\uFEFFyear,t\n2020,1\n', 'utf16le'));
    await expect(suggestDocument(utf16)).rejects.toThrow(
      'wide.csv is not a table: it is text in UTF-16; save it',
    );
    await expect(suggestDocument(join(folder, 'absent.csv'))).rejects.toThrow('cannot be read');
  });
});
