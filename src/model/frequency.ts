import type { Frequency } from './entity.js';

/** The frequencies that every store has. Their ids are part of the contract and never change. */
export const FREQUENCIES = [
  { id: 1, name: 'daily', abbrev: 'd', periodLength: { days: 1 } },
  { id: 3, name: 'weekly', abbrev: 'w', periodLength: { days: 7 } },
  { id: 4, name: '8-day', abbrev: '8d', periodLength: { days: 8 } },
  { id: 5, name: '10-day', abbrev: '10d', periodLength: { days: 10 } },
  { id: 6, name: 'monthly', abbrev: 'mo', periodLength: { months: 1 } },
  { id: 7, name: 'quarterly', abbrev: 'q', periodLength: { months: 3 } },
  { id: 8, name: '6-month', abbrev: '6mo', periodLength: { months: 6 } },
  { id: 9, name: 'annual', abbrev: 'y', periodLength: { years: 1 } },
  { id: 11, name: '2-month', abbrev: '2mo', periodLength: { months: 2 } },
  { id: 12, name: '3-year', abbrev: '3y', periodLength: { years: 3 } },
  { id: 13, name: '5-year', abbrev: '5y', periodLength: { years: 5 } },
] as const satisfies readonly Frequency[];

/** The name of one of `FREQUENCIES`. */
export type FrequencyName = (typeof FREQUENCIES)[number]['name'];

export function frequencyNamed(name: FrequencyName): (typeof FREQUENCIES)[number] {
  return FREQUENCIES.find((frequency) => frequency.name === name)!;
}

export function frequencyId(name: FrequencyName): number {
  return frequencyNamed(name).id;
}

/** Returns the mean length of a period in days, for sorting frequencies from fine to coarse. */
export function periodDays({ periodLength }: Pick<Frequency, 'periodLength'>): number {
  const { days = 0, months = 0, years = 0 } = periodLength;
  return days + months * (365.2425 / 12) + years * 365.2425;
}
