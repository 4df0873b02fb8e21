/** Set by `npm run nightly`, which runs more folders, and tries thousands of random cases where the gate tries hundreds. */
export const ENDURANCE = 'CROPFRAME_ENDURANCE';
export const NIGHT = process.env[ENDURANCE] !== undefined;

/** Set by `test/verify.ts`: the tests whose programs this machine lacks. */
export const WITHOUT = 'CROPFRAME_WITHOUT';

/** Set by `npm run attack`: how many random cases a test tries, and from which seed. */
export const COUNT = 'CROPFRAME_COUNT';
export const SEED = 'CROPFRAME_SEED';

/** Begins the line in which a test says what it tried and what came of it. */
export const FIGURES = 'figures:';

/** How many random cases a test tries. */
interface RunCounts {
  /** In the gate. */
  readonly quick: number;
  /** At night; as in the gate where it is left out. */
  readonly all?: number | undefined;
}

/** How many random cases a test tries here; as many as are asked for, where a number is. */
export function countRuns({ quick, all = quick }: RunCounts): number {
  const asked = process.env[COUNT];
  if (asked !== undefined) return Number(asked);
  return NIGHT ? all : quick;
}

/** So many of alike cases, from first to last, in the gate; all of them at night. */
export function someOf<Case>(cases: readonly Case[], count: number): Case[] {
  const step = Math.max(1, cases.length / countRuns({ quick: count, all: cases.length }));
  return Array.from({ length: Math.ceil(cases.length / step) }, (_, i) => cases[Math.floor(i * step)]!);
}

/** The seed of the first random case. */
export function firstSeed(usual: number): number {
  return Number(process.env[SEED] ?? usual);
}

/** Milliseconds that a test of random cases may take; without a limit (0) when their number is asked for. */
export function timeLimit(usualMs: number): number {
  return process.env[COUNT] === undefined ? usualMs : 0;
}

export function tellFigures(text: string): void {
  console.log(`${FIGURES} ${text}`);
}

/** `3 corrupt, 2 cut`: the counts of a map. */
export function listCounts(counts: ReadonlyMap<string | number, number>): string {
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
}
