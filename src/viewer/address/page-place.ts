/** Below this the same rooms are shown for frames in other sites. */
const EMBED = '/embed';

/** Whether the page is the one for frames. */
const isEmbed = location.pathname.startsWith(`${EMBED}/`);

/** Public path of the structure that the page's address stands for. */
export const publicPath = (): string => (isEmbed ? location.pathname.slice(EMBED.length) : location.pathname);

const asked = new URLSearchParams(location.search);
/** What the address asks for in every room: its language, and in a frame all that it leaves out. */
const language = asked.get('lang');
const kept = isEmbed ? location.search : language ? `?lang=${encodeURIComponent(language)}` : '';

/** Address of a structure's page: of the same kind as the page one is on. */
export const pagePath = (path: string): string => (isEmbed ? EMBED : '') + path + kept;

const query = isEmbed ? asked : new URLSearchParams();
const isSet = (name: string) => query.get(name) === '1';

/** What the page's address leaves out or does by itself; nothing outside of frames. */
export interface PageFlags {
  /** Whether the page is the one for frames. */
  isEmbed: boolean;
  /** No background behind the room. */
  transparent: boolean;
  /** Nothing to move, look or hear with; logo, title, the room's links and its timer stay. */
  hideControls: boolean;
  hideLogo: boolean;
  /** The room shows without a click. */
  autoload: boolean;
}

export const flags: PageFlags = {
  isEmbed,
  transparent: isSet('transparent'),
  hideControls: isSet('hideControls'),
  hideLogo: isSet('hideLogo'),
  autoload: isSet('autoload'),
};
