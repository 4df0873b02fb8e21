import { CropframeError, StoreError } from '../../../model/errors.js';

/** A failure, and its place. */
export interface Failure {
  /** `host:port` of the server. */
  readonly shard: string;
  /** The store's address. */
  readonly location: string;
  readonly queryId: string;
}

type Explain = (failure: Failure, text: string) => string;

/** The numbers for tables and databases that are not there. */
const MISSING = new Set(['60', '81']);

/** Whether a statement failed because its table, or the database, is not there. */
export function isMissing(error: unknown): boolean {
  const cause = error instanceof StoreError ? (error.cause as { code?: unknown } | undefined) : undefined;
  return MISSING.has(String(cause?.code));
}

const LOST: Explain = ({ shard }, text) =>
  `the shard ${shard} has lost a table (${text.replace(/ in scope .*/, '')}); restore it from a backup, or copy the store again`;

const FULL_DISK: Explain = ({ shard }) =>
  `the disk of ${shard} is full, and nothing was committed; free some space and try again`;

const READ_ONLY: Explain = ({ shard }, text) =>
  `a table of ${shard} is read-only (${text}), and nothing was committed; its log says why: make it writable and try again`;

const FAILED: Explain = ({ shard, queryId }, text) => `${shard}: a query failed: ${text} (query ${queryId})`;

const UNREACHABLE: Explain = ({ shard }, text) =>
  `the shard ${shard} cannot be reached (${text}); start it, or correct the store's address`;

const BROKEN: Explain = ({ shard, queryId }, text) =>
  `the shard ${shard} broke off its answer (${text}), which is lost; its log has the reason under the query ${queryId}`;

const UNTRUSTED: Explain = ({ shard }, text) =>
  `the certificate of ${shard} is not trusted (${text}); name the certificate that signs it by CROPFRAME_CLICKHOUSE_CA`;

/** By the code of a system or network error. */
const BY_SYSTEM_CODE: Readonly<Record<string, Explain>> = {
  ECONNREFUSED: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  ECONNRESET: BROKEN,
  EPIPE: BROKEN,
  HPE_INVALID_CONSTANT: ({ shard }) =>
    `${shard} does not speak HTTP; name its HTTP port (8123 by default), or add tls=true to the store's address`,
  EPROTO: ({ shard }) =>
    `${shard} does not speak TLS; name its HTTPS port (8443 by default), or leave tls=true out of the store's address`,
  ERR_SSL_WRONG_VERSION_NUMBER: ({ shard }) =>
    `${shard} does not speak TLS; name its HTTPS port (8443 by default), or leave tls=true out of the store's address`,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_HAS_EXPIRED: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: UNTRUSTED,
};

/** By the number of ClickHouse's error. */
const BY_NUMBER: Readonly<Record<string, Explain>> = {
  60: LOST,
  75: (failure, text) => (/No space left/.test(text) ? FULL_DISK(failure, text) : FAILED(failure, text)),
  81: LOST,
  115: ({ shard }, text) =>
    `${shard} lacks a setting (${text}); update ClickHouse: cropframe was tried with 26.7`,
  159: ({ shard }) =>
    `${shard} ended a query after its time limit; ask for less, or raise max_execution_time of the user`,
  241: ({ shard }) => `${shard} has too little memory for a query; ask for less, or raise its memory limit`,
  242: READ_ONLY,
  243: FULL_DISK,
  252: ({ shard }, text) =>
    `${shard} has not merged its earlier data (${text}), and nothing was committed; try again later`,
  774: READ_ONLY,
  394: ({ shard }) => `a query was ended on ${shard} from outside; try again`,
  497: ({ shard }, text) => `the user of CROPFRAME_CLICKHOUSE_USER lacks a right on ${shard}: ${text}`,
  516: ({ shard }) =>
    `${shard} refuses the user or the password; set CROPFRAME_CLICKHOUSE_USER and CROPFRAME_CLICKHOUSE_PASSWORD, ` +
    'or CROPFRAME_CLICKHOUSE_PASSWORD_FILE',
};

/** Converts an error of a server or of the way to it into a StoreError that names the server. Errors of our own stay. */
export function toStoreError(error: unknown, failure: Failure): CropframeError {
  if (error instanceof CropframeError) return error;
  const { code, message } = error as { code?: string; message?: string };
  const text = (message ?? String(error)).replace(/\s+/g, ' ').trim();
  const explain = BY_SYSTEM_CODE[code ?? ''] ?? BY_NUMBER[code ?? ''];
  if (explain !== undefined) return new StoreError(explain(failure, text), { cause: error });
  if (isSilence(error)) return silentError(failure);
  return new StoreError(FAILED(failure, text), { cause: error });
}

/** Whether a request ended because its server said nothing for too long. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Timeout error.';
}

/** A server is connected, but says nothing. */
export function silentError({ shard, queryId }: Failure): StoreError {
  return new StoreError(
    `the shard ${shard} does not answer; look whether it hangs or is overloaded (query ${queryId}), and try again`,
  );
}

/** A server writes the text of a late error behind the rows that it has sent. */
const LATE_ERROR = /Code: \d+\. DB::Exception: .*/s;

/**
 * An answer lacks its end.
 * @param end the last bytes
 */
export function brokenOffError({ shard, queryId }: Failure, end: string): StoreError {
  const text = LATE_ERROR.exec(end)?.[0] ?? 'its end is missing';
  return new StoreError(
    `the shard ${shard} broke off its answer (${text.trim()}), which is lost (query ${queryId}); try again`,
  );
}
