import { printError } from './console.ts';
import { readSettings, type ServerSettings } from './settings.ts';

/** Reads the settings from an environment; exits with a message if one is invalid. */
export function readOrEnd(environment: Record<string, string | undefined>): ServerSettings {
  try {
    return readSettings(environment);
  } catch (error) {
    printError((error as Error).message);
    process.exit(1);
  }
}
