import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { StateMachine } from 'xstate';

const root = new URL('../../../', import.meta.url).pathname;
const FOLDER = 'engine/machines/';
const sourceFiles = globSync(['src/**/*.{ts,tsx}', 'engine/**/*.ts', 'cli/**/*.ts'], { cwd: root });
const sources = sourceFiles.map((file) => ({ file, text: readFileSync(root + file, 'utf8') }));

/** Charts by the name of their export, with the module that has them. */
const charts = await Promise.all(
  globSync(`${FOLDER}*.ts`, { cwd: root }).map(async (file) => {
    const exported = Object.entries(await import(root + file));
    return exported.flatMap(([name, value]) => (value instanceof StateMachine ? [{ name, file, machine: value }] : []));
  }),
).then((found) => found.flat());

const module = (file: string) => `/${file.slice(file.lastIndexOf('/') + 1)}'`;
const imports = (text: string, file: string) =>
  text.split('\n').some((line) => line.includes(' from ') && line.includes(module(file)));

test('there are charts to look for', () => {
  expect(charts.map(({ name }) => name)).toEqual(expect.arrayContaining(['proximityMachine', 'transformMachine']));
});

describe.each(charts)('$name', ({ name, file, machine }) => {
  test('is what the product runs: as an actor, or as a table', () => {
    // A chart to which its actors are given first is started under another name.
    const given = sources.flatMap(
      ({ text }) =>
        text.match(new RegExp(`const \\[?(\\w+)\\]? = (?:useState\\(\\(\\) =>\\s*)?${name}\\.provide\\(`))?.[1] ?? [],
    );
    const used = [name, ...given].join('|');
    const starts = new RegExp(
      `\\b(?:createActor|useActor|useActorRef|useMachine|compile|compileRegions)\\(\\s*(?:${used})\\b`,
    );
    const runners = sources.filter(({ text }) => starts.test(text)).map((source) => source.file);
    expect(runners).not.toEqual([]);
  });

  test('has a sender for every event', () => {
    const isTable = sources.some(({ text, file: at }) => at === `${FOLDER}tables.ts` && text.includes(name));
    const senders = sources.filter(
      (source) =>
        !source.file.startsWith(FOLDER) &&
        (imports(source.text, file) || (isTable && imports(source.text, `${FOLDER}tables.ts`))),
    );
    const text = senders.map((source) => source.text).join('\n');
    const unsent = machine.events.filter(
      (event) =>
        !event.startsWith('xstate.') &&
        !text.includes(`'${event}'`) &&
        !(isTable && new RegExp(`\\bevents\\.${event}\\b`).test(text)),
    );
    expect(unsent).toEqual([]);
  });
});
