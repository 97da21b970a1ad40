import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Client, createClient } from '../src/contract/client.ts';
import { createDownload, type Download } from '../src/contract/download.ts';
import { usageError, wrongError } from './failure.ts';
import { persistentClient, persistentDownload } from './reconnect.ts';

/** Request timeout in milliseconds; an import of many rows is one transaction. */
const TIMEOUT = 10 * 60_000;

/** A connection to the server. */
export interface Connection {
  client: Client;
  /** Streams a file from the server. */
  download: Download;
  origin: string;
  /** The current API key or session token. */
  token: () => string;
}

const loginSchema = z.object({ url: z.string(), key: z.string() });
type Login = z.output<typeof loginSchema>;

/** File with the URL and key from `enfilade login`. */
export function loginFile(): string {
  const base = process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
  return join(base, 'enfilade', 'login.json');
}

/** Stores URL and key for later commands, readable only by the current user. */
export function keepLogin(login: Login): void {
  const file = loginFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Writing to an existing file would keep its permissions; the rename is atomic for concurrent commands.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(login)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}

/** Deletes the stored login. Returns its content; empty if unreadable, null if there was none. */
export function forgetLogin(): Partial<Login> | null {
  const file = loginFile();
  if (!existsSync(file)) return null;
  const { data = {} } = loginSchema.safeParse(readJson(file));
  rmSync(file);
  return data;
}

function keptLogin(): Partial<Login> {
  const file = loginFile();
  if (!existsSync(file)) return {};
  const parsed = loginSchema.safeParse(readJson(file));
  if (parsed.success) return parsed.data;
  throw wrongError(`${file} is damaged.`, 'Run enfilade login again.');
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The origin of a URL as typed. */
export function originOf(text: string): string {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw usageError(
      `Invalid server URL: "${text}".`,
      'Use a URL that starts with https:// or http://, such as https://rooms.example.com.',
    );
  return url.origin;
}

/**
 * Creates the client for a server.
 * @param onRenewed receives the token that replaces a session's after half an hour
 */
export function connectTo(
  origin: string,
  key: string | null,
  onRenewed: (token: string) => void = () => {},
): Connection {
  let token = key;
  const options = {
    origin,
    token: () => token,
    onToken: (renewed: string) => {
      token = renewed;
      onRenewed(renewed);
    },
    timeout: TIMEOUT,
  };
  const client = persistentClient(createClient(options));
  const download = persistentDownload(createDownload(options));
  return { client, download, origin, token: () => token ?? '' };
}

/**
 * Connects to `ENFILADE_URL` with `ENFILADE_KEY`; each overrides the stored login.
 * @param site URL of another server instead
 * @throws CliError if one of them is missing
 */
export function connect(site?: string): Connection {
  const { ENFILADE_URL, ENFILADE_KEY } = site ? { ...process.env, ENFILADE_URL: site } : process.env;
  const kept = ENFILADE_URL && ENFILADE_KEY ? {} : keptLogin();
  const url = ENFILADE_URL || kept.url;
  if (!url) throw usageError('No server specified.', 'Set ENFILADE_URL, or run enfilade login.');
  const origin = originOf(url);
  // A stored key is only sent to the server that issued it.
  const key = ENFILADE_KEY || (kept.url === origin ? kept.key : undefined);
  if (!key) throw usageError('No API key specified.', 'Set ENFILADE_KEY to an API key, or run enfilade login.');
  const isKept = key !== ENFILADE_KEY;
  return connectTo(origin, key, (renewed) => {
    if (isKept) keepLogin({ url: origin, key: renewed });
  });
}

/** Whether the environment or a stored login provides a server and a key. */
export function hasServer(): boolean {
  const { ENFILADE_URL, ENFILADE_KEY } = process.env;
  const { url, key } = ENFILADE_URL && ENFILADE_KEY ? { url: ENFILADE_URL, key: ENFILADE_KEY } : keptLogin();
  return Boolean(ENFILADE_URL || url) && Boolean(ENFILADE_KEY || (key && (!ENFILADE_URL || ENFILADE_URL === url)));
}
