import type { DeviceClass } from '../../contract/entities.ts';

/** Bots and link previewers. */
const PROGRAM = /bot\b|crawl|spider|slurp|preview|monitor/i;

/** Whether a `User-Agent` header is empty or that of an automated client. */
export const isProgram = (userAgent: string): boolean => userAgent === '' || PROGRAM.test(userAgent);

/** The device class of a `User-Agent` header. An iPad that requests desktop pages counts as a desktop. */
export function deviceClassOf(userAgent: string): DeviceClass {
  if (/\b(?:OculusBrowser|Quest|VisionOS|Wolvic|Pico|Vive)\b/i.test(userAgent)) return 'headset';
  if (/\b(?:iPad|Tablet|PlayBook|Silk)\b/i.test(userAgent)) return 'tablet';
  if (/\bAndroid\b/.test(userAgent)) return /\bMobile\b/.test(userAgent) ? 'phone' : 'tablet';
  return /\b(?:iPhone|iPod|Mobile|Mobi)\b/.test(userAgent) ? 'phone' : 'desktop';
}
