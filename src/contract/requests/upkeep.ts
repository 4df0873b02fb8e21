import * as z from 'zod';
import { envelope } from '../shapes.js';
import { BYTES, NDJSON } from '../wire-names.js';

/** Length of one part of a file that is imported, or of a backup. */
export const MAX_PART_BYTES = 8 * 1024 * 1024;

/** The longest name of a file in bytes, as file systems have it. */
const MAX_NAME_BYTES = 255;

/** Files of one import. */
const MAX_FILES = 1_000;

const count = z.int().min(0);

/** Which data set is imported, from which files, and how. */
const importRequest = z.strictObject({
  dataset: z
    .union([z.string().min(1).max(40), z.looseObject({})])
    .meta({ description: 'name of a data set, such as nass, or a document that describes one' }),
  files: z
    .array(
      z.strictObject({
        name: z
          .string()
          .min(1)
          .max(MAX_NAME_BYTES)
          .refine(
            (name) => new TextEncoder().encode(name).byteLength <= MAX_NAME_BYTES,
            `is longer than ${MAX_NAME_BYTES} bytes; rename the file`,
          )
          .meta({ description: 'by its ending an importer knows archives' }),
        bytes: count,
      }),
    )
    .max(MAX_FILES)
    .meta({ description: 'in the order of their parts' }),
  settings: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: 'settings by name, as the document of the data set declares them' }),
  maxRejectedShare: z.number().min(0).max(1).optional().meta({
    description: 'the import fails when more than this share of the rows is rejected; default 0.05',
  }),
  maxRejected: count.optional().meta({ description: 'rows; the share is then no limit' }),
  maxConflicts: count.optional().meta({
    description: 'the import fails when more rows than this contradict each other; default 0.1 % of all rows',
  }),
});

/** The request that begins an import. */
export type ImportRequestBody = z.infer<typeof importRequest>;

const importBegun = z.object({ importId: z.string() });

const importPath = z.object({ importId: z.string().min(1).max(64) });

const importFilePath = z.object({
  importId: z.string().min(1).max(64),
  position: z.int().min(0).max(MAX_FILES).meta({ description: 'of the file in the list of files' }),
});

const importFileQuery = z.object({
  offset: count.meta({ description: 'position of the part in the file' }),
});

const importedPart = z.object({
  received: count.meta({ description: 'bytes of the file that have arrived' }),
});

const kindCounts = z.array(z.object({ kind: z.string(), count }));

/** The account of an import. */
const importReport = z.object({
  dataset: z.string(),
  counts: z.enum(['rows', 'values']),
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
  notes: z.array(z.string()),
});

/** A row that was rejected, or that contradicts another one. */
const rejectedRow = z.object({
  file: z.string(),
  line: z.int(),
  reason: z.string(),
  text: z.string(),
});

/** Why a long operation failed. */
const operationError = z.object({ error: z.string(), message: z.string() });

/** How far a long operation is. */
export const progress = z.object({
  label: z.string(),
  done: z.number(),
  total: z.number().nullable(),
  unit: z.string(),
  rows: z.number().optional(),
});

/** A line of the answer while an import runs. The last line has the report, or the error for which all was rolled back. */
export const importLine = z.object({
  progress: progress.optional(),
  rejected: z.array(rejectedRow).optional(),
  report: importReport.optional(),
  error: operationError.optional(),
});

const backupPath = z.object({ backupId: z.string().min(1).max(64) });

const backupPartQuery = z.object({
  offset: count.meta({ description: 'position of the part in the backup' }),
});

/** A backup that is kept to be fetched. */
const keptBackup = z.object({
  backupId: z.string(),
  bytes: count,
  created: z
    .string()
    .meta({ description: 'when it was made, ISO 8601: it holds all that was committed by then' }),
  points: count.meta({ description: 'including revised points' }),
});

/** A line of the answer while a backup is made. The last line has the backup, or the error for which there is none. */
export const backupLine = z.object({
  progress: progress.optional(),
  backup: keptBackup.optional(),
  error: operationError.optional(),
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
    answer: envelope(z.object({ cancelled: z.boolean() })),
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
    answer: envelope(z.object({ discarded: z.boolean() })),
  },
} as const;
