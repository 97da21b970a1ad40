/** Prefix of embedded pages. */
const EMBED = '/embed';

/** Whether the page is embedded. */
const isEmbed = location.pathname.startsWith(`${EMBED}/`);

/** Public path of the page's structure. */
export const publicPath = (): string => (isEmbed ? location.pathname.slice(EMBED.length) : location.pathname);

const asked = new URLSearchParams(location.search);
/** Query kept between rooms: the language, and in embeds all flags. */
const language = asked.get('lang');
const kept = isEmbed ? location.search : language ? `?lang=${encodeURIComponent(language)}` : '';

/** URL of a structure's page, embedded or not like the current page. */
export const pagePath = (path: string): string => (isEmbed ? EMBED : '') + path + kept;

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
}

export const flags: PageFlags = {
  isEmbed,
  transparent: isSet('transparent'),
  hideControls: isSet('hideControls'),
  hideLogo: isSet('hideLogo'),
  autoload: isSet('autoload'),
};
