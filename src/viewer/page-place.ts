/** Below this the same rooms are shown for frames in other sites. */
const EMBED = '/embed';

/** Whether the page is the one for frames. */
const isEmbed = location.pathname.startsWith(`${EMBED}/`);

/** Public path of the structure that the page's address stands for. */
export const publicPath = (): string => (isEmbed ? location.pathname.slice(EMBED.length) : location.pathname);

/** Address of a structure's page: of the same kind as the page one is on. */
export const pagePath = (path: string): string => (isEmbed ? EMBED + path : path);

const query = new URLSearchParams(isEmbed ? location.search : '');
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
