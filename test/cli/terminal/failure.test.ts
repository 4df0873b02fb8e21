import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import {
  EXIT,
  failureMessage,
  Interruption,
  NothingFoundError,
  reportFailure,
} from '../../../src/cli/terminal/exit-codes.js';
import {
  ArgumentError,
  AuthenticationError,
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
    const said = (name: string) => failureMessage(new ArgumentError(name, `${name}: is wrong`), flags);
    expect(['cors[0]', 'allowedHosts[12]', 'settings.released', 'other'].map(said)).toEqual([
      '--cors: is wrong',
      '--allowed-host: is wrong',
      '--set released: is wrong',
      'other: is wrong',
    ]);
    const refused = new AuthenticationError(401, 'seriesStream', 'seriesStream answered 401: who?');
    expect(failureMessage(refused)).toMatch(/^the service answered 401: who\?; give a valid --token/);
  });

  it('is silent about a broken pipe, and marks an unexpected error', () => {
    expect(failureMessage(BROKEN_PIPE)).toBeNull();
    expect(failureMessage(new TypeError('oh'))).toBe(
      'unexpected: oh (set CROPFRAME_DEBUG=1 for a stack trace)',
    );
  });
});
