import type { SeriesKey } from '../model/series.js';

const KEY_FIELDS = 6;
const INITIAL_SLOTS = 256;

/**
 * Numbers distinct series keys in order of appearance. A hash table with open addressing over the six ids: a text key or
 * nested maps for each row would take longer than reading a large file.
 */
export class SeriesIndex {
  #keys: SeriesKey[] = [];
  #ids = new Int32Array(INITIAL_SLOTS * KEY_FIELDS);
  /** The key's number plus one; 0 in a free slot. There are at least twice as many slots as keys. */
  #slots = new Int32Array(INITIAL_SLOTS * 2);

  get size(): number {
    return this.#keys.length;
  }

  /** The number of a key; an unknown key gets the next number. The key is not kept: a caller may change it and ask again. */
  indexOf(key: SeriesKey): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hashKey(key) & mask;
    for (let taken = slots[slot]!; taken !== 0; taken = slots[slot]!) {
      if (this.#matches(taken - 1, key)) return taken - 1;
      slot = (slot + 1) & mask;
    }
    return this.#add(key, slot);
  }

  /** Returns the keys by number, and clears the index. */
  take(): SeriesKey[] {
    const keys = this.#keys;
    this.#keys = [];
    this.#slots.fill(0);
    return keys;
  }

  /** Removes all keys but the first `size`. */
  truncate(size: number): void {
    if (size === this.#keys.length) return;
    this.#keys.length = size;
    this.#rehash(this.#slots.length);
  }

  #add(key: SeriesKey, slot: number): number {
    const { metric_id, item_id, region_id, partner_region_id, source_id, frequency_id } = key;
    const number =
      this.#keys.push({ metric_id, item_id, region_id, partner_region_id, source_id, frequency_id }) - 1;
    if (this.#ids.length < (number + 1) * KEY_FIELDS) {
      const larger = new Int32Array(this.#ids.length * 2);
      larger.set(this.#ids);
      this.#ids = larger;
    }
    const at = number * KEY_FIELDS;
    this.#ids[at] = metric_id;
    this.#ids[at + 1] = item_id;
    this.#ids[at + 2] = region_id;
    this.#ids[at + 3] = partner_region_id;
    this.#ids[at + 4] = source_id;
    this.#ids[at + 5] = frequency_id;
    this.#slots[slot] = number + 1;
    if (this.#keys.length * 2 > this.#slots.length) this.#rehash(this.#slots.length * 2);
    return number;
  }

  #matches(number: number, key: SeriesKey): boolean {
    const ids = this.#ids;
    const at = number * KEY_FIELDS;
    return (
      ids[at] === key.metric_id &&
      ids[at + 1] === key.item_id &&
      ids[at + 2] === key.region_id &&
      ids[at + 3] === key.partner_region_id &&
      ids[at + 4] === key.source_id &&
      ids[at + 5] === key.frequency_id
    );
  }

  #rehash(slotCount: number): void {
    this.#slots = new Int32Array(slotCount);
    const mask = slotCount - 1;
    this.#keys.forEach((key, number) => {
      let slot = hashKey(key) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = number + 1;
    });
  }
}

/** Multiplicative hashing (Knuth, The Art of Computer Programming 3, section 6.4), with the high bits folded into the low. */
function hashKey(key: SeriesKey): number {
  let mixed = Math.imul(key.region_id, 0x9e3779b1);
  mixed = Math.imul(mixed ^ key.item_id, 0x85ebca6b);
  mixed = Math.imul(mixed ^ key.metric_id, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ key.partner_region_id, 0x27d4eb2f);
  mixed = Math.imul(mixed ^ (key.source_id * 32 + key.frequency_id), 0x165667b1);
  return mixed ^ (mixed >>> 15);
}
