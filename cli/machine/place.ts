import { Option } from 'commander';
import type { AddCommand } from '../command.ts';

/** Data location of an installation on this machine. */
export interface Place {
  /** Folder of the media, and of the SQLite database if PostgreSQL isn't used. */
  data?: string;
  /** PostgreSQL URL. */
  database?: string;
}

/** Options that select an installation other than the one in the environment. */
const placeOptions = (): Option[] => [
  new Option('--data <folder>', 'folder of the media files, and of the database unless it is in PostgreSQL').env(
    'DATA_DIR',
  ),
  new Option('--database <address>', 'PostgreSQL URL, such as postgres://user:password@host/name').env('DATABASE_URL'),
];

/** Adds the options shared by all commands of this folder. */
export const withPlace =
  (add: (parent: Parameters<AddCommand>[0]) => ReturnType<Parameters<AddCommand>[0]['command']>): AddCommand =>
  (parent) => {
    const command = add(parent);
    for (const option of placeOptions()) command.addOption(option);
  };

/** The environment with its data location replaced. */
export const environmentOf = ({ data, database }: Place): NodeJS.ProcessEnv => ({
  ...process.env,
  ...(data !== undefined && { DATA_DIR: data, DATA_DIR_FILE: undefined }),
  ...(database !== undefined && { DATABASE_URL: database, DATABASE_URL_FILE: undefined }),
});
