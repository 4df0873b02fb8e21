import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Loads an optional package from `directories`, from the project in the working directory, or from the project in which
 * cropframe is installed. Returns `undefined` if none of them has the package.
 */
export function loadOptional(name: string, directories: readonly string[] = []): unknown {
  for (const from of [...directories, process.cwd()]
    .map((path) => `${pathToFileURL(path)}/`)
    .concat(import.meta.url)) {
    const require = createRequire(from);
    let path: string;
    try {
      path = require.resolve(name);
    } catch {
      continue;
    }
    return require(path);
  }
  return undefined;
}
