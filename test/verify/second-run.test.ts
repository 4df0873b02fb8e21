import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runStages } from './schedule.js';
import { repeatAlone } from './second-run.js';
import type { Stage, StageResult } from './stage.js';
import { describeResults } from './summary.js';

const OTHER: Stage = { name: 'other', title: 'Another stage', commands: [[process.execPath, '--version']] };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cropframe-second-run-'));
  // Failures that are wanted here would look like real ones.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(console, 'log').mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a file of two tests beside another stage, then once more if it fails. The first test is `body`. */
async function verify(body: string): Promise<StageResult[]> {
  writeFileSync(
    join(folder, 'weather.test.ts'),
    `import { existsSync, writeFileSync } from 'node:fs';
    it('rains', () => { ${body} });
    it('shines', () => {});`,
  );
  const stage: Stage = { name: 'weather', title: 'Weather', vitest: ['--globals', '--root', folder] };
  const stages = [OTHER, stage];
  return repeatAlone(stages, await runStages(stages));
}

it('shows a test that fails beside other stages and passes alone, and does not fail', async () => {
  const marker = JSON.stringify(join(folder, 'ran'));
  const [, result] = await verify(
    `if (existsSync(${marker})) return; writeFileSync(${marker}, ''); throw new Error('too early\\nfor rain');`,
  );
  expect(result).toMatchObject({ passed: 2, failed: 0, isUnsteady: true });
  const lines = describeResults([result!]).split('\n');
  expect(lines[0]).toMatch(/^ {2}unsteady {2}weather .* 2 passed, 0 failed$/);
  expect(lines[1]).toMatch(/weather\.test\.ts > rains$/);
  expect(lines[2]).toBe('      Error: too early');
});

it('fails when a test fails twice, and names it', async () => {
  const [, result] = await verify(`throw new Error('no rain');`);
  expect(result).toMatchObject({ passed: 1, failed: 1, isUnsteady: false });
  expect(describeResults([result!])).toMatch(/^ {2}FAILED .*\n.* > rains\n {6}Error: no rain$/);
});

it('does not run what failed as a whole once more', async () => {
  const broken: Stage = {
    name: 'broken',
    title: 'Broken',
    commands: [[process.execPath, '--eval', 'process.exit(3)']],
  };
  const results = await runStages([OTHER, broken]);
  expect(await repeatAlone([OTHER, broken], results)).toEqual(results);
  expect(results[1]).toMatchObject({ failed: 1, failures: [] });
});
