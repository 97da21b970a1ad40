import { Option } from 'commander';
import type { AddCommand } from '../command.ts';

/** Where an installation of this machine keeps its data. */
export interface Place {
  /** Folder of the media, and of the database unless it is PostgreSQL. */
  data?: string;
  /** Address of PostgreSQL. */
  database?: string;
}

/** The options with which a command is told of another installation than that of the environment. */
const placeOptions = (): Option[] => [
  new Option('--data <folder>', 'folder of the media, and of the database unless it is PostgreSQL').env('DATA_DIR'),
  new Option('--database <address>', 'PostgreSQL, such as postgres://user:password@host/name').env('DATABASE_URL'),
];

/** Adds the options that every command of this folder has. */
export const withPlace =
  (add: (parent: Parameters<AddCommand>[0]) => ReturnType<Parameters<AddCommand>[0]['command']>): AddCommand =>
  (parent) => {
    const command = add(parent);
    for (const option of placeOptions()) command.addOption(option);
  };

/** The environment with another place in it. */
export const environmentOf = ({ data, database }: Place): NodeJS.ProcessEnv => ({
  ...process.env,
  ...(data !== undefined && { DATA_DIR: data }),
  ...(database !== undefined && { DATABASE_URL: database }),
});
