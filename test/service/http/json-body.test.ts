import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../../src/contract/endpoints.js';
import { parseBody } from '../../../src/service/http/read-request.js';
import { countRuns } from '../../endurance.js';

const pointsBody = endpoints.pointsBatch.body;
const anyList = v.array(v.unknown());
const selection = { metricId: 1, itemId: [2], regionId: 3, sourceId: 4, frequencyId: 5 };

/** What `parseBody` makes of a text, next to `JSON.parse`. */
async function bothParsed(text: string): Promise<[unknown, unknown]> {
  const expected = (() => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return 'not JSON';
    }
  })();
  const found = await parseBody(anyList, text).catch(() => 'not JSON');
  return [found, Array.isArray(expected) ? expected : 'not JSON'];
}

describe('a JSON body', () => {
  it('that is a list is what JSON.parse makes of it, whatever its size and spaces', async () => {
    const item = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ maxLength: 20_000, unit: 'binary' }));
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 12 }), fc.nat(3), async (list, indent) => {
        const text = ` \n${JSON.stringify(list, null, indent)}\t`;
        const [found, expected] = await bothParsed(text);
        expect(isDeepStrictEqual(found, expected), text.slice(0, 100)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('with a mark added, left out or changed is refused where JSON.parse refuses it', async () => {
    const long = JSON.stringify('x'.repeat(17_000));
    const text = `[${long},{"a":[1,"]}\\""]},${long}, [] ]`;
    const marks = fc.constantFrom('', ',', '[', ']', '{', '}', '"', '\\', ' ', '1', ':');
    const places = fc.constantFrom(...[...text].flatMap((mark, at) => (mark === 'x' ? [] : [at])));
    await fc.assert(
      fc.asyncProperty(places, fc.nat(1), marks, async (at, removed, mark) => {
        const [found, expected] = await bothParsed(text.slice(0, at) + mark + text.slice(at + removed));
        expect(isDeepStrictEqual(found, expected)).toBe(true);
      }),
      { numRuns: countRuns({ quick: 250, all: 4_000 }) },
    );
  });

  it('names the item and the field that is wrong', async () => {
    const wrong = (item: unknown) => parseBody(pointsBody, JSON.stringify([selection, item]));
    await expect(wrong({ ...selection, metricId: 'one' })).rejects.toThrow(/^\[1\]\.metricId: /);
    await expect(wrong({ ...selection, regionIds: 1 })).rejects.toThrow(
      '[1].regionIds: there is no such parameter; did you mean regionId?',
    );
    await expect(wrong({ metricId: 1 })).rejects.toThrow('[1].itemId: is missing');
    await expect(parseBody(pointsBody, '[1,]')).rejects.toThrow('body: not valid JSON');
    await expect(parseBody(pointsBody, '[]')).rejects.toThrow(
      /^body: the number of items must be at least 1$/,
    );
    await expect(parseBody(pointsBody, '{}')).rejects.toThrow(/^body: /);
  });

  it('may have 10,000 selections, and not one more', async () => {
    const text = (count: number) => JSON.stringify(Array.from({ length: count }, () => selection));
    const parsed = (await parseBody(pointsBody, text(10_000))) as unknown[];
    expect(parsed.length).toBe(10_000);
    expect(parsed[9_999]).toEqual({
      ...selection,
      metricId: [1],
      regionId: [3],
      sourceId: [4],
      frequencyId: [5],
    });
    await expect(parseBody(pointsBody, text(10_001))).rejects.toThrow(
      /^body: the number of items must be at most 10000$/,
    );
  });

  it('has no value that is too long to be parsed at once', async () => {
    const long = 'x'.repeat(256 * 1024);
    await expect(parseBody(anyList, JSON.stringify([1, long]))).rejects.toMatchObject({ code: 'too_large' });
    await expect(parseBody(v.object({}), JSON.stringify({ long }))).rejects.toMatchObject({
      code: 'too_large',
    });
  });
});
