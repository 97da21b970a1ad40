import type { ExhibitionEvent, ImageObject, Organization, WithContext } from 'schema-dts';
import { alternativeOf } from '../../../../engine/document/alternative.ts';
import type { Element } from '../../../../engine/document/element.ts';
import type { Room } from '../../../../engine/document/room.ts';
import { sourceOf } from '../../../../engine/document/source.ts';
import { parseTranslations } from '../../../../engine/document/text-translations.ts';
import { shownTranslation } from '../../../../engine/document/translation-fields.ts';
import type { PublicEndpoint, Settings } from '../../../contract/entities.ts';
import { startOf } from '../../../contract/opening.ts';
import type { Database } from '../../core/db/database.ts';
import { textOfHtml } from '../../core/html/sanitize-html.ts';
import { findMediaRows, type MediaRow } from '../../features/media/queries.ts';

/** Maximum number of listed works: enough for image searches, and a few kilobytes in the page. */
const MAX_WORKS = 30;

/** An address in the text, such as that of a license. */
const ADDRESS = /https?:\/\/[^\s<>"']+/;

type WorkImage = Extract<Element, { element: 'image' }>;
type TextsOfFile = Pick<MediaRow, 'title' | 'creator' | 'credit' | 'rights' | 'date' | 'translations'>;

const NO_TEXTS: TextsOfFile = { title: '', creator: '', credit: '', rights: '', date: '', translations: '{}' };

/**
 * A work on a wall.
 * @param options the language of the page; and a function that resolves URLs, or returns undefined for invalid ones
 */
function workOf(
  element: WorkImage,
  file: TextsOfFile,
  { language, absolute }: { language: string | undefined; absolute: (url: string) => string | undefined },
): ImageObject | undefined {
  const contentUrl = absolute(sourceOf(element));
  if (!contentUrl) return undefined;
  const { title, author, date, text } = element.config;
  const fileTitle = shownTranslation(parseTranslations(file.translations), language, 'title') ?? file.title;
  const name = title || fileTitle || alternativeOf(element);
  const creator = author || file.creator;
  const license = ADDRESS.exec(file.rights)?.[0];
  const description = textOfHtml(text);
  return {
    '@type': 'ImageObject',
    contentUrl,
    ...(name && { name }),
    ...(description && { description }),
    ...(creator && { creator: { '@type': 'Person', name: creator } }),
    ...(file.credit && { creditText: file.credit }),
    ...(file.rights && { copyrightNotice: file.rights }),
    ...(license && { license }),
    ...((date || file.date) && { temporal: date || file.date }),
  };
}

/** The page of an exhibition. */
interface ExhibitionPage {
  settings: Settings;
  fields: Pick<PublicEndpoint, 'is_timed' | 'start_date' | 'start_time' | 'start_time_utc_offset' | 'time_zone'>;
  room: Room;
  description: string;
  /** URL of the page, of the site, and of the preview image. */
  url: string;
  origin: string;
  image: string | undefined;
  /** Title in the page's language. */
  title: string;
  /** Language of the texts, as BCP 47 tag; undefined if unknown. */
  language: string | undefined;
}

/**
 * Structured data of a public room for search engines: an exhibition at a virtual place, and the works in it, with their
 * credit lines and licenses.
 * @see https://schema.org/ExhibitionEvent
 */
export async function structuredData(
  db: Database,
  organizationId: number,
  { settings, fields, room, title, description, language, url, origin, image }: ExhibitionPage,
): Promise<WithContext<ExhibitionEvent>> {
  const absolute = (address: string) =>
    address && URL.canParse(address, origin) ? new URL(address, origin).href : undefined;
  const works = room.elements
    .filter((element): element is WorkImage => element.element === 'image')
    .filter(({ config }) => config.appearance === 'image' && !config.decorative)
    .slice(0, MAX_WORKS);
  const ids = works.map(({ file }) => file?.id).filter((id) => id !== undefined);
  const files = await findMediaRows(db, organizationId, [...new Set(ids)]);
  const listed = works
    .map((work) => workOf(work, files.get(work.file?.id ?? 0) ?? NO_TEXTS, { language, absolute }))
    .filter((work) => work !== undefined);
  // A daily start is no date.
  const start = fields.start_date ? startOf({ ...fields, is_timed: true, current_time: 0 }, null) : null;
  const logo = absolute(settings.logo_url);
  const organizer: Organization = {
    '@type': 'Organization',
    name: settings.name,
    url: origin,
    ...(logo && { logo }),
  };
  return {
    '@context': 'https://schema.org',
    '@type': 'ExhibitionEvent',
    name: title,
    ...(description && { description }),
    url,
    ...(language && { inLanguage: language }),
    ...(image && { image }),
    eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
    location: { '@type': 'VirtualLocation', url },
    isAccessibleForFree: true,
    organizer,
    ...(start !== null && { startDate: new Date(start * 1000).toISOString() }),
    ...(listed.length > 0 && { workFeatured: listed }),
  };
}
