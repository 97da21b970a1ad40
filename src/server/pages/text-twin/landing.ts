import type { PublicEndpointRow } from '../../../contract/entities.ts';
import type { TextKey } from '../../../contract/viewer-texts/en.ts';
import { fillText } from '../../../contract/viewer-texts/fill-text.ts';
import { directionOf, type Language } from '../../../contract/viewer-texts/limits.ts';
import type { House } from '../../../contract/visit-data.ts';
import { escapeHtml } from '../../core/html/escape.ts';
import { textPage } from './twin-page.ts';
import type { TwinTexts } from './twin-texts.ts';

/** Why a page shows no room. */
export type LandingKind = 'missing' | 'empty' | 'link' | 'busy' | 'away' | 'suspended' | 'failed';

/** Texts of a kind: its heading, what to do next, and whether trying again may help. */
const TEXTS: Record<LandingKind, { heading: TextKey; next: TextKey; retries: boolean }> = {
  missing: { heading: 'noPage', next: 'landingMissing', retries: false },
  empty: { heading: 'noRoomYet', next: 'landingEmpty', retries: false },
  link: { heading: 'landingLink', next: 'landingLinkNext', retries: false },
  busy: { heading: 'landingBusy', next: 'landingBusyNext', retries: true },
  away: { heading: 'landingAway', next: 'landingAwayNext', retries: true },
  suspended: { heading: 'landingSuspended', next: 'landingSuspendedNext', retries: true },
  failed: { heading: 'landingFailed', next: 'landingFailedNext', retries: true },
};

/** The kind for a response status other than 200. */
export function landingKindOf(status: number): LandingKind {
  if (status === 404) return 'missing';
  if (status === 403) return 'link';
  if (status === 429) return 'busy';
  return status === 503 ? 'away' : 'failed';
}

/** Maximum number of listed rooms. */
const MAX_ROOMS = 8;

/** A page instead of a room. */
export interface Landing {
  kind: LandingKind;
  language: Language;
  texts: TwinTexts;
  /** Name of the organization; empty if unknown. */
  name: string;
  house: House | null;
  /** Visible structures of the organization, the front page first; none in frames of other sites. */
  rooms: readonly PublicEndpointRow[];
  /** URL to try again. */
  url: string;
  /** Seconds until a retry makes sense. */
  wait?: number | undefined;
}

const STYLE = `
  #landing-page { position: fixed; z-index: 3; inset: 0; overflow: auto; display: grid; place-items: safe center;
    box-sizing: border-box; padding: 24px; color: #f7f6f2; font: 400 16px/1.55 "Inter Variable", system-ui, sans-serif;
    background: radial-gradient(ellipse 80% 90% at 50% 40%, #343a44, transparent), #14171c; overflow-wrap: anywhere; }
  #landing { box-sizing: border-box; width: min(480px, 100%); }
  #landing > * { margin: 0; }
  #landing .brand { display: flex; align-items: center; gap: 12px; margin-bottom: 40px; color: #d8d4c8; }
  #landing .brand img { max-width: 200px; height: 40px; object-fit: contain; object-position: left; }
  #landing .brand img:dir(rtl) { object-position: right; }
  #landing .brand svg { flex: none; width: 36px; height: 36px; fill: none; stroke: #e2b15f; stroke-width: 2.5; }
  #landing h1 { font-size: 32px; font-weight: 650; line-height: 1.2; text-wrap: balance; }
  #landing .next { margin-top: 12px; color: #d8d4c8; }
  #landing .ways { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 28px; }
  #landing a { color: inherit; }
  #landing .ways a { padding: 10px 20px; border-radius: 6px; background: #e2b15f; color: #14171c; font-weight: 600;
    text-decoration: none; }
  #landing .ways a + a { background: none; color: inherit; box-shadow: inset 0 0 0 1px rgb(247 246 242 / 40%); }
  #landing h2 { margin-top: 40px; font-size: 14px; font-weight: 500; color: #d8d4c8; }
  #landing ul { margin-top: 8px; padding: 0; list-style: none; }
  #landing li { border-top: 1px solid rgb(247 246 242 / 16%); }
  #landing li a { display: block; padding: 12px 0; text-decoration: none; }
  #landing a:hover { text-decoration: underline; }
  #landing a:focus-visible { outline: 2px solid #e2b15f; outline-offset: 3px; }
`;

const SIGN =
  '<svg viewBox="0 0 64 64" aria-hidden="true"><path d="M6 60V4h52v56M17 56V14h30v42M25 53V22h14v31" /></svg>';

const link = (href: string, words: string) => `<a href="${escapeHtml(href)}">${escapeHtml(words)}</a>`;

/** A URL of this site: several leading slashes would lead to another host. */
const ownPath = (url: string) => url.replace(/^[/\\]+/, '/');

/** Name and logo of the organization. */
const brand = ({ house, name }: Landing): string => {
  const logo = house?.logo ? `<img src="${escapeHtml(house.logo)}" alt="" />` : SIGN;
  return name === '' ? '' : `<p class="brand">${logo}<span lang="" dir="auto">${escapeHtml(name)}</span></p>`;
};

/** The document's title: what happened, and where. */
export function landingTitle({
  kind,
  language,
  texts,
  name,
}: Pick<Landing, 'kind' | 'language' | 'texts' | 'name'>): string {
  const heading = fillText(language, texts[TEXTS[kind].heading]).replace(/[.。]$/, '');
  return name === '' ? heading : `${heading} – ${name}`;
}

/** The page's content: what happened, what to do next, and where else to go. It needs no scripts. */
export function landingHtml(landing: Landing): string {
  const { kind, language, texts, rooms, url, wait = 60 } = landing;
  const { heading, next, retries } = TEXTS[kind];
  const minutes = Math.max(1, Math.ceil(wait / 60));
  const say = (key: TextKey) => fillText(language, texts[key], { minutes });
  const [front] = rooms;
  const open = rooms.filter((room) => room !== front && !room.is_protected).slice(0, MAX_ROOMS);
  const ways = [retries ? link(ownPath(url), say('tryAgain')) : '', front ? link('/', say('frontPage')) : ''].filter(
    Boolean,
  );
  const list = open.map(
    ({ path, name, language: tag = '' }) => `<li lang="${escapeHtml(tag)}" dir="auto">${link(path, name)}</li>`,
  );
  return `<style>${STYLE}</style>
<div id="landing-page" lang="${language}" dir="${directionOf(language)}"><main id="landing">
${brand(landing)}
<h1>${escapeHtml(say(heading))}</h1>
<p class="next">${escapeHtml(say(next))}</p>
${ways.length > 0 ? `<p class="ways">${ways.join('')}</p>` : ''}
${list.length > 0 ? `<h2>${escapeHtml(say('landingRooms'))}</h2>\n<ul>${list.join('')}</ul>` : ''}
</main></div>`;
}

/** A complete page, for requests that get no page of a room. */
export const landingPage = (landing: Landing): string =>
  textPage(landing.language, landingTitle(landing), landingHtml(landing));
