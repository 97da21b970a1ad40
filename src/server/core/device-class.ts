import type { DeviceClass } from '../../contract/entities.ts';

/** Programs that read pages without a person in front of them. */
const PROGRAM = /bot\b|crawl|spider|slurp|preview|monitor/i;

/** Whether a `User-Agent` header is that of a program that nobody sits at, or says nothing. */
export const isProgram = (userAgent: string): boolean => userAgent === '' || PROGRAM.test(userAgent);

/** The class of a device, by what its `User-Agent` header names. An iPad that asks for pages of desktops counts as one. */
export function deviceClassOf(userAgent: string): DeviceClass {
  if (/\b(?:OculusBrowser|Quest|VisionOS|Wolvic|Pico|Vive)\b/i.test(userAgent)) return 'headset';
  if (/\b(?:iPad|Tablet|PlayBook|Silk)\b/i.test(userAgent)) return 'tablet';
  if (/\bAndroid\b/.test(userAgent)) return /\bMobile\b/.test(userAgent) ? 'phone' : 'tablet';
  return /\b(?:iPhone|iPod|Mobile|Mobi)\b/.test(userAgent) ? 'phone' : 'desktop';
}
