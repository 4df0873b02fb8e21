import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import {
  EXIT,
  failureMessage,
  Interruption,
  NothingFoundError,
  reportFailure,
} from '../../../src/cli/terminal/exit-codes.js';
import { errorOfStatus } from '../../../src/contract/problems.js';
import {
  ArgumentError,
  AuthenticationError,
  badArgument,
  CoverageError,
  NetworkError,
  NotFoundError,
  RuntimeError,
  StoreError,
  UnitError,
} from '../../../src/model/errors.js';
import { PartialDataError } from '../../../src/model/report.js';
import { recordingIo } from '../capture.js';

const BROKEN_PIPE = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });

describe('exit codes', () => {
  it.each([
    [new ArgumentError('unit', 'no'), EXIT.usage],
    [new UnitError(10, 'unit_id 10 is not convertible'), EXIT.usage],
    [new CommanderError(1, 'commander.unknownOption', 'no'), EXIT.usage],
    [new CommanderError(0, 'commander.helpDisplayed', 'help'), EXIT.ok],
    [new NothingFoundError('nothing'), EXIT.nothingFound],
    [new NotFoundError(404, 'lookup', 'nothing'), EXIT.nothingFound],
    [new RuntimeError('no token'), EXIT.authentication],
    [new AuthenticationError(401, 'search', 'no'), EXIT.authentication],
    [new PartialDataError([], () => null), EXIT.partialData],
    [new CoverageError(0.5, 1, 'half'), EXIT.partialData],
    [new StoreError('busy'), EXIT.failure],
    [new TypeError('a mistake of ours'), EXIT.failure],
    [new Interruption('SIGINT'), EXIT.interrupted],
    [BROKEN_PIPE, EXIT.ok],
  ])('of %s is %i', async (error, code) => {
    expect(await reportFailure(error, recordingIo().io, new Map())).toBe(code);
  });

  it('does not depend on the stack trace, which follows the message', async () => {
    const error = new StoreError('busy');
    Object.defineProperty(error, 'stack', {
      get() {
        throw new RangeError('no trace');
      },
    });
    const { io, stderr } = recordingIo({ env: { CROPFRAME_DEBUG: '1' } });
    expect(await reportFailure(error, io, new Map())).toBe(EXIT.failure);
    expect(stderr.text).toBe('error: busy\n');
  });
});

describe('failureMessage', () => {
  it('includes the remedy', () => {
    expect(failureMessage(new NetworkError('x could not be reached'))).toContain('--host');
  });

  it('lists many failed series in ten lines', () => {
    const report = Array.from({ length: 1_000 }, (_, i) => ({
      series: { metric_id: 1, item_id: i, region_id: 3, partner_region_id: 0, source_id: 5, frequency_id: 6 },
      rows: 0,
      outcome: 'failed' as const,
      reason: `${'a long reason\n'.repeat(100)}`,
      truncated: false,
      from_cache: false,
    }));
    const lines = failureMessage(new PartialDataError(report, () => null))!.split('\n');
    expect(lines).toHaveLength(10);
    expect(lines[0]).toBe('1000 of 1000 series failed:');
    expect(lines[1]).toContain('1-0-3-0-');
    expect(lines[9]).toBe('  … and 992 more');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(310);
  });

  it('names flags and the service, not the parameters and operations of the client', () => {
    const flags = new Map([
      ['cors', '--cors'],
      ['allowedHosts', '--allowed-host'],
      ['set', '--set'],
    ]);
    const said = (name: string) => failureMessage(badArgument(name, 'is wrong'), flags);
    expect(['cors[0]', 'allowedHosts[12]', 'settings.released', 'other'].map(said)).toEqual([
      '--cors: is wrong',
      '--allowed-host: is wrong',
      '--set released: is wrong',
      'other: is wrong',
    ]);
    const answer = { text: '{"message":"who?"}', retryAfterMs: null, requestId: null };
    const refused = errorOfStatus(401, 'seriesStream', answer);
    expect(failureMessage(refused)).toMatch(
      /^the service responded with status 401: who\?; pass a valid --token/,
    );
  });

  it('writes the names of other arguments as flags, and leaves alone what the user wrote', () => {
    const flags = new Map([
      ['start_date', '--start'],
      ['end_date', '--end'],
      ['store', '--store'],
    ]);
    const problem = (nameOf: (name: string) => string) => `2020 is after ${nameOf('end_date')} 2019`;
    const late = badArgument('start_date', problem, { remedy: 'swap them' });
    expect(failureMessage(late, flags)).toBe('--start: 2020 is after --end 2019; swap them');
    expect(late).toMatchObject({
      message: 'start_date: 2020 is after end_date 2019; swap them',
      argument: 'start_date',
      problem: '2020 is after end_date 2019',
      remedy: 'swap them',
    });
    for (const text of ['no item is called "start_date"', 'nothing was fetched into store_id.duckdb'])
      expect(failureMessage(new NothingFoundError(text), flags)).toBe(text);
  });

  it('is silent about a broken pipe, and marks an unexpected error', () => {
    expect(failureMessage(BROKEN_PIPE)).toBeNull();
    expect(failureMessage(new TypeError('oh'))).toBe(
      'unexpected: oh (set CROPFRAME_DEBUG=1 for a stack trace)',
    );
  });
});
