import { visibleLine } from '../../frame/display/escape-text.js';
import { progressBar } from '../../frame/display/progress-bar.js';
import type { LongOperation, Progress } from '../../model/progress.js';
import { Interruption } from './exit-codes.js';
import type { CommandIo } from './io.js';

/** The possible lengths of the progress bar, longest first. The longest that fits the terminal is used. */
const BAR_LENGTHS = [20, 10, 0];
/** The elapsed time after which the rate and the remaining time are reliable enough to show. */
const MIN_ELAPSED_MS = 1_000;

/** Returns the command's signal and, on a terminal, a callback that shows the progress and the remaining time. */
export function progressOptions(
  { stderr, signal }: Pick<CommandIo, 'stderr' | 'signal'>,
  now: () => number = () => performance.now(),
): LongOperation {
  if (stderr.isTTY !== true) return { signal };
  const measure = createPace(now);
  // Labels may contain file names, which may contain control characters.
  const lineOf = (progress: Progress) => visibleLine(fitLine(progress, measure(progress), stderr.columns));
  return { signal, onProgress: progressBar((text) => stderr.write(text), lineOf) };
}

/** Calls `step`. If it is interrupted by Ctrl-C, the error message includes `outcome`. */
export async function interruptible<Result>(outcome: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof Interruption ? new Interruption(error.by, `interrupted; ${outcome}`) : error;
  }
}

type Speed = ReturnType<ReturnType<typeof createPace>>;

/**
 * Returns a function that measures the speed of a command's current step, and estimates the time left. A step starts
 * when the previous step ends. Both values are null at first. A value that cannot be computed remains null.
 */
function createPace(now: () => number) {
  let [step, startedMs, lastMs] = ['', now(), now()];
  return (progress: Progress) => {
    const { label, done, total, unit } = progress;
    const key = `${label} ${total} ${unit}`;
    if (key !== step) [step, startedMs] = [key, lastMs];
    lastMs = now();
    const elapsedMs = lastMs - startedMs;
    const rows = countRowsDone(progress);
    if (elapsedMs < MIN_ELAPSED_MS || done === 0) return { rowsPerSecond: null, secondsLeft: null };
    return {
      rowsPerSecond: rows === null ? null : (rows / elapsedMs) * 1000,
      secondsLeft: total === null ? null : (elapsedMs / 1000) * (Math.max(0, total - done) / done),
    };
  };
}

function countRowsDone({ unit, rows, done }: Progress): number | null {
  if (unit === 'rows') return done;
  return unit === 'bytes' ? (rows ?? null) : null;
}

/** Returns the longest progress text that fits on one line, because a wrapped line cannot be overwritten. */
function fitLine(progress: Progress, speed: Speed, columns: number | undefined): string {
  const width = columns || 80;
  const lines = BAR_LENGTHS.map((bar) => progressLine(progress, speed, bar));
  return lines.find((line) => line.length < width) ?? `${lines.at(-1)!.slice(0, Math.max(0, width - 2))}…`;
}

/** Formats a line such as `reading nass ████████░░░░░░░░░░░░ 40 % · 1,200,000 rows · 270,000 rows/s · 7 s left`. */
function progressLine(progress: Progress, { rowsPerSecond, secondsLeft }: Speed, bar: number): string {
  const { label, done, total, unit } = progress;
  const rows = countRowsDone(progress) ?? progress.rows;
  const isCounted = unit !== 'bytes' && unit !== 'rows' && total !== null;
  const parts = [
    total === null ? label : `${label} ${shareDone(total === 0 ? 1 : Math.min(1, done / total), bar)}`,
    isCounted && `${count(done)}/${count(total)} ${unit}`,
    rows !== undefined && `${count(rows)} rows`,
    unit === 'bytes' && rows === undefined && `${(done / 1e6).toFixed(1)} MB`,
    rowsPerSecond !== null && `${count(rowsPerSecond)} rows/s`,
    secondsLeft !== null && secondsLeft !== 0 && `${duration(secondsLeft)} left`,
  ];
  return parts.filter((part) => part !== false).join(' · ');
}

function shareDone(share: number, bar: number): string {
  const filled = Math.round(share * bar);
  const percent = `${Math.floor(share * 100)} %`;
  return bar === 0 ? percent : `${'█'.repeat(filled)}${'░'.repeat(bar - filled)} ${percent}`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** Formats a duration in one or two units, such as `45 s`, `3 min 20 s`, `2 h 5 min`. */
function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
