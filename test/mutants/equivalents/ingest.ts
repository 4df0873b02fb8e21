import type { Equivalents } from './equivalent.js';

export const INGEST: Equivalents = {
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
