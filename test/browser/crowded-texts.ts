import type { Page } from 'playwright-core';

/** A string drawn on a canvas, in pixels of the canvas before scaling for dense screens. */
interface DrawnText {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The size of the canvas when the string was drawn; a canvas of another size was drawn again. */
  readonly size: string;
}

declare global {
  interface HTMLCanvasElement {
    drawnTexts?: DrawnText[];
  }
}

/** Records the strings that charts draw on canvases, for `crowdedTexts`. Must be called before the page is opened. */
export function recordCanvasTexts(): void {
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (
    this: CanvasRenderingContext2D,
    text,
    x,
    y,
    ...rest
  ) {
    fillText.call(this, text, x, y, ...rest);
    const { canvas } = this;
    const { width, actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } = this.measureText(text);
    const left =
      this.textAlign === 'center' ? x - width / 2 : /right|end/.test(this.textAlign) ? x - width : x;
    const corners = [left, left + width].flatMap((atX) =>
      [y - up, y + down].map((atY) => this.getTransform().transformPoint({ x: atX, y: atY })),
    );
    const [xs, ys] = [corners.map((point) => point.x), corners.map((point) => point.y)];
    const size = `${canvas.width} × ${canvas.height}`;
    const drawn = {
      left: Math.min(...xs),
      right: Math.max(...xs),
      top: Math.min(...ys),
      bottom: Math.max(...ys),
    };
    canvas.drawnTexts = [...(canvas.drawnTexts ?? []), { text, ...drawn, size }];
  };
}

/**
 * Lists texts that overlap another text, or that are cut off without a way to read them: by scrolling, or in full in
 * a title.
 */
export const crowdedTexts = (page: Page): Promise<string[]> => page.evaluate(findCrowdedTexts);

function findCrowdedTexts(): string[] {
  /** Pixels by which boxes may overlap, as a box is a little larger than its letters. */
  const SLACK = 2;
  type Box = Record<'left' | 'right' | 'top' | 'bottom', number> & { text: string; layer: unknown };
  const overlap = (one: Box, other: Box) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > SLACK &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > SLACK + 1;

  /** What lies over the page, and so may cover its texts. */
  const LAYERS = '.take-bar, .drawer-body, .combobox-list, .tooltip, .map-buttons, .date-hint, dialog';
  const findings: string[] = [];
  const boxes: Box[] = [];
  const shown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.closest('.visually-hidden, .keys-help, .skip, option') === null;

  const isCut = (element: Element, box: DOMRect) => {
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(at);
      const clip = at.getBoundingClientRect();
      const isTitled = element.closest('[title]') !== null;
      if (/auto|scroll/.test(`${overflowX} ${overflowY}`)) return false;
      if (textOverflow === 'ellipsis' && isTitled) return false;
      if (/hidden|clip/.test(overflowX) && (box.left < clip.left - 1 || box.right > clip.right + 1))
        return true;
      if (
        /hidden|clip/.test(overflowY) &&
        !isTitled &&
        (box.top < clip.top - 1 || box.bottom > clip.bottom + 1)
      )
        return true;
    }
    return box.right > innerWidth + 1;
  };
  /** The part of a box that scrolled ancestors show. */
  const visiblePart = (element: Element, { left, right, top, bottom }: DOMRect) => {
    const part = { left, right, top, bottom };
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      if (!/auto|scroll|hidden/.test(getComputedStyle(at).overflow) || at === document.body) continue;
      const clip = at.getBoundingClientRect();
      part.left = Math.max(part.left, clip.left);
      part.right = Math.min(part.right, clip.right);
      part.top = Math.max(part.top, clip.top);
      part.bottom = Math.min(part.bottom, clip.bottom);
    }
    return part;
  };

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement!;
    const text = node.textContent!.trim();
    if (text === '' || !shown(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (isCut(element, box)) findings.push(`cut: ${text}`);
      // The first column of a table stays in place over the others.
      const isPinned = getComputedStyle(element.closest('th, td') ?? element).position === 'sticky';
      const layer = isPinned ? 'pinned' : (element.closest(LAYERS) ?? document.body);
      boxes.push({ ...visiblePart(element, box), text, layer });
    }
  }
  const pen = document.createElement('canvas').getContext('2d')!;
  for (const select of document.querySelectorAll('select')) {
    const { font, paddingLeft, paddingRight } = getComputedStyle(select);
    pen.font = font;
    const text = select.selectedOptions[0]?.text ?? '';
    const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    // On phones, a long name may end in dots.
    const least = innerWidth < 640 ? 160 : Number.POSITIVE_INFINITY;
    if (shown(select) && Math.min(pen.measureText(text).width, least) > room + 1)
      findings.push(`cut in a list: ${text}`);
  }
  for (const canvas of document.querySelectorAll('canvas')) {
    const { width, height, drawnTexts = [] } = canvas;
    const scale = canvas.getBoundingClientRect().width / width;
    const drawn = drawnTexts.filter(({ size }) => size === `${width} × ${height}`);
    const distinct = new Map(drawn.map((one) => [`${one.text} ${one.left} ${one.top}`, one]));
    for (const { text, ...at } of distinct.values()) {
      if (at.left < -1 || at.right > width + 1 || at.top < -1 || at.bottom > height + 1)
        findings.push(`cut in a chart: ${text}`);
      const { left, right, top, bottom } = at;
      boxes.push({
        left: left * scale,
        right: right * scale,
        top: top * scale,
        bottom: bottom * scale,
        text,
        layer: canvas,
      });
    }
  }
  boxes.forEach((one, at) => {
    const other = boxes.slice(at + 1).find((next) => next.layer === one.layer && overlap(one, next));
    if (other !== undefined && one.text !== other.text) findings.push(`overlap: ${one.text} | ${other.text}`);
  });
  return [...new Set(findings)];
}
