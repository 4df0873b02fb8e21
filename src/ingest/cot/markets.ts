import type { NewEntity } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import { itemId } from '../vocabulary/items.js';

/**
 * The shared item of a contract market, by its code: one market for each item. The other markets of a commodity, such as
 * mini contracts, are items below it.
 */
const SHARED_ITEMS: ReadonlyMap<string, number> = itemsByCode([
  ['002602', 'Corn'],
  ['004603', 'Oats'],
  ['005602', 'Soybeans'],
  ['007601', 'Soybean oil'],
  ['026603', 'Soybean meal'],
  ['033661', 'Cotton'],
  ['039601', 'Rice'],
  ['080732', 'Sugar'],
  ['083731', 'Coffee'],
  ['135731', 'Canola'],
]);

/** The shared item of a commodity, to which its other markets belong, by the CFTC's code of the commodity. */
const COMMODITIES: ReadonlyMap<string, number> = itemsByCode([
  ['001', 'Wheat'],
  ['002', 'Corn'],
  ['004', 'Oats'],
  ['005', 'Soybeans'],
  ['007', 'Soybean oil'],
  ['026', 'Soybean meal'],
  ['033', 'Cotton'],
  ['039', 'Rice'],
  ['080', 'Sugar'],
  ['083', 'Coffee'],
  ['135', 'Canola'],
]);

function itemsByCode(rows: readonly (readonly [code: string, item: string])[]): Map<string, number> {
  return new Map(rows.map(([code, name]) => [code, itemId(name)]));
}

/** Names of markets that have had several in the files, with the item to which they belong. */
const NAMED: ReadonlyMap<string, readonly [name: string, parent: string, alias: string]> = new Map([
  ['001602', ['Soft red winter wheat, Chicago', 'Winter wheat', 'SRW wheat|Chicago wheat']],
  ['001612', ['Hard red winter wheat, Kansas City', 'Winter wheat', 'HRW wheat|Kansas City wheat|KC wheat']],
  ['001626', ['Hard red spring wheat, Minneapolis', 'Spring wheat', 'HRS wheat|Minneapolis wheat']],
]);

/** The fields of a row that determine its market. */
interface CotMarketText {
  /** The CFTC's code of the contract market, six characters. */
  readonly code: string;
  /** Contract and exchange, as in `CORN - CHICAGO BOARD OF TRADE`. */
  readonly name: string;
  readonly commodity: string;
}

/**
 * Resolves the items of contract markets. The code alone identifies a market: exchanges merge and rename their
 * contracts, and keep it.
 */
export class CotMarkets {
  readonly #items = new Map<string, number>();
  readonly #batch: BatchBuilder;

  constructor(batch: BatchBuilder) {
    this.#batch = batch;
  }

  /** @throws RowError when the row has no code of a market */
  resolve({ code, name, commodity }: CotMarketText): number {
    return getOrCompute(this.#items, code, () => {
      if (!/^[0-9A-Z+]{6}$/.test(code)) throw new RowError(`"${code}" is not the code of a contract market`);
      return SHARED_ITEMS.get(code) ?? this.#addMarket(code, marketItem(code, name, commodity));
    });
  }

  #addMarket(code: string, item: Omit<NewEntity<'items'>, 'id'>): number {
    return this.#batch.addNamedEntity('items', `cot:market:${code}`, item);
  }
}

function marketItem(code: string, text: string, commodity: string): Omit<NewEntity<'items'>, 'id'> {
  const definition = `Contract market ${code} of the CFTC.`;
  const named = NAMED.get(code);
  if (named !== undefined) {
    const [name, parent, alias] = named;
    return { name, definition, belongsTo: [itemId(parent)], aliases: [...alias.split('|'), code] };
  }
  if (text === '') throw new RowError(`the market ${code} has no name`);
  const parent = COMMODITIES.get(commodity);
  return { name: text, definition, belongsTo: parent === undefined ? [] : [parent], aliases: [code] };
}
