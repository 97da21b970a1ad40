import { printError } from './console.ts';
import { readSettings, type ServerSettings } from './settings.ts';

/** The settings of an environment; where one is wrong, the process says so in a sentence and ends. */
export function readOrEnd(environment: Record<string, string | undefined>): ServerSettings {
  try {
    return readSettings(environment);
  } catch (error) {
    printError((error as Error).message);
    process.exit(1);
  }
}
