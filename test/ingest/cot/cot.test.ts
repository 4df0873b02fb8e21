import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import type { ImporterSettings } from '../../../src/model/importing/job.js';
import { temporaryFiles } from '../../temporary-files.js';
import { type Collected, collect, inWords, pointsOf } from '../collect.js';
import { zipped } from '../zipped.js';

const LEGACY = 'test/fixtures/cot/annual.txt';
const DISAGGREGATED = 'test/fixtures/cot/f_year.txt';

const { file } = temporaryFiles();
const cot = documentImporter('cot');

const read = (path: string, settings: ImporterSettings = {}): Promise<Collected> =>
  collect(cot, { files: [path], settings });

const values = (all: Collected, metric: string, item: string, source?: string): unknown[] =>
  pointsOf(all, { metric, item, ...(source !== undefined && { source }) }).map(({ start, value }) => [
    start,
    value,
  ]);

describe('cot', () => {
  it.each([LEGACY, DISAGGREGATED])('never makes one series of two columns of %s', async (path) => {
    const { points } = await read(path);
    const keys = points.map((point) => JSON.stringify({ ...point, value: 0 }));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('reads futures only and combined, each under a source of its own', async () => {
    const all = await read(DISAGGREGATED);
    const ofCorn = (source: string) => values(all, 'Long positions, managed money', 'Corn', source);
    expect(ofCorn('CFTC COT disaggregated, futures')).toEqual([['2021-03-16', 2300]]);
    expect(ofCorn('CFTC COT disaggregated, combined')).toEqual([['2021-03-16', 2310]]);
  });

  it("tells futures only from combined by the names of the CFTC's archives, or by the setting", async () => {
    const text = readFileSync(LEGACY, 'utf8');
    const sourceOf = async (path: string, settings?: ImporterSettings): Promise<string> =>
      inWords(await read(path, settings))[0]!.source;
    const [futures, combined] = ['CFTC COT legacy, futures', 'CFTC COT legacy, combined'];
    expect(await sourceOf(file('deacot2024.zip', zipped({ 'annual.txt': text })))).toBe(futures);
    expect(await sourceOf(file('deahistfo2024.zip', zipped({ 'annualof.txt': text })))).toBe(combined);
    expect(await sourceOf(file('a.zip', zipped({ 'FUT86_16.txt': text })))).toBe(futures);
    expect(await sourceOf(file('Com95_16.txt', text))).toBe(combined);
    const unnamed = file('cot.txt', text);
    await expect(read(unnamed)).rejects.toThrow('specify the setting "positions": futures or combined');
    expect(await sourceOf(unnamed, { positions: 'combined' })).toBe(combined);
    await expect(read(LEGACY, { positions: 'combined' })).rejects.toThrow('contradict each other');
    await expect(read(file('deahistfo2024.zip', zipped({ 'annual.txt': text })))).rejects.toThrow(
      'contradict',
    );
  });

  it('reads dates of one form alone, also of spreadsheets', async () => {
    const [header, ...rows] = readFileSync(LEGACY, 'utf8').trimEnd().split('\n');
    const corn = rows.filter((row) => row.includes('2024-01-02') || row.includes('1986-01-15'));
    const starts = async (name: string, change: (row: string) => string): Promise<Set<string>> => {
      const all = await read(file(name, [change(header!), ...corn.map(change)].join('\r\n')), {
        positions: 'futures',
      });
      expect(all.rejected).toEqual([]);
      return new Set(all.points.map(({ start }) => start));
    };
    const days = new Set(['2024-01-02', '1986-01-15']);
    const without = (column: number) => (row: string) => row.split(',').toSpliced(column, 1).join(',');
    expect(await starts('short.txt', without(2))).toEqual(days);
    expect(await starts('whole.txt', without(1))).toEqual(days);
    const us = (row: string): string =>
      row
        .replace('YYYY-MM-DD', 'MM_DD_YYYY')
        .replace(/(\d{4})-0(\d)-(\d\d)/, (_, year, month, day) => `${month}/${day}/${year} 12:00:00 AM`);
    expect(await starts('us.txt', us)).toEqual(days);
  });
});

describe('exports of the public reporting environment', () => {
  /** The name there of a column of the yearly files: many lack the crop year, and a number tells them apart. */
  const apiName = (column: string): string => {
    const name = column
      .trim()
      .toLowerCase()
      .replace(/\(|\)|%/g, ' ')
      .trim()
      .replace(/^as of date in form yyyy-mm-dd|^report_date_as_yyyy-mm-dd/, 'report_date_as_yyyy_mm_dd')
      .replace(/^concentration-(\w+) l[te] ?= ?(\d) tdr/, 'conc_$1_le_$2_tdr')
      .replace(/[ -]+/g, '_')
      .replace('noncommercial', 'noncomm')
      .replace('commercial', 'comm')
      .replace('nonreportable', 'nonrept')
      .replace('total_reportable', 'tot_rept')
      .replace('spreading', 'spread')
      .replace('traders_total', 'traders_tot');
    const [, base, crop] = /^(.*)_(all|old|other)$/.exec(name) ?? [];
    if (base === 'noncomm_positions_spread')
      return { all: 'noncomm_postions_spread_all', old: base, other: `${base}_1` }[crop!]!;
    const isNumbered =
      /^(prod_merc_pos|other_rept_pos|m_money_positions_spread|tot_rept_positions_short|traders_other_rept_s|conc_gross)/;
    if (base === 'traders_noncomm_spread' && crop === 'old') return 'traders_noncomm_spead_old';
    return base !== undefined && isNumbered.test(base)
      ? base + { all: '', old: '_1', other: '_2' }[crop!]!
      : name;
  };
  const socrata = (fixture: string) => {
    const [header, ...rows] = readFileSync(fixture, 'utf8').trimEnd().split('\n');
    const names = header!.replaceAll('"', '').split(',').map(apiName);
    const records = rows.map((row) => {
      const fields = row.match(/"[^"]*"|[^",]+/g)!.map((field) => field.replaceAll('"', '').trim());
      return Object.fromEntries(
        names.map((name, i) => [name, fields[i]!] as const).filter(([name]) => !/yymmdd/.test(name)),
      );
    });
    return records.filter((record) => /^\d{4}-/.test(record.report_date_as_yyyy_mm_dd!));
  };
  const csv = (records: readonly Record<string, string>[]) =>
    [Object.keys(records[0]!), ...records.map((record) => Object.values(record))]
      .map((fields) => fields.map((field) => `"${field}"`).join(','))
      .join('\n');
  const figures = (all: Collected) =>
    all.points
      .filter(({ value }) => value !== null)
      .map((point) => JSON.stringify(point))
      .sort();

  it.each([
    ['legacy', LEGACY, { positions: 'futures' }],
    ['disaggregated', DISAGGREGATED, {}],
  ] as const)('of the %s report have the figures of its yearly files', async (_, fixture, settings) => {
    const expected = figures(await read(fixture));
    const records = socrata(fixture).map((record) => ({
      ...record,
      report_date_as_yyyy_mm_dd: `${record.report_date_as_yyyy_mm_dd}T00:00:00.000`,
    }));
    const all = await read(file('export.csv', csv(records)), settings);
    expect([...all.notRead.keys()].filter((kind) => !/^(changes|shares|empty)/.test(kind))).toEqual([]);
    expect(figures(all).filter((one) => expected.includes(one))).toEqual(expected);
    const present = records.map((record) =>
      Object.fromEntries(Object.entries(record).filter(([, text]) => text !== '.')),
    );
    const json = await read(file('answer.json', JSON.stringify(present)), settings);
    expect(figures(json)).toEqual(figures(all));
  });

  const WEEK = {
    market_and_exchange_names: 'CORN - CHICAGO BOARD OF TRADE',
    report_date_as_yyyy_mm_dd: '2024-01-02T00:00:00.000',
    cftc_contract_market_code: '002602',
    open_interest_all: '400',
    commodity_subgroup_name: 'GRAINS',
  };
  it.each([
    [
      'futures',
      'financial, futures',
      { dealer_positions_long_all: '5', asset_mgr_positions_spread: '6', futonly_or_combined: 'FutOnly' },
      ['Long positions, dealer', 'Spread positions, asset manager'],
    ],
    [
      'combined',
      'financial, combined',
      { lev_money_positions_short: '7', futonly_or_combined: 'Combined' },
      ['Short positions, leveraged funds'],
    ],
    [
      'supplemental',
      'supplemental',
      {
        NComm_Postions_Spread_All_NoCIT: '8',
        Traders_NonComm_Long_All_NoCIT: '9',
        pct_oi_cit_long_all: '1',
        change_cit_long_all: '1',
        cit_positions_long_all: '10',
      },
      [
        'Spread positions, non-commercial, non-index',
        'Traders with long positions, non-commercial, non-index',
        'Long positions, index trader',
      ],
    ],
  ] as const)(
    'have the columns of financial futures and index traders: %s',
    async (_, source, columns, metrics) => {
      const all = await read(file('export.csv', csv([{ ...WEEK, ...columns }])));
      expect(all.rejected).toEqual([]);
      expect(metrics.map((metric) => values(all, metric, 'Corn', `CFTC COT ${source}`))).toEqual(
        Object.values(columns)
          .filter((text) => /^[5-9]$|^10$/.test(text))
          .map((text) => [['2024-01-02', Number(text)]]),
      );
    },
  );

  it.each(['2024 Jan 02 12:00:00 AM', '01/02/2024 12:00:00 AM', '2024-01-02T00:00:00.000'])(
    'have dates such as %s',
    async (date) => {
      const row = {
        ...WEEK,
        report_date_as_yyyy_mm_dd: date,
        comm_positions_long_all: '1',
        futonly_or_combined: 'FutOnly',
      };
      expect(values(await read(file('export.csv', csv([row]))), 'Open interest', 'Corn')).toEqual([
        ['2024-01-02', 400],
      ]);
    },
  );
});
