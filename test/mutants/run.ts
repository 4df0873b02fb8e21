import { parseArgs } from 'node:util';
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
const parts = positionals.flatMap((name) => {
  const found = findParts(name);
  if (found.length === 0) console.error(`no kernel ${name}`);
  return found;
});
if (parts.length === 0) {
  console.error(
    `npm run mutants -- KERNEL… (or a file or folder of one); there are: ${KERNELS.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}
for (const part of parts) {
  const began = Date.now();
  const score = scoreMutants(
    await tryMutants(part, {
      concurrency: Number(values.concurrency),
      isForced: values.force,
      isFresh: values.fresh,
      timeoutMs: Number(values.timeout) * 1000,
    }),
  );
  print(part.mutate[0]!.replace(/^src\/|(\/\*\*\/\*)?\.ts$/g, ''), score, (Date.now() - began) / 1000);
  if (score.percent < MIN_SCORE) process.exitCode = 1;
}

function print(name: string, score: Score, seconds: number): void {
  for (const survivor of score.survivors) console.log(survivor);
  console.log(
    `${name}: ${score.percent.toFixed(1)} of 100 (${score.tried} mutants: ${score.killed} killed, ${score.timedOut} timed out, ` +
      `${score.survived} survived, ${score.notCovered} not covered; ${score.equivalent} equivalent) in ${seconds.toFixed(0)} s`,
  );
}
