import { expect } from 'vitest';
import type { Chart, FramePlotOptions } from '../../src/charts/chart.js';
import { drawSpec } from '../../src/charts/draw.js';
import { lineOf } from '../../src/charts/lines.js';
import { timeChart } from '../../src/charts/time-chart.js';
import { parseSvg } from './well-formed.js';

export interface Column {
  readonly label: string;
  readonly end_date: BigInt64Array;
  readonly value: Float64Array;
}

/** Draws each of these as a line over time. */
export function plotColumns(
  columns: readonly Column[],
  { measure, unit = '', ...options }: FramePlotOptions & { title?: string; measure?: string; unit?: string },
): Chart {
  const lines = columns.map(({ label, end_date, value }) => {
    const end = Float64Array.from(end_date, Number);
    return lineOf({ start: null, end, value }, { label, metric: measure ?? label, unit });
  });
  return timeChart(lines, { title: 'Values', ...options });
}

const SVGS = new WeakMap<Chart, Promise<string>>();

/** The chart as SVG in the light theme, drawn once. */
export function svgOf(chart: Chart): Promise<string> {
  const svg = SVGS.get(chart) ?? chart.toSvg();
  SVGS.set(chart, svg);
  return svg;
}

/** The texts of a chart as drawn, those of several lines in one. */
export async function drawnTexts(chart: Chart): Promise<string[]> {
  const texts = parseSvg(await svgOf(chart)).get('text') ?? [];
  return texts.map((text) => text.replace(/<\/tspan><tspan[^>]*>/g, ' ').replace(/<\/?tspan[^>]*>/g, ''));
}

/** The elements of the drawn marks of a kind, such as `line`, in order. */
export function drawnMarks(svg: string, kind: string): string[] {
  const groups = svg.matchAll(new RegExp(`<g class="mark-${kind} role-mark[^>]*>(.*?)</g>`, 'g'));
  return [...groups].flatMap(([, marks]) => marks!.match(/<path[^>]*>/g) ?? []);
}

/** The drawn lines in order: the number of their unbroken pieces. */
export async function drawnPieces(chart: Chart): Promise<number[]> {
  return drawnMarks(await svgOf(chart), 'line').map((path) => path.match(/[" ]?M|[0-9]M/g)!.length);
}

interface Group {
  readonly role: string;
  readonly items: readonly { readonly bounds: Record<'x1' | 'x2' | 'y1' | 'y2', number>; items: Group[] }[];
}

/** The edges of the drawn groups of a role, such as `axis` or `legend`, in a chart of one panel. */
export async function boundsOf(chart: Chart, wanted: string) {
  const view = await drawSpec(structuredClone(chart.spec));
  const { root } = view.scenegraph() as unknown as { root: Group };
  const groups = root.items[0]!.items.filter(({ role }) => role === wanted);
  return groups.flatMap(({ items }) => items.map(({ bounds }) => bounds));
}

/** The texts that Vega reads as a field or as an expression. */
export function fieldsAndExpressions(spec: unknown): string[] {
  if (Array.isArray(spec)) return spec.flatMap(fieldsAndExpressions);
  if (typeof spec !== 'object' || spec === null) return [];
  return Object.entries(spec).flatMap(([key, value]) => {
    const isName = ['field', 'filter', 'expr', 'test', 'calculate', 'lookup', 'key'].includes(key);
    const found = isName && typeof value === 'string' ? [value] : [];
    return key === 'values' ? found : [...found, ...fieldsAndExpressions(value)];
  });
}

/** The names that charts of ours use. */
export const OWN_NAMES = /^(s|t|v|label|high|text|colour|datum\.p === 1|!?isValid\(datum\.v\))$/;

export function expectOwnNames(chart: Chart): void {
  for (const name of fieldsAndExpressions(chart.spec)) expect(name).toMatch(OWN_NAMES);
}
