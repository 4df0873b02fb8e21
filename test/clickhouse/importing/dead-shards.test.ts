import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { initClickhouseStore } from '../../../src/store/clickhouse/schema.js';
import { openStore } from '../../../src/store/open.js';
import { Nodes } from '../nodes.js';
import { contentOf, expectedContents, importFirst, importSecond, MOMENTS, waitFor } from './two-imports.js';

let nodes: Nodes;
let expected: Awaited<ReturnType<typeof expectedContents>>;
beforeAll(async () => {
  nodes = await Nodes.start(3);
  expected = await expectedContents();
});
afterAll(() => nodes.stop());

describe('a shard that dies during an import', () => {
  it.each(
    ['stages points to compare', 'adds points', 'writes series, before it commits'].flatMap((moment) =>
      [0, 2].map((dying) => [moment, dying] as const),
    ),
  )(
    'while it %s is named (shard %i), and nothing of the import is seen when the shard is back',
    async (moment, dying) => {
      const database = `dying_${Object.keys(MOMENTS).indexOf(moment)}_${dying}`;
      const address = nodes.address(database);
      await initClickhouseStore(address);
      const store = await openStore(address);
      try {
        await importFirst(store);
        const importing = importSecond(store).then(
          () => 'committed',
          (error: Error) => error.message,
        );
        let isOver = false;
        importing.then(() => {
          isOver = true;
        });
        await waitFor(
          (node, sql) => queryIn(database, node, sql),
          moment,
          () => isOver,
        );
        await nodes.kill(dying);
        const outcome = await importing;
        await nodes.startNode(dying);
        if (outcome === 'committed') {
          // It died after the last look at it: all of it was stored by then.
          expect(await importSecond(store)).toMatchObject({ added: 0, revised: 0, series: 0 });
        } else {
          expect(outcome).toContain(nodes.hosts[dying]);
          expect(await contentOf(store)).toEqual(expected.first);
          expect(await importSecond(store)).toEqual(expected.counts);
        }
        expect(await contentOf(store)).toEqual(expected.both);
        expect(await store.findFaults()).toEqual([]);
      } finally {
        await store.close();
      }
    },
  );
});

async function queryIn(database: string, node: number, sql: string): Promise<string> {
  const url = `http://${nodes.hosts[node]}/?database=${database}`;
  const answer = await fetch(url, { method: 'POST', body: sql });
  return answer.text();
}
