import { CropframeError, StoreError } from '../../../model/errors.js';
import { fillIn } from '../../duckdb/engine/errors.js';

export interface Failure {
  readonly shard: string;
  readonly queryId: string;
}

/** ClickHouse's error codes for missing tables and databases. */
const MISSING = new Set(['60', '81']);

export function isMissing(error: unknown): boolean {
  const cause = error instanceof StoreError ? (error.cause as { code?: unknown } | undefined) : undefined;
  return MISSING.has(String(cause?.code));
}

const LOST = 'the shard {shard} has lost a table ({text}); restore it from a backup, or copy the store again';

const FULL_DISK = 'the disk of {shard} is full, so nothing was committed; free some space and try again';

const READ_ONLY =
  'a table on {shard} is read-only ({text}), so nothing was committed; check its log for the reason, make the table writable and try again';

const FAILED = '{shard}: a query failed: {text} (query {queryId})';

const UNREACHABLE = "the shard {shard} cannot be reached ({text}); start it, or correct the store's address";

const BROKEN =
  'the shard {shard} ended its response early ({text}); its log shows the reason under query {queryId}';

const NO_TLS =
  "{shard} does not speak TLS; use its HTTPS port (8443 by default), or remove tls=true from the store's address";

const UNTRUSTED =
  'the certificate of {shard} is not trusted ({text}); set CROPFRAME_CLICKHOUSE_CA to the path of the certificate that signed it';

/** Messages keyed by the code of a system or network error, or by ClickHouse's error code. */
const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  ECONNRESET: BROKEN,
  EPIPE: BROKEN,
  HPE_INVALID_CONSTANT:
    "{shard} does not speak HTTP; use its HTTP port (8123 by default), or add tls=true to the store's address",
  EPROTO: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_HAS_EXPIRED: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: UNTRUSTED,
  60: LOST,
  81: LOST,
  115: '{shard} does not know a setting ({text}); update ClickHouse (cropframe is tested with version 26.7)',
  159: '{shard} stopped a query that reached its time limit; request less data, or raise max_execution_time for the user',
  241: '{shard} has too little memory for a query; request less data, or raise its memory limit',
  242: READ_ONLY,
  243: FULL_DISK,
  252: '{shard} has not merged its earlier data ({text}), so nothing was committed; try again later',
  394: 'a query was cancelled on {shard}; try again',
  497: 'the user in CROPFRAME_CLICKHOUSE_USER lacks a permission on {shard}: {text}',
  516:
    '{shard} rejected the user or the password; set CROPFRAME_CLICKHOUSE_USER and CROPFRAME_CLICKHOUSE_PASSWORD, ' +
    'or CROPFRAME_CLICKHOUSE_PASSWORD_FILE',
  774: READ_ONLY,
};

/** Converts an error to a StoreError that names the server. A CropframeError is returned unchanged. */
export function toStoreError(error: unknown, failure: Failure): CropframeError {
  if (error instanceof CropframeError) return error;
  const { code, message } = error as { code?: string; message?: string };
  if (isSilence(error)) return silentError(failure);
  const whole = (message ?? String(error)).replace(/\s+/g, ' ').trim();
  const isFull = code === '75' && whole.includes('No space left');
  const template = isFull ? FULL_DISK : (BY_CODE[code ?? ''] ?? FAILED);
  const text = template === LOST ? whole.replace(/ in scope .*/, '') : whole;
  return new StoreError(fillIn(template, { ...failure, text }), { cause: error });
}

/** Checks whether a request ended because its server sent nothing for too long. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Timeout error.';
}

export function silentError({ shard, queryId }: Failure): StoreError {
  return new StoreError(
    `the shard ${shard} is not responding; check whether it has hung or is overloaded (query ${queryId}), then try again`,
  );
}

/** Matches the text of an error that a server appends to the rows that it has already sent. */
const LATE_ERROR = /Code: \d+\. DB::Exception: .*/s;

/** @param end the last bytes of the response */
export function brokenOffError({ shard, queryId }: Failure, end: string): StoreError {
  const text = LATE_ERROR.exec(end)?.[0] ?? 'its end is missing';
  return new StoreError(
    `the shard ${shard} ended its response early (${text.trim()}; query ${queryId}); try again`,
  );
}
