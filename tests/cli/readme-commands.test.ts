import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/contract/client.ts';
import { databases, PASSWORD } from '../harness/api-app.ts';
import { runHere } from '../harness/run-here.ts';
import { ROOT } from '../harness/started-server.ts';
import { createDatabase } from '../harness/test-database.ts';

/** The commands of a block of the page, as they are printed, one after another. */
function blockWith(readme: string, command: string): string[] {
  const blocks = [...readme.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, text]) => text!.trimEnd().split('\n'));
  const found = blocks.find((lines) => lines.some((line) => line.startsWith(`npx enfilade ${command}`)));
  expect(found, command).toBeDefined();
  return found!;
}

/** What each command has to say for it to have worked; the others need only end well. */
const SAID: [command: string, output: RegExp][] = [
  ['login --url', /^Signed in to http/],
  ['rooms list', /"The Long Gallery"/],
  ['rooms import gallery.json --dry-run', /^No changes \(1 room checked\)\.\n$/],
  ['rooms import gallery.enfilade.zip', /^Nothing changed \(2 things checked\)\.\n$/],
  ['rooms create', /create +room +Hall\n +create +structure +hall\n.*create +room +Annex/s],
  ['jobs', / rooms .* 4 /],
  ['undo', /^Undone: 4\.\n$/],
  ['endpoints import', /^Nothing changed \(7 structures checked\)\.\n$/],
  ['endpoints copy', /^Structure \d+: winter\n$/],
  ['tokens import', /created 2/],
  ['tokens list', /"A1B2C3D4E5"/],
  ['tokens export', /^$/],
  ['rooms lint gallery.json --format', /"version": "2.1.0"/],
  ['rooms lint', /nothing found/],
  ['rooms budget', /triangles/],
  ['site lint', /winter/],
  ['users import', /^No changes \(1 user checked\)\.\n$/],
  ['backup verify', / is complete: \d+ rows/],
  ['backup', /rows of \d+ tables, \d+ files/],
  ['restore', /^Restored .* files to .*\.\n$/],
  ['move', /rows copied and verified\./],
  ['org create', /^Organization 2: Museum\n/],
  ['org quota', /^Organization 2: Museum\n *storage +0 of 50,000 MB\n/],
  ['org hosts', /^rooms\.museum\.example {2}\(primary\)\nwww\.museum\.example\n$/],
  ['org rename', /^Organization 2: City Museum, active\n/],
  ['org suspend', /^Organization 2: City Museum, suspended\n/],
  ['org resume', /^Organization 2: City Museum, active\n/],
  ['org delete', /^Organization 2: City Museum, deleted\n/],
  ['org restore', /^Organization 2: City Museum, active\n/],
  ['org usage', /^"id","name","month"/],
  ['org list', /\b2 +City Museum +rooms\.museum\.example www\.museum\.example/],
  ['org export', /^$/],
  ['org diff', /^No differences \(\d+ entries compared\)\.\n$/],
  ['org import', /^No changes \(\d+ entries checked\)\.\n$/],
  ['users add', /^User \d+ of /],
  ['migrate', /up to date/],
  ['key', /^The key matches /],
];

/** What lies in the folder afterwards, made by the commands. */
const MADE = [
  'endpoints.csv',
  'gallery.bag.zip',
  'gallery.enfilade.zip',
  'gallery.json',
  'images',
  'kiosk',
  'museum.zip',
  'site',
  'templates',
  'tokens.json',
  'users.csv',
];

/** Milliseconds that all commands of a block may take on a slow machine. */
const LONG = 600_000;

describe('the command line as its page prints it, in an empty folder', { timeout: LONG }, () => {
  let root: string;
  let folder: string;
  let server: ChildProcess;
  let origin: string;
  let key: string;
  let readme: string;

  const environment = () => ({ XDG_CONFIG_HOME: root, ADMIN_PASSWORD: PASSWORD });
  /** Starts what a line says, by a shell, as somebody does who types it. @param npx folder with what npx does */
  const start = (command: string, npx: string) => {
    const env = { ...environment(), PATH: `${join(root, npx)}:${process.env.PATH}` };
    return spawn('bash', ['-c', command], { cwd: folder, env, stdio: 'pipe' });
  };
  /** What a shell makes of a line that is typed: the words that the command is given. */
  const wordsOf = async (line: string) => {
    const shell = start(line, 'words');
    const [words, code] = await Promise.all([text(shell.stdout), once(shell, 'close').then(([code]) => code)]);
    expect(code, line).toBe(0);
    return words.split('\0').slice(0, -1);
  };
  const follow = async (line: string, command: string, input = '') => {
    const [project, ...args] = await wordsOf(command);
    expect(project, line).toBe('enfilade');
    const { code, out, error } = await runHere(args, { folder, input, environment: environment() });
    expect([code, error], line).toEqual([0, expect.not.stringContaining('enfilade:')]);
    const said = SAID.find(([name]) => line.startsWith(`npx enfilade ${name}`));
    if (said) expect(out, line).toMatch(said[1]);
  };

  beforeAll(async () => {
    readme = await readFile(join(ROOT, 'cli/README.md'), 'utf8');
    root = await mkdtemp(join(tmpdir(), 'enfilade-readme-'));
    folder = join(root, 'empty');
    for (const name of ['empty', 'bin', 'words']) await mkdir(join(root, name));
    // What npx does in the project's folder, and after npm link everywhere: it runs the command of the project.
    const script = `#!/bin/sh\nshift\nexec '${process.execPath}' '${join(ROOT, 'cli/enfilade.js')}' "$@"\n`;
    await writeFile(join(root, 'bin/npx'), script, { mode: 0o755 });
    await writeFile(join(root, 'words/npx'), `#!/bin/sh\nprintf '%s\\0' "$@"\n`, { mode: 0o755 });
    const serve = blockWith(readme, 'serve').find((line) => line.startsWith('npx enfilade serve'))!;
    server = start(`exec ${serve.replace('9000', '0')}`, 'bin');
    let output = '';
    const isReady = new Promise<void>((resolve, reject) => {
      const hear = (text: Buffer) => {
        output += text;
        if (/"admin":"http[^"]+"/.test(output)) resolve();
      };
      server.stdout!.on('data', hear);
      server.stderr!.on('data', hear);
      server.on('exit', () => reject(new Error(output)));
    });
    await isReady;
    origin = /"admin":"(http[^"]+)\/admin"/.exec(output)![1]!;
    let token: string | null = null;
    const client = createClient({
      origin,
      token: () => token,
      onToken: (given) => {
        token = given;
      },
      timeout: 60_000,
    });
    await client.users.login({ body: { email: 'admin@example.com', password: PASSWORD } });
    const { policies } = await client.users.active();
    // The page updates the places of this block.
    await client.blocks.create({ body: { name: 'Desk', element: { id: 1, element: 'group' } } });
    ({ key } = await client.apiKeys.create({ body: { name: 'Script', policies } }));
  });
  afterAll(async () => {
    const ended = new Promise((resolve) => server.on('exit', resolve));
    server.kill('SIGTERM');
    await ended;
    await rm(root, { recursive: true, force: true });
  });

  it('scripts a server', async () => {
    await writeFile(join(folder, 'venues.csv'), 'name,path,city\nHall,hall,Utrecht\nAnnex,annex,Leiden\n');
    await cp(join(ROOT, 'fixtures/tokens'), join(folder, 'fixtures/tokens'), { recursive: true });
    const lines = blockWith(readme, 'rooms list');
    expect(lines.length).toBeGreaterThan(15);
    for (const line of lines) {
      const secret = line.includes('--email') ? PASSWORD : key;
      await follow(line, line.replace('https://rooms.example.com', origin), `${secret}\n`);
    }
    expect((await readdir(folder)).filter((name) => MADE.includes(name)).sort()).toEqual(MADE);
  });

  it('looks after the installation of this machine', async () => {
    const target = databases.includes('postgres') ? await createDatabase('postgres') : null;
    try {
      for (const line of blockWith(readme, 'serve')) {
        if (line.startsWith('npx enfilade serve') || (line.includes(' move ') && !target)) continue;
        await follow(line, line.replace('postgres://enfilade@db.example.com/rooms', target?.url ?? ''));
      }
    } finally {
      await target?.drop();
    }
    expect((await readdir(join(root, 'backups'))).sort()).toEqual(['monday', 'monday.enfilade-backup.zip']);
    expect(await readdir(join(folder, 'again'))).toContain('media');
  });
});
