import { installOwnPackages } from '../install/own-packages.js';
import { preparePython } from '../python.js';
import { Nodes } from './nodes.js';

/**
 * Installs what runs ClickHouse: Python, and its library from npm, which takes 560 MB and stays.
 * @returns why no node runs on this machine, or null when one does
 */
export async function prepareClickHouse(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return `the servers of its tests run on Linux x64, and not on ${process.platform} ${process.arch}`;
  }
  const reason = preparePython() ?? (await installOwnPackages('test/clickhouse'));
  if (reason !== null) return reason;
  try {
    await (await Nodes.start(1)).stop();
    return null;
  } catch (error) {
    return `a server did not start: ${(error as Error).message}`;
  }
}
