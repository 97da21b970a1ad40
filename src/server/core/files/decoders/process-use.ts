import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** What a process uses. */
export interface ProcessUse {
  /** Bytes in memory. */
  memory: number;
  /** Seconds that all of its threads have computed since it started. */
  computed: number;
}

/** Milliseconds between two looks at a process: on Linux one takes microseconds, elsewhere it starts a program. */
export const LOOK_EVERY = process.platform === 'linux' ? 50 : 500;

/** Ticks in a second, in which Linux counts processor time for programs: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const TICKS = 100;

/** Read without libuv's pool: whatever holds that up must not blind the watchdog. */
function ofLinux(pid: number): ProcessUse | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, in brackets, may hold anything: fields are counted from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { memory: Number(kilobytes ?? 0) * 1024, computed: (Number(fields[11]) + Number(fields[12])) / TICKS };
  } catch {
    return null;
  }
}

/** Reads what `ps` prints: kilobytes, and time as `[[days-]hours:]minutes:seconds`. */
export function readPs(printed: string): ProcessUse | null {
  const [, kilobytes, time] = /^\s*(\d+)\s+([\d:.-]+)\s*$/.exec(printed) ?? [];
  if (!kilobytes || !time) return null;
  const [seconds = 0, minutes = 0, hours = 0, days = 0] = time.split(/[:-]/).reverse().map(Number);
  return { memory: Number(kilobytes) * 1024, computed: ((days * 24 + hours) * 60 + minutes) * 60 + seconds };
}

/** What a process uses now; null where it has ended. */
export async function processUse(pid: number): Promise<ProcessUse | null> {
  if (process.platform === 'linux') return ofLinux(pid);
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=,time=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return readPs(stdout);
}
