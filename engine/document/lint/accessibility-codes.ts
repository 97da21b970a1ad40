import type { LintCode } from './codes.ts';

/** Linter codes about content that assistive technology can't present. */
export const ACCESSIBILITY_CODES = [
  'image-without-alternative',
  'media-without-alternative',
  'panorama-without-alternative',
  'media-without-transcript',
  'place-without-name',
  'dialog-without-title',
] as const satisfies readonly LintCode[];
export type AccessibilityCode = (typeof ACCESSIBILITY_CODES)[number];
