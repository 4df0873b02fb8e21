import { describe, expect, it } from 'vitest';
import { defineDataset } from '../../../src/ingest/document/define-dataset.js';
import { temporaryFiles } from '../../temporary-files.js';
import { collect } from '../collect.js';

const { file } = temporaryFiles();

describe('hours', () => {
  const hours = (day: string, figure: (hour: number) => unknown, count = 24) =>
    Array.from(
      { length: count },
      (_, hour) => `${day}T${String(hour).padStart(2, '0')}:00,${figure(hour)}\n`,
    );
  const DOCUMENT = {
    source: { name: 'Stations' },
    region: { name: 'Iowa', level: 'province' },
    metric: { name: 'Temperature' },
    unit: { name: '°C' },
    divide_by: 10,
    missing: ['-9999'],
    zero: ['-'],
    marks: { '*': 'estimated' },
    start_date: 'time',
    days: { hour: 'time', figures: [{ columns: '^temp$', functions: ['min', 'max', 'mean'] }] },
    values: ['min', 'max', 'mean'].map((of) => ({
      column: `temp ${of}`,
      item: { name: `Temperature ${of}` },
    })),
  };
  const read = async (rows: readonly string[], days: object = {}) => {
    const files = [file('hours.csv', `time,temp\n${rows.join('')}`)];
    const document = { ...DOCUMENT, days: { ...DOCUMENT.days, ...days } };
    const { points, entities, rejected } = await collect(defineDataset(document), { files });
    return [
      ...points.map((one) => `${entities.items.get(one.item_id)!.name} ${one.start} ${one.value}`),
      ...rejected.map(({ line, reason }) => `${line}: ${reason}`),
    ];
  };

  it('become the least, the greatest and the mean of a day', async () => {
    expect(
      await read([...hours('2024-02-28', (hour) => hour * 10 || '-'), ...hours('2024-02-29', () => -5)]),
    ).toEqual([
      'Temperature max 2024-02-28 23',
      'Temperature min 2024-02-28 0',
      'Temperature mean 2024-02-28 11.5',
      'Temperature max 2024-02-29 -0.5',
      'Temperature min 2024-02-29 -0.5',
      'Temperature mean 2024-02-29 -0.5',
    ]);
  });

  it.each([
    ['an hour lacks', hours('2024-02-28', () => 1, 23), {}, []],
    ['an hour is missing', hours('2024-02-28', (hour) => (hour === 5 ? -9999 : 1)), {}, []],
    [
      'an hour has two figures',
      [...hours('2024-02-28', () => 1), '2024-02-28T05:00,2\n'],
      {},
      ['1 and 2 at 5:00'],
    ],
    ['an hour has no number', hours('2024-02-28', (hour) => (hour === 5 ? '1x' : 1)), {}, ['"1x at 5:00"']],
    ['an hour has a mark', hours('2024-02-28', (hour) => (hour === 5 ? '9*' : 1)), {}, ['"9* at 5:00"']],
    ['a time is no full hour', ['2024-02-28T00:15,1\n'], {}, ['00:15 (not a complete row for a full hour)']],
    ['a row is cut short', ['2024-02-28T00:00\n'], {}, ['00:00 (not a complete row for a full hour)']],
  ])('give no figure where %s', async (_, rows, days, reasons) => {
    const found = await read(rows, days);
    expect(found).toHaveLength(reasons.length);
    for (const reason of reasons) expect(found.join()).toContain(reason);
  });

  it.each(['3', '03', '03:00', '0300', '0300 UTC', '03:00:00 UTC'])('are written as %s', async (hour) => {
    const rows = [`2024-02-28 ${hour},17\n`, '2024-02-28 0330,1\n'];
    const found = await read(rows, { at_least: 1 });
    expect(found[0]).toBe('Temperature max 2024-02-28 1.7');
    expect(found.at(-1)).toContain('0330 (not a complete row for a full hour)');
  });

  it('of many places are of one day, however far apart, or the file is refused', async () => {
    const table = (places: number) => {
      const hours = [0, 1].flatMap((hour) =>
        Array.from({ length: places }, (_, place) => `P${place},2024-02-28T0${hour}:00,${10 * hour}\n`),
      );
      return file('places.csv', `place,time,temp\n${hours.join('')}`);
    };
    const document = {
      ...DOCUMENT,
      region: { station: 'place', latitude: 42, longitude: -93 },
      days: { ...DOCUMENT.days, by: ['place'], at_least: 1 },
    };
    const read = (places: number) => collect(defineDataset(document), { files: [table(places)] });
    const { points } = await read(1_200);
    expect(new Set(points.map(({ value }) => value))).toEqual(new Set([0, 1, 0.5]));
    expect(points).toHaveLength(3 * 1_200);
    await expect(read(10_001)).rejects.toThrow(
      'places.csv, line 10003: the rows of one day are separated by rows of 10000 or more other days; sort the rows by place and day',
    );
  });

  it('may be fewer, where the document says so', async () => {
    expect(
      await read(
        hours('2024-02-28', (hour) => hour, 18),
        { at_least: 18 },
      ),
    ).toContain('Temperature max 2024-02-28 1.7');
  });
});
