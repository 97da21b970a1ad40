import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accessibilityFindings } from '../../../engine/document/lint/accessibility.ts';
import { ACCESSIBILITY_CODES, type AccessibilityCode } from '../../../engine/document/lint/accessibility-codes.ts';
import { LINT_CODES } from '../../../engine/document/lint/codes.ts';
import { lintRoom } from '../../../engine/document/lint/lint-room.ts';
import { parseRoom } from '../../../engine/document/room.ts';
import { arbitraryRoom } from '../../harness/arbitrary-room.ts';
import { linkCases } from './lint/link-cases.ts';
import { mediaCases } from './lint/media-cases.ts';
import { tourCases } from './lint/tour-cases.ts';

const keysOf = (found: readonly { code: string; element_id?: number; message: string }[]) =>
  found.map(({ code, element_id, message }) => [code, element_id, message].join(' ')).sort();

test('the findings about accessibility of any room are those of the linter with their codes', () => {
  const isOwn = (code: string) => ACCESSIBILITY_CODES.includes(code as AccessibilityCode);
  let count = 0;
  fc.assert(
    fc.property(arbitraryRoom(), (generated) => {
      const found = accessibilityFindings(parseRoom(generated));
      count += found.length;
      expect(keysOf(found)).toEqual(keysOf(lintRoom(generated).filter(({ code }) => isOwn(code))));
    }),
    { numRuns: 200, seed: 10 },
  );
  expect(count).toBeGreaterThan(100);
});

test('each of their codes is found', () => {
  const cases = [...linkCases, ...mediaCases, ...tourCases];
  for (const code of ACCESSIBILITY_CODES) {
    const { input } = cases.find((each) => each.code === code)!;
    const found = accessibilityFindings(parseRoom(input));
    expect(found.map((finding) => finding.code)).toContain(code);
  }
});

test('every other code of the linter is known not to be about accessibility', () => {
  const others = Object.keys(LINT_CODES).filter((code) => !ACCESSIBILITY_CODES.includes(code as AccessibilityCode));
  // A new code belongs here or in ACCESSIBILITY_CODES.
  const expected = `
    schema unknown-element-type unknown-stream-type newer-version
    unknown-parent unknown-field duplicate-id children-in-non-group
    too-many-elements zero-scale empty-window media-longer-than-window
    timed-element-in-untimed-room skipped-by-clock-change timer-in-untimed-room dead-link
    link-to-non-view-point hidden-link-target missing-file mesh-selector-without-model
    light-targets-itself light-range too-many-lights too-many-shadow-lights
    outside-room camera-outside-room empty-pan-range fog-range
    proximity-distance-zero feed-without-feed slider-without-children order-rank-twice
    unreachable-place one-way-door missing-heading popup-never-opens
    start-popup-empty timed-popup-empty
  `;
  expect(others.sort()).toEqual(expected.trim().split(/\s+/).sort());
});
