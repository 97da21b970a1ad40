import { TRANSITIONS, type Transition } from '../../../engine/document/constants.ts';
import { requestCopiesAsFiles } from '../../../engine/document/copy-url.ts';
import type { Vector } from '../../../engine/document/fields.ts';
import type { Navigation } from '../../../engine/document/navigation.ts';
import type { CameraPose } from '../../../engine/scene/view/camera-pose.ts';
import { staticPath } from '../../contract/static-path.ts';
import { storedText } from '../../ui/storage.ts';

/** Prefix of embedded pages. */
const EMBED = '/embed';

/** Whether the page is embedded. */
const isEmbed = location.pathname.startsWith(`${EMBED}/`);

/** Whether the page is part of a static site, where no server answers and no URL has a query. */
export const isStatic = document.documentElement.dataset.static !== undefined;
if (isStatic) requestCopiesAsFiles();

/** A page of a static site, with the language in its name. */
const FILE = /\/(?:index(?:\.([\w-]+))?\.html)?$/;

/** Public path of the page's structure. */
export const publicPath = (): string =>
  (isEmbed ? location.pathname.slice(EMBED.length) : location.pathname).replace(FILE, '') || '/';

const asked = new URLSearchParams(location.search);

/** A page that runs without supervision. */
export interface Kiosk {
  /** Seconds without input after which it starts again. */
  seconds: number;
  /** Public path of its start. */
  start: string;
}

/** Key of the kiosk that a tab was opened with: it stays one on pages of other structures. */
const KIOSK_KEY = 'enfilade.kiosk';

function kioskHere(): Kiosk | null {
  const seconds = Number(document.documentElement.dataset.kiosk ?? 0);
  const here = seconds > 0 ? { seconds, start: isStatic ? '/' : publicPath() } : null;
  if (isStatic || isEmbed || asked.has('preview')) return here;
  const stored = storedText(KIOSK_KEY, 'window');
  const first = JSON.parse(stored.get() ?? 'null') as Kiosk | null;
  // On its first page, the current setting counts.
  const kiosk = first && first.start !== publicPath() ? first : here;
  if (first || kiosk) stored.set(kiosk && JSON.stringify(kiosk));
  return kiosk;
}

/** The kiosk that this page belongs to; null for other pages. */
export const kiosk = kioskHere();

/** Language of the texts that the visitor has chosen, or that the page's URL names; null for that of the browser. */
let language = (isStatic && FILE.exec(location.pathname)?.[1]) || asked.get('lang');

/** URL on this site: in a static site, that of its file. */
export const siteUrl = (url: string): string => (isStatic ? staticPath(url) : url);

/** Query that names the visitor's language; empty for that of the browser. */
export const languageQuery = (): string => (language ? `?lang=${encodeURIComponent(language)}` : '');

/** Query kept between rooms: the language, and in embeds all flags. */
function keptQuery(): string {
  if (!isEmbed) return languageQuery();
  const kept = new URLSearchParams(asked);
  if (language) kept.set('lang', language);
  return kept.size > 0 ? `?${kept}` : '';
}

/** URL of a structure's page, embedded or not like the current page. */
export const pagePath = (path: string): string => siteUrl((isEmbed ? EMBED : '') + path + keptQuery());

/** URL of the text version of this page, in its language. */
export const textPath = (): string =>
  isStatic
    ? staticPath(`${publicPath()}?text${languageQuery().replace('?', '&')}`)
    : ['?text', location.search.slice(1)].filter(Boolean).join('&');

/** Chooses the language of this room and all further ones, and names it in the page's URL. */
export function chooseLanguage(tag: string): void {
  language = tag;
  if (isStatic) {
    history.replaceState(history.state, '', pagePath(publicPath()) + location.hash);
    return;
  }
  const query = new URLSearchParams(location.search);
  query.set('lang', tag);
  history.replaceState(history.state, '', `?${query}${location.hash}`);
}

const query = isEmbed ? asked : new URLSearchParams();
const isSet = (name: string) => query.get(name) === '1';

/** Embed flags of the page; none outside embeds. */
export interface PageFlags {
  /** Whether the page is embedded. */
  isEmbed: boolean;
  /** Transparent background. */
  transparent: boolean;
  /** Hides controls for movement, view and sound; logo, title, room links and timer stay. */
  hideControls: boolean;
  hideLogo: boolean;
  /** Opens the room without a click. */
  autoload: boolean;
  /** Whether the embedding page's consent manager decides about third-party content. */
  hostConsent: boolean;
  /** How rooms and places are exchanged; undefined for the template's setting. */
  transition: Transition | undefined;
}

export const flags: PageFlags = {
  isEmbed,
  transparent: isSet('transparent'),
  hideControls: isSet('hideControls'),
  hideLogo: isSet('hideLogo'),
  autoload: isSet('autoload') || kiosk !== null,
  hostConsent: query.get('consent') === 'host',
  transition: TRANSITIONS.find((kind) => kind === query.get('transition')),
};

/** Public path of a link to another room. */
export function linkPathOf(navigation: Extract<Navigation, { type: 'space' | 'slug' }>): string {
  if (navigation.type === 'space') return navigation.type_config.endpoint_url;
  const { slug_one, slug_two } = navigation.type_config;
  return `/${[slug_one, slug_two].filter(Boolean).map(encodeURIComponent).join('/')}`;
}

/**
 * Returns the absolute URL if it is https or same-origin.
 * @returns null if the URL must not be followed
 */
export function safeUrl(address: string): string | null {
  if (!URL.canParse(address, location.href)) return null;
  const url = new URL(address, location.href);
  return url.protocol === 'https:' || url.origin === location.origin ? url.href : null;
}

/** Maximum coordinate in a link, in units. */
const FARTHEST = 1e6;

/** View from a view point, in degrees: heading 0 is −z, clockwise seen from above; pitch is upwards. */
export interface LinkedView {
  heading: number;
  pitch: number;
  /** Vertical field of view; omitted to keep the room's. */
  fov?: number;
}

/** Target of a deep link: a view point, with a view if the link has one, or a camera position. */
type PoseLink = { viewPoint: number; view?: LinkedView } | CameraPlace;

/** A number of a hash within limits; undefined if it is missing or out of range. */
function numberOf(fields: URLSearchParams, name: string, min: number, max: number): number | undefined {
  const text = fields.get(name)?.trim();
  const value = text ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

function viewIn(fields: URLSearchParams): LinkedView | undefined {
  const heading = numberOf(fields, 'heading', -360, 360);
  const pitch = numberOf(fields, 'pitch', -90, 90);
  if (heading === undefined || pitch === undefined) return undefined;
  const fov = numberOf(fields, 'fov', 1, 170);
  return { heading, pitch, ...(fov !== undefined && { fov }) };
}

/**
 * Parses a URL hash: `#view_point=7`, which may continue with `&heading=90&pitch=0&fov=60` in degrees, or
 * `#camera=x,y,z,tx,ty,tz` with the camera's position and target in units.
 * @param hash the hash including `#`
 * @returns null if it is no deep link
 */
export function readPoseLink(hash: string): PoseLink | null {
  const fields = new URLSearchParams(hash.slice(1));
  const viewPoint = Number(fields.get('view_point') ?? Number.NaN);
  if (Number.isSafeInteger(viewPoint)) {
    const view = viewIn(fields);
    return { viewPoint, ...(view && { view }) };
  }
  const numbers = (fields.get('camera') ?? '')
    .split(',')
    .map((text) => (text.trim() === '' ? Number.NaN : Number(text)));
  if (numbers.length !== 6 || !numbers.every((number) => Math.abs(number) <= FARTHEST)) return null;
  const [x, y, z, tx, ty, tz] = numbers as [number, number, number, number, number, number];
  return { position: { x, y, z }, target: { x: tx, y: ty, z: tz } };
}

/** Rounds to 0.1 unit or degree, finer than visible. */
const short = (value: number) => Math.round(value * 10) / 10 + 0;

/** URL hash of a camera position. */
export const poseLink = ({ position: p, target: t }: CameraPlace): string =>
  `#camera=${[p.x, p.y, p.z, t.x, t.y, t.z].map(short).join(',')}`;

/** URL hash of a view point, with the view from it. */
export const viewPointLink = (id: number, view?: LinkedView): string =>
  view
    ? `#view_point=${id}&heading=${short(view.heading)}&pitch=${short(view.pitch)}${view.fov ? `&fov=${short(view.fov)}` : ''}`
    : `#view_point=${id}`;

/** Distance from the camera to its target, in units. */
const TARGET_DISTANCE = 100;

/** Camera position and target, in units. */
export interface CameraPlace {
  position: Vector;
  target: Vector;
}

/** The camera's position, with the target straight ahead. */
export function cameraPlace({ position: { x, y, z }, quaternion: q }: CameraPose): CameraPlace {
  const target = {
    x: x - 2 * (q.x * q.z + q.w * q.y) * TARGET_DISTANCE,
    y: y - 2 * (q.y * q.z - q.w * q.x) * TARGET_DISTANCE,
    z: z - (1 - 2 * (q.x * q.x + q.y * q.y)) * TARGET_DISTANCE,
  };
  return { position: { x, y, z }, target };
}
