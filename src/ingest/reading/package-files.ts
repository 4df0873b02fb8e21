import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** The text of a file in an installed package, also where the package does not export it. */
export async function readPackageFile(packageName: string, path: string): Promise<string> {
  return readFile(join(packageRoot(packageName), path), 'utf8');
}

function packageRoot(packageName: string): string {
  try {
    return dirname(require.resolve(`${packageName}/package.json`));
  } catch {
    // The package does not export its package.json: walk up from its entry point to its folder.
    let folder = dirname(require.resolve(packageName));
    while (!folder.endsWith(packageName)) folder = dirname(folder);
    return folder;
  }
}
