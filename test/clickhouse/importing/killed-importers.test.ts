import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { dropStore, newStoreAddress, queryNode } from '../fresh-store.js';
import { contentOf, expectedContents, importFirst, importSecond, MOMENTS, waitFor } from './two-imports.js';

const PROGRAM = fileURLToPath(new URL('importer.ts', import.meta.url));

let expected: Awaited<ReturnType<typeof expectedContents>>;
beforeAll(async () => {
  expected = await expectedContents();
});

/** Runs a test on a store with the first import, and removes the store. */
async function withStore(test: (store: Store, address: string) => Promise<void>): Promise<void> {
  const address = await newStoreAddress();
  const store = await openStore(address);
  try {
    await importFirst(store);
    await test(store, address);
  } finally {
    await store.close();
    await dropStore(address);
  }
}

function startImporter(address: string): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', PROGRAM, address], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function outputOf(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout!.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await once(child, 'close');
  return text.replace('ready\n', '').trim();
}

/** Between the last rows and the commit are a few milliseconds: the server takes half a minute for the commit. */
const BEFORE_COMMIT = 'writes series, before it commits';
const SLOW_COMMITS = `ALTER TABLE import_log
  MODIFY SETTING parts_to_delay_insert = 1, min_delay_to_insert_ms = 30000, max_delay_to_insert = 30`;
const QUICK_COMMITS = `ALTER TABLE import_log
  RESET SETTING parts_to_delay_insert, min_delay_to_insert_ms, max_delay_to_insert`;

describe('an importer that is killed', () => {
  it.each(Object.keys(MOMENTS))(
    'when it %s leaves nothing that can be seen, and the import can be run again',
    (moment) =>
      withStore(async (store, address) => {
        const child = startImporter(address);
        const query = (node: number, sql: string) => queryNode(address, node, sql);
        const isOver = () => child.exitCode !== null;
        if (moment === BEFORE_COMMIT) {
          await waitFor(query, 'adds points', isOver);
          await query(0, SLOW_COMMITS);
        }
        await waitFor(query, moment, isOver);
        child.kill('SIGKILL');
        await once(child, 'close');
        expect(child.signalCode).toBe('SIGKILL');
        if (moment === BEFORE_COMMIT) await query(0, QUICK_COMMITS);
        expect(await contentOf(store)).toEqual(expected.first);
        expect(await importSecond(store)).toEqual(expected.counts);
        expect(await contentOf(store)).toEqual(expected.both);
        expect(await store.findFaults()).toEqual([]);
        const left = readdirSync(tmpdir()).filter((name) => name.startsWith(`cropframe-${child.pid}-`));
        expect(left).toEqual([]);
      }),
  );
});

describe('an importer that stands still', () => {
  it('until another one took its place stores nothing when it goes on', () =>
    withStore(async (store, address) => {
      const query = (node: number, sql: string) => queryNode(address, node, sql);
      const child = startImporter(address);
      const output = outputOf(child);
      await waitFor(query, 'adds points', () => child.exitCode !== null);
      child.kill('SIGSTOP');
      // As if it had said nothing for a minute.
      for (const table of ['import_log', 'import_beat'])
        await query(0, `ALTER TABLE ${table} UPDATE at_ms = at_ms - 60000 WHERE true`);
      expect(await importSecond(store)).toEqual(expected.counts);
      expect(await contentOf(store)).toEqual(expected.both);
      child.kill('SIGCONT');
      expect(await output).toMatch(/was replaced by another import; none of its data was stored/);
      expect(await contentOf(store)).toEqual(expected.both);
      expect(await importSecond(store)).toMatchObject({ added: 0, revised: 0, series: 0 });
      expect(await store.findFaults()).toEqual([]);
    }));
});

describe('two importers at the same time', () => {
  it('do not work on one store: the second is told who imports, and imports when the first has ended', () =>
    withStore(async (store, address) => {
      const running = await store.begin();
      const said = await outputOf(startImporter(address));
      expect(said).toMatch(`another import is running (process ${process.pid} on ${hostname()})`);
      await running.rollback();
      expect(JSON.parse(await outputOf(startImporter(address)))).toEqual(expected.counts);
      expect(await contentOf(store)).toEqual(expected.both);
      expect(await store.findFaults()).toEqual([]);
    }));

  it('import one after the other when many begin at one moment', () =>
    withStore(async (_, address) => {
      const stores = await Promise.all(Array.from({ length: 5 }, () => openStore(address)));
      let [running, begun] = [0, 0];
      const tryToImport = async (store: Store) => {
        const transaction = await store.begin();
        expect(++running).toBe(1);
        begun++;
        await sleep(20);
        running--;
        await transaction.rollback();
      };
      for (let round = 1; round <= 5; round++) {
        const outcomes = await Promise.allSettled(stores.map(tryToImport));
        for (const outcome of outcomes)
          if (outcome.status === 'rejected')
            expect(outcome.reason.message).toMatch('another import is running');
        expect(begun).toBeGreaterThanOrEqual(round);
      }
      await Promise.all(stores.map((store) => store.close()));
    }));
});
