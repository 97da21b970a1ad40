/** Words of text pages and of pages without a room, in English; what rooms say as well stands in their tables. `{name}` is filled in. */
export const textPageEn = {
  textEnter: 'Enter the room itself',
  textTooMany: 'Too many attempts. Wait {minutes} min., then try again.',
  textLinks: 'Links',
  textFilm: 'Video: {name}',
  textSound: 'Audio: {name}',
  textFrame: 'Page: {name}',
  textModel: '3D model: {name}',
  textMore: 'More: {name}',
  textUntitled: 'untitled',
  frontPage: 'To the front page',
};

export type TextPageKey = keyof typeof textPageEn;

/** The same in Dutch. */
export const textPageNl: Record<TextPageKey, string> = {
  textEnter: 'Ga de ruimte zelf in',
  textTooMany: 'Te veel pogingen. Wacht {minutes} min. en probeer het dan opnieuw.',
  textLinks: 'Links',
  textFilm: 'Video: {name}',
  textSound: 'Geluid: {name}',
  textFrame: 'Pagina: {name}',
  textModel: '3D-model: {name}',
  textMore: 'Meer: {name}',
  textUntitled: 'zonder titel',
  frontPage: 'Naar de voorpagina',
};
