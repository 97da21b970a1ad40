import type { Command } from 'commander';
import type { Connection } from './connection.ts';

/** Adds a command, or a group of commands, to a parent command. */
export type AddCommand = (parent: Command) => void;

/** Creates a group, such as `rooms`, from the commands of a folder. @param alias another name */
export const group =
  (name: string, description: string, members: readonly AddCommand[], alias?: string): AddCommand =>
  (parent) => {
    const made = parent.command(name).description(description).helpCommand(false);
    if (alias !== undefined) made.alias(alias);
    for (const add of members) add(made);
  };

/** The examples at the end of a command's help. */
export const examples = (...lines: string[]): string => `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;

/**
 * The action of a command that talks to the server: it receives the connection, then arguments and options. The client
 * and its schemas are loaded only when it runs.
 */
export const connected =
  <A extends unknown[]>(run: (connection: Connection, ...args: A) => Promise<void>) =>
  async (...args: A): Promise<void> => {
    const { connect } = await import('./connection.ts');
    await run(connect(), ...args);
  };
