import { BEYOND, type Equivalents, OUTSIDE, OVERWRITTEN, SLOWER } from './equivalent.js';

const NOTHING_SHARED = 'without series there is nothing to share';

export const FRAME_TABLE: Equivalents = {
  'src/frame/table/checksum.ts': [
    {
      line: 'hash.update(valid === null ? bytes : withoutNulls(bytes, valid, values.BYTES_PER_ELEMENT));',
      changes: ['valid === null → false'],
      reason: SLOWER,
    },
    {
      line: 'for (let i = 0; i < cleared.length / width; i++) {',
      changes: [
        'i < cleared.length / width → i <= cleared.length / width',
        'cleared.length / width → cleared.length * width',
      ],
      reason: BEYOND,
    },
  ],
  'src/frame/table/names.ts': [
    { line: 'if (codes.has(id)) continue;', changes: ['codes.has(id) → false'], reason: SLOWER },
    {
      line: 'taken: [],',
      changes: ['[] → ["Stryker was here"]'],
      reason: 'no column is called that',
    },
    {
      line: 'const abbreviation = unit_id === null ? undefined : names.unit_abbreviations?.get(unit_id);',
      changes: ['unit_id === null → false'],
      reason: 'no unit has null for an id',
    },
  ],
  'src/frame/table/provenance.ts': [
    {
      line: "if (typeof value !== 'object' || value === null) return false;",
      changes: ["typeof value !== 'object' → false"],
      reason: 'numbers and texts have none of the parts that are asked for next',
    },
    {
      line: 'return text === undefined ? null : JSON.parse(text);',
      changes: ['text === undefined → false'],
      reason: 'JSON.parse refuses undefined, which is null then as well',
    },
    {
      line: '} catch {',
      changes: ['{ return null; } → {}'],
      reason: 'undefined is neither provenance nor a list of steps either',
    },
  ],
  'src/frame/table/series-labels.ts': [
    {
      line: 'const shared = (parts[0] ?? []).map(',
      changes: ['[] → ["Stryker was here"]'],
      reason: NOTHING_SHARED,
    },
    {
      line: 'shared: join((parts[0] ?? []).filter((_, at) => shared[at])),',
      changes: ['[] → ["Stryker was here"]'],
      reason: NOTHING_SHARED,
    },
  ],
  'src/frame/table/series-view.ts': [
    {
      line: 'while (to < rows && isSameSeries(ids, from, to)) to++;',
      changes: ['to < rows → true', 'to < rows → to <= rows'],
      reason: OUTSIDE,
    },
  ],
  'src/frame/table/sha256.ts': [
    {
      line: 'for (let i = 0; i < 16; i++, at += 4)',
      changes: ['i < 16 → i <= 16'],
      reason: OVERWRITTEN,
    },
    { line: 'for (let i = 16; i < 64; i++) {', changes: ['i < 64 → i <= 64'], reason: BEYOND },
  ],
};
