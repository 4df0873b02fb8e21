import { readFileSync } from 'node:fs';
import { StoreError } from '../../../model/errors.js';

const SCHEME = /^clickhouse:\/\//i;
const FORM = 'clickhouse://HOST[:PORT][,HOST…]/DATABASE[?cluster=NAME][&tls=true]';
const HTTP_PORT = 8123;
const HTTPS_PORT = 8443;
const MAX_PORT = 65_535;

export interface ClickHouseAddress {
  /** The server of each shard, as `host:port`. The first server also has all tables that do not contain points. */
  readonly hosts: readonly string[];
  readonly database: string;
  /** The ClickHouse cluster's name, for views over several servers and for printed SQL; null if none is specified. */
  readonly cluster: string | null;
  readonly tls: boolean;
  readonly location: string;
}

/** Returns the name of the database whose views show names in place of ids. */
export const namedDatabase = (database: string): string => `${database}_by_name`;

export const isClickHouseAddress = (location: string): boolean => SCHEME.test(location);

const ADDRESS = /^clickhouse:\/\/([^/?#\s]+)\/(\w+)(?:\?([^#]*))?$/i;
const HOST = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i;

/** Parses an address. @throws StoreError if it is invalid or contains credentials, which the message does not repeat */
export function parseAddress(text: string): ClickHouseAddress {
  if (text.includes('@') || /[?&](user(name)?|pass(word)?)=/i.test(text))
    throw new StoreError(CREDENTIALS_IN_ADDRESS);
  const [, authority = '', database, query] = ADDRESS.exec(text) ?? [];
  const { cluster = null, tls = 'false', ...unknown } = Object.fromEntries(new URLSearchParams(query));
  const defaultPort = tls === 'true' ? HTTPS_PORT : HTTP_PORT;
  const hosts = authority.split(',').map((host) => {
    const [, name, port = defaultPort] = HOST.exec(host) ?? [];
    return name === undefined || Number(port) > MAX_PORT ? '' : `${name}:${port}`;
  });
  const areOptions =
    Object.keys(unknown).length === 0 && /^(true|false)$/.test(tls) && /^[\w.-]+$/.test(cluster ?? '-');
  if (database === undefined || hosts.includes('') || new Set(hosts).size < hosts.length || !areOptions)
    throw new StoreError(
      `${text} is not the address of a ClickHouse store: ${FORM}, where each host is listed once, DATABASE has only ` +
        'letters, digits and _, and NAME is the name of a cluster in system.clusters',
    );
  const options = new URLSearchParams({ ...(cluster && { cluster }), ...(tls === 'true' && { tls }) });
  const location = `clickhouse://${hosts.join(',')}/${database}${options.size > 0 ? '?' : ''}${options}`;
  return { hosts, database, cluster, tls: tls === 'true', location };
}

const CREDENTIALS_IN_ADDRESS =
  'a ClickHouse address must not contain a user name or a password; set CROPFRAME_CLICKHOUSE_USER and ' +
  'CROPFRAME_CLICKHOUSE_PASSWORD, or set CROPFRAME_CLICKHOUSE_PASSWORD_FILE to the path of a password file';

export interface Credentials {
  readonly user: string;
  readonly password: string;
  /** PEM certificates of the authority that signed the servers' certificates; null to use the system's authorities. */
  readonly ca: Buffer | null;
}

const USER = 'CROPFRAME_CLICKHOUSE_USER';
const PASSWORD = 'CROPFRAME_CLICKHOUSE_PASSWORD';
const PASSWORD_FILE = 'CROPFRAME_CLICKHOUSE_PASSWORD_FILE';
const CA_FILE = 'CROPFRAME_CLICKHOUSE_CA';

/** Reads credentials from environment variables. @throws StoreError if a file that they specify cannot be read */
export function readCredentials(environment: NodeJS.ProcessEnv = process.env): Credentials {
  const of = (name: string) => (environment[name] === '' ? undefined : environment[name]);
  const file = of(PASSWORD_FILE);
  const password = of(PASSWORD);
  if (file !== undefined && password !== undefined)
    throw new StoreError(`${PASSWORD} and ${PASSWORD_FILE} are both set; set only one of them`);
  const ca = of(CA_FILE);
  return {
    user: of(USER) ?? 'default',
    // Editors end a file with a line break, which is not part of the password.
    password:
      file === undefined ? (password ?? '') : String(readNamed(PASSWORD_FILE, file)).replace(/\r?\n$/, ''),
    ca: ca === undefined ? null : readNamed(CA_FILE, ca),
  };
}

function readNamed(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const problem = `is set to ${path}, which cannot be read (${code})`;
    throw new StoreError(`${variable} ${problem}; correct the path or the file's permissions`, { cause });
  }
}
