import { ALL_TEXTS } from '../../../contract/viewer-texts/all.ts';
import type { OwnTextKey } from '../../../contract/viewer-texts/en.ts';
import { fillText } from '../../../contract/viewer-texts/fill-text.ts';
import type { Language } from '../../../contract/viewer-texts/limits.ts';

/** Texts that appear in the same place. */
export interface TextGroup {
  title: string;
  /** Where the preview shows them: entrance, access token form, room, or nowhere. */
  shownIn: 'entrance' | 'form' | 'room' | 'elsewhere';
  keys: readonly OwnTextKey[];
}

/** Texts by place, in the order visitors meet them. */
export const TEXT_GROUPS: readonly TextGroup[] = [
  { title: 'Entrance', shownIn: 'entrance', keys: ['invitation', 'loading', 'asText', 'startsAt'] },
  {
    title: 'Access token form',
    shownIn: 'form',
    keys: ['codeTitle', 'codeLabel', 'login', 'tryAgain', 'wrongCode', 'expiredCode', 'earlyCode'],
  },
  {
    title: 'Closed and missing rooms',
    shownIn: 'elsewhere',
    keys: [
      ...(['notOpenYet', 'noRoomYet', 'emptyRoom', 'noPage', 'notOpened', 'notReached', 'noWebgl'] as const),
      ...([
        'partMissing',
        'partLost',
        'retry',
        'reloadPage',
        'pictureLost',
        'pictureFails',
        'accessEndsIn',
        'accessEndsInMinute',
        'accessEnded',
      ] as const),
      ...(['landingSuspended', 'landingSuspendedNext'] as const),
      ...(['landingMissing', 'landingEmpty', 'landingLink', 'landingLinkNext', 'landingBusy'] as const),
      ...(['landingBusyNext', 'landingAway', 'landingAwayNext', 'landingFailed', 'landingFailedNext'] as const),
      ...(['landingRooms', 'frontPage'] as const),
    ],
  },
  {
    title: 'Moving around',
    shownIn: 'room',
    keys: [
      ...(['controls', 'move', 'forward', 'backward', 'left', 'right', 'turnLeft', 'turnRight'] as const),
      ...(['lookAround', 'lookUp', 'lookDown', 'compass', 'turnNorth', 'startTurning', 'stopTurning'] as const),
      ...(['joystick', 'height', 'showJoystick', 'hideJoystick'] as const),
      ...(['lookByMoving', 'lookByHand', 'noOrientation', 'hintWheel', 'hintWheelMac', 'hintTouch'] as const),
    ],
  },
  {
    title: 'View points and tour',
    shownIn: 'room',
    keys: [
      ...(['viewPoints', 'viewPoint', 'viewPointUnnamed', 'previousViewPoint', 'nextViewPoint', 'toStart'] as const),
      ...(['startTour', 'pauseTour', 'placeClosed', 'picture', 'thing'] as const),
      ...(['plan', 'floor', 'floors', 'youAreHere', 'closePlan', 'largerPlan', 'smallerPlan'] as const),
    ],
  },
  {
    title: 'Audio and video',
    shownIn: 'room',
    keys: [
      ...(['mute', 'unmute', 'tapToUnmute', 'volume', 'subtitles', 'noSubtitles', 'subtitleSize'] as const),
      ...(['language', 'untranslated'] as const),
      ...(['sizeSmall', 'sizeMedium', 'sizeLarge', 'film', 'closeVideo', 'timeLeft', 'audioDescription'] as const),
      ...(['streamNotStarted', 'streamInterrupted', 'streamEnded', 'streamFormat', 'connectionLost'] as const),
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
      ...(['help', 'helpMove', 'helpLook', 'helpViewPoints', 'helpPlan', 'helpTouchMove', 'helpTouchLook'] as const),
      ...(['helpTurn', 'helpTouchTurn'] as const),
      ...(['about', 'aboutRoom', 'statement'] as const),
    ],
  },
  {
    title: 'Share form',
    shownIn: 'room',
    keys: [
      ...(['share', 'shareName', 'shareMessage', 'sharePicture', 'addNow', 'sharing', 'shareWaiting'] as const),
      ...(['shareReceived', 'notShared', 'longMessage', 'nothingToShare'] as const),
    ],
  },
  {
    title: 'Third-party content',
    shownIn: 'elsewhere',
    keys: [
      ...(['thirdParties', 'thirdPartyNotice', 'allow', 'continueWithout', 'thirdPartyWaits', 'loadFrom'] as const),
      ...(['usesVideo', 'usesPage', 'usesFile', 'usesTags'] as const),
    ],
  },
  { title: 'Images up close', shownIn: 'room', keys: ['lookCloser', 'zoomIn', 'zoomOut', 'zoomFit'] },
  {
    title: 'Descriptions and transcripts',
    shownIn: 'room',
    keys: ['longTexts', 'description', 'descriptionOf', 'transcript', 'transcriptOf', 'arrivedAt', 'playing', 'paused'],
  },
  {
    title: 'Slider',
    shownIn: 'room',
    keys: ['slider', 'slide', 'slideOf', 'previousSlide', 'nextSlide'],
  },
  { title: 'Headset', shownIn: 'room', keys: ['enterVr', 'leaveVr', 'inVr', 'noVr'] },
  {
    title: 'Room as text',
    shownIn: 'elsewhere',
    keys: [
      ...(['textEnter', 'textTooMany', 'textLinks', 'textFilm', 'textSound', 'textFrame', 'textModel'] as const),
      ...(['textPlan', 'textMore', 'textUntitled', 'textNeedsScript'] as const),
    ],
  },
];

/** A number that needs the most common plural form in every language. */
const SEVERAL = 10;

/** The default text of a key; for one with plural forms, that of most numbers. */
export function defaultText(language: Language, key: OwnTextKey): string {
  const texts = ALL_TEXTS[language];
  if (key === 'accessEndsInMinute') return fillText(language, texts.accessEndsIn, { count: 1 });
  const text = texts[key];
  return typeof text === 'string' ? text : (text[new Intl.PluralRules(language).select(SEVERAL)] ?? text.other);
}

/** Meaning of each placeholder. */
const MEANINGS: Record<string, string> = {
  name: 'a name',
  time: 'the start time of the room',
  count: 'a number',
  number: 'its number',
  minutes: 'the minutes to wait',
  host: 'a host name',
};

const namesIn = (words: string): string[] => [
  ...new Set([...words.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')),
];

/** Describes the placeholders of a text; undefined if there are none. */
export function filledIn(words: string): string | undefined {
  const names = namesIn(words);
  if (names.length === 0) return undefined;
  return `Placeholders: ${names.map((name) => `{${name}} is ${MEANINGS[name] ?? name}`).join(', ')}.`;
}

/**
 * Problems with the placeholders of a custom text: unknown or missing ones.
 * @param ours the default text
 */
export function bracesProblem(ours: string, own: string): string | undefined {
  if (own === '') return undefined;
  const [known, used] = [namesIn(ours), namesIn(own)];
  const unknown = used.filter((name) => !known.includes(name));
  if (unknown.length > 0) return `Unknown placeholder: {${unknown.join('}, {')}}. Visitors see it as typed.`;
  const missing = known.filter((name) => !used.includes(name));
  return missing.length > 0 ? `{${missing.join('}, {')}} is missing: visitors won’t see it.` : undefined;
}
