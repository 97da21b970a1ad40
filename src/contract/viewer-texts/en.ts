import { STAGE_TEXTS } from '../../../engine/document/stage-texts.ts';
import type { ErrorCode } from '../errors.ts';
import { enEarly } from './en-early.ts';
import type { Forms } from './fill-text.ts';

/** All texts of rooms and text pages in English, with `{name}` placeholders; texts that depend on a number have plural forms. */
export const en = {
  ...enEarly,
  ...STAGE_TEXTS,

  notOpenYet: 'This room has not opened yet.',
  codeTitle: 'Enter your code',
  codeLabel: 'Your personal code',
  login: 'Login',
  tryAgain: 'Try again',
  wrongCode: 'That code isn’t valid. Check it and try again.',
  expiredCode: 'This code has expired.',
  earlyCode: 'This code is not valid yet.',
  startsAt: 'This room starts at {time}',
  accessEndsIn: {
    one: 'Your access ends in {count} minute.',
    other: 'Your access ends in {count} minutes.',
  },
  accessEnded: 'Your access has ended.',

  home: '{name}, home',
  back: 'Back',
  close: 'Close',
  cancel: 'Cancel',
  ok: 'OK',
  message: 'Message',
  page: 'Page',

  thirdParties: 'Third-party content',
  statement: 'Accessibility statement',
  thirdPartyNotice: 'This room contains content of other sites, which receive your IP address when it loads:',
  allow: 'Allow',
  continueWithout: 'Continue without',
  thirdPartyWaits: 'Content from {name} loads after you allow it.',
  loadFrom: 'Load content from {host}',
  usesVideo: 'videos',
  usesPage: 'pages',
  usesFile: 'images and files',
  usesTags: 'measurement',

  controls: 'Controls',
  move: 'Move',
  forward: 'Forward',
  backward: 'Backward',
  left: 'Left',
  right: 'Right',
  turnLeft: 'Turn left',
  turnRight: 'Turn right',
  lookAround: 'Look around',
  lookUp: 'Look up',
  lookDown: 'Look down',
  joystick: 'Joystick: drag to move',
  height: 'Height',
  showJoystick: 'Show joystick',
  hideJoystick: 'Hide joystick',

  viewPoints: 'View points',
  viewPoint: 'View point {number}',
  viewPointUnnamed: 'View point',
  picture: 'Image',
  thing: 'Hotspot',
  previousViewPoint: 'Previous view point',
  nextViewPoint: 'Next view point',
  placeClosed: 'This place isn’t open at the moment.',
  toStart: 'Back to the start',
  startTour: 'Start the guided tour',
  pauseTour: 'Pause the guided tour',
  plan: 'Plan',
  floor: 'Floor {number}',
  floors: 'Floors',
  youAreHere: 'you are here',
  closePlan: 'Close plan',
  largerPlan: 'Larger plan',
  smallerPlan: 'Smaller plan',
  compass: 'Heading {degrees}°. Turn to the north.',
  turnNorth: 'Turn to the north',
  startTurning: 'Let the view turn',
  stopTurning: 'Stop the view from turning',

  mute: 'Mute',
  unmute: 'Unmute',
  tapToUnmute: 'Tap to unmute',
  volume: 'Volume',
  language: 'Language',
  untranslated: 'Some texts are only available in {language}.',
  subtitles: 'Subtitles',
  noSubtitles: 'Off',
  subtitleSize: 'Subtitle size',
  sizeSmall: 'Small',
  sizeMedium: 'Medium',
  sizeLarge: 'Large',
  film: 'Video',
  closeVideo: 'Close video',
  description: 'Description',
  descriptionOf: 'Description: {name}',
  transcript: 'Transcript',
  transcriptOf: 'Transcript: {name}',
  longTexts: 'Descriptions and transcripts',
  audioDescription: 'Audio description',
  timeLeft: 'Time left',
  arrivedAt: 'You are at: {name}',
  playing: 'Playing: {name}',
  paused: 'Paused: {name}',

  peopleHere: 'People here: {count}',
  guest: 'Guest {number}',
  more: 'More',
  fullScreen: 'Full screen',
  leaveFullScreen: 'Exit full screen',
  copyLink: 'Copy link to this view',
  linkCopied: 'Link to this view copied.',
  linkNotCopied: 'The link could not be copied. Copy it from the address bar.',
  lookByMoving: 'Look around by moving the device',
  lookByHand: 'Look around by touch',
  noOrientation: 'Motion control is unavailable or not allowed.',
  enterVr: 'Enter VR',
  leaveVr: 'Exit VR',
  inVr: 'The room is shown in the headset.',
  noVr: 'The headset could not be used.',

  help: 'Help',
  helpMove: 'Move with the controls on the screen, the arrow keys, or W A S D. Hold to keep moving.',
  helpLook: 'Drag to look around or move. If the room allows it, turn with Q and E and zoom with the wheel.',
  helpViewPoints: 'Press a disc on the floor, or use the view point menu, to go to a view point.',
  helpPlan: 'Press Plan, or P, to see where you are. Press a place on the plan to go there.',
  helpTouchMove: 'Move with the controls on the screen. Hold to keep moving.',
  helpTouchLook: 'Drag with one finger to look around, or to move in rooms that don’t rotate.',
  helpTurn:
    'Drag to look around, or use the controls on the screen, the arrow keys, or W A S D. If the room allows it, zoom with the wheel.',
  helpTouchTurn: 'Drag with one finger to look around. If the room allows it, zoom with two.',
  about: 'About {name}',
  aboutRoom: 'Published by {name}.',

  share: 'Share',
  shareName: 'Your name',
  shareMessage: 'Your message',
  sharePicture: 'Image',
  addNow: 'Add now',
  sharing: 'Adding…',
  shareReceived: 'Thank you. Your message was received.',
  shareWaiting: 'Your message will appear once it is approved.',
  notShared: 'Your message could not be added. Check your connection and try again.',
  longMessage: {
    one: 'Use at most {count} character.',
    other: 'Use at most {count} characters.',
  },
  nothingToShare: 'Write a message, or choose an image.',

  lookCloser: 'Look closer',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  zoomFit: 'Fit to screen',

  slider: 'Slider',
  slide: 'Slide',
  slideOf: 'Slide {number} of {count}',
  previousSlide: 'Previous slide',
  nextSlide: 'Next slide',

  textEnter: 'Enter the room',
  textNeedsScript: 'This room needs JavaScript and WebGL.',
  textTooMany: {
    one: 'Too many attempts. Try again in {minutes} minute.',
    other: 'Too many attempts. Try again in {minutes} minutes.',
  },
  textLinks: 'Links',
  textFilm: 'Video: {name}',
  textSound: 'Audio: {name}',
  textFrame: 'Page: {name}',
  textModel: '3D model: {name}',
  textPlan: 'Plan: {name}',
  textMore: 'More: {name}',
  textUntitled: 'untitled',
  pictureFails: 'Graphics keep failing on this device.',
  frontPage: 'Go to the front page',
  landingMissing: 'The address may be mistyped, or the room may have been moved or removed.',
  landingEmpty: 'Nothing has been published here yet. Try again later.',
  landingLink: 'This link no longer works.',
  landingLinkNext: 'It has expired or is incomplete. Ask the person who sent it for a new one.',
  landingBusy: 'Too many attempts.',
  landingBusyNext: {
    one: 'Try again in {minutes} minute.',
    other: 'Try again in {minutes} minutes.',
  },
  landingAway: 'This page is unavailable at the moment.',
  landingAwayNext: 'The service is being updated or is overloaded. Try again in a moment.',
  landingSuspended: 'This site is paused.',
  landingSuspendedNext: 'Its rooms are not available at the moment. Come back later.',
  landingFailed: 'Something went wrong.',
  landingFailedNext: 'The problem is on our side. Try again in a moment.',
  landingRooms: 'Rooms to visit',
};

export type TextKey = keyof typeof en;
/** Texts of a language with its plural categories. */
export type Texts<Category extends Intl.LDMLPluralRule = 'other'> = {
  [Key in TextKey]: (typeof en)[Key] extends string ? string : Forms<Category>;
};
/** Keys of custom texts. `accessEndsInMinute` replaces `accessEndsIn` for one minute. */
export type OwnTextKey = TextKey | 'accessEndsInMinute';

/** API errors that only occur in the back-office. */
type BackOfficeError =
  | 'wrong_login'
  | 'second_factor_required'
  | 'stale'
  | 'in_use'
  | 'key_reused'
  | 'client_taken'
  | 'not_set_up'
  | 'unknown_field'
  | 'misdirected'
  | 'suspended';

/** API error messages for visitors, by code. English ones come with the response. */
export type ErrorTexts<Category extends Intl.LDMLPluralRule = 'other'> = Readonly<
  Record<Exclude<ErrorCode, BackOfficeError | 'too_many'>, string> & Record<'too_many', Forms<Category>>
>;
