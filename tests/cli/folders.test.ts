import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';

describe('folders on the command line', () => {
  let api: ApiApp;
  let line: CommandLine;
  beforeAll(async () => {
    api = await ApiApp.start('sqlite');
    line = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
  });
  afterAll(async () => {
    await line.close();
    await api.close();
  });

  it('creates, renames, moves and removes folders by path, and moves rooms into them', async () => {
    for (const title of ['Hall', 'Attic']) await api.client().rooms.create({ body: { title } });
    expect(await line.done('folders', 'create', 'Museum')).toMatch(/^Folder \d+: Museum\n$/);
    expect(await line.json('folders', 'create', 'Museum/East')).toMatchObject({ name: 'East' });
    await line.done('folders', 'create', 'Archive');
    await line.done('folders', 'rename', 'museum/east', 'East wing');
    const paths = async () => (await line.json('folders', 'list')).map(({ path }: { path: string }) => path);
    expect(await paths()).toEqual(['Archive', 'Museum', 'Museum/East wing']);
    const moved = await line.done('rooms', 'move', 'Hall', 'Attic', '--folder', 'Museum/East wing', '--yes');
    expect(moved).toBe('moved 2\n');
    const names = async (folder: string) =>
      (await line.json('rooms', 'list', '--folder', folder)).map(({ name }: { name: string }) => name);
    expect(await names('Museum')).toEqual(['Attic', 'Hall']);
    await line.done('rooms', 'move', 'Attic', '--folder', '/', '--yes');
    expect(await names('/')).toEqual(['Attic']);
    await line.done('folders', 'move', 'Museum/East wing', 'Archive');
    expect(await names('Archive')).toEqual(['Hall']);
    await line.done('folders', 'move', 'Archive/East wing', '/');
    expect(await paths()).toEqual(['Archive', 'East wing', 'Museum']);
    expect(await line.done('folders', 'remove', 'Archive', 'Museum', '--yes')).toMatch(
      /^removed \d+ Archive\nremoved \d+ Museum\n$/,
    );
    expect(await paths()).toEqual(['East wing']);
    expect(await line.run(['rooms', 'list', '--folder', 'Nowhere'])).toMatchObject({
      code: 1,
      error: expect.stringContaining('Folder "Nowhere" not found.'),
    });
    expect((await line.run(['folders', 'move', 'East wing', 'East wing'])).error).toContain('into itself');
  });

  it('limits a user to folders and structures by path, and lifts the limits', async () => {
    const client = api.client();
    const { id } = await api.addUser(api.one, {});
    await client.folders.create({ body: { name: 'Clients' } });
    const room_id = (await client.rooms.create({ body: { title: 'Booth' } })).id;
    await client.endpoints.create({ body: { name: 'Fair', room_id } });
    const limit = (...options: string[]) => line.run(['users', 'limit', String(id), ...options]);
    expect(await limit('--folder', 'Clients', '--structure', 'fair')).toMatchObject({
      out: `User ${id}: 1 folder, 1 structure\n`,
    });
    const { limits } = await client.users.read({ params: { id } });
    expect(limits).toMatchObject({ folder_ids: [expect.any(Number)], endpoint_ids: [expect.any(Number)] });
    expect((await limit()).error).toContain('Nothing to limit.');
    expect(await limit('--none')).toMatchObject({ out: `User ${id}: all\n` });
    expect((await client.users.read({ params: { id } })).limits).toBeNull();
  });
});
