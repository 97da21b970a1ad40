import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { LINT_CODES } from '../../engine/document/lint/codes.ts';
import { ApiApp } from '../harness/api-app.ts';
import { CommandLine } from '../harness/command-line.ts';
import { ROOT } from '../harness/started-server.ts';

/** A room with an unknown type on line 9, and an image without a file, whose name needs escaping, on line 5. */
const BROKEN = `{
  "id": 1,
  "title": "Hall", "colour": 1,
  "elements": [
    { "id": 1, "element": "image", "name": "100 % <one>, & \\"two\\": three" },
    {
      "id": 2,
      "name": "Unknown",
      "element": "hologram"
    }
  ]
}
`;
const CLEAN = '{"id": 2, "title": "Annex"}';

/** What SARIF 2.1.0 requires of the parts that are written. */
function assertSarif(text: string) {
  const log = JSON.parse(text);
  expect(log).toMatchObject({ version: '2.1.0', $schema: expect.stringContaining('sarif-2.1.0') });
  expect(log.runs).toHaveLength(1);
  const [{ tool, results }] = log.runs;
  expect(tool.driver).toMatchObject({ name: expect.stringMatching(/./), version: expect.stringMatching(/^\d/) });
  const ids = tool.driver.rules.map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const rule of tool.driver.rules) expect(rule.shortDescription.text).toMatch(/./);
  for (const { ruleId, ruleIndex, level, message, locations } of results) {
    expect(ids[ruleIndex]).toBe(ruleId);
    expect(['error', 'warning', 'note', 'none']).toContain(level);
    expect(message.text).toMatch(/./);
    for (const { physicalLocation } of locations) {
      if (!physicalLocation) continue;
      expect(physicalLocation.artifactLocation.uri).not.toMatch(/[\s\\]/);
      expect(physicalLocation.region.startLine).toBeGreaterThan(0);
    }
  }
  return { ids, results };
}

/** The cases of a JUnit file, and what its counts say. */
function readJunit(text: string) {
  expect(XMLValidator.validate(text)).toBe(true);
  const isArray = (name: string) => name === 'testcase';
  const parsed = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    isArray,
    parseAttributeValue: false,
  });
  const { testsuites } = parsed.parse(text);
  const { testsuite } = testsuites;
  const cases = testsuite.testcase as {
    name: string;
    classname: string;
    file?: string;
    failure?: { message: string };
  }[];
  expect(testsuites.tests).toBe(String(cases.length));
  expect(testsuite.failures).toBe(String(cases.filter(({ failure }) => failure !== undefined).length));
  return cases;
}

describe('reports for CI systems', () => {
  let line: CommandLine;
  beforeAll(async () => {
    line = await CommandLine.here({});
    await mkdir(join(line.folder, 'rooms'));
    await writeFile(join(line.folder, 'rooms/broken hall.json'), BROKEN);
    await writeFile(join(line.folder, 'rooms/clean.json'), CLEAN);
  });
  afterAll(() => line.close());

  it('lint annotates the lines of files on GitHub, escaped as its commands need', async () => {
    const run = await line.run(['rooms', 'lint', 'rooms/*.json', '--format', 'github']);
    const lines = run.out.trimEnd().split('\n');
    expect(run.code).toBe(1);
    const unknown = lines.find((text) => text.includes('unknown-element-type'))!;
    expect(unknown).toMatch(
      /^::error file=rooms\/broken hall\.json,line=9,title=unknown-element-type::elements\[1\]\.element: /,
    );
    const image = lines.find((text) => text.includes('title=missing-file'))!;
    expect(image).toMatch(/^::(?:error|warning) file=rooms\/broken hall\.json,line=5,/);
    expect(lines.join('\n')).not.toMatch(/%(?!25|0A|0D|3A|2C)/);
    // A comma or colon in a file's name would end its property.
    await writeFile(join(line.folder, 'a,b: c.json'), '{"id": 1, "elements": []}');
    const odd = await line.run(['rooms', 'lint', 'a,b: c.json', '--format', 'github']);
    expect(odd.out).toContain('file=a%2Cb%3A c.json,line=1,');
  });

  it('lint writes SARIF 2.1.0 with every rule, and lines', async () => {
    const run = await line.run(['rooms', 'lint', 'rooms/*.json', '--format', 'sarif']);
    const { ids, results } = assertSarif(run.out);
    expect([run.code, ids]).toEqual([1, Object.keys(LINT_CODES)]);
    const unknown = results.find(({ ruleId }: { ruleId: string }) => ruleId === 'unknown-element-type');
    expect(unknown.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'rooms/broken%20hall.json' },
      region: { startLine: 9 },
    });
    expect(assertSarif(await line.done('rooms', 'lint', 'rooms/clean.json', '--format', 'sarif')).results).toEqual([]);
  });

  it('lint writes JUnit with a case for each problem and each clean room', async () => {
    const run = await line.run(['rooms', 'lint', 'rooms/*.json', '--format', 'junit', '--strict']);
    const cases = readJunit(run.out);
    expect(run.code).toBe(1);
    expect(cases.find(({ classname }) => classname === 'rooms/clean.json')).toEqual({
      classname: 'rooms/clean.json',
      name: 'rooms lint',
    });
    const failed = cases.filter(({ failure }) => failure);
    expect(failed.length).toBeGreaterThan(1);
    expect(failed.every(({ file }) => file === 'rooms/broken hall.json')).toBe(true);
    // Only errors fail without --strict.
    const lenient = readJunit((await line.run(['rooms', 'lint', 'rooms/*.json', '--format', 'junit'])).out);
    expect(lenient.length).toBe(cases.length);
    expect(lenient.filter(({ failure }) => failure).length).toBeLessThan(failed.length);
  });

  it('diff and budget report in each format, with exit codes as without', async () => {
    const room = (x: number) =>
      JSON.stringify(
        { id: 1, title: 'Hall', elements: [{ id: 7, element: 'image', name: 'A', position_x: x }] },
        null,
        1,
      );
    await writeFile(join(line.folder, 'old.json'), room(0));
    await writeFile(join(line.folder, 'new.json'), room(9));
    const diff = (format: string, ...files: string[]) => line.run(['rooms', 'diff', ...files, '--format', format]);
    const changed = ['old.json', 'new.json'];
    const github = await diff('github', ...changed);
    expect([github.code, github.out]).toEqual([
      1,
      expect.stringMatching(/^::error file=new\.json,line=5,title=moved::/),
    ]);
    expect(assertSarif((await diff('sarif', ...changed)).out).results).toHaveLength(1);
    expect(readJunit((await diff('junit', ...changed)).out)[0]!.failure!.message).toContain('moved');
    const same = await diff('junit', 'old.json', 'old.json');
    expect([same.code, readJunit(same.out).map(({ failure }) => failure)]).toEqual([0, [undefined]]);
    expect(JSON.parse((await diff('json', ...changed)).out)).toEqual(
      JSON.parse((await line.run(['rooms', 'diff', ...changed, '--json'])).out),
    );

    const heavy = Array.from({ length: 3000 }, (_, id) => ({ id: id + 1, element: 'text', config: { text: 'x' } }));
    await writeFile(join(line.folder, 'heavy.json'), JSON.stringify({ id: 1, title: 'Heavy', elements: heavy }));
    const budget = (file: string, format: string) =>
      line.run(['rooms', 'budget', file, '--device', 'phone', '--format', format]);
    const over = await budget('heavy.json', 'github');
    expect([over.code, over.out]).toEqual([1, expect.stringMatching(/^::error file=heavy\.json,line=1,title=over-/)]);
    expect(assertSarif((await budget('heavy.json', 'sarif')).out).results.length).toBeGreaterThan(0);
    const light = await budget('rooms/clean.json', 'junit');
    expect([light.code, readJunit(light.out).length]).toEqual([0, 1]);
  });

  it('site lint reports structures without files', async () => {
    const api = await ApiApp.start('sqlite');
    const site = await CommandLine.here({ ENFILADE_URL: api.origin, ENFILADE_KEY: api.one.admin.token });
    const client = api.client();
    const { id } = await client.rooms.create({ body: { title: 'Gone' } });
    await client.endpoints.create({ body: { name: 'Empty', room_id: id } });
    await client.rooms.remove({ params: { id } });
    const lint = (format: string) => site.run(['site', 'lint', '--format', format]);
    const github = await lint('github');
    expect([github.code, github.out]).toEqual([
      1,
      '::error title=empty-structure::empty: The structure shows no room.\n',
    ]);
    const [result] = assertSarif((await lint('sarif')).out).results;
    expect(result.locations).toEqual([{ logicalLocations: [{ fullyQualifiedName: 'empty' }] }]);
    expect(readJunit((await lint('junit')).out)[0]).toMatchObject({ classname: 'empty', name: 'empty-structure' });
    await site.close();
    await api.close();
  });

  describe('expectations of a simulation', () => {
    const simulate = (expectations: string, ...more: string[]) => {
      const room = join(ROOT, 'fixtures/rooms/timed-media.json');
      const during = ['--from', '19:55', '--to', '19:57', '--expect', expectations];
      return line.run(['rooms', 'simulate', room, ...during, ...more]);
    };

    it('hold, or name each event that is missing or unwanted with its line', async () => {
      const met = await simulate(join(ROOT, 'deploy/ci/gallery.expect.yaml'));
      expect([met.code, met.error]).toEqual([0, '']);
      const asJson = { must: [{ event: 'media.ended', from: '19:55', to: '19:56', count: 1 }] };
      await line.file('expect.json', JSON.stringify(asJson));
      expect((await simulate('expect.json')).code).toBe(0);
      await line.file(
        'wrong.yaml',
        'must:\n  - event: media.ended\n    at: "19:56:30"\n  - event: popup.opened\nnever:\n  - event: media.ended\n',
      );
      const unmet = await simulate('wrong.yaml');
      expect(unmet.code).toBe(1);
      expect(unmet.error).toContain(
        'wrong.yaml, line 2, must[0]: media.ended at 19:56:30 (± 1 s) did not occur; it occurred at 19:55:20',
      );
      expect(unmet.error).toContain('wrong.yaml, line 4, must[1]: popup.opened did not occur.');
      expect(unmet.error).toContain('wrong.yaml, line 6, never[0]: media.ended occurred at 19:55:20.');
      const cases = readJunit((await simulate('wrong.yaml', '--format', 'junit')).out);
      expect(cases.map(({ name }) => name)).toEqual([
        'missing-event: must[0]',
        'missing-event: must[1]',
        'unwanted-event: never[0]',
      ]);
      const github = await simulate('wrong.yaml', '--format', 'github');
      expect(github.out).toMatch(/^::error file=wrong\.yaml,line=2,title=missing-event::/);
    });

    it.each([
      [
        'must:\n  - event: media.endd\n',
        'line 2, must.0.event: There is no event "media.endd". Did you mean "media.ended"?',
      ],
      ['must:\n  - event: timed\n    when: "19:55"\n', 'line 3, must.0.when: This field is not known.'],
      ['must:\n  - event: timed\n    at: 25:00\n', 'line 3, must.0.at: Use a time such as'],
      ['must:\n  - event: timed\n    at: "19:55"\n    from: "19:56"\n', 'Use either `at`, or `from` and `to`.'],
      ['never:\n  - event: timed\n    count: 2\n', '`count` has no meaning under never.'],
      ['{}', 'Name at least one event under must or never.'],
      ['must: [\n', 'line 2'],
      ['a: &a [x]\nmust: *a\n', 'holds no expectations'],
    ])('a mistake in the file is named with its place: %j', async (text, sentence) => {
      await line.file('mistaken.yaml', text);
      const run = await simulate('mistaken.yaml');
      expect([run.code, run.out]).toEqual([1, '']);
      expect(run.error).toContain(sentence);
    });

    it('a missing file and a format without expectations are errors of usage', async () => {
      expect((await simulate('none.yaml')).code).toBe(2);
      const args = ['rooms', 'simulate', 'rooms/clean.json', '--from', '19:55', '--to', '19:57', '--format', 'junit'];
      expect(await line.run(args)).toMatchObject({ code: 2, error: expect.stringContaining('needs --expect') });
      expect((await line.run(['rooms', 'lint', 'rooms/clean.json', '--format', 'xml'])).code).toBe(2);
    });
  });

  it('the examples for GitHub Actions and GitLab run on a repository with rooms', { timeout: 300_000 }, async () => {
    const workflow = parse(await readFile(join(ROOT, 'deploy/ci/github-actions.yaml'), 'utf8'));
    const pipeline = parse(await readFile(join(ROOT, 'deploy/ci/gitlab-ci.yaml'), 'utf8'));
    const steps = workflow.jobs.check.steps as { run?: string }[];
    const commands = [...steps.flatMap(({ run }) => run ?? []), ...(pipeline.rooms.script as string[])];
    const ours = commands.filter((command) => !command.startsWith('npm ci'));
    expect([commands.length, ours.length]).toEqual([9, 7]);
    const folder = join(line.folder, 'repository');
    await mkdir(join(folder, 'rooms'), { recursive: true });
    await mkdir(join(folder, 'bin'));
    const room = JSON.parse(await readFile(join(ROOT, 'fixtures/rooms/timed-media.json'), 'utf8'));
    room.elements[2].config.file_url = 'https://example.com/sound.mp3';
    await writeFile(join(folder, 'rooms/gallery.json'), JSON.stringify(room));
    await copyFile(join(ROOT, 'deploy/ci/gallery.expect.yaml'), join(folder, 'rooms/gallery.expect.yaml'));
    // What npx does in a repository with the project in a folder.
    const npx = `#!/bin/sh\n[ "$1 $2 $3" = "--prefix enfilade enfilade" ] || exit 9\nshift 3\nexec '${process.execPath}' '${join(ROOT, 'cli/enfilade.js')}' "$@"\n`;
    await writeFile(join(folder, 'bin/npx'), npx, { mode: 0o755 });
    const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder };
    for (const command of ours) await promisify(execFile)('bash', ['-e', '-c', command], { cwd: folder, env });
    for (const name of pipeline.rooms.artifacts.reports.junit) readJunit(await readFile(join(folder, name), 'utf8'));
    assertSarif(await readFile(join(folder, 'rooms.sarif'), 'utf8'));
  });
});
