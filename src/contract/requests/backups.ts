import * as z from 'zod';
import { operationError, progress } from './operation-lines.js';

/** Length of one part of a backup. */
export const MAX_BACKUP_PART_BYTES = 8 * 1024 * 1024;

const count = z.int().min(0);

export const backupPath = z.object({ backupId: z.string().min(1).max(64) });

export const backupPartQuery = z.object({
  offset: count.meta({ description: 'position of the part in the backup' }),
});

/** A backup that is kept to be fetched. */
const keptBackup = z.object({
  backupId: z.string(),
  bytes: count,
  taken: z
    .string()
    .meta({ description: 'when it was made, ISO 8601: it holds all that was committed by then' }),
  points: count.meta({ description: 'with those that were replaced since' }),
});

/** A line of the answer while a backup is made. The last line has the backup, or the error for which there is none. */
export const backupLine = z.object({
  progress: progress.optional(),
  backup: keptBackup.optional(),
  error: operationError.optional(),
});
