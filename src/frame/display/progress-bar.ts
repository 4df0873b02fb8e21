import type { Progress } from '../../model/progress.js';

const WIDTH = 24;

/**
 * Returns a function that draws progress on a single terminal line, overwriting the line on each call. It writes a line
 * break when the operation is complete.
 * @param write a function that writes text unchanged, such as `(text) => process.stderr.write(text)`
 * @param lineOf a function that formats the line; `progressLine` by default
 */
export function progressBar(
  write: (text: string) => void,
  lineOf: (progress: Progress) => string = progressLine,
): (progress: Progress) => void {
  let drawn = '';
  return (progress) => {
    const line = lineOf(progress);
    if (line === drawn) return;
    drawn = line;
    const isDone = progress.total !== null && progress.done >= progress.total;
    write(`\r\u001b[2K${line}${isDone ? '\n' : ''}`);
  };
}

/** Formats an operation's progress, for example as `daily weather ██████░░ 2/3 data sets · 8,766 rows`. */
export function progressLine(progress: Progress): string {
  const { label, done, total, unit, rows } = progress;
  const ofTotal =
    total === null ? format(done) : `${bar(total === 0 ? 1 : done / total)} ${format(done)}/${format(total)}`;
  return `${label} ${ofTotal} ${unit}${rows === undefined ? '' : ` · ${format(rows)} rows`}`;
}

function bar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * WIDTH);
  return '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
}

function format(count: number): string {
  return count.toLocaleString('en-US');
}
