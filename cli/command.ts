import type { Command } from 'commander';
import type { Connection } from './connection.ts';

/** Adds one command, or a group of them, to a command. */
export type AddCommand = (parent: Command) => void;

/** Makes a group, such as `rooms`, of the commands of one folder. */
export const group =
  (name: string, description: string, members: readonly AddCommand[]): AddCommand =>
  (parent) => {
    const made = parent.command(name).description(description).helpCommand(false);
    for (const add of members) add(made);
  };

/** The lines that a command's help ends with. */
export const examples = (...lines: string[]): string => `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;

/**
 * The action of a command that talks to the server: the connection comes first, then arguments and options. The client, with
 * the schemas that it stands on, is loaded only now.
 */
export const connected =
  <A extends unknown[]>(run: (connection: Connection, ...args: A) => Promise<void>) =>
  async (...args: A): Promise<void> => {
    const { connect } = await import('./connection.ts');
    await run(connect(), ...args);
  };
