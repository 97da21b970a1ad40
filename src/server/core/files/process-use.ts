import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Resource usage of a process. */
export interface ProcessUse {
  /** Memory in bytes. */
  memory: number;
  /** CPU seconds of all threads since the start. */
  computed: number;
}

/** Milliseconds between samples: on Linux one takes microseconds, elsewhere it starts a program. */
export const LOOK_EVERY = process.platform === 'linux' ? 50 : 500;

/** Clock ticks per second of Linux's processor times: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const TICKS = 100;

/** Fields of `/proc/PID/stat` after the program's name, which is in parentheses and can contain anything. */
const statFields = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

/** Synchronous, because a busy libuv pool must not blind the watchdog. */
function ofLinux(pid: number): ProcessUse | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    const fields = statFields(readFileSync(`/proc/${pid}/stat`, 'latin1'));
    return { memory: Number(kilobytes ?? 0) * 1024, computed: (Number(fields[11]) + Number(fields[12])) / TICKS };
  } catch {
    return null;
  }
}

/** Parses the output of `ps`: kilobytes, and time as `[[days-]hours:]minutes:seconds`. */
export function readPs(printed: string): ProcessUse | null {
  const [, kilobytes, time] = /^\s*(\d+)\s+([\d:.-]+)\s*$/.exec(printed) ?? [];
  if (!kilobytes || !time) return null;
  const [seconds = 0, minutes = 0, hours = 0, days = 0] = time.split(/[:-]/).reverse().map(Number);
  return { memory: Number(kilobytes) * 1024, computed: ((days * 24 + hours) * 60 + minutes) * 60 + seconds };
}

/** Current usage of a process; null if it has exited. */
export async function processUse(pid: number): Promise<ProcessUse | null> {
  if (process.platform === 'linux') return ofLinux(pid);
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=,time=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return readPs(stdout);
}

/** Bytes per memory page, the unit of Linux's counts. */
const PAGE = 4096;

/** Resident bytes of a process group on Linux; 0 elsewhere. @param group id of its first process */
export async function memoryOfGroup(group: number): Promise<number> {
  const names = await readdir('/proc').catch(() => []);
  let pages = 0;
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statFields(await readFile(`/proc/${name}/stat`, 'latin1').catch(() => ''));
    if (Number(fields[2]) === group) pages += Number(fields[21]) || 0;
  }
  return pages * PAGE;
}
