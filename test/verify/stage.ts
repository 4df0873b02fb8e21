import { join } from 'node:path';

/** A program and its arguments, run from the repository's root. */
export type Command = readonly [program: string, ...args: string[]];

/** One thing that `npm run verify` looks at. */
export interface Stage {
  /** The word on the command line: `npm run verify -- <name>`. */
  readonly name: string;
  readonly title: string;
  /** Stages without which this one means nothing: it waits for them, and is left out when one of them failed. */
  readonly needs?: readonly string[];
  /**
   * Installs what the stage needs.
   * @returns why the stage cannot run on this machine, or null when it can
   */
  readonly prepare?: () => string | null | Promise<string | null>;
  /** Environment variables of its programs. */
  readonly env?: Readonly<Record<string, string>>;
  /** Run in order until one fails; each counts as one check. */
  readonly commands?: readonly Command[];
  /** Arguments of a vitest run; each of its tests counts. */
  readonly vitest?: readonly string[];
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A test that failed, or a file of tests that could not be run. */
export interface Failure {
  /** Its whole path. */
  readonly file: string;
  /** The test's whole name, or null where the file itself failed. */
  readonly test: string | null;
  /** The first line of what it said. */
  readonly message: string;
}

/** What a stage's commands and tests came to. */
export interface Outcome extends Counts {
  /** The tests among what failed. */
  readonly failures: readonly Failure[];
}

export interface StageResult extends Outcome {
  readonly name: string;
  readonly seconds: number;
  /** Whether its failures passed when their files were run once more, alone. */
  readonly isUnsteady: boolean;
  /** Why it was left out, or null. */
  readonly reason: string | null;
}

/** A program that a package of the repository brings. */
export function packageCommand(name: string, ...args: string[]): Command {
  return [join('node_modules', '.bin', name), ...args];
}
