import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbedded } from '../src/embedded.js';
import { ArgumentError } from '../src/model/errors.js';
import { openStore } from '../src/store/open.js';
import type { Store } from '../src/store/store.js';
import { expectNoNativeErrors, oddCalls, outcomeOf } from './odd-values.js';
import { optionParameters } from './package/option-parameters.js';
import { ENTRY_POINTS, publicFunctions } from './public-functions.js';

type PublicFunction = (...given: unknown[]) => unknown;

/** The functions that the entry points export, without the classes of errors. */
const EXPORTED = new Map(
  Object.values(ENTRY_POINTS)
    .flatMap((module) => Object.entries(module))
    .filter((entry): entry is [string, PublicFunction] => isFunction(entry[1])),
);

function isFunction(value: unknown): boolean {
  return typeof value === 'function' && !(value.prototype instanceof Error);
}

let store: Store;
beforeAll(async () => {
  store = await openStore(':memory:');
});
afterAll(() => store?.close());

const FUNCTIONS = publicFunctions(undefined as unknown as Store);
const WITH_OPTIONS = Object.entries(FUNCTIONS).flatMap(([name, { options = [] }]) =>
  options.map((position) => ({ name, position })),
);

it('lists every function that an entry point exports', () => {
  expect(Object.keys(FUNCTIONS).sort()).toEqual([...EXPORTED.keys()].sort());
});

it('says of every parameter that is an object of options that it refuses unknown keys', () => {
  const declared = optionParameters(Object.keys(ENTRY_POINTS).map(entryFile));
  expect(declared.length).toBeGreaterThan(30);
  const refusing = new Set(WITH_OPTIONS.map(({ name, position }) => `${name} ${position}`));
  expect(declared.filter(({ name, position }) => !refusing.has(`${name} ${position}`))).toEqual([]);
});

/** The source of an entry point. */
function entryFile(entry: string): string {
  const name = entry === '.' ? 'index' : entry.slice(2);
  return fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url));
}

describe('unknown keys', () => {
  it.each(WITH_OPTIONS)('of $name at $position are refused with the nearest', async ({ name, position }) => {
    const { valid } = publicFunctions(Object.create(store))[name]!;
    const call = EXPORTED.get(name)!;
    for (const key of Object.keys(valid[position] as object)) {
      const typo = `${key}x`;
      const given = valid.with(position, { ...(valid[position] as object), [typo]: 1 });
      const error = await outcomeOf(() => call(...given));
      expect(error, typo).toBeInstanceOf(ArgumentError);
      expect(error).toMatchObject({ argument: typo, message: expect.stringMatching(/did you mean \w+\?/) });
    }
  });
});

describe('odd values', () => {
  it.each([null, 5, '', '  ', [], '/dev/null/store'])('as the path of openEmbedded: %j', async (path) => {
    const error = await outcomeOf(() => openEmbedded({ path } as object));
    expect(error).toMatchObject({ argument: 'path', message: expect.stringMatching(/^path: ./) });
  });

  it.each(Object.keys(FUNCTIONS))('never make %s throw a native error', async (name) => {
    await expectNoNativeErrors(
      oddCalls(name, EXPORTED.get(name)!, publicFunctions(Object.create(store))[name]!.valid),
    );
  });
});
