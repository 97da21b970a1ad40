import type { Language } from './limits.ts';

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

const nl: Record<TextPageKey, string> = {
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

const de: Record<TextPageKey, string> = {
  textEnter: 'Den Raum betreten',
  textTooMany: 'Zu viele Versuche. Versuchen Sie es in {minutes} Min. erneut.',
  textLinks: 'Links',
  textFilm: 'Video: {name}',
  textSound: 'Audio: {name}',
  textFrame: 'Seite: {name}',
  textModel: '3D-Modell: {name}',
  textMore: 'Mehr: {name}',
  textUntitled: 'ohne Titel',
  frontPage: 'Zur Startseite',
};

const fr: Record<TextPageKey, string> = {
  textEnter: 'Entrer dans la salle',
  textTooMany: 'Trop de tentatives. Réessayez dans {minutes} min.',
  textLinks: 'Liens',
  textFilm: 'Vidéo : {name}',
  textSound: 'Audio : {name}',
  textFrame: 'Page : {name}',
  textModel: 'Modèle 3D : {name}',
  textMore: 'Plus : {name}',
  textUntitled: 'sans titre',
  frontPage: 'Aller à l’accueil',
};

/** Texts of text pages by language. */
export const TEXT_PAGE: Record<Language, Record<TextPageKey, string>> = { en: textPageEn, de, fr, nl };
