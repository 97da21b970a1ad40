import type { LoginReason } from '../../../engine/machines/entry.ts';
import type { TextKey } from '../../contract/viewer-texts/en.ts';
import { language } from '../texts/say.ts';

/** Text keys for rejected tokens. */
export const REASONS: Record<LoginReason, TextKey | null> = {
  code_required: null,
  wrong_code: 'wrongCode',
  expired: 'expiredCode',
  not_yet_valid: 'earlyCode',
};

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** Time in the visitor's zone, hours and minutes. @param at Unix time in seconds */
export const timeText = (at: number): string => {
  const date = new Date(at * 1000);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
};

/** Date and time with zone, in the viewer's language. */
export const dateText = (at: number): string =>
  new Intl.DateTimeFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(at * 1000);
