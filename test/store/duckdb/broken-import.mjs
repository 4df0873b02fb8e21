import { openStore } from '../../../dist/service.js';

/** Run as a separate process: begins an import into a store and kills itself at the given moment. */
const [location, moment] = process.argv.slice(2);
const store = await openStore(location);
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
/** A value a day of one series, and another one of the first day, which became available later. */
const length = 100_001;
const day = (i) => BigInt(Date.UTC(2020, 0, 1 + (i % (length - 1))));
const dates = BigInt64Array.from({ length }, (_, i) => day(i));
const key = { metric_id: 1, item_id: 50, region_id: 21, partner_region_id: 0, source_id: 1, frequency_id: 9 };
await transaction.putPoints({
  series: [key],
  columns: {
    length,
    series: new Uint32Array(length),
    start_date: dates,
    end_date: dates,
    value: Float64Array.from({ length }, (_, i) => (i < length - 1 ? i : 99)),
    value_valid: null,
    unit_id: new Int32Array(length).fill(1),
    reporting_date: new BigInt64Array(length),
    reporting_valid: new Uint8Array(Math.ceil(length / 8)),
    available_date: BigInt64Array.from({ length }, (_, i) => day(i < length - 1 ? 100 : 900)),
    metadata: null,
  },
});
await transaction.commit({
  onProgress: ({ done, total }) => {
    if (done < total) return;
    if (moment === 'merged') process.kill(process.pid, 'SIGKILL');
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 5);
  },
});
await new Promise(() => setInterval(() => {}, 1_000));
