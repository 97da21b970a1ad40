import { hostname } from 'node:os';
import { systemClock, timestampOf } from './clock.ts';

/** Log levels, numbered as in pino. */
const LEVELS = { info: 30, error: 50 } as const;

/** Whether stderr is a terminal: messages then go there, and stdout contains only the log. */
export const isWatched = (): boolean => process.stderr.isTTY === true;

/**
 * Writes a log line regardless of the log level: for messages before the logger exists, and those that must not be
 * missed.
 */
export function logLine(level: keyof typeof LEVELS, msg: string, fields: object = {}): void {
  const line = {
    level: LEVELS[level],
    time: timestampOf(systemClock.now()),
    pid: process.pid,
    hostname: hostname(),
    ...fields,
    msg,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Prints a message for the operator: as text on a terminal, otherwise as a log line. */
export function say(text: string): void {
  if (isWatched()) process.stderr.write(`${text}\n`);
  else logLine('info', text);
}

/** Prints why the server stops, or a configuration error. */
export function printError(text: string): void {
  if (isWatched()) process.stderr.write(`${text}\n`);
  else logLine('error', text);
}
