import { monthsPeriod, type Period } from '../../model/calendar.js';
import { itemId } from '../vocabulary/items.js';

/**
 * First month of the United States marketing year by item (USDA: footnotes of WASDE; NASS, Agricultural Prices). A
 * marketing year has the number of the calendar year in which it begins.
 */
const US_FIRST_MONTHS: ReadonlyMap<number, number> = new Map(
  (
    [
      ['Corn', 9],
      ['Sorghum', 9],
      ['Feed grains', 9],
      ['Soybeans', 9],
      ['Sunflower seed', 9],
      ['Beans, dry', 9],
      ['Potatoes', 9],
      ['Soybean meal', 10],
      ['Soybean oil', 10],
      ['Sugar', 10],
      ['Wheat', 6],
      ['Winter wheat', 6],
      ['Spring wheat', 6],
      ['Durum wheat', 6],
      ['Barley', 6],
      ['Oats', 6],
      ['Rye', 6],
      ['Rapeseed', 7],
      ['Canola', 7],
      ['Cotton', 8],
      ['Rice', 8],
      ['Peanuts', 8],
      ['Hay', 5],
    ] as const
  ).map(([name, month]) => [itemId(name), month]),
);

/** First month (1–12) of the United States marketing year of an item; 1 where it is unknown. */
export function usMarketingYearMonth(item: number | undefined): number {
  return (item === undefined ? undefined : US_FIRST_MONTHS.get(item)) ?? 1;
}

/** The twelve months of a marketing year that begins in `firstMonth` of `year`. */
export function marketingYear(year: number, firstMonth: number): Period {
  return monthsPeriod(year, firstMonth, 12);
}
