import { badArgument } from './errors.js';

/** Explanations of file errors and, where possible, remedies, keyed by system error code. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder; specify a file',
  ENOTDIR: 'part of this path is not a folder',
  EACCES: 'permission denied; change the permissions or specify a different path',
  EPERM: 'permission denied; change the permissions or specify a different path',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'the disk quota is used up; free some space',
  EFBIG: 'the process may not write files of this size; raise the limit (ulimit -f)',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
  ERR_INVALID_ARG_VALUE: 'its name contains a null character',
};

const FOLDER_IS_MISSING = 'its folder does not exist; create the folder first';

/** Explains why a file cannot be read or written, and names the remedy if it is known. */
export function systemReason({ code = '', message }: { code?: string | undefined; message: string }): string {
  return REASONS[code] ?? message;
}

export function isSystemError(error: unknown): error is Error & { readonly code: string } {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return 'syscall' in error || Object.hasOwn(REASONS, String(error.code));
}

/**
 * Converts a file system error to an `ArgumentError` with the path as the user wrote it and, if known, a remedy.
 * Other errors are returned unchanged, as is EPIPE, which means that the reader of a pipe has closed it.
 */
export function fileFailure(
  cause: unknown,
  { path, argument, to }: { path: string; argument: string; to: 'write' | 'read' },
): unknown {
  if (!isSystemError(cause) || cause.code === 'EPIPE') return cause;
  const isMissingFolder = to === 'write' && cause.code === 'ENOENT';
  const reason = isMissingFolder ? FOLDER_IS_MISSING : systemReason(cause);
  const done = to === 'write' ? 'written' : 'read';
  return badArgument(argument, `${path} cannot be ${done}: ${reason}`, { cause });
}
