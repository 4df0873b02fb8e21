import { describe, expect, it } from 'vitest';
import { CLIENT_ARGUMENTS } from '../src/client-arguments.js';
import { type Client, createClient } from '../src/create-client.js';
import { ArgumentError } from '../src/model/errors.js';

type Operation = (...given: unknown[]) => unknown;
type Name = keyof typeof CLIENT_ARGUMENTS;

/** A client whose service must not be asked. */
function silentClient(): { client: Client; requests: () => number } {
  let requests = 0;
  const fetch = () => {
    requests++;
    return Promise.reject(new Error('the service was asked'));
  };
  const client = createClient({
    api_host: 'http://service.invalid',
    access_token: 't',
    fetch,
    retry: { retries: 0 },
  });
  return { client, requests: () => requests };
}

async function outcomeOf(client: Client, name: Name, given: readonly unknown[]): Promise<unknown> {
  try {
    const answer = (client[name] as Operation)(...given);
    if (CLIENT_ARGUMENTS[name].returns === 'sequence') return await (answer as AsyncGenerator).next();
    return await answer;
  } catch (error) {
    return error;
  }
}

const OPTIONS = (Object.keys(CLIENT_ARGUMENTS) as Name[]).flatMap((name) =>
  Object.entries(CLIENT_ARGUMENTS[name].takes).map(([position, { keys }]) => ({
    name,
    position: Number(position),
    keys: Object.keys(keys),
  })),
);

describe('every operation', () => {
  it('is in the table, and nothing else is', () => {
    const { client } = silentClient();
    expect(Object.keys(CLIENT_ARGUMENTS).sort()).toEqual(
      Object.keys(client)
        .filter((name) => name !== 'api_host')
        .sort(),
    );
  });

  it.each(OPTIONS)(
    '$name refuses misspelt keys of argument $position, and names the right one',
    async (one) => {
      const { client, requests } = silentClient();
      for (const key of one.keys) {
        for (const typo of [`${key.slice(0, 2)}${key.slice(3)}`, `${key}x`, key.toUpperCase()]) {
          if (one.keys.includes(typo)) continue;
          const before = Array.from({ length: one.position }, () => undefined);
          const error = await outcomeOf(client, one.name, [...before, { [typo]: 1 }]);
          expect(error, typo).toBeInstanceOf(ArgumentError);
          expect(error).toMatchObject({ argument: typo });
          expect((error as Error).message).toMatch(/did you mean \w+\?/);
        }
      }
      expect(requests()).toBe(0);
    },
  );

  it('names the key that differs in case or underscores alone', async () => {
    const { client } = silentClient();
    const message = async (name: Name, options: object) =>
      ((await outcomeOf(client, name, [options])) as Error).message;
    expect(await message('findDataSeries', { itm: 'corn' })).toContain('did you mean item?');
    expect(await message('getDf', { compressFormat: true })).toContain('did you mean compress_format?');
    expect(await message('growingDegreeDays', { region: 'x' })).toContain('did you mean region_name?');
    expect(await message('getDataPoints', { startdate: 'x' })).toContain('did you mean start_date?');
  });

  it('of createClient names the right key', () => {
    const options = { token: 'x' } as object;
    expect(() => createClient(options)).toThrow('did you mean access_token?');
    expect(() => createClient({ access_token: 't', retry: { retires: 1 } as object })).toThrow(
      'did you mean retries?',
    );
  });

  it.each(OPTIONS)('$name refuses options that are no object at $position', async ({ name, position }) => {
    const { client } = silentClient();
    const before = Array.from({ length: position }, () => undefined);
    for (const odd of [null, 5, 'text', [], true])
      expect(await outcomeOf(client, name, [...before, odd]), String(odd)).toBeInstanceOf(ArgumentError);
  });
});
