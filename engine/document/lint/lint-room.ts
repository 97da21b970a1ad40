import { type LintCode, severityOf } from './codes.ts';
import type { Finding, Report } from './finding.ts';
import { readRoom } from './read-room.ts';
import { rules } from './rules.ts';

const join = (base: string | undefined, path: string) => (base && path ? `${base}.${path}` : base || path);

/** Whether a path equals or is inside another one. */
const isWithin = (path: string, other: string) =>
  path === other || other.startsWith(`${path}.`) || other.startsWith(`${path}[`);

/**
 * Finds problems in a room. Invalid values become findings and the rest of the room is still checked; elements that can't
 * be parsed are skipped.
 * @param input any value, usually parsed JSON; not changed
 * @param now seconds since 1970, for checks of the coming year; if omitted, those are skipped
 * @returns findings in the order of the rules; never throws for JSON data
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
    // An invalid value was replaced by its default, so findings about it are meaningless.
    if (at || !read.broken.some((broken) => isWithin(broken, full) || isWithin(full, broken)))
      add(code, full, message, suggestion, at?.element.id);
  };
  const room = { ...read.linted, now };
  for (const rule of rules) rule(room, report);
  return findings;
}
