/** One piece of work, done by us and by each rival on the same input; a bench file exports a list of makers of these. */
export interface Workload<Answer = unknown> {
  workload: string;
  /** Rows that go in. */
  rows: number;
  /** Bytes of our answer, for judging the peak memory. */
  bytes: (answer: Answer) => number;
  ours: () => Answer | Promise<Answer>;
  /** The peak memory of the first run where another process does the work, and measures itself. */
  peakBytes?: (answer: Answer) => number;
  rivals: readonly Rival<Answer>[];
  close?: () => void | Promise<void>;
}

export interface Rival<Answer = unknown, Theirs = unknown> {
  rival: string;
  run: () => Theirs | Promise<Theirs>;
  /** Milliseconds that the rival measured itself, where calling it costs more than its work (another process). */
  ownMs?: (theirs: Theirs) => number;
  /** Throws unless both answers are equal. */
  assertEqual: (ours: Answer, theirs: Theirs) => void | Promise<void>;
  /** The ratio that is wanted at least, where one is. */
  wanted?: number;
}

/** Makes a workload, with its input; called just before it runs, so that one input is held at a time. */
export type WorkloadMaker = () => Workload | Promise<Workload>;

/** Keeps the types of one workload together, which the list of makers forgets. */
export function workload<Answer>(one: Workload<Answer>): Workload {
  return one as unknown as Workload;
}

/** Keeps the types of one rival together. */
export function rival<Answer, Theirs>(one: Rival<Answer, Theirs>): Rival<Answer> {
  return one as unknown as Rival<Answer>;
}

/** What stands in `results/<room>.json`; ratio = rivalMs ÷ oursMs, above 1 ours is faster. */
export interface BenchResult {
  workload: string;
  rival: string;
  /** Medians. */
  oursMs: number;
  rivalMs: number;
  ratio: number;
  rows: number;
  bytes: number;
  /** Memory that our first run took above what was held before it, its answer included. */
  peakBytes: number;
  equal: boolean;
  oursP95Ms: number;
  rivalP95Ms: number;
  oursN: number;
  rivalN: number;
  wanted: number | null;
  environment: string;
}
