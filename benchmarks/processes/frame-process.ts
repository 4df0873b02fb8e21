import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { type Client, createClient } from '../../src/create-client.js';
import { openEmbedded } from '../../src/embedded.js';
import { frameBytes } from '../../src/frame/display/describe.js';
import { readColumns } from '../../src/frame/table/columns.js';
import type { Wanted } from '../stores/engine.js';
import type { Fingerprint } from '../stores/fingerprint.js';
import { fingerprintOfFrame } from '../stores/frame-fingerprint.js';
import { keyOf } from '../stores/synthetic-weather.js';
import { serveTasks } from './tasks.js';

/** A frame to be got. */
export interface FrameTask {
  /** Where a service answers; null to have the store and the service in the same process. */
  readonly url: string | null;
  readonly file: string;
  readonly wanted: Wanted;
  readonly compress_format: boolean;
  /** Opens the client, and gets nothing yet. */
  readonly open?: boolean | undefined;
  /** A folder for the columns of the first frame, as bytes. */
  readonly columnsTo?: string | undefined;
}

export interface FrameRead {
  readonly rows: number;
  readonly bytes: number;
  /** Of the first frame. */
  readonly fingerprint: Fingerprint | null;
}

let client: Client | null = null;
let isFirst = true;

serveTasks(getFrame, describe);

async function getFrame(task: FrameTask): Promise<Table | null> {
  client ??= await openClient(task);
  return task.open === true ? null : client.getDf({ compress_format: task.compress_format });
}

async function openClient({ url, file, wanted }: FrameTask): Promise<Client> {
  const opened =
    url === null
      ? (await openEmbedded({ path: file })).client
      : createClient({ api_host: url, access_token: 'none' });
  for (const i of wanted) opened.addSingleDataSeries(keyOf(i));
  return opened;
}

function describe(table: Table | null, { wanted, columnsTo }: FrameTask): FrameRead {
  if (table === null) return { rows: 0, bytes: 0, fingerprint: null };
  const fingerprint = isFirst ? fingerprintOfFrame(table, wanted) : null;
  if (isFirst && columnsTo !== undefined) writeColumns(table, columnsTo);
  isFirst = false;
  return { rows: table.numRows, bytes: frameBytes(table), fingerprint };
}

function writeColumns(table: Table, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const { field, column } of readColumns(table)) {
    if (column.type === 'utf8') continue;
    const { buffer, byteOffset, byteLength } = column.values;
    writeFileSync(join(folder, field.name), new Uint8Array(buffer, byteOffset, byteLength));
  }
}
