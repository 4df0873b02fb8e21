import { expect, it } from 'vitest';
import { shareRequests } from '../../../src/explorer/state/resource.js';

it('sends a question of several at the same time once, and again when it is asked later', async () => {
  const sent: ((text: string) => void)[] = [];
  const ask = shareRequests((_: { text: string }) => new Promise<string>((answer) => sent.push(answer)));
  const both = [ask({ text: 'a' }), ask({ text: 'a' })];
  expect(sent).toHaveLength(1);
  sent[0]!('here');
  expect(await Promise.all(both)).toEqual(['here', 'here']);
  void ask({ text: 'a' });
  void ask({ text: 'b' });
  expect(sent).toHaveLength(3);
});
