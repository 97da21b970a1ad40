import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../cli/program.ts';
import * as listed from '../../cli/words.ts';
import { LAYOUTS } from '../../engine/document/arrangements/layouts.ts';
import { DEVICES } from '../../engine/document/budget.ts';
import { TOUR_LINKS } from '../../engine/document/tour-edits.ts';
import { TOKEN_ORDERS } from '../../src/contract/calls/access-tokens.ts';
import { ENDPOINT_ORDERS } from '../../src/contract/calls/endpoints.ts';
import { FEED_ORDERS } from '../../src/contract/calls/feeds.ts';
import { MEDIA_ORDERS } from '../../src/contract/calls/media.ts';
import { ROOM_ORDERS } from '../../src/contract/calls/rooms.ts';
import { TEMPLATE_ORDERS } from '../../src/contract/calls/templates.ts';
import { USER_ORDERS } from '../../src/contract/calls/users.ts';
import {
  AREAS,
  IMPORT_MODES,
  MEDIA_TYPES,
  PROPOSAL_STATES,
  RIGHTS,
  SHARE_STATES,
  STATISTICS_GROUP_NAMES,
  STATISTICS_INTERVALS,
  TOKEN_STATES,
  WEBHOOK_EVENT_NAMES,
} from '../../src/contract/entities.ts';
import { SCORM_EDITIONS } from '../../src/contract/scorm.ts';
import { LANGUAGES } from '../../src/contract/viewer-texts/limits.ts';
import { CommandLine } from '../harness/command-line.ts';
import { ROOT } from '../harness/started-server.ts';

/** Every command that does something, with its whole name. */
function* leaves(command: Command, path: string[] = []): Generator<[string, Command]> {
  if (command.commands.length === 0 || command.registeredArguments.length > 0) yield [path.join(' '), command];
  for (const each of command.commands) yield* leaves(each, [...path, each.name()]);
}

/** What a command's help says. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

describe('the help of the command line', () => {
  const all = [...leaves(createProgram())];

  it.each(all)('%s has examples that begin with its own name, and describes every option', (name, command) => {
    const help = helpOf(command);
    const examples = [...help.matchAll(/\n {2}\$ (.*)/g)].map(([, line]) => line!);
    expect(examples.filter((line) => line.includes(`enfilade ${name}`)).length).toBeGreaterThan(0);
    expect(command.description()).not.toBe('');
    for (const option of command.options) expect(option.description, option.flags).not.toBe('');
    for (const argument of command.registeredArguments) expect(argument.description, argument.name()).not.toBe('');
  });

  it('names the words of options as the contract and the engine do', () => {
    expect({ ...listed }).toEqual({
      AREAS,
      DEVICES,
      ENDPOINT_ORDERS,
      FEED_ORDERS,
      IMPORT_MODES,
      LANGUAGES,
      LAYOUTS,
      MEDIA_ORDERS,
      MEDIA_TYPES,
      PROPOSAL_STATES,
      RIGHTS,
      ROOM_ORDERS,
      SCORM_EDITIONS: expect.arrayContaining([...SCORM_EDITIONS]),
      SHARE_STATES,
      STATISTICS_GROUP_NAMES,
      STATISTICS_INTERVALS,
      TEMPLATE_ORDERS,
      TOKEN_ORDERS,
      TOKEN_STATES,
      TOUR_LINKS,
      USER_ORDERS,
      WEBHOOK_EVENT_NAMES,
    });
  });

  it('the page of the command line names commands and options as they are', () => {
    const names = new Map(all);
    const readme = readFileSync(join(ROOT, 'cli/README.md'), 'utf8');
    const shown = [...readme.matchAll(/npx enfilade ((?:[a-z]+ ?)+)([^`\n]*)/g)];
    expect(shown.length).toBeGreaterThan(5);
    for (const [line, words, rest] of shown) {
      const parts = words!.trim().split(' ');
      const name = [parts.slice(0, 2).join(' '), parts[0]!].find((each) => names.has(each));
      expect(name, line).toBeDefined();
      for (const [option] of rest!.replace(/#.*/, '').matchAll(/(?<=\s|^)--[a-z-]+/g))
        expect(helpOf(names.get(name!)!), line).toContain(option);
    }
  });

  it('completes commands and options in bash', async () => {
    const line = await CommandLine.here({});
    const script = await line.done('completion', 'bash');
    const complete = (words: string[]) =>
      spawnSync('bash', [
        '-c',
        `${script}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _enfilade; echo "\${COMPREPLY[@]}"`,
      ]).stdout.toString();
    expect(complete(['enfilade', 'ro'])).toBe('rooms\n');
    expect(complete(['enfilade', 'rooms', 'ex'])).toBe('export\n');
    expect(complete(['enfilade', 'tokens', 'import', 'codes.csv', '--dr'])).toBe('--dry-run\n');
    expect(complete(['enfilade', 'users', ''])).toBe('list export import remove limit add --help\n');
    expect(complete(['enfilade', 'endpoints', 'copy', 'museum', '--ch'])).toBe('--children\n');
    expect(complete(['enfilade', 'media', 'export', '--t'])).toBe('--type\n');
    expect(complete(['enfilade', 'login', '--'])).toBe('--url --email --code --help\n');
    expect(await line.done('completion', 'zsh')).toContain('#compdef enfilade');
    await line.close();
  });
});
