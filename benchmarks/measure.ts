import { readFileSync, writeFileSync } from 'node:fs';
import type { BenchResult, Rival, Workload } from './workload.js';

const MAX_ROUNDS = 15;
const FEWEST_ROUNDS = 3;
/** Time given to the rounds of one rival, ours included. */
const BUDGET_MS = 8_000;
/** A rival that takes longer than this for its first run is not run again: that run is what counts. */
const SLOW_MS = 10_000;

/**
 * Runs a workload against each rival: once each to warm up and to assert that the answers are equal, then in turn
 * until the time is used up, collecting garbage before each run.
 */
export async function measure(one: Workload, environment: string): Promise<BenchResult[]> {
  const { answer, peakBytes: ownPeak } = await withPeak(one.ours);
  const bytes = one.bytes(answer);
  const peakBytes = one.peakBytes?.(answer) ?? ownPeak;
  const results: BenchResult[] = [];
  for (const rival of one.rivals) {
    const warm = await timed(rival.run);
    await rival.assertEqual(answer, warm.answer);
    const { ours, theirs } = await inTurn(one, rival, warm);
    const [oursMs, rivalMs] = [quantile(ours, 0.5), quantile(theirs, 0.5)];
    results.push({
      workload: one.workload,
      rival: rival.rival,
      oursMs: round(oursMs),
      rivalMs: round(rivalMs),
      ratio: round(rivalMs / oursMs),
      rows: one.rows,
      bytes,
      peakBytes,
      equal: true,
      oursP95Ms: round(quantile(ours, 0.95)),
      rivalP95Ms: round(quantile(theirs, 0.95)),
      oursN: ours.length,
      rivalN: theirs.length,
      wanted: rival.wanted ?? null,
      environment,
    });
  }
  return results;
}

async function inTurn(one: Workload, rival: Rival, warm: { ms: number; answer: unknown }) {
  const ours: number[] = [];
  const theirs = warm.ms > SLOW_MS ? [rival.ownMs?.(warm.answer) ?? warm.ms] : [];
  const slow = theirs.length > 0;
  const began = performance.now();
  const goesOn = () => ours.length < FEWEST_ROUNDS || performance.now() - began < BUDGET_MS;
  while (ours.length < MAX_ROUNDS && goesOn()) {
    ours.push((await timed(one.ours)).ms);
    if (slow) continue;
    const run = await timed(rival.run);
    theirs.push(rival.ownMs?.(run.answer) ?? run.ms);
  }
  return { ours, theirs };
}

async function timed<T>(run: () => T | Promise<T>): Promise<{ ms: number; answer: T }> {
  globalThis.gc?.();
  const began = performance.now();
  const answer = await run();
  return { ms: performance.now() - began, answer };
}

/** A run with the greatest memory held during it above that before it. */
export async function withPeak<T>(run: () => T | Promise<T>): Promise<{ answer: T; peakBytes: number }> {
  globalThis.gc?.();
  const before = { resident: resident('VmRSS'), held: held() };
  resetPeak();
  const answer = await run();
  const peakBytes = Math.max(0, resident('VmHWM') - before.resident, held() - before.held);
  return { answer, peakBytes };
}

/** What the program holds, garbage not yet collected included: it tells of memory that was reused as well. */
function held(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function resident(field: 'VmRSS' | 'VmHWM'): number {
  try {
    const line = readFileSync('/proc/self/status', 'utf8').match(new RegExp(`${field}:\\s+(\\d+) kB`));
    return Number(line?.[1] ?? 0) * 1024;
  } catch {
    const { rss } = process.memoryUsage();
    return rss;
  }
}

/** Linux only; elsewhere the peak is what is held after the run. */
function resetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    return;
  }
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)]!;
  return below + (sorted[Math.ceil(place)]! - below) * (place - Math.floor(place));
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
