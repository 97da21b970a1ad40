import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright';

/**
 * Disabled features: those that Playwright disables, because Chromium only uses the last of two such lists, and omnibox
 * suggestions, for which each window would start a process that takes a second.
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

/** Features that Playwright enables; again, Chromium only uses the last list. */
const TURNED_ON = ['CDPScreenshotNewSurface', 'SkipListAccountsWithoutGaiaCookies'];

/**
 * Memory settings for speed: freed memory stays with the browser instead of being returned page by page, and heap
 * checks are off.
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

/** WebGL backend: Chromium's software renderer, identical on every machine, or OpenGL, four times as fast. */
export type Drawing = 'swiftshader' | 'opengl';

const DRAWING_FLAGS: Record<Drawing, string[]> = {
  swiftshader: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  opengl: ['--use-angle=gl-egl', '--ignore-gpu-blocklist'],
};

/** Flags for WebGL, and against connections to other hosts. */
export const browserFlags = (drawing: Drawing = 'swiftshader'): string[] => [
  '--headless=new',
  '--no-sandbox',
  ...DRAWING_FLAGS[drawing],
  '--disable-background-networking',
  '--disable-component-update',
  `--disable-features=${LEFT_OUT.join(',')}`,
];

/** Further flags of tests, for any backend. */
const TEST_FLAGS = [
  '--disable-gpu-compositing',
  `--disable-features=${[...LEFT_OUT, ...MEMORY.off].join(',')}`,
  `--enable-features=${[...TURNED_ON, ...MEMORY.on].join(',')}`,
  // Pages are too short-lived for optimized code to pay off.
  '--js-flags=--no-opt',
  '--font-render-hinting=slight',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost , EXCLUDE *.localhost',
];

/** Folder of shared memory, and the free bytes it needs for the images of all windows. */
const SHARED_MEMORY = { folder: '/dev/shm', enough: 2 ** 30 };

function hasSharedMemory(): boolean {
  const { folder, enough } = SHARED_MEMORY;
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= enough;
}

/**
 * Launches a browser for tests. Tests don't measure rendering speed, and pages without WebGL need half the time without
 * GPU compositing. Names of other hosts don't resolve.
 */
export const launchForTests = (executablePath: string, drawing: Drawing, flags: string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [...browserFlags(drawing), ...TEST_FLAGS, ...flags],
    // Playwright disables shared memory for containers that have very little of it.
    ignoreDefaultArgs: hasSharedMemory() ? ['--disable-dev-shm-usage'] : [],
  });

/** The WebGL backend for a Chromium on this machine: its OpenGL, if that works. */
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

/** Names of Chromium executables. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Names of headless shell executables. */
const SHELL_NAMES = ['chromium-headless-shell', 'chrome-headless-shell'];

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  for (const name of names) for (const folder of folders) if (existsSync(join(folder, name))) return join(folder, name);
  return undefined;
}

/** The browser that Playwright downloaded earlier, if any. */
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
 * @returns path of the executable
 * @throws Error with instructions if there is none and none can be installed
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
 * Finds the headless shell, which needs a fifth to a third less CPU time per page. Most tests use it, if this machine
 * has it and no other browser is configured.
 * @param chromium path of full Chromium
 */
export function findShell(chromium: string): string {
  return process.env.CHROMIUM_PATH ? chromium : (onPath(SHELL_NAMES) ?? chromium);
}

/** Version of a Chromium, for the log. */
export const versionOf = (path: string): string =>
  execFileSync(path, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
