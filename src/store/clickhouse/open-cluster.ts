import { parseAddress } from './engine/address.js';
import { Cluster } from './engine/cluster.js';
import { readCredentials } from './engine/credentials.js';
import { checkSchema } from './prepared.js';
import { createSchema } from './schema.js';

/**
 * Connects to the servers of a store, with the credentials of the environment.
 * @throws StoreError when a server cannot be reached, or the servers do not hold a store of this version
 */
export async function openCluster(location: string): Promise<Cluster> {
  const cluster = new Cluster(parseAddress(location), readCredentials());
  try {
    await checkSchema(cluster);
  } catch (error) {
    await cluster.close();
    throw error;
  }
  return cluster;
}

/** Creates the database and the tables of a store on its servers; what is there stays. */
export async function initClickhouseStore(location: string): Promise<void> {
  const address = parseAddress(location);
  const credentials = readCredentials();
  const cluster = new Cluster(address, credentials);
  try {
    await createSchema(address, credentials, cluster);
  } finally {
    await cluster.close();
  }
}
