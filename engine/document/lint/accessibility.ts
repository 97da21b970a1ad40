import type { Element } from '../element.ts';
import type { Room } from '../room.ts';
import { ancestorsOf } from '../tree.ts';
import { ACCESSIBILITY_CODES, type AccessibilityCode } from './accessibility-codes.ts';
import { type LintCode, severityOf } from './codes.ts';
import type { Finding, Placed, Report } from './finding.ts';
import { dialogWithoutTitle } from './link-rules.ts';
import { panoramaWithoutAlternative, withoutAlternative, withoutTranscript } from './media-rules.ts';
import { placeWithoutName } from './tour-rules.ts';

const isAccessibilityCode = (code: LintCode): code is AccessibilityCode =>
  ACCESSIBILITY_CODES.some((known) => known === code);

const RULES = [withoutAlternative, panoramaWithoutAlternative, withoutTranscript, placeWithoutName, dialogWithoutTitle];

/** Elements with their ancestors, nearest first. */
const placedIn = (elements: readonly Element[]): Placed[] =>
  elements.map((element, index) => ({
    element,
    path: `elements[${index}]`,
    ancestors: ancestorsOf(elements, element.id),
    childCount: 0,
  }));

/**
 * Finds what assistive technology can't present in a room, such as images without an alternative text: the findings of
 * `lintRoom` with these codes, without parsing the room again.
 * @param room a valid room with its elements as a flat list
 */
export function accessibilityFindings(room: Room): (Finding & { code: AccessibilityCode })[] {
  const placed = placedIn(room.elements);
  const byId = new Map(placed.map((at) => [at.element.id, at]));
  const found: (Finding & { code: AccessibilityCode })[] = [];
  const report: Report = (code, at, path, message, suggestion) => {
    if (!isAccessibilityCode(code)) return;
    const whole = at && path ? `${at.path}.${path}` : (at?.path ?? path);
    const finding = { severity: severityOf(code), path: whole, code, message, suggestion };
    found.push(at ? { ...finding, element_id: at.element.id } : finding);
  };
  for (const rule of RULES) rule({ room, placed, byId, unread: new Set() }, report);
  return found;
}
