import { resetPeak, resident } from './usage.js';
import type { BenchResult, Figures, FiguresOf, Rival, Workload } from './workload.js';

const MAX_ROUNDS = 15;
const FEWEST_ROUNDS = 3;
/** Time given to the rounds of one rival, ours included. */
const BUDGET_MS = 8_000;
/** A rival that takes longer than this for its first run is not run again: that run is what counts. */
const SLOW_MS = 10_000;

/**
 * Runs a workload against each rival: once each, or more often, to warm up and to assert that the answers are equal, then in
 * turn until the time is used up, collecting garbage before each run.
 */
export async function measure(one: Workload, environment: string): Promise<BenchResult[]> {
  const { answer, peakBytes: ownPeak } = await withPeak(one.ours);
  const bytes = one.bytes(answer);
  const peakBytes = one.peakBytes?.(answer) ?? ownPeak;
  const results: BenchResult[] = [];
  for (const rival of one.rivals) {
    const warm = await timed(rival);
    await rival.assertEqual(answer, warm.answer);
    const { ours, theirs } = await inTurn(one, rival, warm);
    const [oursMs, rivalMs] = [median(ours), median(theirs)];
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
      oursP95Ms: round(quantile(times(ours), 0.95)),
      rivalP95Ms: round(quantile(times(theirs), 0.95)),
      oursN: ours.length,
      rivalN: theirs.length,
      wanted: rival.wanted ?? null,
      figures: {
        ...figuresOf(one.figures, { first: answer, runs: ours }),
        ...figuresOf(rival.figures, { first: warm.answer, runs: theirs }),
      },
      environment,
    });
  }
  return results;
}

interface Run {
  readonly ms: number;
  readonly answer: unknown;
}

async function inTurn(one: Workload, rival: Rival, warm: Run) {
  const ours: Run[] = [];
  const slow = warm.ms > SLOW_MS;
  const theirs = slow ? [warm] : [];
  for (let i = 0; i < (one.warmUps ?? 0); i++) {
    await one.ours();
    await rival.run();
  }
  const began = performance.now();
  const goesOn = () =>
    ours.length < (one.fewestRounds ?? FEWEST_ROUNDS) || performance.now() - began < BUDGET_MS;
  while (ours.length < MAX_ROUNDS && goesOn()) {
    ours.push(keptIf(one.figures, await timed({ run: one.ours, ownMs: one.ownMs })));
    if (!slow) theirs.push(keptIf(rival.figures, await timed(rival)));
  }
  return { ours, theirs };
}

async function timed<T>({ run, ownMs }: Pick<Rival<unknown, T>, 'run' | 'ownMs'>): Promise<Run> {
  globalThis.gc?.();
  const began = performance.now();
  const answer = await run();
  const ms = performance.now() - began;
  return { ms: ownMs?.(answer) ?? ms, answer };
}

/** Lets go of an answer that no figure is taken of. */
function keptIf(figures: unknown, { ms, answer }: Run): Run {
  return { ms, answer: typeof figures === 'function' ? answer : null };
}

function figuresOf(
  figures: FiguresOf<unknown> | undefined,
  { first, runs }: { first: unknown; runs: readonly Run[] },
): Figures {
  if (typeof figures !== 'function') return figures ?? {};
  return figures(
    first,
    runs.map(({ answer }) => answer),
  );
}

const times = (runs: readonly Run[]): number[] => runs.map(({ ms }) => ms);

const median = (runs: readonly Run[]): number => quantile(times(runs), 0.5);

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

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)]!;
  return below + (sorted[Math.ceil(place)]! - below) * (place - Math.floor(place));
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
