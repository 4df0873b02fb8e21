import type { Equivalents } from './equivalent.js';

export const INGEST: Equivalents = {
  'src/ingest/reading/json-records.ts': [
    {
      line: 'for (let at = start; at < text.length; at++) {',
      changes: ['at < text.length → at <= text.length'],
      reason: 'there is no character past the end',
    },
  ],
  'src/ingest/reading/line-texts.ts': [
    {
      line: "const BEGINNING: Line = { text: '', line: 0 };",
      changes: ['\'\' → "Stryker was here!"'],
      reason: 'lines count from 1, so that nobody asks for this one',
    },
  ],
  'src/ingest/reading/peek.ts': [
    {
      line: 'return /^\\uFEFF?([^\\r\\n]*)/.exec(text)![1]!.trim();',
      changes: ['/^\\uFEFF?([^\\r\\n]*)/ → /\\uFEFF?([^\\r\\n]*)/'],
      reason: 'the pattern may be empty, so that it matches at the beginning of every text',
    },
    {
      line: "if (/\\p{Cc}|\\uFFFD/u.test(head.replaceAll('\\t', ' '))) return 'it is not text';",
      changes: ['\' \' → ""'],
      reason: 'a blank is no control character, and neither is nothing',
    },
  ],
};
