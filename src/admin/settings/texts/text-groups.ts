import { en } from '../../../contract/viewer-texts/en.ts';
import { nl } from '../../../contract/viewer-texts/nl.ts';
import { textPageEn, textPageNl } from '../../../contract/viewer-texts/text-page.ts';

/** Every text of the viewer and of text pages, by language and key. */
export const TABLES = { en: { ...en, ...textPageEn }, nl: { ...nl, ...textPageNl } };
export type OwnTextKey = keyof typeof TABLES.en;

/** Texts that appear in the same place. */
export interface TextGroup {
  title: string;
  /** Where the preview shows them: before a room, in the form of a protected one, in a room; or where it can show none of them. */
  shownIn: 'entrance' | 'form' | 'room' | 'elsewhere';
  keys: readonly OwnTextKey[];
}

/** Where each text appears, in the order in which visitors meet it. */
export const TEXT_GROUPS: readonly TextGroup[] = [
  {
    title: 'Entrance',
    shownIn: 'entrance',
    keys: ['invitation', 'loading', 'asText', 'startsAt'],
  },
  {
    title: 'Form for an access token',
    shownIn: 'form',
    keys: ['codeTitle', 'codeLabel', 'login', 'tryAgain', 'wrongCode', 'expiredCode', 'earlyCode'],
  },
  {
    title: 'Closed and missing rooms',
    shownIn: 'elsewhere',
    keys: [
      ...(['notOpenYet', 'noRoomYet', 'emptyRoom', 'noPage', 'notOpened', 'notReached', 'noWebgl'] as const),
      ...(['partMissing', 'pictureLost', 'accessEndsIn', 'accessEndsInMinute', 'accessEnded'] as const),
    ],
  },
  {
    title: 'Moving around',
    shownIn: 'room',
    keys: [
      ...(['controls', 'move', 'forward', 'backward', 'left', 'right', 'turnLeft', 'turnRight'] as const),
      ...(['joystick', 'height', 'showJoystick', 'hideJoystick'] as const),
      ...(['lookByMoving', 'lookByHand', 'noOrientation'] as const),
    ],
  },
  {
    title: 'View points and tour',
    shownIn: 'room',
    keys: [
      ...(['viewPoints', 'viewPoint', 'viewPointUnnamed', 'previousViewPoint', 'nextViewPoint', 'toStart'] as const),
      ...(['startTour', 'pauseTour', 'picture', 'thing'] as const),
    ],
  },
  {
    title: 'Audio and video',
    shownIn: 'room',
    keys: [
      ...(['mute', 'unmute', 'tapToUnmute', 'volume', 'subtitles', 'noSubtitles', 'subtitleSize'] as const),
      ...(['sizeSmall', 'sizeMedium', 'sizeLarge', 'film', 'closeVideo', 'timeLeft'] as const),
    ],
  },
  {
    title: 'Menus and dialogs',
    shownIn: 'room',
    keys: [
      ...([
        'home',
        'back',
        'close',
        'cancel',
        'ok',
        'message',
        'page',
        'more',
        'fullScreen',
        'leaveFullScreen',
      ] as const),
      ...(['copyLink', 'linkCopied', 'linkNotCopied', 'peopleHere', 'guest'] as const),
    ],
  },
  {
    title: 'Help and about',
    shownIn: 'room',
    keys: [
      ...(['help', 'helpMove', 'helpLook', 'helpViewPoints', 'helpTouchMove', 'helpTouchLook'] as const),
      ...(['about', 'aboutRoom'] as const),
    ],
  },
  {
    title: 'Share form',
    shownIn: 'room',
    keys: [
      ...(['share', 'shareName', 'shareMessage', 'sharePicture', 'addNow', 'sharing', 'shareWaiting'] as const),
      ...(['notShared', 'longMessage', 'nothingToShare'] as const),
    ],
  },
  {
    title: 'Slider',
    shownIn: 'room',
    keys: ['slider', 'slide', 'slideOf', 'previousSlide', 'nextSlide'],
  },
  {
    title: 'Headset',
    shownIn: 'room',
    keys: ['enterVr', 'leaveVr', 'inVr', 'noVr', 'vrLeft'],
  },
  {
    title: 'Room as text',
    shownIn: 'elsewhere',
    keys: [
      ...(['textEnter', 'textTooMany', 'textLinks', 'textFilm', 'textSound', 'textFrame', 'textModel'] as const),
      ...(['textMore', 'textUntitled', 'frontPage'] as const),
    ],
  },
];

/** What is filled in, by its name in braces. */
const MEANINGS: Record<string, string> = {
  name: 'a name',
  time: 'when the room starts',
  count: 'a number',
  number: 'which one it is',
  minutes: 'minutes to wait',
};

const namesIn = (words: string): string[] => [
  ...new Set([...words.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')),
];

/** What is filled in into a text, as a sentence; undefined where nothing is. */
export function filledIn(words: string): string | undefined {
  const names = namesIn(words);
  if (names.length === 0) return undefined;
  return `Filled in: ${names.map((name) => `{${name}} is ${MEANINGS[name] ?? name}`).join(', ')}.`;
}

/**
 * What is wrong with the words in braces of an own text: what nothing is filled in for, and what is left out.
 * @param ours the viewer's own text
 */
export function bracesProblem(ours: string, own: string): string | undefined {
  if (own === '') return undefined;
  const [known, used] = [namesIn(ours), namesIn(own)];
  const unknown = used.filter((name) => !known.includes(name));
  if (unknown.length > 0) return `Nothing is filled in for {${unknown.join('}, {')}}: visitors read it as it stands.`;
  const missing = known.filter((name) => !used.includes(name));
  return missing.length > 0 ? `{${missing.join('}, {')}} is left out: visitors will not read it.` : undefined;
}
