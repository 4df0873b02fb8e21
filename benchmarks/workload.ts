/** One piece of work, done by us and by each rival on the same input; a bench file exports a list of makers of these. */
export interface Workload<Answer = unknown> {
  workload: string;
  /** Rows that go in. */
  rows: number;
  /** Bytes of our answer, for judging the peak memory. */
  bytes: (answer: Answer) => number;
  ours: () => Answer | Promise<Answer>;
  /** Milliseconds that ours measured itself, where another process does the work. */
  ownMs?: ((answer: Answer) => number) | undefined;
  /** The peak memory of the first run where another process does the work, and measures itself. */
  peakBytes?: (answer: Answer) => number;
  rivals: readonly Rival<Answer>[];
  /** What else is told of our runs, the first one apart. */
  figures?: FiguresOf<Answer> | undefined;
  /** Rounds that are run even when the time is used up. */
  fewestRounds?: number | undefined;
  /** Rounds of both sides that go before those that are measured; default none but the first run of each. */
  warmUps?: number | undefined;
  close?: () => void | Promise<void>;
}

export interface Rival<Answer = unknown, Theirs = unknown> {
  rival: string;
  run: () => Theirs | Promise<Theirs>;
  /** Milliseconds that the rival measured itself, where calling it costs more than its work (another process). */
  ownMs?: ((theirs: Theirs) => number) | undefined;
  /** What else is told of the rival's runs, the first one apart. */
  figures?: FiguresOf<Theirs> | undefined;
  /** Throws unless both answers are equal. */
  assertEqual: (ours: Answer, theirs: Theirs) => void | Promise<void>;
  /** The ratio that is wanted at least, where one is. */
  wanted?: number | undefined;
}

/** Figures beside the times, by what they are, with the unit: `our first run ms`. */
export type Figures = Readonly<Record<string, number>>;

/** Figures as they are, or of the answers of all runs, which are kept for them. */
export type FiguresOf<Answer> = Figures | ((first: Answer, runs: readonly Answer[]) => Figures);

/** Makes a workload, with its input; called just before it runs, so that one input is held at a time. */
export interface WorkloadMaker {
  (): Workload | Promise<Workload>;
  /** The name, where it is known before: then a workload that is not asked for is not made. */
  workload?: string;
  /** Runs only with this option, as its input takes long to make. */
  option?: string;
}

/** Tells the name of a workload, and the option that it needs, before it is made. */
export function maker(
  name: string,
  make: (name: string) => Workload | Promise<Workload>,
  option?: string,
): WorkloadMaker {
  return Object.assign(() => make(name), { workload: name, ...(option ? { option } : {}) });
}

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
  figures: Figures;
  /** The option that this workload runs with alone. */
  option?: string | undefined;
  environment: string;
}
