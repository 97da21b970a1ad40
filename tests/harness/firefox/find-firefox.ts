import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Firefox, and the virtual display that it needs for WebGL in software. */
export interface FirefoxPrograms {
  firefox: string;
  xvfb: string;
}

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/**
 * Finds the programs for tests in Firefox: `FIREFOX_PATH` or Debian's `firefox-esr`, and `Xvfb`.
 * @returns an error text if one is missing
 */
export function findFirefox(): FirefoxPrograms | string {
  const firefox = process.env.FIREFOX_PATH ?? onPath(['firefox-esr', 'firefox']);
  if (!firefox || !existsSync(firefox)) return 'none on this machine (Debian: firefox-esr); its tests are skipped.';
  const xvfb = onPath(['Xvfb']);
  if (!xvfb) return 'Xvfb is missing, without which it draws no WebGL (Debian: xvfb); its tests are skipped.';
  return { firefox, xvfb };
}
