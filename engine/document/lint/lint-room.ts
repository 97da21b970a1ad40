import { type LintCode, severityOf } from './codes.ts';
import type { Finding, Report } from './finding.ts';
import { readRoom } from './read-room.ts';
import { rules } from './rules.ts';

const join = (base: string | undefined, path: string) => (base && path ? `${base}.${path}` : base || path);

/** Whether one path is the other, or inside it. */
const touches = (path: string, other: string) =>
  path === other || other.startsWith(`${path}.`) || other.startsWith(`${path}[`);

/**
 * Looks for what is wrong, or probably not meant, in a room. Values that the schema refuses become findings, and the
 * rest of the room is checked all the same; an element that cannot be read is left out.
 * @param input anything, usually parsed JSON; not changed
 * @param now seconds since 1970, for what depends on the days of the next year; without it, that is not checked
 * @returns findings in the order of the checks, empty for a room without faults; never throws for JSON data
 */
export function lintRoom(input: unknown, now?: number): Finding[] {
  const findings: Finding[] = [];
  const add = (code: LintCode, path: string, message: string, suggestion: string, id?: number) => {
    const finding: Finding = { severity: severityOf(code), path, code, message, suggestion };
    findings.push(id === undefined ? finding : { ...finding, element_id: id });
  };
  const read = readRoom(input, add);
  if (!read) return findings;
  const report: Report = (code, at, path, message, suggestion) => {
    const full = join(at?.path, path);
    // A refused value has been replaced by its default, which says nothing about the room.
    if (at || !read.broken.some((broken) => touches(broken, full) || touches(full, broken)))
      add(code, full, message, suggestion, at?.element.id);
  };
  const room = { ...read.linted, now };
  for (const rule of rules) rule(room, report);
  return findings;
}
