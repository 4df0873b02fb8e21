import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program and its arguments, run from the repository's root. */
export type Command = readonly [program: string, ...args: string[]];

/** One thing that `npm run verify` looks at. */
export interface Stage {
  /** The word on the command line: `npm run verify -- <name>`. */
  readonly name: string;
  readonly title: string;
  /** Stages without which this one means nothing: it is left out when one of them failed. */
  readonly needs?: readonly string[];
  /**
   * Installs what the stage needs.
   * @returns why the stage cannot run on this machine, or null when it can
   */
  readonly prepare?: () => string | null;
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

export interface StageResult extends Counts {
  readonly name: string;
  readonly seconds: number;
  /** Why it was left out, or null. */
  readonly reason: string | null;
}

/** A program that a package of the repository brings. */
export function packageCommand(name: string, ...args: string[]): Command {
  return [join('node_modules', '.bin', name), ...args];
}

/** Runs stages in order, all of them whatever fails, each under its own heading. */
export function runStages(stages: readonly Stage[]): StageResult[] {
  const results: StageResult[] = [];
  for (const stage of stages) {
    console.log(`\n━━ ${stage.title} ${'━'.repeat(Math.max(3, 76 - stage.title.length))}`);
    const started = performance.now();
    const reason = reasonToLeaveOut(stage, results);
    if (reason !== null) console.log(`not run: ${reason}`);
    const counts = reason === null ? runStage(stage) : countsWhenLeftOut(stage, results);
    results.push({ name: stage.name, seconds: (performance.now() - started) / 1000, reason, ...counts });
  }
  return results;
}

function reasonToLeaveOut(stage: Stage, results: readonly StageResult[]): string | null {
  const broken = brokenNeed(stage, results);
  if (broken !== undefined) return `it needs the stage ${broken.name}, which failed`;
  return stage.prepare?.() ?? null;
}

function brokenNeed(stage: Stage, results: readonly StageResult[]): StageResult | undefined {
  return results.find((result) => stage.needs?.includes(result.name) && result.failed > 0);
}

/** In CI nothing may be left out, unless what it needs has failed already and is counted there. */
function countsWhenLeftOut(stage: Stage, results: readonly StageResult[]): Counts {
  const failed = process.env.CI === 'true' && brokenNeed(stage, results) === undefined;
  return { passed: 0, failed: failed ? 1 : 0, skipped: failed ? 0 : 1 };
}

function runStage({ commands = [], vitest }: Stage): Counts {
  const finished = commands.findIndex((command) => !run(command));
  const counts = {
    passed: finished < 0 ? commands.length : finished,
    failed: finished < 0 ? 0 : 1,
    skipped: 0,
  };
  if (vitest === undefined || counts.failed > 0) return counts;
  const tests = runVitest(vitest);
  return { ...tests, passed: counts.passed + tests.passed };
}

function run([program, ...args]: Command): boolean {
  console.log(`$ ${[program, ...args].join(' ')}`);
  const { status, signal, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error !== undefined) console.error(error.message);
  if (signal === 'SIGINT') process.exit(130);
  return status === 0;
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

function runVitest(args: readonly string[]): Counts {
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-verify-'));
  const file = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const ok = run(packageCommand('vitest', 'run', ...args, ...reporters));
    const report = JSON.parse(readFileSync(file, 'utf8')) as VitestReport;
    return {
      passed: report.numPassedTests,
      failed: ok ? 0 : Math.max(1, report.numFailedTests),
      skipped: report.numPendingTests + report.numTodoTests,
    };
  } catch (error) {
    console.error(`vitest left no report: ${String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
