import * as v from 'valibot';
import { INTEGER, integer, oneOf, withMeaning } from '../../model/schema/schemas.js';
import { envelope } from '../shapes.js';
import { BYTES, NDJSON } from '../wire-names.js';

/** Length of one part of a file that is imported, or of a backup. */
export const MAX_PART_BYTES = 8 * 1024 * 1024;

/** The longest name of a file in bytes, as file systems have it. */
const MAX_NAME_BYTES = 255;

/** Files of one import. */
const MAX_FILES = 1_000;

const count = integer();

/** Which data set is imported, from which files, and how. */
const importRequest = v.strictObject({
  dataset: withMeaning(
    'name of a data set, such as nass, or a document that describes one',
    v.union([v.pipe(v.string(), v.minLength(1), v.maxLength(40)), v.looseObject({})]),
  ),
  files: withMeaning(
    'in the order of their parts',
    v.pipe(
      v.array(
        v.strictObject({
          name: withMeaning(
            'by its ending an importer knows archives',
            v.pipe(
              v.string(),
              v.minLength(1),
              v.maxLength(MAX_NAME_BYTES),
              v.check(
                (name) => new TextEncoder().encode(name).byteLength <= MAX_NAME_BYTES,
                `is longer than ${MAX_NAME_BYTES} bytes; rename the file`,
              ),
            ),
          ),
          bytes: count,
        }),
      ),
      v.maxLength(MAX_FILES),
    ),
  ),
  settings: v.optional(
    withMeaning(
      'settings by name, as the document of the data set declares them',
      v.record(v.string(), v.string()),
    ),
  ),
  maxRejectedShare: v.optional(
    withMeaning(
      'the import fails when more than this share of the rows is rejected; default 0.05',
      v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
    ),
  ),
  maxRejected: v.optional(withMeaning('rows; the share is then no limit', count)),
  maxConflicts: v.optional(
    withMeaning(
      'the import fails when more rows than this contradict each other; default 0.1 % of all rows',
      count,
    ),
  ),
});

/** The request that begins an import. */
export type ImportRequestBody = v.InferOutput<typeof importRequest>;

const importBegun = v.object({ importId: v.string() });

const importPath = v.object({ importId: v.pipe(v.string(), v.minLength(1), v.maxLength(64)) });

const importFilePath = v.object({
  importId: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
  position: withMeaning('of the file in the list of files', integer({ max: MAX_FILES })),
});

const importFileQuery = v.object({
  offset: withMeaning('position of the part in the file', count),
});

const importedPart = v.object({
  received: withMeaning('bytes of the file that have arrived', count),
});

const kindCounts = v.array(v.object({ kind: v.string(), count }));

/** The account of an import. */
const importReport = v.object({
  dataset: v.string(),
  counts: oneOf(['rows', 'values']),
  rows: count,
  points: count,
  nulls: count,
  duplicates: count,
  conflicts: count,
  rejectedRows: count,
  rejectedBy: kindCounts,
  notReadRows: count,
  notRead: kindCounts,
  added: count,
  revised: count,
  unchanged: count,
  series: count,
  entities: count,
  notes: v.array(v.string()),
});

/** A row that was rejected, or that contradicts another one. */
const rejectedRow = v.object({
  file: v.string(),
  line: INTEGER,
  reason: v.string(),
  text: v.string(),
});

/** Why a long operation failed. */
const operationError = v.object({ error: v.string(), message: v.string() });

/** How far a long operation is. */
export const progress = v.object({
  label: v.string(),
  done: v.number(),
  total: v.nullable(v.number()),
  unit: v.string(),
  rows: v.optional(v.number()),
});

/** A line of the answer while an import runs. The last line has the report, or the error for which all was rolled back. */
export const importLine = v.object({
  progress: v.optional(progress),
  rejected: v.optional(v.array(rejectedRow)),
  report: v.optional(importReport),
  error: v.optional(operationError),
});

const backupPath = v.object({ backupId: v.pipe(v.string(), v.minLength(1), v.maxLength(64)) });

const backupPartQuery = v.object({
  offset: withMeaning('position of the part in the backup', count),
});

/** A backup that is kept to be fetched. */
const keptBackup = v.object({
  backupId: v.string(),
  bytes: count,
  created: withMeaning('when it was made, ISO 8601: it holds all that was committed by then', v.string()),
  points: withMeaning('including revised points', count),
});

/** A line of the answer while a backup is made. The last line has the backup, or the error for which there is none. */
export const backupLine = v.object({
  progress: v.optional(progress),
  backup: v.optional(keptBackup),
  error: v.optional(operationError),
});

/** The schemas and forms of imports and backups. */
export const upkeepForms = {
  importBegin: { right: 'import', body: importRequest, answer: envelope(importBegun) },
  importPart: {
    right: 'import',
    pathParameters: importFilePath,
    query: importFileQuery,
    takesBytes: true,
    answer: envelope(importedPart),
  },
  importRun: { right: 'import', pathParameters: importPath, answer: null, streams: [NDJSON] },
  importCancel: {
    right: 'import',
    pathParameters: importPath,
    answer: envelope(v.object({ cancelled: v.boolean() })),
  },
  backupBegin: { right: 'administer', answer: null, streams: [NDJSON] },
  backupPart: {
    right: 'administer',
    pathParameters: backupPath,
    query: backupPartQuery,
    answer: null,
    streams: [BYTES],
  },
  backupDiscard: {
    right: 'administer',
    pathParameters: backupPath,
    answer: envelope(v.object({ discarded: v.boolean() })),
  },
} as const;
