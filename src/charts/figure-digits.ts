/** Returns a value of up to six significant digits unchanged; rounds longer values with `roundFigure`. */
export function shortenFigure(value: number): number {
  return Number(value.toPrecision(6)) === value ? value : roundFigure(value);
}

/** Rounds a value to three significant digits, or to an integer if its absolute value is 100 or more. */
export function roundFigure(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
