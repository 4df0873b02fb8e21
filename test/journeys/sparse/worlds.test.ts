import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { misfits, omissions } from './sparse-worlds.js';
import { worlds } from './worlds.js';

/** Worlds to try: a few by default, more where the variable says so. */
const WORLDS = Number(process.env.CROPFRAME_WORLDS ?? 3);
const SEED = Number(process.env.CROPFRAME_WORLDS_SEED ?? 12);
const OMISSIONS_A_WORLD = 3;

describe('a random world whose service leaves optional fields out', () => {
  it(
    'answers every operation as in full, or names what is missing',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          worlds,
          fc.array(omissions, { minLength: OMISSIONS_A_WORLD, maxLength: OMISSIONS_A_WORLD }),
          async (world, sparse) => {
            expect(await misfits(world, sparse)).toEqual([]);
          },
        ),
        { seed: SEED, numRuns: WORLDS, endOnFailure: true },
      );
    },
    60_000 + 10_000 * WORLDS,
  );
});
