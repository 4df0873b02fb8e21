import { describe, expect, it, vi } from 'vitest';
import { entityOperations } from '../../src/client/entities.js';
import { json, scripted } from './answering.js';

const item = (id: number) => ({ id, name: `item ${id}`, definition: '', contains: [], belongsTo: [] });

function known(max: number) {
  return (request: Request) => {
    const ids = new URL(request.url).searchParams.getAll('ids').map(Number);
    return json({ data: Object.fromEntries(ids.filter((id) => id <= max).map((id) => [id, item(id)])) });
  };
}

describe('lookups', () => {
  it('of many ids are split, request each once, and keep the requested order', async () => {
    const { transport, requests } = scripted([known(500)]);
    const ids = Array.from({ length: 860 }, (_, i) => ((i * 7) % 430) + 1);
    const found = await entityOperations(transport).lookupList('items', ids);
    expect([...found.keys()]).toEqual([...new Set(ids)]);
    const asked = requests.map(({ url }) => new URL(url).searchParams.getAll('ids'));
    expect(asked.map((part) => part.length)).toEqual([200, 200, 30]);
    expect(new Set(asked.flat()).size).toBe(430);
  });

  it('are cached by type, and callers can change the result', async () => {
    const { transport, requests } = scripted([known(500)]);
    const { lookup, lookupList } = entityOperations(transport);
    const one = await lookup('items', 3);
    one.name = 'changed';
    one.contains.push(99);
    expect(await lookup('items', 3)).toMatchObject({ name: 'item 3', contains: [] });
    await lookupList('items', [3, 4]);
    expect(new URL(requests[1]!.url).search).toBe('?ids=4');
    await lookup('metrics', 3);
    expect(requests).toHaveLength(3);
  });

  it('are repeated after some seconds, or an import by this client, either of which may have changed entities', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const names = ['old', 'new', 'newer'];
      const { transport } = scripted([() => json({ data: { 3: { ...item(3), name: names.shift()! } } })]);
      const { lookup, forgetEntities } = entityOperations(transport);
      const nameAfter = async (ms: number) => {
        vi.advanceTimersByTime(ms);
        return (await lookup('items', 3)).name;
      };
      expect([await nameAfter(0), await nameAfter(4_000), await nameAfter(4_000)]).toEqual([
        'old',
        'old',
        'new',
      ]);
      forgetEntities();
      expect(await nameAfter(0)).toBe('newer');
    } finally {
      vi.useRealTimers();
    }
  });

  it('that nobody can end are sent once for all who ask meanwhile, and again after a failure', async () => {
    const { transport, requests } = scripted([() => json({}, { status: 400 }), known(500)]);
    const { lookupList } = entityOperations(transport);
    const signal = new AbortController().signal;
    const failing = lookupList('items', [3, 4]);
    const meanwhile = lookupList('items', [4, 3], { signal });
    await expect(failing).rejects.toThrow();
    expect([...(await meanwhile).keys()]).toEqual([4, 3]);
    await Promise.all([lookupList('items', [5, 6]), lookupList('items', [6], { signal })]);
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      '?ids=3&ids=4',
      '?ids=4&ids=3',
      '?ids=5&ids=6',
    ]);
  });

  it('leave out ids that do not exist; an empty list sends no request', async () => {
    const { transport, requests } = scripted([known(5)]);
    const { lookup } = entityOperations(transport);
    expect(Object.keys(await lookup('items', [4, 5, 6]))).toEqual(['4', '5']);
    expect(await lookup('items', [])).toEqual({});
    expect(requests).toHaveLength(1);
  });

  it('name the field that does not conform to the contract', async () => {
    const { transport } = scripted([
      json({ data: { 1: { name: 'one' } } }),
      json({ data: { 1: { ...item(1), level: 1 } } }),
    ]);
    const { lookup } = entityOperations(transport);
    await expect(lookup('regions', 1)).rejects.toThrow(/entities: .* at data/);
    await expect(lookup('regions', 1)).rejects.toThrow(/regions: an entity .* at latitude/);
  });
});

describe('the available entities', () => {
  const available = (count: number) => {
    const { transport } = scripted([json({ data: Array.from({ length: count }, (_, i) => item(i + 1)) })]);
    return entityOperations(transport).getAvailable('items');
  };

  it.each([
    [4999, 4999, false],
    [5000, 5000, true],
    [5003, 5000, true],
  ])('of a service that lists %d are %d, and truncated: %s', async (count, listed, truncated) => {
    const entities = await available(count);
    expect(entities).toHaveLength(listed);
    expect(entities.truncated).toBe(truncated);
    expect(entities.at(-1)!.id).toBe(listed);
    expect(Object.keys(entities).includes('truncated')).toBe(truncated);
  });
});
