import { itemId } from '../vocabulary/items.js';

/** A kind of table that is imported; `items` are those of its blocks, from the top. */
interface TableKind {
  readonly title: RegExp;
  readonly scope: 'united-states' | 'world';
  readonly items: readonly number[];
}

const US = 'united-states' as const;

const TABLES: readonly TableKind[] = [
  usTable('Wheat Supply and Use$', ['Wheat']),
  usTable('Feed Grain and Corn Supply and Use', ['Feed grains', 'Corn']),
  usTable('Sorghum, Barley,? and Oats Supply and Use', ['Sorghum', 'Barley', 'Oats']),
  usTable('Rice Supply and Use', ['Rice']),
  usTable('Soybeans and Products Supply and Use', ['Soybeans', 'Soybean oil', 'Soybean meal']),
  usTable('Cotton Supply and Use', ['Cotton']),
  ...[
    ['Wheat', 'Wheat'],
    ['Coarse Grain', 'Coarse grains'],
    ['Corn', 'Corn'],
    ['Rice', 'Rice'],
    ['Cotton', 'Cotton'],
    ['Soybean', 'Soybeans'],
    ['Soybean Meal', 'Soybean meal'],
    ['Soybean Oil', 'Soybean oil'],
  ].map(([printed, item]) => ({
    title: new RegExp(`^World ${printed} Supply and Use`),
    scope: 'world' as const,
    items: [itemId(item!)],
  })),
];

function usTable(title: string, items: readonly string[]): TableKind {
  return { title: new RegExp(`^U\\.S\\. ${title}`), scope: US, items: items.map(itemId) };
}

/** The scope and the item of a table's block; undefined for tables and blocks that are not imported. */
export function findBlock(
  title: string,
  number: number,
): { readonly scope: TableKind['scope']; readonly itemId: number } | undefined {
  const table = TABLES.find((candidate) => candidate.title.test(title));
  if (table === undefined || number === 0) return undefined;
  // Tables of the world have one block per year, all of the same item.
  const item = table.scope === 'world' ? table.items[0] : table.items[number - 1];
  return item === undefined ? undefined : { scope: table.scope, itemId: item };
}
