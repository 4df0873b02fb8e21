import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Between which shares of the width of a control the pointer is dragged, and in how many moves. */
interface Way {
  readonly from: number;
  readonly to: number;
  readonly moves?: number | undefined;
}

/** Presses the pointer on a control, moves it, and lets go. Its ends are half a thumb within those of the control. */
export async function dragAlong(page: Page, control: Locator, { from, to, moves = 8 }: Way): Promise<void> {
  await control.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await control.boundingBox())!;
  const thumb = 8;
  const moveTo = (share: number) => page.mouse.move(x + thumb + share * (width - 2 * thumb), y + height / 2);
  await moveTo(from);
  await page.mouse.down();
  for (let move = 1; move <= moves; move++) await moveTo(from + ((to - from) * move) / moves);
  await page.mouse.up();
}

/** The day that the address has for a day or a year as readers have it. */
const dayOf = (text: string) =>
  new Date(`${/^\d+$/.test(text) ? `31 December ${text}` : text} UTC`).toISOString().slice(0, 10);

/** Waits until a parameter of the address is the day on which a slider rests: the address is written a moment later. */
export async function addressFollows(page: Page, slider: Locator, parameter: string): Promise<void> {
  const isFollowed = async () => {
    const text = (await slider.getAttribute('aria-valuetext')) ?? '';
    return new URL(page.url()).searchParams.get(parameter) === dayOf(text);
  };
  await expect.poll(isFollowed).toBe(true);
}

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
