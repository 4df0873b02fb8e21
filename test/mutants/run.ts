import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import type { MutantResult } from '@stryker-mutator/api/core';
import { findParts, KERNELS } from './kernels.js';
import { type Score, scoreMutants } from './score.js';
import { tryMutants } from './try-mutants.js';

/** The share of its mutants, in percent, that the tests of a kernel must notice. */
const MIN_SCORE = 90;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    concurrency: { type: 'string', default: '1' },
    force: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    timeout: { type: 'string', default: '8' },
  },
});
const { parts, unknown } = findParts(positionals);
for (const name of unknown) console.error(`no kernel ${name}`);
if (parts.length === 0) {
  console.error(
    `npm run mutants -- KERNEL… (or a file or folder of one); there are: ${KERNELS.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}
for (const part of parts) {
  const began = Date.now();
  const results = await tryMutants(part, {
    concurrency: Number(values.concurrency),
    isForced: values.force,
    isFresh: values.fresh,
    timeoutMs: Number(values.timeout) * 1000,
  });
  for (const path of part.paths) {
    const score = scoreMutants(results.filter((result) => isWithin(path, result)));
    print(path.replace(/^src\/|\.ts$/g, ''), score);
    if (score.percent < MIN_SCORE) process.exitCode = 1;
  }
  console.log(`${part.kernel.name}: took ${((Date.now() - began) / 1000).toFixed(0)} s`);
}

function isWithin(path: string, { fileName }: MutantResult): boolean {
  const file = relative(process.cwd(), fileName);
  return file === path || file.startsWith(`${path}/`);
}

function print(name: string, score: Score): void {
  for (const survivor of score.survivors) console.log(survivor);
  console.log(
    `${name}: ${score.percent.toFixed(1)} of 100 (${score.tried} mutants: ${score.killed} killed, ${score.timedOut} timed out, ` +
      `${score.survived} survived, ${score.notCovered} not covered; ${score.equivalent} equivalent)`,
  );
}
