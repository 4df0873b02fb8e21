import fc from 'fast-check';
import type { Fetch } from '../../../src/client/sending/send.js';
import { CropframeError } from '../../../src/model/errors.js';
import { openDemoService } from '../demo-service.js';
import { remembering } from '../faults.js';
import { jsonOnlyService } from '../json-only-service.js';
import { agrees, namesWhatIsMissing } from './agreement.js';
import { OMISSIONS, type Omission, sparseService } from './omissions.js';
import { WORLD_OPERATIONS } from './world-operations.js';
import { fillWithWorld, type World } from './worlds.js';

/** A few optional fields to leave out together, of all objects or of some. */
export const omissions: fc.Arbitrary<Omission[]> = fc
  .array(
    fc
      .tuple(fc.constantFrom(...OMISSIONS), fc.option(fc.integer(), { nil: undefined }))
      .map(([omission, seed]) => ({ ...omission, seed })),
    { minLength: 1, maxLength: 5 },
  )
  .map((list) => list.filter((one) => !saysOtherwise(one, list)));

/** Whether an omission means something else beside the others of a list. */
function saysOtherwise({ field, how }: Omission, list: readonly Omission[]): boolean {
  const hasAny = (fields: readonly string[]) => list.some((other) => fields.includes(other.field));
  // A null unit of the series is that of its points without one, and then they have none.
  if (field === 'unitId' && how === 'null') return hasAny(['3', '4']);
  // An offset that is left out is 0, unless our own table knows the unit by its names.
  return field === 'offset' && how !== 'odd' && hasAny(['name', 'namePlural', 'abbreviation']);
}

type Outcome = { readonly answer: unknown } | { readonly error: unknown };

async function outcomeOf(run: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { answer: await run() };
  } catch (error) {
    return { error };
  }
}

function describeOmissions(list: readonly Omission[]): string {
  return list.map(({ path, field, how, seed }) => `${path.source} ${field} ${how} ${seed ?? ''}`).join('; ');
}

/** What is wrong with the answers of a sparse service, beside those of the full one. */
export async function misfits(world: World, sparse: readonly (readonly Omission[])[]): Promise<string[]> {
  const demo = await openDemoService((store) => fillWithWorld(store, world));
  const wrong: string[] = [];
  try {
    const service = remembering(jsonOnlyService(demo.service));
    for (const [name, operation] of Object.entries(WORLD_OPERATIONS)) {
      const run = (fetch: Fetch) => outcomeOf(() => operation(demo.client({ fetch }), world));
      const full = await run(service);
      for (const list of sparse) {
        const problem = whatDiffers(full, await run(sparseService(service, list)), list);
        if (problem !== null) wrong.push(`${name}, without ${describeOmissions(list)}: ${problem}`);
      }
    }
  } finally {
    await demo.close();
  }
  return wrong;
}

function whatDiffers(full: Outcome, sparse: Outcome, omitted: readonly Omission[]): string | null {
  if ('error' in sparse) {
    const { error } = sparse;
    if (!(error instanceof CropframeError)) return `a native error: ${(error as Error).stack}`;
    if ('error' in full && full.error instanceof CropframeError && full.error.code === error.code)
      return null;
    return namesWhatIsMissing(error, omitted) ? null : `an error that does not name it: ${error.message}`;
  }
  if ('error' in full)
    return `an answer where the full service fails (${(full.error as Error).message}): ${JSON.stringify(sparse.answer)}`;
  if (agrees(full.answer, sparse.answer)) return null;
  return `another answer: ${JSON.stringify(sparse.answer)} instead of ${JSON.stringify(full.answer)}`;
}
