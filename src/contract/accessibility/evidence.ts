import type { TestEvidence } from './row.ts';

const WALKS = 'tests/walks';
const WEB = 'tests/web';

/** The tests that rows refer to. The title is a part of the test's name, as it is reported. */
const test = (file: string, title: string): TestEvidence => ({ file: `${file}.test.ts`, title });

/** axe, with its default rules, in every state of a visit, on every screen of the back-office, and in the editor. */
export const AXE = [
  test(`${WALKS}/complete-visits`, 'in any state of a visit, in the colors of the page and in those of the visitor'),
  test(`${WALKS}/demo-senses`, 'in any state of'),
  test(`${WALKS}/back-office-screens`, 'without a fault; axe finds nothing, light or dark; it fits a phone'),
  test(`${WEB}/editor/screen`, 'has nothing that keeps anybody out'),
];
/** The demo's rooms from entering to leaving, with the keyboard alone. */
export const BY_KEYBOARD = test(
  `${WALKS}/complete-visits`,
  'a visitor with nothing but a keyboard, on a desk and turned on a phone',
);
/** The same, with nothing but what the browser gives assistive technology. */
export const BY_TREE = test(`${WALKS}/complete-visits`, 'a visitor with nothing but the accessibility tree');
/** Names, alternatives and longer texts of the demo's rooms in the accessibility tree, with what screen readers announce. */
export const READ_ALOUD = test(`${WALKS}/demo-senses`, 'offers, with names, and says each view point once');
/** A tour with the accessibility tree, and its announcements. */
export const TOUR_READ_ALOUD = test(
  `${WALKS}/demo-senses`,
  'walks the tour of the demo there and back, hears each place once, and reads what it offers',
);
export const ANNOUNCED = test(
  `${WEB}/assistive`,
  'hears where the visitor is, what the visitor plays, and the time left, each once',
);
export const SHARED_AS_TEXT = test(`${WEB}/assistive`, 'has no faults in any colors, and fits at 400 %');
/** A tour by keyboard. `TOUR_READ_ALOUD` checks its announcements. */
export const TOUR_BY_KEYBOARD = test(
  `${WALKS}/demo-tour`,
  'by keyboard, with names and announcements for screen readers, and no accessibility faults',
);
export const BACK_OFFICE = AXE[2]!;
export const PRESS_ORDER = test(
  `${WEB}/press-order`,
  'reaches everything that can be pressed, once, by name, in the order of the document, and nothing that is hidden',
);
export const FOCUS_RETURNS = test(
  `${WEB}/viewer-keyboard`,
  'finds the focus again where it was, whatever opened and closed',
);
export const TEXT_PAGE = test(
  'tests/server/pages/text-twin/text-twin',
  'say what the room shows, in reading order, with links to the text of other rooms',
);
export const TEXT_HEADINGS = test(
  'tests/server/pages/text-twin/text-twin',
  'has one heading per place, with the elements visible there',
);
export const TEXT_WITHOUT_WEBGL = test(`${WEB}/viewer-without`, 'the way to the room as text is seen');
export const TEXT_WITHOUT_SCRIPTS = test(`${WEB}/viewer-without`, 'a page says what it needs and where the text is');
export const SUBTITLES = test(
  `${WEB}/elements-media`,
  'opens over the whole page with the setting, shows its subtitles’ lines, and goes back',
);
export const SUBTITLES_ON = test(
  `${WEB}/film-over-page`,
  'without a default are switched on, each line runs as its writing does, and none covers a control',
);
export const SUBTITLES_KEPT = test(`${WEB}/film-over-page`, 'stay as they were chosen in the next room');
export const TRANSCRIPTS = test(
  `${WEB}/long-texts`,
  'of other elements open from a button beside them, and from the list of all at the place',
);
export const TRANSCRIPTS_AS_TEXT = test(
  'tests/server/pages/text-twin/long-texts',
  'open on request: descriptions and transcripts, beside what they describe',
);
export const AUDIO_DESCRIPTION = test(
  `${WEB}/long-texts`,
  'an audio description plays in step with its video, and stays chosen for the visit',
);
export const VOLUME = test(`${WEB}/film-over-page`, 'is set by a slider beside mute, by keyboard as well');
export const TURNS = test(`${WEB}/stage`, 'portrait screens get a field of view of 75 degrees');
export const TEXTS_ON_GLASS = test(`${WEB}/appearance`, 'on glass where they can be read');
export const AT_400_PERCENT = test(`${WEB}/viewer-habits`, 'leaves the button of all else free at 400 %, open as well');
export const EDITOR_ZOOMED = test(
  `${WEB}/editor/layouts-and-zoom`,
  'every control of the editor can be brought into view',
);
export const EDITOR_JOB = test(
  `${WEB}/editor/tree-keyboard`,
  'a complete job by keyboard alone: an element is added, named, placed, undone and published',
);
export const TREE_PATTERN = test(
  `${WEB}/editor/tree-keyboard`,
  'has one tab stop, levels and states, and moves with the keys of the WAI-ARIA pattern',
);
export const ENDS_ALOUD = test(`${WEB}/entry`, 'is told five minutes before the code runs out, once aloud');
export const CODE_ONCE = test(`${WEB}/entry`, 'the right code leads in, and is not asked for again');
export const LINK_WITH_CODE = test(`${WEB}/entry`, 'a link with an access token leads in without typing');
export const SESSION_ENDS = test(
  `${WEB}/admin/forms`,
  'a session that ends in mid-form: after signing in again, what was typed is back',
);
export const TURNING_STOPS = test(
  `${WEB}/tour-comforts`,
  'turns after ten idle seconds, rests on input, and can be stopped',
);
export const TOUR_PAUSES = test(`${WEB}/viewer-overlay`, 'any input pauses it; without motion it jumps');
export const LESS_MOTION = [
  test(`${WEB}/tour-comforts`, 'never turns under reduced motion'),
  test(`${WEB}/room-change`, 'cuts under reduced motion'),
  test(`${WEB}/panorama-walk`, 'is cut under reduced motion'),
];
export const FRONT_TITLE = test(
  `${WEB}/viewer-keyboard`,
  'the front page keeps the title that the organization gave it',
);
export const DRAG_FOLLOWS_NOTHING = test(
  `${WEB}/pressing`,
  'a drag that begins on its link looks around, and follows nothing',
);
export const ESC_ENDS_DRAG = test(
  `${WEB}/editor-canvas/handles`,
  'Esc during a drag puts the element back, and nothing is changed',
);
export const HELD_DEVICE = test(`${WEB}/viewer-overlay`, 'a held device looks around');
export const CLOSER_BY_KEYBOARD = test(
  `${WEB}/closer-look`,
  'opens and zooms with the keyboard, and returns the focus',
);
export const LISTS_BY_KEYBOARD = test(`${WEB}/admin/forms`, 'embed domains are put in order with keyboard and finger');
export const FOLDERS = test(`${WEB}/admin/folders`, 'spaces are sorted into folders by dragging and in a dialog');
export const LANGUAGE = test(`${WEB}/page-language`, 'what the viewer says has its language');
export const RIGHT_TO_LEFT = test(`${WEB}/page-language`, 'in Arabic, the interface runs from right to left');
export const ROOM_LANGUAGES = test(
  `${WEB}/room-languages`,
  'visitors choose the language of a space by keyboard, and stay in it',
);
export const LANGUAGE_MARKS = test(
  'tests/server/features/visits/languages',
  'is text in a language, with marks on what stays in the main one',
);
export const TRANSLATIONS = test(`${WEB}/editor/translations`, 'texts are translated beside their sources');
export const SETTINGS_SEARCH = test(`${WEB}/admin/settings-search`, 'every setting is found by its name');
export const FIELD_ERRORS = test(
  `${WEB}/editor/edit-window`,
  'says at the field what is wrong, and keeps what was typed',
);
export const LINK_ERRORS = test(
  `${WEB}/editor/edit-window`,
  'says what is wrong with a link, and with the place that a light points at',
);
export const SITE_ERRORS = test(
  `${WEB}/admin/forms`,
  'embed domains: empty rows are dropped, a wildcard is refused at its row',
);
export const FAILED_SAVE = test(
  `${WEB}/admin/forms`,
  'a failed save keeps what was typed, says why, and works when it is tried again',
);
export const LINT_ADVICE = test('tests/engine/document/lint', 'suggestions for values say what to write');
export const LINT_CASES = test('tests/engine/document/lint', 'has a case here');
export const CHECK_PANEL = test(
  `${WEB}/editor/revisions-and-check`,
  'tells what is wrong, leads there, and counts what visitors need',
);
export const UNSAVED = test(
  `${WEB}/admin/forms`,
  'leaving with something unsaved asks first, and Cancel stays with what was typed',
);
export const NEVER_OVERWRITTEN = test(
  `${WEB}/admin/forms`,
  'what somebody else saved meanwhile is never overwritten unasked',
);
export const REORDER_ALOUD = test(`${WEB}/admin/structures`, 'is reordered with the keyboard, which says what it did');
export const SECOND_FACTOR = test(
  `${WEB}/admin/sign-in-steps`,
  'is set up in the account and asked for at the sign-in, all by keys',
);
export const PASSKEY = test(
  `${WEB}/admin/sign-in-steps`,
  'is added in the account, signs in, confirms a change, and is removed',
);
export const TEXTS_FROM_FILES = test(
  'tests/server/features/media/texts',
  'are read from IPTC, and from EXIF except for the names of cameras',
);
export const ALT_ON_DROP = test(
  `${WEB}/editor-canvas/dropped-images`,
  'hangs with its caption and its alternative text',
);
export const SUBTITLE_TRACKS = test(`${WEB}/editor/lists-in-order`, 'subtitles, each with its type');
export const TEXT_TABLE = test(
  `${WEB}/editor/texts`,
  'texts are edited in a table: cell by cell, and pasted from a spreadsheet',
);
export const ACCESSIBILITY_PANEL = test(
  `${WEB}/editor/texts`,
  'the texts of an element for accessibility are in one panel',
);
