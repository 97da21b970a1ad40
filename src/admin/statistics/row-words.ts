import { descriptors } from '../../../engine/document/element.ts';
import { languageName } from '../../../engine/document/languages.ts';
import type { OpenedKind, StatisticsGroup, StatisticsRow } from '../../contract/entities.ts';
import { locale } from '../../ui/language/language.ts';
import { numberText, say } from '../../ui/language/say.ts';
import { durationText } from './ranges.ts';

const OPENED: Record<OpenedKind, string> = {
  link: 'Link',
  door: 'Door',
  media: 'Video or audio',
  popup: 'Pop-up',
  slider: 'Slider',
  view_point: 'View point',
  event: 'Event',
};

const DEVICES: Record<string, string> = { desktop: 'Desktop', phone: 'Phone', tablet: 'Tablet', headset: 'Headset' };

const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' });

/** Groupings of elements, by seconds or by count. */
export const isTimed = (by: StatisticsGroup): boolean => by === 'element' || by === 'view_point';

export function nameOfRow(by: StatisticsGroup, { id, name, detail }: StatisticsRow): string {
  if (by === 'device') return DEVICES[name] ?? name;
  if (by === 'country') return countries.of(name) ?? name;
  if (by === 'language') return languageName(name, locale);
  if (by === 'way') return `${name || 'Removed structure'} → ${detail || 'Removed structure'}`;
  if (by === 'opened' && id === null) return 'Timed pop-up';
  if (name) return name;
  return by === 'token' ? `Removed access token ${id}` : `Removed element ${id}`;
}

export function kindOfRow(by: StatisticsGroup, { detail }: StatisticsRow): string {
  if (by === 'opened') return OPENED[detail as OpenedKind] ?? detail;
  if (by !== 'element') return '';
  return Object.hasOwn(descriptors, detail) ? say(descriptors[detail as keyof typeof descriptors].label) : detail;
}

/** Formatted figure of a row. */
export const figureOfRow = (by: StatisticsGroup, { count, seconds }: StatisticsRow): string =>
  isTimed(by) ? durationText(seconds) : numberText(count);
