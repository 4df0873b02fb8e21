import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import type { RejectedRow } from '../../../src/ingest/importer.js';
import { temporaryFiles } from '../../temporary-files.js';
import { type Collected, collect, named, type PlainPoint, pointsOf, rejects } from '../collect.js';
import { newStore } from '../stores.js';

const ghcnd = documentImporter('ghcnd');
const DLY = 'test/fixtures/ghcnd/small.dly';
const BY_YEAR = 'test/fixtures/ghcnd/by-year.csv';
const STATIONS = 'test/fixtures/ghcnd/ghcnd-stations.txt';

const { file } = temporaryFiles();
const series = (all: Collected, item: string, region: string) => pointsOf(all, { item, region });

const plain = ({ start, value, metadata }: PlainPoint): unknown[] => [start, value, metadata];

it('stations have the latitude of the station list, and null without coordinates', async () => {
  const { entities } = await collect(ghcnd, { files: [DLY, STATIONS] });
  const latitudeOf = (name: string) => named(entities.regions, name).latitude;
  expect(latitudeOf('SYDNEY (OBSERVATORY HILL)')).toBe(-33.8607);
  expect(latitudeOf('Station USC00000001')).toBeNull();
});

it('station files that are read together are named with their lines where they contradict each other', async () => {
  const other = file('other.dly', readFileSync(DLY, 'utf8').replace('TMAX   83', 'TMAX   84'));
  const conflicts: RejectedRow[] = [];
  const report = await importDataset(await newStore(), ghcnd, {
    files: [DLY, other],
    maxRejectedShare: 1,
    maxConflicts: 2,
    onConflicts: (rows) => void conflicts.push(...rows),
  });
  expect(report).toMatchObject({ rows: 558, conflicts: 2, duplicates: 8 });
  expect(conflicts.map(({ file, line }) => [file, line])).toEqual([
    ['small.dly', 1],
    ['other.dly', 1],
  ]);
  expect(conflicts[0]!.reason).toMatch(/8\.3 °C here, and 8\.4 °C in line 1 of other\.dly$/);
});

it('a file by year with a header is read as one without', async () => {
  const header = 'ID,DATE,ELEMENT,DATA_VALUE,M_FLAG,Q_FLAG,S_FLAG,OBS_TIME\n';
  const withHeader = file('2012.csv', header + readFileSync(BY_YEAR, 'utf8'));
  const [all, plainly] = [
    await collect(ghcnd, { files: [withHeader] }),
    await collect(ghcnd, { files: [BY_YEAR] }),
  ];
  expect(all.points).toEqual(plainly.points);
  expect(all.notRead).toEqual(plainly.notRead);
});

it('the station list alone is refused by name', async () => {
  await expect(collect(ghcnd, { files: [STATIONS] })).rejects.toThrow(
    'ghcnd-stations.txt is a station list; import it together',
  );
});

it('an import without the station list keeps the names and locations of stations in the store', async () => {
  const store = await newStore();
  const options = { files: [DLY, STATIONS], maxRejectedShare: 0.5 };
  const { entities } = await collect(ghcnd, options);
  const { id } = named(entities.regions, 'SEATTLE TACOMA AP');
  await importDataset(store, ghcnd, options);
  const before = await store.lookup('regions', [id]);
  const report = await importDataset(store, ghcnd, { ...options, files: [BY_YEAR] });
  expect(report.unchanged).toBe(4);
  expect(report.notes).toEqual([]);
  expect(await store.lookup('regions', [id])).toEqual(before);
  expect(before).toMatchObject([{ latitude: 47.4444, belongsTo: [153_033] }]);
});

it('an import of unknown stations notes once that names and locations are missing, and how to add them', async () => {
  const { notes } = await collect(ghcnd, { files: [BY_YEAR] });
  expect(notes).toEqual([
    expect.stringMatching(
      /^station USW00024233 is not in a station list.*import ghcnd-stations\.txt with the files/,
    ),
  ]);
});

it('a file by year has the same points as the station file', async () => {
  const [years, months] = [
    await collect(ghcnd, { files: [STATIONS, BY_YEAR] }),
    await collect(ghcnd, { files: [STATIONS, DLY] }),
  ];
  const max = (all: Collected): PlainPoint[] => series(all, 'Temperature max', 'SEATTLE TACOMA AP');
  expect(max(years)).toEqual(max(months));
  expect(series(years, 'Precipitation', 'SEATTLE TACOMA AP').map(plain)).toEqual([
    ['2012-02-03', 0, { measurement: 'T' }],
  ]);
  expect(rejects(years)).toEqual([
    '6: the date "20120230" is not in the calendar',
    '7: the value "abc" is not a whole number',
    '8: the row has 1 fields, but rows have 8',
  ]);
});
