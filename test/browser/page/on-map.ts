import type { Page } from 'playwright-core';

/** Points at a place of the map, in shares of its size and in pixels from there. @returns the text of the tip, and the colour of the shape */
export async function pointAtMap(
  page: Page,
  [across, down]: readonly [number, number],
  dx = 0,
): Promise<{ text: string; colour: string | null }> {
  const { x, y, width, height } = (await page.locator('svg.map').boundingBox())!;
  const place = [Math.round(x + across * width + dx), Math.round(y + down * height)] as const;
  await page.mouse.move(...place);
  const text = (await page.locator('.map-tip').allTextContents()).join();
  const colour = await page.evaluate(
    (at) => document.elementFromPoint(...at)?.getAttribute('fill') ?? null,
    place as [number, number],
  );
  return { text, colour };
}
