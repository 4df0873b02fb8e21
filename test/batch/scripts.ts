import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The arguments of Node that run a script of `notebooks/batch`. */
export function scriptArguments(name: string, ...args: string[]): string[] {
  return ['--import', 'tsx', join('notebooks', 'batch', `${name}.ts`), ...args];
}

/** Runs a script to its end, as its user does. */
export function runScript(name: string, ...args: string[]): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, scriptArguments(name, ...args), { cwd: ROOT, encoding: 'utf8' });
}

/** What a script prints. @throws Error with what it says on standard error, when it fails */
export function outputOf(name: string, ...args: string[]): string {
  const { status, stdout, stderr } = runScript(name, ...args);
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Imports a table by its document with the built command. */
export function importTable(store: string, table: string, document: string): void {
  const args = ['dist/cli/main.js', 'import', document, table, '--store', store];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the import of ${table} ended with ${status}: ${stderr}`);
}

export function temporaryFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-batch-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The rows of a table without quotes, by column. */
export function csvRows(path: string): Record<string, string>[] {
  const [header, ...lines] = readFileSync(path, 'utf8').trim().split(/\r?\n/);
  const names = header!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at]!, cell])));
}

/** Degree days above 10, capped at 30, of a day's mean. */
export function dayHeat({ low, high }: Record<string, string>): number {
  return Math.max(0, Math.min(30, (Number(low) + Number(high)) / 2) - 10);
}
