import { describe, expect, it } from 'vitest';
import { progressOptions } from '../../../src/cli/terminal/progress.js';
import type { Progress } from '../../../src/model/progress.js';
import { RecordingStream } from '../capture.js';

/** Draws steps of progress, each some seconds after the previous one. */
function drawn(
  steps: readonly (readonly [seconds: number, progress: Partial<Progress>])[],
  columns = 120,
): string[] {
  const stderr = Object.assign(new RecordingStream(true), { columns });
  let ms = 5_000;
  const { onProgress } = progressOptions({ stderr, signal: new AbortController().signal }, () => ms);
  for (const [seconds, progress] of steps) {
    ms += seconds * 1000;
    onProgress!({ label: 'reading nass', done: 0, total: 1000, unit: 'bytes', ...progress });
  }
  return stderr.text.split('\r\u001b[2K').slice(1);
}

describe('progressOptions', () => {
  it('shows share, rows, rows per second and time left, measured for each step', () => {
    const lines = drawn([
      [30, { label: 'regions', done: 9, total: 9, unit: 'regions' }],
      [4, { done: 250, rows: 2_000 }],
      [4, { done: 500, rows: 4_400 }],
      [12, { done: 1000, rows: 10_000 }],
      [1, { label: 'merging points', done: 0, total: 10_000, unit: 'rows' }],
      [2, { label: 'merging points', done: 6_000, total: 10_000, unit: 'rows' }],
    ]);
    expect(lines).toEqual([
      'regions ████████████████████ 100 % · 9/9 regions\n',
      'reading nass █████░░░░░░░░░░░░░░░ 25 % · 2,000 rows · 500 rows/s · 12 s left',
      'reading nass ██████████░░░░░░░░░░ 50 % · 4,400 rows · 550 rows/s · 8 s left',
      'reading nass ████████████████████ 100 % · 10,000 rows · 500 rows/s\n',
      'merging points ░░░░░░░░░░░░░░░░░░░░ 0 % · 0 rows',
      'merging points ████████████░░░░░░░░ 60 % · 6,000 rows · 2,000 rows/s · 2 s left',
    ]);
  });

  it.each([
    [[1, 59], '59 s left'],
    [[1, 200], '3 min 20 s left'],
    [[1, 7500], '2 h 5 min left'],
  ])('shows the time left: %j', ([done, left], words) => {
    expect(drawn([[done!, { done: done!, total: done! + left!, rows: 1 }]])[0]).toContain(words);
  });

  it('never exceeds the line, and shortens the bar first', () => {
    const half = { done: 500, rows: 4_400 };
    const at = (columns: number): string => drawn([[4, half]], columns)[0]!;
    const rest = '50 % · 4,400 rows · 1,100 rows/s · 4 s left';
    expect(at(80)).toBe(`reading nass ██████████░░░░░░░░░░ ${rest}`);
    expect(at(70)).toBe(`reading nass █████░░░░░ ${rest}`);
    expect(at(60)).toBe(`reading nass ${rest}`);
    expect(at(30)).toBe('reading nass 50 % · 4,400 row…'.slice(0, 28).concat('…'));
    expect(at(0)).toBe(at(80));
  });

  it('draws nothing without a terminal', () => {
    const { signal } = new AbortController();
    expect(progressOptions({ stderr: new RecordingStream(false), signal })).toEqual({ signal });
  });
});
