const PAGE_BITS = 16;
const PAGE_ROWS = 1 << PAGE_BITS;
const ROW_IN_PAGE = PAGE_ROWS - 1;

type Items = Int32Array | Float64Array;

/** A column of numbers that grows. While all of them are equal, one takes the place of all. */
export class HeldColumn<Column extends Items> {
  #first = Number.NaN;
  #length = 0;
  /** Null while all are equal. */
  #pages: Column[] | null = null;

  readonly #allocate: (length: number) => Column;

  constructor(allocate: (length: number) => Column) {
    this.#allocate = allocate;
  }

  /** The number that all rows have; null where they differ. NaN stands for none. */
  get constant(): number | null {
    return this.#pages === null ? this.#first : null;
  }

  append(items: Column): void {
    if (this.#length === 0 && items.length > 0) this.#first = items[0]!;
    if (this.#pages === null && !isConstant(items, this.#first)) this.#allocatePages();
    if (this.#pages !== null) this.#copy(items);
    this.#length += items.length;
  }

  at(row: number): number {
    return this.#pages === null ? this.#first : this.#pages[row >>> PAGE_BITS]![row & ROW_IN_PAGE]!;
  }

  /** All numbers in one array. */
  flat(): Column {
    const items = this.#allocate(this.#length);
    if (this.#pages === null) items.fill(this.#first);
    for (const [i, page] of (this.#pages ?? []).entries()) {
      const from = i * PAGE_ROWS;
      (items as Float64Array).set(page.subarray(0, this.#length - from) as Float64Array, from);
    }
    return items;
  }

  /** Copies the numbers of the given rows to the beginning of `target`. */
  gather(rows: Uint32Array, target: { [row: number]: number; fill(value: number): unknown }): void {
    const pages = this.#pages;
    if (pages === null) target.fill(this.#first);
    else
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i]!;
        target[i] = pages[row >>> PAGE_BITS]![row & ROW_IN_PAGE]!;
      }
  }

  #allocatePages(): void {
    this.#pages = [];
    for (let row = 0; row < this.#length; row += PAGE_ROWS) {
      const page = this.#allocate(PAGE_ROWS);
      page.fill(this.#first);
      this.#pages.push(page);
    }
  }

  #copy(items: Column): void {
    const pages = this.#pages!;
    for (let from = 0; from < items.length; ) {
      const row = this.#length + from;
      const page = pages[row >>> PAGE_BITS] ?? this.#allocate(PAGE_ROWS);
      pages[row >>> PAGE_BITS] = page;
      const count = Math.min(items.length - from, PAGE_ROWS - (row & ROW_IN_PAGE));
      (page as Float64Array).set(items.subarray(from, from + count) as Float64Array, row & ROW_IN_PAGE);
      from += count;
    }
  }
}

function isConstant(items: Items, value: number): boolean {
  if (Number.isNaN(value)) return allAreNaN(items);
  for (let i = 0; i < items.length; i++) if (items[i] !== value) return false;
  // Zero has two signs, of which whole numbers have one.
  return value !== 0 || items instanceof Int32Array || items.every((item) => Object.is(item, value));
}

function allAreNaN(items: Items): boolean {
  for (let i = 0; i < items.length; i++) if (!Number.isNaN(items[i]!)) return false;
  return true;
}
