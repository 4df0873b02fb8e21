import { readFileSync, writeFileSync } from 'node:fs';

/** One piece of work, done by us and by each rival on the same input. */
export interface Workload<Answer = unknown> {
  readonly name: string;
  readonly rows: number;
  ours(): Answer | Promise<Answer>;
  /** Milliseconds that another process measured while it did our work. */
  ownMs?: ((answer: Answer) => number) | undefined;
  /** Peak memory that another process measured while it did our work. */
  ownPeak?: ((answer: Answer) => number) | undefined;
  readonly rivals: readonly Rival<Answer>[];
  close?: (() => unknown) | undefined;
}

export interface Rival<Answer = unknown, Theirs = unknown> {
  readonly name: string;
  run(): Theirs | Promise<Theirs>;
  ownMs?: ((theirs: Theirs) => number) | undefined;
  /** Throws unless both answers are equal. */
  assertEqual(ours: Answer, theirs: Theirs): void;
}

/** Makes a workload with its input, just before it runs. */
export interface WorkloadMaker {
  readonly name: string;
  make(): Workload | Promise<Workload>;
}

/** Keeps the types of a workload together, which a list of workloads forgets. */
export function workload<Answer>(one: Workload<Answer>): Workload {
  return one as unknown as Workload;
}

/** Keeps the types of a rival together. */
export function rival<Answer, Theirs>(one: Rival<Answer, Theirs>): Rival<Answer> {
  return one as unknown as Rival<Answer>;
}

/** A row of the table in README.md. Times are medians. */
export interface Result {
  readonly workload: string;
  readonly rival: string;
  readonly rows: number;
  readonly oursMs: number;
  readonly oursP95Ms: number;
  readonly rivalMs: number;
  readonly rivalP95Ms: number;
  readonly rounds: number;
  /** Memory that our first run held above the memory before it. */
  readonly peakBytes: number;
}

const MAX_ROUNDS = 15;
const MIN_ROUNDS = 3;
const BUDGET_MS = 10_000;
/** A rival whose first run takes longer than this is not run again. */
const SLOW_MS = 10_000;

/** Asserts equal answers, then runs both sides in turn, with garbage collected before each run. */
export async function measure(work: Workload): Promise<Result[]> {
  const { answer, peakBytes } = await withPeak(work.ours);
  const results: Result[] = [];
  for (const other of work.rivals) {
    const first = await timed(other.run, other.ownMs);
    other.assertEqual(answer, first.answer);
    const ours: number[] = [];
    const theirs = first.ms > SLOW_MS ? [first.ms] : [];
    const began = performance.now();
    while (ours.length < MIN_ROUNDS || (ours.length < MAX_ROUNDS && performance.now() - began < BUDGET_MS)) {
      ours.push((await timed(work.ours, work.ownMs)).ms);
      if (first.ms <= SLOW_MS) theirs.push((await timed(other.run, other.ownMs)).ms);
    }
    results.push({
      workload: work.name,
      rival: other.name,
      rows: work.rows,
      oursMs: quantile(ours, 0.5),
      oursP95Ms: quantile(ours, 0.95),
      rivalMs: quantile(theirs, 0.5),
      rivalP95Ms: quantile(theirs, 0.95),
      rounds: ours.length,
      peakBytes: work.ownPeak?.(answer) ?? peakBytes,
    });
  }
  return results;
}

async function timed<Answer>(
  run: () => Answer | Promise<Answer>,
  ownMs: ((answer: Answer) => number) | undefined,
): Promise<{ answer: Answer; ms: number }> {
  globalThis.gc?.();
  const began = performance.now();
  const answer = await run();
  const ms = performance.now() - began;
  return { answer, ms: ownMs?.(answer) ?? ms };
}

/** The answer of a run, and the greatest memory held during the run above the memory held before. */
export async function withPeak<Answer>(
  run: () => Answer | Promise<Answer>,
): Promise<{ answer: Answer; peakBytes: number }> {
  globalThis.gc?.();
  const before = resident('VmRSS');
  resetPeak();
  const answer = await run();
  return { answer, peakBytes: Math.max(0, resident('VmHWM') - before) };
}

/** Resident memory of this process, now or at its peak; outside Linux always now. */
function resident(field: 'VmRSS' | 'VmHWM'): number {
  try {
    const line = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync('/proc/self/status', 'utf8'));
    return Number(line?.[1]) * 1024;
  } catch {
    return process.memoryUsage().rss;
  }
}

function resetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Linux alone resets it.
  }
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)]!;
  return below + (sorted[Math.ceil(place)]! - below) * (place - Math.floor(place));
}
