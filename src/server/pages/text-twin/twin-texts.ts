/** What text pages say themselves, in English. `{name}` stands for what is filled in. */
const en = {
  enter: 'Enter the room itself',
  codeTitle: 'Enter your code',
  codeLabel: 'Your personal code',
  login: 'Login',
  wrongCode: 'This code is not right. Check it and try again.',
  expiredCode: 'This code has expired.',
  earlyCode: 'This code is not valid yet.',
  tooMany: 'Too many attempts. Wait a minute and try again.',
  startsAt: 'This room starts at {time}',
  noPage: 'This page does not exist.',
  notOpened: 'This room could not be opened.',
  emptyRoom: 'This room is empty.',
  links: 'Links',
  viewPoints: 'View points',
  film: 'Video: {name}',
  sound: 'Sound: {name}',
  page: 'Page: {name}',
  model: '3D model: {name}',
  untitled: 'untitled',
};
export type TwinTexts = typeof en;

const nl: TwinTexts = {
  enter: 'Ga de ruimte zelf in',
  codeTitle: 'Voer je code in',
  codeLabel: 'Je persoonlijke code',
  login: 'Inloggen',
  wrongCode: 'Deze code klopt niet. Controleer hem en probeer het opnieuw.',
  expiredCode: 'Deze code is verlopen.',
  earlyCode: 'Deze code is nog niet geldig.',
  tooMany: 'Te veel pogingen. Wacht een minuut en probeer het opnieuw.',
  startsAt: 'Deze ruimte begint om {time}',
  noPage: 'Deze pagina bestaat niet.',
  notOpened: 'Deze ruimte kon niet worden geopend.',
  emptyRoom: 'Deze ruimte is leeg.',
  links: 'Links',
  viewPoints: 'Kijkpunten',
  film: 'Video: {name}',
  sound: 'Geluid: {name}',
  page: 'Pagina: {name}',
  model: '3D-model: {name}',
  untitled: 'zonder titel',
};

const TABLES = { en, nl };
export type TwinLanguage = keyof typeof TABLES;

/**
 * The language of a text page.
 * @param asked what the address asks for
 * @param accepted the browser's Accept-Language header
 */
export function twinLanguage(asked: string | null, accepted: string | undefined): TwinLanguage {
  const codes = [asked ?? '', ...(accepted ?? '').slice(0, 500).split(',')];
  const known = codes.map((code) => code.trim().slice(0, 2).toLowerCase()).find((code) => Object.hasOwn(TABLES, code));
  return (known as TwinLanguage | undefined) ?? 'en';
}

export const twinTexts = (language: TwinLanguage): TwinTexts => TABLES[language];

/** A text with its `{name}` filled in. */
export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
