import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';

describe('publishing by the command line', () => {
  let api: ApiApp;
  let line: CommandLine;
  let room: number;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    const client = api.client();
    room = (await client.rooms.create({ body: { title: 'Hall' } })).id;
    await client.endpoints.create({ body: { name: 'Museum', room_id: room, shows: 'published' } });
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  const title = async () => (await api.send('GET', '/api/v1/endpoints/museum')).body.data.room?.title ?? null;
  const rename = (next: string) => api.client().rooms.update({ params: { id: room }, body: { title: next } });

  it('publishes, tells what has changed since, goes back, schedules and unpublishes', async () => {
    expect(await line.done('rooms', 'publish', 'museum', '--dry-run')).toBe(
      `Would publish the current state of room ${room}.\nNothing is published.\n/museum shows the published version.\n`,
    );
    const first = await line.done('rooms', 'publish', 'museum', '--yes');
    const [, revision] = /^Published room \d+: revision (\d+), /.exec(first)!;
    expect(first).toContain(`Run \`enfilade rooms unpublish ${room}\` to undo this.\n`);
    expect(await title()).toBe('Hall');
    await rename('Great hall');
    expect(await line.done('rooms', 'publish', 'museum', '--dry-run')).toMatch(
      /^Would publish .*\nPublished: revision .*\n {2}Title “Hall” → “Great hall”\n\/museum shows .*\n$/,
    );
    expect(await title()).toBe('Hall');
    const second = await line.done('rooms', 'publish', String(room), '--yes');
    expect(second).toContain(`Run \`enfilade rooms publish ${room} --revision ${revision}\` to go back.\n`);
    expect(await title()).toBe('Great hall');
    await line.done('rooms', 'publish', 'museum', '--revision', revision!, '--yes');
    expect(await title()).toBe('Hall');
    const at = ['--at', '2040-03-25T02:30', '--zone', 'Europe/Amsterdam', '--yes'];
    expect(await line.done('rooms', 'publish', 'museum', ...at)).toContain(
      '2040-03-25T01:00:00.000Z (Europe/Amsterdam)',
    );
    expect(await title()).toBe('Hall');
    const state = await line.json('rooms', 'unpublish', 'museum', '--yes');
    expect(state).toMatchObject({ published: null, scheduled: { zone: 'Europe/Amsterdam' } });
    expect(await title()).toBeNull();
    expect(await line.done('rooms', 'unpublish', 'museum', '--yes')).toMatch(/^Nothing is published\.\nScheduled: /);
  });

  it('refuses what cannot be meant', async () => {
    const run = (...options: string[]) => line.run(['rooms', 'publish', 'museum', '--yes', ...options]);
    expect((await run('--at', '2040-03-25T02:30')).code).toBe(2);
    expect((await run('--zone', 'UTC')).code).toBe(2);
    expect((await run('--revision', 'first')).code).toBe(2);
    expect(await run('--revision', '999999')).toMatchObject({
      code: 1,
      error: expect.stringContaining('Revision 999999'),
    });
    expect(await run('--at', 'tomorrow', '--zone', 'UTC')).toMatchObject({ code: 1, out: '' });
    expect(await run('--at', '2020-01-01T12:00', '--zone', 'UTC')).toMatchObject({ code: 1, out: '' });
  });
});
