import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killTree } from './process-tree.js';
import { type Command, type Outcome, packageCommand, type Stage } from './stage.js';
import { parseReport } from './vitest-report.js';

/** A program that runs longer hangs: it is ended, with what it started. */
const MAX_PROGRAM_MS = 20 * 60_000;

const NOTHING: Outcome = { passed: 0, failed: 0, skipped: 0, failures: [] };

/** Where a stage's programs write. */
export interface Output {
  /** Whether they write to the terminal at once. */
  readonly isLive: boolean;
  /** What is yet to be shown. */
  text: string;
}

interface Running {
  readonly output: Output;
  readonly env: Stage['env'];
}

/** Runs a stage's commands until one fails, then its tests. */
export async function runStage({ commands = [], vitest, env }: Stage, output: Output): Promise<Outcome> {
  const running = { output, env };
  let passed = 0;
  for (const command of commands) {
    if (!(await run(command, running))) return { ...NOTHING, passed, failed: 1 };
    passed++;
  }
  if (vitest === undefined) return { ...NOTHING, passed };
  const tests = await runVitest(vitest, running);
  return { ...tests, passed: passed + tests.passed };
}

function run([program, ...args]: Command, { output, env: own }: Running): Promise<boolean> {
  print(output, `$ ${[program, ...args].join(' ')}\n`);
  const colour = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const env = { ...process.env, ...own };
  const child = output.isLive
    ? spawn(program, args, { stdio: 'inherit', env })
    : spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...env, ...colour } });
  const limit = setTimeout(() => {
    const ended = child.pid === undefined ? [] : killTree(child.pid);
    print(output, `ended after ${MAX_PROGRAM_MS / 60_000} minutes:\n  ${ended.join('\n  ')}\n`);
  }, MAX_PROGRAM_MS);
  child.on('close', () => clearTimeout(limit)).on('error', () => clearTimeout(limit));
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => print(output, text));
  }
  return new Promise((resolve) => {
    child.on('error', ({ message }) => {
      print(output, `${message}\n`);
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
}

function print(output: Output, text: string): void {
  if (output.isLive) process.stdout.write(text);
  else output.text += text;
}

/**
 * Runs tests by Vitest.
 * @param args what `vitest run` is given
 */
async function runVitest(args: readonly string[], running: Running): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-verify-'));
  const file = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const ok = await run(packageCommand('vitest', 'run', ...args, ...reporters), running);
    const outcome = parseReport(readFileSync(file, 'utf8'));
    return { ...outcome, failed: ok ? 0 : Math.max(1, outcome.failed) };
  } catch (error) {
    print(running.output, `vitest left no report: ${String(error)}\n`);
    return { ...NOTHING, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
