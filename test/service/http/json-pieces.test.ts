import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeJson } from '../../../src/service/http/answers.js';

describe('JSON in pieces', () => {
  it('has the bytes of JSON.stringify, and their digest', async () => {
    const item = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constant(undefined),
      fc.string({ unit: 'binary' }),
    );
    const times = fc.constantFrom(1, 30, 600);
    const list = fc
      .tuple(fc.array(item, { maxLength: 8 }), times)
      .map(([items, count]) => Array.from({ length: count }, () => items).flat());
    const record = list.map((items) => Object.fromEntries(items.map((one, i) => [`key "${i}"`, one])));
    const value = fc.oneof(list, record, fc.record({ data: list }), fc.record({ data: record }), item);
    await fc.assert(
      fc.asyncProperty(value, async (one) => {
        const { pieces, byteLength, sha256 } = await encodeJson(one);
        const bytes = Buffer.concat(pieces);
        expect(bytes.toString()).toBe(JSON.stringify(one) ?? 'null');
        expect(byteLength).toBe(bytes.byteLength);
        expect(sha256).toBe(createHash('sha256').update(bytes).digest('base64'));
      }),
      { numRuns: 50 },
    );
  });
});
