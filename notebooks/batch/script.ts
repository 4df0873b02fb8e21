import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type Client, createClient } from 'cropframe';
import { openEmbedded } from 'cropframe/embedded';

/**
 * Runs a batch script: its first argument is a store's file or the address of a service, the second its output folder.
 * Ends with 2 when an argument is missing, and with 1 and the error's message when the work fails.
 * @param usage how to call it, for somebody who did not
 */
export async function runScript(
  usage: string,
  work: (client: Client, folder: string) => Promise<void>,
): Promise<void> {
  const [place, folder] = process.argv.slice(2);
  if (place === undefined || folder === undefined) {
    console.error(`Usage: node --import tsx notebooks/batch/${usage}`);
    process.exitCode = 2;
    return;
  }
  try {
    const { client, close } = await connect(place);
    try {
      await mkdir(folder, { recursive: true });
      await work(client, folder);
    } finally {
      await close();
    }
  } catch (error) {
    console.error(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
    process.exitCode = 1;
  }
}

/** A service by its address, with the token in `API_TOKEN`; or a store, which must be there: a new one would be empty. */
async function connect(place: string): Promise<{ client: Client; close: () => Promise<void> }> {
  if (/^https?:\/\//.test(place))
    return { client: createClient({ api_host: place }), close: async () => undefined };
  if (!existsSync(place))
    throw new Error(`there is no store ${place}; make one with "cropframe import … --store ${place}"`);
  return openEmbedded({ path: place });
}
