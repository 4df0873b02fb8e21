import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../../src/contract/endpoints.js';
import { parseBody } from '../../../src/service/http/read-request.js';

const pointsBody = endpoints.pointsBatch.body;
const selection = { metricId: 1, itemId: [2], regionId: 3, sourceId: 4, frequencyId: 5 };

describe('a JSON body', () => {
  it('names the item and the field that is wrong', async () => {
    const wrong = (item: unknown) => parseBody(pointsBody, JSON.stringify([selection, item]));
    await expect(wrong({ ...selection, metricId: 'one' })).rejects.toThrow(/^\[1\]\.metricId: /);
    await expect(wrong({ ...selection, regionIds: 1 })).rejects.toThrow(
      '[1].regionIds: there is no such parameter; did you mean regionId?',
    );
    await expect(wrong({ metricId: 1 })).rejects.toThrow('[1].itemId: is missing');
    await expect(parseBody(pointsBody, '[1,]')).rejects.toThrow('body: is not valid JSON');
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

  it('that is no list has a limited length', async () => {
    const long = JSON.stringify({ long: 'x'.repeat(256 * 1024) });
    await expect(parseBody(v.object({}), long)).rejects.toMatchObject({ code: 'too_large' });
  });
});
