import * as v from 'valibot';
import type { RejectedLine } from '../../model/importing/job.js';
import type { ImportOutcome } from '../../model/importing/outcome.js';
import type { Progress } from '../../model/progress.js';
import { integer, isNot, optionalWith, withMeaning } from '../../model/schema/schemas.js';
import { post } from '../addresses.js';
import { dataOf } from '../shapes.js';
import { BYTES, NDJSON } from '../wire-names.js';

/** The maximum size in bytes of one part of an imported file or a backup. */
export const MAX_PART_BYTES = 8 * 1024 * 1024;

const MAX_NAME_BYTES = 255;

const MAX_FILES = 1_000;

const count = integer();

const importRequest = v.strictObject({
  dataset: withMeaning(
    'name of a data set, such as nass, or a document that describes one',
    v.union([v.pipe(v.string(), v.minLength(1), v.maxLength(40)), v.looseObject({})]),
  ),
  files: withMeaning(
    'the files, in the order in which their parts are sent',
    v.pipe(
      v.array(
        v.strictObject({
          name: withMeaning(
            'name of the file; its extension shows whether the file is an archive',
            v.pipe(
              v.string(),
              v.minLength(1),
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
  settings: optionalWith(
    'settings of the data set, keyed by name, as declared in its document',
    v.record(v.string(), v.string()),
  ),
  maxRejectedShare: optionalWith(
    'the import fails when more than this share of the rows is rejected; default 0.05',
    v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  ),
  maxRejected: optionalWith(
    'the import fails when more rows than this are rejected; overrides maxRejectedShare',
    count,
  ),
  maxConflicts: optionalWith(
    'the import fails when more rows than this contradict each other; default 0.1 % of all rows',
    count,
  ),
});

export type ImportRequestBody = v.InferOutput<typeof importRequest>;

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64));

const importPath = v.object({ importId: id });

const backupPath = v.object({ backupId: id });

/** Returns the schema of an object whose fields are not checked, because only this project's service sends it. */
const objectOf = <Value>() =>
  v.custom<Value>((value) => typeof value === 'object' && value !== null, isNot('an object'));

/** The fields that any line of a long operation's response may have. The last line contains the result or an error. */
const LINE = {
  progress: v.optional(objectOf<Progress>()),
  error: v.optional(v.object({ error: v.string(), message: v.string() })),
};

export const importLine = v.object({
  ...LINE,
  rejected: v.optional(v.array(objectOf<RejectedLine>())),
  report: v.optional(objectOf<ImportOutcome>()),
});

export const keptBackup = v.object({
  backupId: v.string(),
  /** When the backup was made, as an ISO 8601 string in UTC. The backup contains everything committed by then. */
  created: v.string(),
  /** The number of points in the backup, including points that were later revised. */
  points: count,
  /** The size of the backup in bytes. */
  bytes: count,
});
export type KeptBackup = v.InferOutput<typeof keptBackup>;

export const backupLine = v.object({ ...LINE, backup: v.optional(keptBackup) });

export const upkeepEndpoints = {
  importBegin: {
    ...post('/v2/imports'),
    right: 'import',
    body: importRequest,
    answer: dataOf(v.object({ importId: v.string() })),
  },
  importPart: {
    ...post('/v2/imports/{importId}/files/{position}'),
    right: 'import',
    pathParameters: v.object({
      importId: id,
      position: withMeaning('position of the file in the list of files', integer({ max: MAX_FILES })),
    }),
    query: v.object({ offset: withMeaning('position of the part in the file', count) }),
    takesBytes: true,
    answer: dataOf(
      v.object({ received: withMeaning('number of bytes of the file that have arrived', count) }),
    ),
  },
  importRun: {
    ...post('/v2/imports/{importId}/run'),
    right: 'import',
    pathParameters: importPath,
    answer: null,
    streams: [NDJSON],
  },
  importCancel: {
    ...post('/v2/imports/{importId}/cancel'),
    right: 'import',
    pathParameters: importPath,
    answer: dataOf(v.object({ cancelled: v.boolean() })),
  },
  backupBegin: { ...post('/v2/backups'), right: 'administer', answer: null, streams: [NDJSON] },
  backupPart: {
    ...post('/v2/backups/{backupId}/part'),
    right: 'administer',
    pathParameters: backupPath,
    query: v.object({ offset: withMeaning('position of the part in the backup', count) }),
    answer: null,
    streams: [BYTES],
  },
  backupDiscard: {
    ...post('/v2/backups/{backupId}/discard'),
    right: 'administer',
    pathParameters: backupPath,
    answer: dataOf(v.object({ discarded: v.boolean() })),
  },
} as const;
