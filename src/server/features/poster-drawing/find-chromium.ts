import { access, constants } from 'node:fs/promises';

/** Where systems put Chromium, or Chrome, which is made of it. */
const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** What the setting says when no Chromium is to be used. */
const OFF = 'off';

/** A program that can be run, or why there is none. */
export type FoundChromium = { program: string } | { program: null; problem: string };

const canRun = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

const AS_ROOT =
  'Posters are drawn by the editor only: the server runs as root, for which Chromium has no sandbox. Run it as another user, or set CHROMIUM_SANDBOX=0 if nobody untrusted edits spaces.';

/** Whether this process runs as root, for which Chromium refuses its sandbox. */
const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Finds the Chromium that draws posters.
 * @param setting of the server; undefined where it is to be looked for
 * @param needsSandbox whether it draws only in its own sandbox
 */
export async function findChromium(setting: string | undefined, needsSandbox: boolean): Promise<FoundChromium> {
  const found = await findProgram(setting);
  return found.program !== null && needsSandbox && isRoot() ? { program: null, problem: AS_ROOT } : found;
}

async function findProgram(setting: string | undefined): Promise<FoundChromium> {
  if (setting === OFF) return { program: null, problem: 'Posters are drawn by the editor only: CHROMIUM is off.' };
  if (setting !== undefined)
    return (await canRun(setting))
      ? { program: setting }
      : { program: null, problem: 'Posters are drawn by the editor only: CHROMIUM names no program that can be run.' };
  for (const place of USUAL_PLACES) if (await canRun(place)) return { program: place };
  return { program: null, problem: 'Posters are drawn by the editor only: no Chromium was found.' };
}
