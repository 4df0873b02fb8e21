import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BatchBuilder } from '../../../src/ingest/batch/batch-builder.js';
import { DayRecords } from '../../../src/ingest/ghcnd/day-records.js';
import { Observations } from '../../../src/ingest/ghcnd/observations.js';
import type { ImportBatch } from '../../../src/ingest/importer.js';
import { RowSink } from '../../../src/ingest/reading/row-sink.js';
import { loadRegionLocator } from '../../../src/ingest/regions/locate.js';

const locator = await loadRegionLocator();
const PROGRESS = { label: '', done: 0, total: 0, unit: '' };

/** What becomes of a by-year file in batches of so many records; with plain records read as such, or all in general. */
function read(text: string, { readsPlain, records: perBatch }: { readsPlain: boolean; records: number }) {
  const batch = new BatchBuilder();
  const context = { batch, locator, stations: new Map(), importedMs: 1e12, keepFlagged: false };
  const observations = new Observations(context);
  const sink = new RowSink<DayRecords>({
    batch,
    file: 'year.csv',
    addRow: (record) => observations.addDay(record),
    formatRow: (record) => record.text,
  });
  const records = new DayRecords();
  const batches: ImportBatch[] = [];
  let [plain, all] = [0, 0];
  batch.beginText({ name: 'year.csv' });
  for (records.open({ text, firstLine: 1 }); records.next(); ) {
    if (readsPlain && observations.addPlainDay(records)) {
      sink.countAdded();
      plain++;
    } else sink.write(records, records.line);
    if (++all % perBatch === 0) batches.push(batch.take(PROGRESS));
  }
  return { batches: [...batches, batch.take(PROGRESS)], plain };
}

/** Mostly records that are in order, and some of each kind that is not. */
const record = fc
  .record({
    station: fc.constantFrom('USC00042319', 'USC00042319', 'USC00042320', 'USC0004231', 'usc00042319'),
    date: fc.constantFrom('20200101', '20200101', '20200102', '20200230', '2020010', '2020-01-01', ''),
    element: fc.constantFrom('TMAX', 'TMAX', 'PRCP', 'SNOW', 'WT01', ''),
    value: fc.constantFrom('12', '-3', '-0', '0', '-9999', '1.5', '', ' 7', '1234567890', 'x'),
    flags: fc.constantFrom(
      ',,7,0700',
      ',,7,0700',
      ',,',
      ',',
      '',
      'T,,7,',
      ',X,7,',
      ' , ,7,',
      ',,7,0700,more',
    ),
    end: fc.constantFrom('\n', '\n', '\r\n', '\n\n'),
  })
  .map((row) => `${row.station},${row.date},${row.element},${row.value},${row.flags}${row.end}`);

describe('PlainDays', () => {
  it('adds what records in general are read as', () => {
    const texts = fc.array(record, { maxLength: 60 }).map((records) => records.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 20 }), (text, records) => {
        const { batches } = read(text, { readsPlain: true, records });
        expect(batches).toEqual(read(text, { readsPlain: false, records }).batches);
      }),
    );
  });

  it('reads all records but the first of each station and element, or day', () => {
    const stations = ['USC00042319', 'USC00042320', 'GM000010962'];
    const lines = ['20200101', '20200102', '20200103'].flatMap((day) =>
      stations.flatMap((station) => [`${station},${day},TMAX,1,,,7,`, `${station},${day},TMIN,-1,,,7,`]),
    );
    expect(read(`${lines.join('\n')}\n`, { readsPlain: true, records: 100 }).plain).toBe(18 - 6 - 2);
  });
});
