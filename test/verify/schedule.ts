import { type Output, runStage } from './run-stage.js';
import type { Outcome, Stage, StageResult } from './stage.js';

/** Stages that run at once: one waits for processes, disks and registries while the other computes. */
const MAX_RUNNING = 2;

/** Runs all stages, whatever fails: in order as far as they need not wait, each under its own heading when it ends. */
export async function runStages(stages: readonly Stage[]): Promise<StageResult[]> {
  const results = new Map<string, StageResult>();
  const running = new Map<string, Promise<void>>();
  const waiting = [...stages];
  while (waiting.length + running.size > 0) {
    const unfinished = [...waiting.map(({ name }) => name), ...running.keys()];
    const next = waiting.findIndex(({ needs }) => !needs?.some((name) => unfinished.includes(name)));
    if (next < 0 || running.size === MAX_RUNNING) {
      await Promise.race(running.values());
      continue;
    }
    const [stage] = waiting.splice(next, 1);
    const ended = conclude(stage!, [...results.values()], stages.length === 1).then((result) => {
      results.set(stage!.name, result);
      running.delete(stage!.name);
    });
    running.set(stage!.name, ended);
  }
  return stages.map(({ name }) => results.get(name)!);
}

/** @param isAlone whether its output can be shown while it runs */
async function conclude(
  stage: Stage,
  results: readonly StageResult[],
  isAlone: boolean,
): Promise<StageResult> {
  const started = performance.now();
  if (isAlone) console.log(heading(stage));
  else console.log(`   ${stage.name} …`);
  const reason = await reasonToLeaveOut(stage, results);
  const output: Output = { isLive: isAlone, text: reason === null ? '' : `not run: ${reason}\n` };
  const outcome = reason === null ? await runStage(stage, output) : outcomeWhenLeftOut(stage, results);
  process.stdout.write(isAlone ? output.text : `${heading(stage)}\n${output.text}`);
  const seconds = (performance.now() - started) / 1000;
  return { name: stage.name, seconds, reason, isUnsteady: false, ...outcome };
}

function heading({ title }: Stage): string {
  return `\n━━ ${title} ${'━'.repeat(Math.max(3, 76 - title.length))}`;
}

async function reasonToLeaveOut(stage: Stage, results: readonly StageResult[]): Promise<string | null> {
  const broken = brokenNeed(stage, results);
  if (broken !== undefined) return `it needs the stage ${broken.name}, which failed`;
  return (await stage.prepare?.()) ?? null;
}

function brokenNeed(stage: Stage, results: readonly StageResult[]): StageResult | undefined {
  return results.find((result) => stage.needs?.includes(result.name) && result.failed > 0);
}

/** In CI nothing may be left out, unless what it needs has failed already and is counted there. */
function outcomeWhenLeftOut(stage: Stage, results: readonly StageResult[]): Outcome {
  const failed = process.env.CI === 'true' && brokenNeed(stage, results) === undefined;
  return { passed: 0, failed: failed ? 1 : 0, skipped: failed ? 0 : 1, failures: [] };
}
