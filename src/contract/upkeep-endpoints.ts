import * as z from 'zod';
import { addresses } from './addresses.js';
import type { Endpoint } from './endpoint.js';
import * as upkeep from './requests/upkeep.js';
import * as shapes from './shapes.js';
import { BYTES, NDJSON } from './wire-names.js';

/** The operations that look after a store: imports and backups. */
export const upkeepEndpoints = {
  importBegin: {
    ...addresses.importBegin,
    summary: 'Begin an import: name the data set and its files. Only where the service allows imports',
    right: 'import',
    body: upkeep.importRequest,
    answer: shapes.envelope(upkeep.importBegun),
  },
  importPart: {
    ...addresses.importPart,
    summary: 'Send a part of a file, at most 8 MiB, in order; a repeated part replaces itself',
    right: 'import',
    pathParameters: upkeep.importFilePath,
    query: upkeep.importFileQuery,
    takesBytes: true,
    answer: shapes.envelope(upkeep.importedPart),
  },
  importRun: {
    ...addresses.importRun,
    summary:
      'Import the files, all or nothing. Lines of progress and rejected rows, then the report or the error',
    right: 'import',
    pathParameters: upkeep.importPath,
    answer: null,
    streams: [NDJSON],
  },
  importCancel: {
    ...addresses.importCancel,
    summary: 'Discard the files of an import that was not run',
    right: 'import',
    pathParameters: upkeep.importPath,
    answer: shapes.envelope(z.object({ cancelled: z.boolean() })),
  },
  backupBegin: {
    ...addresses.backupBegin,
    summary:
      'Make a backup of the store. Lines of progress, then the backup, kept for 15 minutes, or the error',
    right: 'administer',
    answer: null,
    streams: [NDJSON],
  },
  backupPart: {
    ...addresses.backupPart,
    summary: 'Get a part of a backup, 8 MiB unless it ends before, with its content-digest',
    right: 'administer',
    pathParameters: upkeep.backupPath,
    query: upkeep.backupPartQuery,
    answer: null,
    streams: [BYTES],
  },
  backupDiscard: {
    ...addresses.backupDiscard,
    summary: 'Discard a backup that was fetched',
    right: 'administer',
    pathParameters: upkeep.backupPath,
    answer: shapes.envelope(z.object({ discarded: z.boolean() })),
  },
} as const satisfies Record<string, Endpoint>;
