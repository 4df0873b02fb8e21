import { describe, expect, it } from 'vitest';
import { browserCommand } from '../../../src/cli/terminal/open-browser.js';

const URL = 'http://127.0.0.1:8470/';

describe('the program that opens a URL', () => {
  it.each([
    ['darwin', {}, ['open', URL]],
    ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler', URL]],
    ['linux', { DISPLAY: ':0' }, ['xdg-open', URL]],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open', URL]],
    ['linux', {}, null],
    ['linux', { BROWSER: 'firefox' }, ['firefox', URL]],
    ['darwin', { BROWSER: 'firefox' }, ['firefox', URL]],
  ])('on %s with %o', (platform, env, expected) => {
    expect(browserCommand(URL, { platform, env })).toEqual(expected);
  });
});
