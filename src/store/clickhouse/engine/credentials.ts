import { readFileSync } from 'node:fs';
import { StoreError } from '../../../model/errors.js';

/** How a store logs in to its servers. */
export interface Credentials {
  readonly user: string;
  readonly password: string;
  /** Certificates, in PEM, that sign those of the servers; null for the usual ones. */
  readonly ca: Buffer | null;
}

/** The variables of the environment that say how to log in. */
const USER = 'CROPFRAME_CLICKHOUSE_USER';
const PASSWORD = 'CROPFRAME_CLICKHOUSE_PASSWORD';
const PASSWORD_FILE = 'CROPFRAME_CLICKHOUSE_PASSWORD_FILE';
const CA_FILE = 'CROPFRAME_CLICKHOUSE_CA';

/** @throws StoreError when a file that the environment names cannot be read */
export function readCredentials(environment: NodeJS.ProcessEnv = process.env): Credentials {
  const of = (name: string) => (environment[name] === '' ? undefined : environment[name]);
  const file = of(PASSWORD_FILE);
  const password = of(PASSWORD);
  if (file !== undefined && password !== undefined) {
    throw new StoreError(`${PASSWORD} and ${PASSWORD_FILE} are both set; set one of them`);
  }
  const ca = of(CA_FILE);
  return {
    user: of(USER) ?? 'default',
    // An editor ends a file with a line break, which is not part of the password.
    password:
      file === undefined
        ? (password ?? '')
        : readNamed(PASSWORD_FILE, file)
            .toString('utf8')
            .replace(/\r?\n$/, ''),
    ca: ca === undefined ? null : readNamed(CA_FILE, ca),
  };
}

function readNamed(variable: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new StoreError(
      `${variable} names ${path}, which cannot be read (${code}); correct the path or its rights`,
      {
        cause,
      },
    );
  }
}
