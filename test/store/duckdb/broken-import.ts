import { openStore } from '../../../src/store/open.js';
import { newPoints, type Vintage } from '../conformance/sample-data.js';

/** Run as a separate process: begins an import into a store and kills itself at the given moment. */
const [location, moment] = process.argv.slice(2);
const store = await openStore(location!);
const transaction = await store.begin();
await transaction.putEntities('items', [{ id: 50, name: 'Rice', definition: '', belongsTo: [1] }]);
await transaction.putEntities('regions', [
  {
    id: 500,
    name: 'New',
    definition: '',
    belongsTo: [0],
    level: 3,
    latitude: null,
    longitude: null,
    historical: false,
  },
]);
const vintages = Array.from(
  { length: 100_000 },
  (_, i): Vintage => ({ of: { item_id: 50 }, day: i, value: i }),
);
await transaction.putPoints(newPoints([...vintages, { day: 0, value: 99, available: 900 }]));
if (moment === 'staged') process.kill(process.pid, 'SIGKILL');
await transaction.commit({
  onProgress: ({ done, total }) => {
    if (done < total!) return;
    if (moment === 'merged') process.kill(process.pid, 'SIGKILL');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 5);
  },
});
await new Promise(() => setInterval(() => {}, 1_000));
