import { relative } from 'node:path';
import { runStage } from './run-stage.js';
import type { Stage, StageResult } from './stage.js';

/** More files than this do not fail because the machine was busy. */
const MAX_FILES = 3;

/**
 * Runs the files of tests that failed beside other stages once more, alone. A stage whose files pass then is unsteady: it does
 * not fail, and its failures are shown in the summary, since a test that can fail by chance is a fault too.
 */
export async function repeatAlone(stages: readonly Stage[], results: StageResult[]): Promise<StageResult[]> {
  if (results.length === 1) return results;
  const repeated: StageResult[] = [];
  for (const result of results) {
    const stage = stages.find(({ name }) => name === result.name)!;
    repeated.push(isWorthRepeating(result) ? await repeat(stage, result) : result);
  }
  return repeated;
}

/** Whether all that failed is tests, of few files. */
function isWorthRepeating({ failed, failures }: StageResult): boolean {
  return failed > 0 && failed === failures.length && filesOf({ failures }).length <= MAX_FILES;
}

async function repeat(stage: Stage, result: StageResult): Promise<StageResult> {
  const files = filesOf(result);
  console.log(`\n━━ Once more, alone: ${files.map((file) => relative('.', file)).join(' ')}`);
  const options = (stage.vitest ?? []).filter((argument) => !argument.endsWith('.test.ts'));
  const output = { isLive: false, text: '' };
  const again = await runStage({ ...stage, commands: [], vitest: [...options, ...files] }, output);
  process.stdout.write(output.text);
  if (again.failed > 0) return result;
  return { ...result, isUnsteady: true, passed: result.passed + result.failed, failed: 0 };
}

function filesOf({ failures }: Pick<StageResult, 'failures'>): string[] {
  return [...new Set(failures.map(({ file }) => file))];
}
