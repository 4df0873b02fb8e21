import type { EndpointName } from '../../src/contract/endpoints.js';

/** A step of a backup over HTTP, after those before it. */
interface BackupStep {
  readonly endpoint: EndpointName;
  readonly what: string;
  run(): Promise<{ status: number; bytes: number }>;
}

const OPERATIONS: readonly string[] = ['backupBegin', 'backupPart', 'backupDiscard'] satisfies EndpointName[];

export function isBackup(endpoint: string): boolean {
  return OPERATIONS.includes(endpoint);
}

/** The steps of a backup of the whole store. */
export function backupSteps(url: string): BackupStep[] {
  let made = { backupId: '', bytes: 0 };
  const send = async (path: string) => {
    const headers = { authorization: 'Bearer attacker' };
    const response = await fetch(`${url}/v2/backups${path}`, { method: 'POST', headers });
    return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
  };
  return [
    {
      endpoint: 'backupBegin',
      what: 'the whole store',
      async run() {
        const { status, body } = await send('');
        const lines = new TextDecoder().decode(body).trim().split('\n');
        made = (JSON.parse(lines.at(-1)!) as { backup: typeof made }).backup;
        return { status, bytes: body.byteLength };
      },
    },
    {
      endpoint: 'backupPart',
      what: 'all parts',
      async run() {
        let [status, bytes] = [0, 0];
        while (bytes < made.bytes) {
          const part = await send(`/${made.backupId}/part?offset=${bytes}`);
          if (part.status !== 200) return { status: part.status, bytes };
          status = part.status;
          bytes += part.body.byteLength;
        }
        return { status, bytes };
      },
    },
    {
      endpoint: 'backupDiscard',
      what: 'the backup',
      async run() {
        const { status, body } = await send(`/${made.backupId}/discard`);
        return { status, bytes: body.byteLength };
      },
    },
  ];
}
