import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright';

/**
 * What tests do without: the parts that Playwright leaves out, for of two such lists Chromium takes the last, and the lists
 * of suggestions below the address bar, for which each window would start a process that takes a second.
 */
const LEFT_OUT = [
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
];

/** What Playwright turns on; of two such lists, too, Chromium takes the last. */
const TURNED_ON = ['CDPScreenshotNewSurface', 'SkipListAccountsWithoutGaiaCookies'];

/**
 * How memory is held by a browser that has plenty of it: what a page lets go is kept for the next, and not given back page by page to
 * a machine that takes longest over just that; nor is it watched for faults of the browser's own.
 */
const MEMORY = {
  on: ['PartitionAllocLargeEmptySlotSpanRing'],
  off: [
    'PartitionAllocBackupRefPtr',
    'PartitionAllocEventuallyZeroFreedMemory',
    'PartitionAllocMemoryReclaimer',
    'PartitionAllocSchedulerLoopQuarantine',
  ],
};

/** What draws WebGL: Chromium's own software, the same on every machine, or the machine's OpenGL, which loads a room four times as fast. */
export type Drawing = 'swiftshader' | 'opengl';

const DRAWING_FLAGS: Record<Drawing, string[]> = {
  swiftshader: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  opengl: ['--use-angle=gl-egl', '--ignore-gpu-blocklist'],
};

/** Flags with which Chromium draws WebGL and talks to nobody but us. */
export const browserFlags = (drawing: Drawing = 'swiftshader'): string[] => [
  '--headless=new',
  '--no-sandbox',
  ...DRAWING_FLAGS[drawing],
  '--disable-background-networking',
  '--disable-component-update',
  `--disable-features=${LEFT_OUT.join(',')}`,
];

/** What tests add, in any drawing. */
const TEST_FLAGS = [
  '--disable-gpu-compositing',
  `--disable-features=${[...LEFT_OUT, ...MEMORY.off].join(',')}`,
  `--enable-features=${[...TURNED_ON, ...MEMORY.on].join(',')}`,
  // No page lives long enough to win back what making its scripts fast costs.
  '--js-flags=--no-opt',
  '--font-render-hinting=slight',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost , EXCLUDE *.localhost',
];

/** Where processes share memory, and how many bytes must be free for pictures of all windows to go through it. */
const SHARED_MEMORY = { folder: '/dev/shm', enough: 2 ** 30 };

function hasSharedMemory(): boolean {
  const { folder, enough } = SHARED_MEMORY;
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= enough;
}

/**
 * A browser for tests, which ask what a page shows and not how fast: pages without WebGL cost half when no card is played to them. No
 * host but this machine has an address.
 * @param flags what a file needs besides
 */
export const launchForTests = (executablePath: string, drawing: Drawing, flags: string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [...browserFlags(drawing), ...TEST_FLAGS, ...flags],
    // Playwright has it use files of the disk, for containers in which there is next to none.
    ignoreDefaultArgs: hasSharedMemory() ? ['--disable-dev-shm-usage'] : [],
  });

/** What a Chromium can draw WebGL with here: the machine's OpenGL if it has one that draws. */
export async function findDrawing(executablePath: string): Promise<Drawing> {
  const browser = await launchForTests(executablePath, 'opengl');
  try {
    const page = await browser.newPage();
    const draws = await page.evaluate(() => document.createElement('canvas').getContext('webgl2') !== null);
    return draws ? 'opengl' : 'swiftshader';
  } finally {
    await browser.close();
  }
}

/** Names under which a machine may have a Chromium. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Names of the same without windows, menus and tabs. */
const SHELL_NAMES = ['chromium-headless-shell', 'chrome-headless-shell'];

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  for (const name of names) for (const folder of folders) if (existsSync(join(folder, name))) return join(folder, name);
  return undefined;
}

/** The browser that Playwright downloaded earlier, if it did. */
function downloaded(): string | undefined {
  const path = chromium.executablePath();
  return path && existsSync(path) ? path : undefined;
}

const run = (command: string, args: string[]) =>
  spawnSync(command, args, { stdio: 'ignore', timeout: 600_000 }).status === 0;

function installDebian(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined;
  console.log('Chromium: installing the package of this Debian …');
  if (!run('apt-get', ['update']) || !run('apt-get', ['install', '-y', 'chromium'])) return undefined;
  return onPath(NAMES);
}

/**
 * Finds a Chromium on this machine, or installs one: Playwright's own download first, then Debian's package.
 * @returns path of the program
 * @throws Error with what to do when there is none and none can be installed
 */
export function findChromium(): string {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (!existsSync(given)) throw new Error(`CHROMIUM_PATH names ${given}, which does not exist.`);
    return given;
  }
  const found = onPath(NAMES) ?? downloaded();
  if (found) return found;
  console.log('Chromium: none on this machine; downloading Playwright’s …');
  run(process.execPath, [join('node_modules', 'playwright', 'cli.js'), 'install', 'chromium']);
  const path = downloaded() ?? installDebian();
  if (!path) throw new Error('No Chromium was found and none could be installed. Install one and set CHROMIUM_PATH.');
  return path;
}

/**
 * The same browser without windows, menus and tabs, which shows a page for a fifth to a third less of the processor: what most tests
 * drive, where this machine has it and nobody named another.
 * @param chromium the whole one
 */
export function findShell(chromium: string): string {
  return process.env.CHROMIUM_PATH ? chromium : (onPath(SHELL_NAMES) ?? chromium);
}

/** Version of a Chromium, for the line that says which one is used. */
export const versionOf = (path: string): string =>
  execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
