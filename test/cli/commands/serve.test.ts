import { get } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/create-client.js';
import { runCommand, startListening, words } from '../capture.js';
import { COMMAND, startCommand, startProcess } from '../process.js';
import { demoStore } from '../stores.js';

const { store } = demoStore();
const SERVE = ['serve', '--store', store, '--port', '0'];

describe('serve', () => {
  it('serves holders of a token, does not log it, and stops gracefully', async () => {
    const made = await runCommand(['token', 'create', '--name', 'reader', '--store', store]);
    const access_token = made.stdout.trim();
    const command = startCommand(SERVE);
    const [, api_host] = await command.until(/^listening on (http:\/\/127\.0\.0\.1:\d+)\n/);
    const client = createClient({ api_host: api_host!, access_token });
    expect(await client.searchForEntity('items', 'corn')).toBeTypeOf('number');
    await expect(
      createClient({ api_host: api_host!, access_token: 'wrong' }).search('items', 'corn'),
    ).rejects.toThrow('unknown');

    const late = await runCommand(['token', 'create', '--name', 'late', '--store', store]);
    const lateClient = createClient({ api_host: api_host!, access_token: late.stdout.trim() });
    expect(await lateClient.searchForEntity('items', 'wheat')).toBeTypeOf('number');
    await runCommand(['token', 'revoke', 'late', '--store', store]);
    await expect(lateClient.search('items', 'corn')).rejects.toThrow('revoked');

    const importing = await runCommand(['import', 'demo', '--store', store]);
    expect(importing.code).toBe(1);
    expect(importing.stderr).toContain(`PID ${command.child.pid}`);

    command.child.kill('SIGTERM');
    expect(await command.ended()).toBe(0);
    const { stderr } = command.said();
    const entries = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries[0]).toMatchObject({ event: 'listening', url: api_host, open: false });
    expect(entries.find(({ status }) => status === 401)).toMatchObject({ method: 'GET' });
    expect(entries.slice(-2)).toMatchObject([{ event: 'stopping', reason: 'SIGTERM' }, { event: 'stopped' }]);
    expect(stderr).not.toContain(access_token);
  });

  it.runIf(process.platform === 'linux')(
    'says in the log when no more connections can be opened',
    async () => {
      const limited = ['-c', 'ulimit -n 512 && exec "$@"', 'sh', process.execPath, COMMAND];
      const command = startProcess('sh', [...limited, ...SERVE, '--no-auth']);
      const [, port] = await command.until(/^listening on http:\/\/127\.0\.0\.1:(\d+)\n/);
      const sockets = Array.from({ length: 480 }, () =>
        connect(Number(port), '127.0.0.1').on('error', () => {}),
      );
      await command.until(
        /"refused":"448 connections are open, as many as the limit of 512 open files allows/,
      );
      for (const socket of sockets) socket.destroy();
      expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
      command.child.kill('SIGTERM');
      expect(await command.ended()).toBe(0);
    },
  );

  it('accepts requests without a token with --no-auth, and is silent with --log none', async () => {
    const silent = await startListening([...SERVE, '--no-auth', '--log', 'none']);
    expect((await fetch(`${silent.host}/v2/metrics`)).status).toBe(200);
    expect(await silent.stop()).toBe(0);
    expect(silent.said().stderr).toBe('');
  });

  it('answers without tokens only for known hosts, and lets the pages of given sites read', async () => {
    const given = words`--public-url https://farm.example.org --allowed-host nas.local --cors http://a.example`;
    const service = await startListening([...SERVE, '--no-auth', '--host', '[::1]', ...given]);
    const url = new URL(service.host);
    expect(url.hostname).toBe('[::1]');
    const statusFor = (host: string) =>
      new Promise((resolve, reject) => {
        get(url, { headers: { host, origin: 'http://a.example' } }, (message) =>
          resolve([message.resume().statusCode, message.headers['access-control-allow-origin']]),
        ).on('error', reject);
      });
    for (const host of [url.host, 'nas.local:9000', 'farm.example.org'])
      expect(await statusFor(host)).toEqual([200, 'http://a.example']);
    expect(await statusFor('evil.example')).toEqual([421, 'http://a.example']);
    expect(await service.stop()).toBe(0);
    expect(service.said().stderr).toContain('"status":421');
  });

  it.each([
    [['--login-ttl', 'soon'], 2, 'Specify a time span'],
    [['--login-ttl', '0h'], 2, 'Specify a time span'],
    [['--stop-within', '-1'], 2, 'whole number'],
    [['--no-auth', '--cors', '*', '--port', '0'], 2, 'error: --cors: "*" is not the origin of a site'],
    [['--no-auth', '--allowed-host', 'http://x', '--port', '0'], 2, 'is not a host'],
    [['--allowed-host', 'nas.local'], 2, '--allowed-host: needs --no-auth'],
    [['--no-auth', '--host', '0.0.0.0'], 2, 'only on a loopback address'],
    [['--open', '--no-page'], 2, '--open: cannot be combined with --no-page'],
    [['--tls-cert', 'cert.pem', '--port', '0'], 2, 'TLS requires both a certificate and its key'],
    [
      ['--tls-cert', 'no-cert.pem', '--tls-key', 'no-key.pem', '--port', '0'],
      1,
      '--tls-cert: no-cert.pem cannot be read: there is no such file',
    ],
    [
      ['--tls-cert', 'package.json', '--tls-key', 'package.json', '--port', '0'],
      2,
      'error: --tls-cert: package.json is not a certificate (PEM)\n',
    ],
    [['--port', '70000'], 2, 'whole number from 0 to 65535'],
    [['--log', 'xml'], 2, 'Allowed choices are none, json'],
  ])('refuses %j', async (argv, code, message) => {
    const ending = await runCommand(['serve', '--store', store, ...argv]);
    expect(ending).toMatchObject({ code, stdout: '' });
    expect(ending.stderr).toContain(message);
  });
});
