/** Texts of text pages and pages without a room, in English, with `{name}` placeholders; texts shared with rooms are in `en.ts`. */
export const textPageEn = {
  textEnter: 'Enter the room',
  textTooMany: 'Too many attempts. Try again in {minutes} min.',
  textLinks: 'Links',
  textFilm: 'Video: {name}',
  textSound: 'Audio: {name}',
  textFrame: 'Page: {name}',
  textModel: '3D model: {name}',
  textMore: 'More: {name}',
  textUntitled: 'untitled',
  frontPage: 'Go to the front page',
};

export type TextPageKey = keyof typeof textPageEn;

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
