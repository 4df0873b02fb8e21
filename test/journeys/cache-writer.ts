import { diskCache } from '../../src/client/http/disk-cache.js';
import { seededRandom } from './seeded-random.js';

/** Puts, finds and removes answers in a shared folder, and counts those that differ from what was put under their key. */
const [directory, seed] = process.argv.slice(2) as [string, string];
const cache = diskCache({ directory, maxBytes: 200_000 });
const random = seededRandom(Number(seed));
const bodyOf = (key: number): Uint8Array<ArrayBuffer> => new Uint8Array(500 + key * 97).fill(key);

let wrong = 0;
for (let step = 0; step < 500; step++) {
  const key = Math.floor(random() * 60);
  const name = `key-${key}`;
  const answer = {
    etag: `"${key}"`,
    contentType: 'application/json',
    answeredAt: '2024-01-01T00:00:00.000Z',
  };
  if (random() < 0.5) await cache.put(name, { ...answer, body: bodyOf(key) });
  else if (random() < 0.02) await cache.remove(name);
  const found = await cache.find(name);
  if (found !== null && (found.etag !== answer.etag || !Buffer.from(found.body).equals(bodyOf(key)))) wrong++;
}
console.log(`wrong ${wrong}`);
