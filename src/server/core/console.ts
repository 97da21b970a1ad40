import { hostname } from 'node:os';
import { systemClock } from './clock.ts';

/** Levels as the log has them. */
const LEVELS = { info: 30, error: 50 } as const;

/** Whether a person looks on: what is said goes to them, and standard output has the log alone. */
export const isWatched = (): boolean => process.stderr.isTTY === true;

/** A line of the log, whatever its level is set to: what is said before there is a log, and what must not be missed. */
export function logLine(level: keyof typeof LEVELS, msg: string, fields: object = {}): void {
  const line = {
    level: LEVELS[level],
    time: systemClock.now(),
    pid: process.pid,
    hostname: hostname(),
    ...fields,
    msg,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** What the server says to the person who started it: on a terminal as it is, otherwise as a line of the log. */
export function say(text: string): void {
  if (isWatched()) process.stderr.write(`${text}\n`);
  else logLine('info', text);
}

/** Says why the server stops, or what is wrong with how it was started. */
export function printError(text: string): void {
  if (isWatched()) process.stderr.write(`${text}\n`);
  else logLine('error', text);
}
