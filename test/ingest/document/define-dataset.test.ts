import { describe, expect, it, onTestFinished } from 'vitest';
import { defineDataset } from '../../../src/ingest/document/define-dataset.js';
import { dryRun } from '../../../src/ingest/dry-run.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { fillWithDemo } from '../../journeys/demo-service.js';
import { openFilledStore } from '../../store-templates.js';
import { temporaryFiles } from '../../temporary-files.js';
import { collect, figureLines, named, rejects } from '../collect.js';
import { CORN } from '../fixtures.js';
import { newStore } from '../stores.js';
import { zipped } from '../zipped.js';
import { COMMON_KEYS } from './common-keys.js';

const TABLE = 'test/fixtures/csv/corn.tsv';
const { file } = temporaryFiles();

const STATIONS = {
  source: { name: 'Cooperative stations' },
  region: { station: 'id', name: 'title', latitude: 'lat', longitude: 'lon' },
  metric: { name: 'Temperature' },
  item: { name: 'Temperature max' },
  unit: { name: '°F' },
  start_date: 'day',
  values: 'high',
};

describe('csv', () => {
  it('reads columns by the document, and resolves names', async () => {
    const all = await collect(defineDataset(CORN), { files: [TABLE] });
    expect(figureLines(all)).toEqual([
      'Area harvested | Corn | Alabama | 1988-01-01/1988-12-31 | 180000 ac',
      'Yield | Corn | Alabama | 1988-01-01/1988-12-31 | 47 bu/ac (corn)',
      'Area harvested | Corn | Georgia, United States | 1988-01-01/1988-12-31 | 500000 ac',
      'Yield | Corn | Georgia, United States | 1988-01-01/1988-12-31 | 66 bu/ac (corn)',
      'Area harvested | Corn | Georgia, United States | 1989-01-01/1989-12-31 | 550000 ac',
      'Yield | Corn | Georgia, United States | 1989-01-01/1989-12-31 | 95 bu/ac (corn)',
      'Area harvested | Corn | Iowa | 1989-01-01/1989-12-31 | null ac',
    ]);
    expect(named(all.entities.sources, 'Corn by state')).toMatchObject({ licence: 'Public domain' });
  });

  it('rejects rows as a whole, and names what was not found', async () => {
    const all = await collect(defineDataset(CORN), { files: [TABLE] });
    expect(rejects(all)).toEqual([
      '5: there is no region at the level "province" called "Atlantis"; similar names: Atlántico, Colombia (540216131); Atlántida, Honduras (546750356)',
      '7: the date "19x9" is not in the format YYYY',
      '8: the acres "lots" is not a number',
    ]);
  });

  it('reads the tables of an archive without its documents', async () => {
    const table = 'year,state,v\n2020,Iowa,1\n';
    const document = { ...COMMON_KEYS, region: 'state' };
    const path = file(
      'archive.zip',
      zipped({ 'README.txt': 'About', 'licence.pdf': '%PDF', 'a.csv': table }),
    );
    const all = await collect(defineDataset(document), { files: [path] });
    expect(all.points).toHaveLength(1);
    expect(all.notes).toContain('these files in archive.zip are not read: README.txt, licence.pdf');
  });

  it('gives the text of a rejected row with its own delimiter and quotes', async () => {
    const text = 'id;title;lat;lon;day;high\nA;"Am ""See""; Ost";48,1;11,5;2023074;1.2.3\n';
    const start_date = { column: 'day', format: 'YYYYDDD' };
    const files = [file('quoted.csv', text)];
    const all = await collect(defineDataset({ ...STATIONS, start_date, delimiter: ';', decimal: ',' }), {
      files,
    });
    expect(all.rejected.map((row) => row.text)).toEqual(['A;"Am ""See""; Ost";48,1;11,5;2023074;1.2.3']);
  });

  it('reads decimal commas, of coordinates too, and never takes one for a thousands separator', async () => {
    const text =
      'id;title;lat;lon;day;high\nA;Munich;48,137;11,575;2023074;"12,345"\nA;Munich;48,137;11,575;2023075;9\n';
    const start_date = { column: 'day', format: 'YYYYDDD' };
    const document = { ...STATIONS, start_date, delimiter: ';' };
    const files = [file('commas.csv', text)];
    const all = await collect(defineDataset({ ...document, decimal: ',' }), { files });
    expect(all.points.map(({ start, value }) => [start, value])).toEqual([
      ['2023-03-15', 12.345],
      ['2023-03-16', 9],
    ]);
    expect(named(all.entities.regions, 'Munich')).toMatchObject({ latitude: 48.137, longitude: 11.575 });
    const unsaid = await collect(defineDataset(document), { files });
    // Degrees never have a thousands separator.
    expect(unsaid.points.map(({ value }) => value)).toEqual([9]);
    expect(unsaid.rejected.map(({ reason }) => reason)).toEqual([
      'the high "12,345" could be 12.345 or 12345; set "decimal": "," or "thousands": "," in the document',
    ]);
  });

  it('notes ambiguous names once', async () => {
    const states = defineDataset({ ...CORN, region: 'state' });
    const options = { files: [TABLE], maxRejectedShare: 0.5 };
    const report = await dryRun(states, options);
    expect(report.notes).toEqual([
      'region "Georgia" was read as Georgia, Asia (268); it could also be Georgia, United States (10013); set "level" or "within" of the region in the document to distinguish them',
      expect.stringContaining('there is no region called "Atlantis"; similar names: '),
    ]);
    expect(report.entities.sources).toMatchObject([{ name: 'Corn by state' }]);
  });

  it('resolves entities of earlier imports', async () => {
    const store = await openFilledStore('demo', fillWithDemo);
    onTestFinished(() => store.close());
    const table = file('rain.csv', 'day,where,mm\n2012-01-01,Seattle weather station,3.5\n');
    const document = {
      source: { name: 'My gauge' },
      region: 'where',
      metric: { name: 'precipitation' },
      item: { name: 'rainfall' },
      unit: { name: 'mm' },
      start_date: 'day',
      values: 'mm',
    };
    const trial = async () => {
      const { rows, rejectedRows, entities } = await dryRun(defineDataset(document), {
        files: [table],
        store,
      });
      return { rows, rejectedRows, sources: entities.sources!.map(({ name }) => name) };
    };
    expect(await trial()).toEqual({ rows: 1, rejectedRows: 0, sources: ['My gauge'] });
    const report = await importDataset(store, defineDataset(document), { files: [table] });
    expect(report).toMatchObject({ added: 1, rejectedRows: 0, notes: [] });
    expect(await trial()).toEqual({ rows: 1, rejectedRows: 0, sources: [] });
    expect(await importDataset(store, defineDataset(document), { files: [table] })).toMatchObject({
      added: 0,
      unchanged: 1,
    });
  });

  it('notes once that a bushel without its crop does not convert, and which ones do', async () => {
    const table = file('bushels.csv', 'year,v,u\n2011,150,bu/ac\n2012,120,bu/ac\n2013,9,t/ha\n');
    const document = { ...COMMON_KEYS, metric: { name: 'Yield' }, unit: 'u' };
    const { notes, rejectedRows } = await dryRun(defineDataset(document), { files: [table] });
    expect(rejectedRows).toBe(0);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/^unit "bu\/ac" cannot be converted.*bu\/ac \(corn\), bu\/ac \(soybeans\)/);
  });

  it.each([[{}], [{ unit: { name: 'bushel' } }]])(
    'rejects every row where one name for all rows is unknown: %o',
    async (unit) => {
      const one = file('one.csv', 'day,high\n2020-01-01,3\n2020-01-02,4\n');
      const document = { ...STATIONS, region: { name: 'Atlantis' }, ...unit };
      const all = await collect(defineDataset(document), { files: [one] });
      expect(all.rejected.map(({ line }) => line)).toEqual([2, 3]);
    },
  );

  it('hides no row behind bytes of zero at the end of a file', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `Iowa,2020-01-${String(i + 1).padStart(2, '0')},3\n`);
    const torn = file(
      'torn.csv',
      `place,day,high\n${rows.join('')}${'\0'.repeat(4096)}\n${'Iowa,2020-02-01,3\n'.repeat(2)}`,
    );
    const places = defineDataset({ ...STATIONS, region: 'place' });
    const report = await dryRun(places, { files: [torn], maxRejected: 5 });
    expect([report.rows, report.points, report.rejectedRows, report.duplicates]).toEqual([33, 31, 1, 1]);
  });

  describe('with too many rejected rows', () => {
    const places = defineDataset({ ...STATIONS, region: 'place' });
    const table = (name: string, row: (i: number) => string) =>
      file(name, `place,day,high\n${Array.from({ length: 25_000 }, (_, i) => row(i)).join('\n')}\n`);
    const counting = (path: string) => {
      const sizes: number[] = [];
      const onRejected = (some: readonly unknown[]) => void sizes.push(some.length);
      return { sizes, options: { files: [path], onRejected } };
    };

    it('says how many rows are rejected before all of them are passed on', async () => {
      const { sizes, options } = counting(table('many.csv', () => 'Nowhere,2020-01-01,3'));
      await expect(importDataset(await newStore(), places, options)).rejects.toThrow(
        '25000 of 25000 values cannot be used, which is more than 5 %; the import ended after 10000 of them; the first is line 2 of many.csv: ',
      );
      expect(sizes).toEqual([10_000]);
      const report = await dryRun(places, { ...options, maxRejected: 25_000 });
      expect([report.rejectedRows, ...sizes.slice(1)]).toEqual([25_000, 10_000, 10_000, 5_000]);
    });

    it('looks at no more texts', async () => {
      const { sizes, options } = counting(table('distinct.csv', (i) => `Iowa,2020-01-01,x${i}`));
      await expect(importDataset(await newStore(), places, options)).rejects.toThrow(
        'at least 2048 of 25000 values cannot be used, which is more than 5 %; the first is line 2 of distinct.csv: ',
      );
      expect(sizes).toEqual([2_048]);
    });
  });

  it('rejects an unknown unit with the nearest one', async () => {
    const table = file('units.csv', 'day,v,u\n2012-01-01,1,F\n2012-01-02,2,mm\n2012-01-03,3,furlong\n');
    const document = { ...COMMON_KEYS, metric: { name: 'precipitation' }, unit: 'u', start_date: 'day' };
    const all = await collect(defineDataset(document), { files: [table] });
    expect(all.rejected.map(({ reason }) => reason)).toEqual([
      'there is no unit called "F"; did you mean "°F" (degree Fahrenheit)?',
      'there is no unit called "furlong"; run "cropframe units" to list the units, or define the unit in the document',
    ]);
    expect(all.points).toHaveLength(1);
  });

  it('rejects rows that have a station elsewhere than a row, a file or an import before', async () => {
    const place = (name: string, fields: string) => file(name, `id,title,lat,lon,day,high\n${fields}\n`);
    const first = place('first.csv', '1,Ames,42,-93.6,2001-01-01,70\n1,Berlin,52,13,2001-01-02,60');
    const second = place('second.csv', '1,Bern,42,7.4,2001-01-03,60');
    const later = place('later.csv', '1,Ames,42.05,-93.6,2001-01-04,71\n1,Bonn,50,-93.6,2001-01-05,60');
    const store = await newStore();
    const importFiles = async (...files: string[]) => {
      const reasons: string[] = [];
      const report = await importDataset(store, defineDataset(STATIONS), {
        files,
        maxRejectedShare: 1,
        onRejected: (rows) => void reasons.push(...rows.map(({ reason }) => reason)),
      });
      return { added: report.added, reasons };
    };
    const elsewhere = (axis: string) =>
      `the station "1" has ${axis} in an earlier row or import; use a different identifier for each place`;
    expect(await importFiles(first, second)).toEqual({
      added: 1,
      reasons: [
        elsewhere('latitude 52 in this row, but 42'),
        elsewhere('longitude 7.4 in this row, but -93.6'),
      ],
    });
    expect(await importFiles(later)).toEqual({
      added: 1,
      reasons: [elsewhere('latitude 50 in this row, but 42')],
    });
  });

  it('adds the stations that the table describes as regions of their counties', async () => {
    const table = file(
      'stations.csv',
      'id,title,lat,lon,day,high\nIA0200,AMES-8-WSW,42.03,-93.8,1990-01-01,31\nX1,,0,-150,1990-01-01,80\nX2,,91,0,1990-01-01,80\n',
    );
    const all = await collect(defineDataset(STATIONS), { files: [table] });
    expect(named(all.entities.regions, 'AMES-8-WSW')).toMatchObject({
      level: 9,
      belongsTo: [119_015],
      latitude: 42.03,
      aliases: ['IA0200'],
    });
    expect(named(all.entities.regions, 'X1').belongsTo).toEqual([0]);
    expect(figureLines(all)).toEqual([
      'Temperature | Temperature max | AMES-8-WSW | 1990-01-01 | 31 °F',
      'Temperature | Temperature max | X1 | 1990-01-01 | 80 °F',
    ]);
    expect(rejects(all)).toEqual(['4: the latitude 91 is not between -90 and 90 degrees']);
  });

  it('has stations without coordinates in the container that the document names, unless the store locates them', async () => {
    const within = { column: 'place', code: 'iso' };
    const aliases = ['{id}', '{title}'];
    const document = { ...STATIONS, region: { ...STATIONS.region, within, aliases } };
    const header = 'id,title,lat,lon,place,day,high\n';
    const unknown = file(
      'unknown.csv',
      `${header}A,Ames,,,US-IA,1990-01-01,31\nB,,,-93.6,US,1990-01-01,32\nC,Buoy,,,,1990-01-01,33\n`,
    );
    const { entities } = await collect(defineDataset(document), { files: [unknown] });
    expect(named(entities.regions, 'Ames')).toMatchObject({ belongsTo: [10_019], latitude: null });
    expect(named(entities.regions, 'B')).toMatchObject({ belongsTo: [840], longitude: null, aliases: ['B'] });
    expect(named(entities.regions, 'Buoy').belongsTo).toEqual([0]);
    const store = await newStore();
    const located = file('located.csv', `${header}A,Ames,42.03,-93.8,US-IA,1990-01-02,31\n`);
    for (const path of [located, unknown])
      await importDataset(store, defineDataset(document), { files: [path] });
    const ames = (await store.lookup('regions', null)).find(({ name }) => name === 'Ames');
    expect(ames).toMatchObject({ belongsTo: [119_015], latitude: 42.03 });
  });
});
