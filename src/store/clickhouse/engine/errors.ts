import { CropframeError, StoreError } from '../../../model/errors.js';
import { fillIn } from '../../duckdb/engine/errors.js';

export interface Failure {
  readonly shard: string;
  readonly queryId: string;
}

/** ClickHouse's error codes for missing tables and databases. */
const MISSING = new Set(['60', '81']);

export function isMissing(error: unknown): boolean {
  if (!(error instanceof StoreError)) return false;
  const { code, message = '' } = (error.cause ?? {}) as { code?: unknown; message?: string };
  // A query over a whole cluster fails with code 279 if one of the servers has no such table.
  return MISSING.has(String(code)) || (code === '279' && message.includes('There is no table'));
}

/** Messages, keyed by space-separated lists of error codes. Numbers are ClickHouse's own codes. */
const MESSAGES: Readonly<Record<string, string>> = {
  'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ETIMEDOUT':
    "the shard {shard} cannot be reached ({text}); start it, or correct the store's address",
  'ECONNRESET EPIPE':
    'the shard {shard} ended its response early ({text}); its log shows the reason under query {queryId}',
  HPE_INVALID_CONSTANT:
    "{shard} does not speak HTTP; use its HTTP port (8123 by default), or add tls=true to the store's address",
  'EPROTO ERR_SSL_WRONG_VERSION_NUMBER':
    "{shard} does not speak TLS; use its HTTPS port (8443 by default), or remove tls=true from the store's address",
  'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY CERT_HAS_EXPIRED ERR_TLS_CERT_ALTNAME_INVALID':
    'the certificate of {shard} is not trusted ({text}); set CROPFRAME_CLICKHOUSE_CA to the path of the certificate that signed it',
  '60 81': 'the shard {shard} has lost a table ({text}); restore it from a backup, or copy the store again',
  115: '{shard} does not know a setting ({text}); update ClickHouse (cropframe is tested with version 26.7)',
  159: '{shard} stopped a query that reached its time limit; request less data, or raise max_execution_time for the user',
  241: '{shard} has too little memory for a query; request less data, or raise its memory limit',
  '242 774':
    'a table on {shard} is read-only ({text}), so nothing was committed; check its log for the reason, make the table writable and try again',
  243: 'the disk of {shard} is full, so nothing was committed; free some space and try again',
  252: '{shard} has not merged its earlier data ({text}), so nothing was committed; try again later',
  394: 'a query was cancelled on {shard}; try again',
  497: 'the user in CROPFRAME_CLICKHOUSE_USER lacks a permission on {shard}: {text}',
  516:
    '{shard} rejected the user or the password; set CROPFRAME_CLICKHOUSE_USER and CROPFRAME_CLICKHOUSE_PASSWORD, ' +
    'or CROPFRAME_CLICKHOUSE_PASSWORD_FILE',
};
const FULL_DISK = '243';
const FAILED = '{shard}: a query failed: {text} (query {queryId})';

/** Converts an error to a StoreError that names the server. A CropframeError is returned unchanged. */
export function toStoreError(error: unknown, failure: Failure): CropframeError {
  if (error instanceof CropframeError) return error;
  const { code, message } = error as { code?: string; message?: string };
  if (isSilence(error)) return silentError(failure);
  const whole = (message ?? String(error)).replace(/\s+/g, ' ').trim();
  const reason = code === '75' && whole.includes('No space left') ? FULL_DISK : String(code);
  const [, template = FAILED] =
    Object.entries(MESSAGES).find(([codes]) => codes.split(' ').includes(reason)) ?? [];
  const text = MISSING.has(reason) ? whole.replace(/ in scope .*/, '') : whole;
  return new StoreError(fillIn(template, { ...failure, text }), { cause: error });
}

/** Checks whether a request ended because its server sent nothing for too long. */
export const isSilence = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Timeout error.';

export function silentError({ shard, queryId }: Failure): StoreError {
  return new StoreError(
    `the shard ${shard} is not responding; check whether it has hung or is overloaded (query ${queryId}), then try again`,
  );
}
