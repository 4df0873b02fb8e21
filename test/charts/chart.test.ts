import { describe, expect, it } from 'vitest';
import { plotColumns } from './drawn.js';
import { parseSvg } from './well-formed.js';

const end_date = BigInt64Array.from([2012, 2013], (year) => BigInt(Date.UTC(year, 11, 31)));
const CHART = plotColumns([{ label: 'Iowa', end_date, value: Float64Array.of(1, 2) }], {
  title: 'Heat <of> Ames & "beyond"',
  measure: 'Yield',
  unit: 't/ha',
});

describe('a chart', () => {
  it('is drawn as an SVG document with a title, a description and an opaque background', async () => {
    const svg = await CHART.toSvg();
    const contents = parseSvg(svg);
    expect(contents.get('title')).toEqual(['Heat &lt;of&gt; Ames &amp; &quot;beyond&quot;']);
    expect(contents.get('desc')![0]).toContain('Iowa 2 t/ha');
    expect(svg).toMatch(/^<svg [^>]*role="img"/);
    expect(svg).toContain('<rect width="860" height="520" fill="#ffffff"');
    expect(await CHART.toSvg({ theme: 'dark' })).toContain('<rect width="860" height="520" fill="#14181d"');
  });

  it('holds no character that XML forbids, whatever names have', async () => {
    const hostile = 'I\0o\x1b[2Jwa \x07\uFFFE\uD800';
    const svg = await plotColumns([{ label: hostile, end_date, value: Float64Array.of(1, 2) }], {
      title: hostile,
      measure: hostile,
      unit: hostile,
    }).toSvg();
    expect(svg).toContain('I\uFFFDo\uFFFD[2Jwa');
    expect(svg).not.toMatch(/[^\P{Cc}\t\n\r]|\p{Cs}|[\uFFFE\uFFFF]/u);
  });

  it('is a figure in HTML', async () => {
    expect(await CHART.toHtml()).toBe(`<figure>${await CHART.toSvg()}</figure>`);
  });

  it('is shown by notebooks as Vega-Lite, and as SVG where they do not know it', async () => {
    const display = (CHART as never)[Symbol.for('Jupyter.display')] as () => Promise<Record<string, unknown>>;
    const shown = await display.call(CHART);
    expect(Object.keys(shown)).toEqual(['application/vnd.vegalite.v5+json', 'image/svg+xml', 'text/plain']);
    expect(shown['application/vnd.vegalite.v5+json']).toMatchObject({
      $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
    });
    expect(JSON.parse(JSON.stringify(shown))).toEqual(shown);
    expect('toSpec' in CHART).toBe(false);
  });

  it('refuses an unknown theme', async () => {
    await expect(CHART.toSvg({ theme: 'sepia' as never })).rejects.toThrow(
      /theme: .*choose one of light, dark/,
    );
  });
});
