import { escapeMarkup } from '../frame/display/escape-markup.js';

/** Attributes by name; undefined ones are omitted. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element with children that are already escaped. */
export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) =>
        ` ${key}="${typeof value === 'number' ? formatCoordinate(value) : escapeMarkup(value!)}"`,
    )
    .join('');
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`;
}

/** An element with plain text. */
export function textElement(name: string, attributes: Attributes, text: string): string {
  return element(name, attributes, escapeMarkup(text));
}

/** At most two decimals, without trailing zeros. */
function formatCoordinate(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Path data through points, with a gap at each NaN. */
export function linePath(x: ArrayLike<number>, y: ArrayLike<number>): string {
  let path = '';
  let isDrawing = false;
  for (let i = 0; i < x.length; i++) {
    if (Number.isNaN(y[i]!)) {
      isDrawing = false;
      continue;
    }
    path += `${isDrawing ? 'L' : 'M'}${formatCoordinate(x[i]!)},${formatCoordinate(y[i]!)}`;
    isDrawing = true;
  }
  return path;
}
