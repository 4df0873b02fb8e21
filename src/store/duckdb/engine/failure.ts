import { CropframeError, StoreError } from '../../../model/errors.js';

const TRANSLATIONS: readonly {
  pattern: RegExp;
  say: (location: string, match: RegExpExecArray) => string;
}[] = [
  {
    pattern: /Could not set lock on file.*?(?:PID (\d+))?\)?\./s,
    say: (location, match) => {
      const holder = /PID (\d+)/.exec(match.input)?.[1];
      const who = holder === undefined ? 'another process' : `another process (PID ${holder})`;
      return `${location} is in use by ${who}; stop it, or open the store with readOnly in every process`;
    },
  },
  {
    pattern: /not a valid DuckDB database file/,
    say: (location) =>
      `${location} is not a cropframe store; name another file, or remove this one to start anew`,
  },
  {
    pattern: /Trying to read a database file with version number (\d+)/,
    say: (location) => `${location} was written by a newer version; update cropframe to open it`,
  },
  {
    pattern: /database does not exist/,
    say: (location) => `there is no store at ${location}; import a data set first, which creates it`,
  },
  {
    pattern: /No such file or directory/,
    say: (location) => `${location} cannot be created: its folder does not exist; create the folder first`,
  },
  { pattern: /Is a directory/, say: (location) => `${location} is a folder; name a file inside it` },
  {
    pattern: /Permission denied/,
    say: (location) =>
      `${location} may not be opened by this user; change its permissions or open it with readOnly`,
  },
  {
    pattern: /No space left on device/,
    say: (location) => `${location}: no space is left on the disk; free some and import again`,
  },
];

/** Turns the engine's own error into a StoreError that names the store and the remedy; own errors pass unchanged. */
export function storeFailure(error: unknown, location: string, doing: string): CropframeError {
  if (error instanceof CropframeError) return error;
  const text = error instanceof Error ? error.message : String(error);
  for (const { pattern, say } of TRANSLATIONS) {
    const match = pattern.exec(text);
    if (match !== null) return new StoreError(say(location, match), { cause: error });
  }
  return new StoreError(`${location}: ${doing} failed: ${text}`, { cause: error });
}
