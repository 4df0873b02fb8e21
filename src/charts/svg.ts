import { escapeMarkup } from '../frame/display/escape-markup.js';

/** Attributes by name; an undefined one is left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element around markup that is already escaped. */
export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) => ` ${key}="${typeof value === 'number' ? coordinate(value) : escapeMarkup(value!)}"`,
    )
    .join('');
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`;
}

/** An element around plain text. */
export function textElement(name: string, attributes: Attributes, text: string): string {
  return element(name, attributes, escapeMarkup(text));
}

/** At most two decimals, without trailing zeros. */
function coordinate(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Path data through points; a NaN lifts the pen. */
export function linePath(x: ArrayLike<number>, y: ArrayLike<number>): string {
  let path = '';
  let drawing = false;
  for (let i = 0; i < x.length; i++) {
    if (Number.isNaN(y[i]!)) {
      drawing = false;
      continue;
    }
    path += `${drawing ? 'L' : 'M'}${coordinate(x[i]!)},${coordinate(y[i]!)}`;
    drawing = true;
  }
  return path;
}
