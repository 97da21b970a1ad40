import * as tests from './evidence.ts';
import { type Chapter, criterion, fails, partially, supports, unchecked } from './row.ts';

const { AXE } = tests;

const perceivable = [
  criterion(
    '1.1.1',
    'Non-text Content',
    'A',
    partially(
      {
        web: 'Controls, images, models, media and places have text alternatives, in the room and on its text page. The template’s model has none besides the description of the room.',
        authoring: 'Controls have names. The room itself is drawn on a canvas; its elements are listed in the tree.',
      },
      [...AXE, tests.BY_TREE, tests.READ_ALOUD, tests.TEXT_PAGE],
    ),
  ),
  criterion(
    '1.2.1',
    'Audio-only and Video-only (Prerecorded)',
    'A',
    supports([tests.TRANSCRIPTS, tests.TRANSCRIPTS_AS_TEXT], {
      web: 'Audio and videos can have a transcript, which opens in the room and on its text page.',
      authoring: 'The check reports audio and videos with neither subtitles nor a transcript.',
    }),
  ),
  criterion(
    '1.2.2',
    'Captions (Prerecorded)',
    'A',
    supports([tests.SUBTITLES, tests.SUBTITLES_ON, tests.SUBTITLE_TRACKS], {
      web: 'Uploaded videos show their subtitle tracks. The subtitles of videos on platforms are left to the platform’s player, and are not tested.',
      authoring:
        'The check reports videos with neither subtitles nor a transcript; a transcript alone is enough for it.',
    }),
  ),
  criterion(
    '1.2.3',
    'Audio Description or Media Alternative (Prerecorded)',
    'A',
    supports([tests.AUDIO_DESCRIPTION, tests.TRANSCRIPTS, tests.TRANSCRIPTS_AS_TEXT], {
      web: 'Uploaded videos can have an audio description. Every video can have a transcript as its alternative.',
      authoring: 'The check doesn’t report videos without audio description, or with subtitles but no transcript.',
    }),
  ),
  criterion(
    '1.2.4',
    'Captions (Live)',
    'AA',
    partially({ web: 'Live streams show the captions of the platform’s player. Other live streams have none.' }),
  ),
  criterion(
    '1.2.5',
    'Audio Description (Prerecorded)',
    'AA',
    partially(
      {
        web: 'Uploaded videos can have an audio description. Videos on platforms can’t, nor can live streams.',
        authoring: 'The check doesn’t report videos without audio description.',
      },
      [tests.AUDIO_DESCRIPTION],
    ),
  ),
  criterion(
    '1.3.1',
    'Info and Relationships',
    'A',
    supports([...AXE, tests.TEXT_HEADINGS, tests.TREE_PATTERN], {
      web: 'Headings, lists, forms and tables are marked up; text pages have a heading per place.',
    }),
  ),
  criterion('1.3.2', 'Meaningful Sequence', 'A', supports([tests.PRESS_ORDER, tests.TEXT_PAGE])),
  criterion(
    '1.3.3',
    'Sensory Characteristics',
    'A',
    unchecked({ web: 'The help texts were not reviewed for instructions that depend on shape or position.' }, [
      'texts',
    ]),
  ),
  criterion('1.3.4', 'Orientation', 'AA', supports([tests.BY_KEYBOARD, tests.TURNS, tests.BACK_OFFICE])),
  criterion(
    '1.3.5',
    'Identify Input Purpose',
    'AA',
    partially({
      web: 'Sign-in and account fields have their purpose. The fields for a visitor’s own name were not reviewed.',
    }),
  ),
  criterion(
    '1.4.1',
    'Use of Color',
    'A',
    unchecked({ web: 'Links in texts are checked by axe. Charts and marks were not reviewed.' }, ['colors']),
  ),
  criterion('1.4.2', 'Audio Control', 'A', supports([tests.VOLUME])),
  criterion(
    '1.4.3',
    'Contrast (Minimum)',
    'AA',
    supports([...AXE, tests.TEXTS_ON_GLASS], {
      web: 'axe measures the interface, but not texts over the canvas of a room. Titles there have a light or dark background to suit their color; its contrast isn’t measured. The colors inside a room are chosen by its authors.',
      authoring: 'The check doesn’t report texts with low contrast.',
    }),
  ),
  criterion('1.4.4', 'Resize Text', 'AA', supports([tests.AT_400_PERCENT, tests.EDITOR_ZOOMED, tests.BACK_OFFICE])),
  criterion(
    '1.4.5',
    'Images of Text',
    'AA',
    partially(
      {
        web: 'Captions and 3D texts are drawn into the room. Assistive technology and the text page get them as text.',
      },
      [tests.BY_TREE, tests.TEXT_PAGE],
    ),
  ),
  criterion(
    '1.4.10',
    'Reflow',
    'AA',
    partially(
      {
        web: 'Rooms and text pages are tested at 320 pixels, screens of the back-office at 360. A room needs two dimensions; its text page doesn’t.',
        authoring: 'Every control can be brought into view at 320 pixels.',
      },
      [AXE[1]!, tests.SHARED_AS_TEXT, tests.BACK_OFFICE, tests.EDITOR_ZOOMED],
      ['reflow'],
    ),
  ),
  criterion(
    '1.4.11',
    'Non-text Contrast',
    'AA',
    unchecked({ web: 'axe doesn’t measure the contrast of icons and borders.' }, ['colors']),
  ),
  criterion('1.4.12', 'Text Spacing', 'AA', unchecked({ web: 'No test changes the spacing of texts.' }, ['spacing'])),
  criterion(
    '1.4.13',
    'Content on Hover or Focus',
    'AA',
    unchecked({ web: 'Tooltips were not reviewed.' }, ['tooltips']),
  ),
];

const operable = [
  criterion(
    '2.1.1',
    'Keyboard',
    'A',
    partially(
      {
        web: 'A visit, from entering to leaving, works with the keyboard.',
        authoring:
          'Elements are added, placed and published with the keyboard. Not every gesture on the canvas is tested for an equivalent.',
      },
      [tests.BY_KEYBOARD, tests.TOUR_BY_KEYBOARD, tests.EDITOR_JOB],
    ),
  ),
  criterion('2.1.2', 'No Keyboard Trap', 'A', supports([tests.BY_KEYBOARD, tests.FOCUS_RETURNS, tests.EDITOR_JOB])),
  criterion(
    '2.1.4',
    'Character Key Shortcuts',
    'A',
    fails({
      web: 'Single keys such as F and P act anywhere in a room outside of text fields, and can’t be turned off.',
      authoring: 'The same applies to the keys of the editor.',
    }),
  ),
  criterion(
    '2.2.1',
    'Timing Adjustable',
    'A',
    partially(
      {
        web: 'Visitors are warned five minutes before their access ends, and can’t extend it: its end is set by the organizer. A session that ends loses nothing that was typed.',
      },
      [tests.ENDS_ALOUD, tests.SESSION_ENDS],
    ),
  ),
  criterion(
    '2.2.2',
    'Pause, Stop, Hide',
    'A',
    partially(
      {
        web: 'Views that turn, guided tours and media can be stopped. Animated models and moving elements can’t.',
      },
      [tests.TURNING_STOPS, tests.TOUR_PAUSES, ...tests.LESS_MOTION],
    ),
  ),
  criterion(
    '2.3.1',
    'Three Flashes or Below Threshold',
    'A',
    unchecked({ web: 'The interface doesn’t flash on purpose; content of authors isn’t checked.' }, ['flashes']),
  ),
  criterion(
    '2.4.1',
    'Bypass Blocks',
    'A',
    partially(
      {
        web: 'Screens of the back-office and text pages have headings. The back-office has a link that skips to the content; no test follows it.',
        authoring: 'Not tested.',
      },
      [tests.BACK_OFFICE, tests.TEXT_HEADINGS],
    ),
  ),
  criterion('2.4.2', 'Page Titled', 'A', supports([tests.BACK_OFFICE, tests.FRONT_TITLE])),
  criterion('2.4.3', 'Focus Order', 'A', supports([tests.PRESS_ORDER, tests.FOCUS_RETURNS, tests.TREE_PATTERN])),
  criterion('2.4.4', 'Link Purpose (In Context)', 'A', supports([...AXE, tests.BY_TREE])),
  criterion(
    '2.4.5',
    'Multiple Ways',
    'AA',
    partially(
      {
        web: 'Settings are found by menu and search. Rooms are reached by links; there is no list of all rooms for visitors.',
      },
      [tests.SETTINGS_SEARCH],
    ),
  ),
  criterion(
    '2.4.6',
    'Headings and Labels',
    'AA',
    partially({ web: 'Headings and labels exist. Their wording was not reviewed.' }, AXE, ['texts']),
  ),
  criterion(
    '2.4.7',
    'Focus Visible',
    'AA',
    unchecked({ web: 'Focused controls have an outline; no test compares it.' }, ['focus']),
  ),
  criterion(
    '2.4.11',
    'Focus Not Obscured (Minimum)',
    'AA',
    unchecked({ web: 'No test checks whether a focused control is covered.' }, ['focus']),
  ),
  criterion(
    '2.5.1',
    'Pointer Gestures',
    'A',
    partially(
      {
        web: 'Zooming by pinch and turning by dragging have keys and buttons.',
        authoring: 'Not every gesture on the canvas is tested for an equivalent.',
      },
      [tests.BY_KEYBOARD, tests.CLOSER_BY_KEYBOARD],
    ),
  ),
  criterion('2.5.2', 'Pointer Cancellation', 'A', supports([tests.DRAG_FOLLOWS_NOTHING, tests.ESC_ENDS_DRAG])),
  criterion('2.5.3', 'Label in Name', 'A', unchecked({ web: 'axe doesn’t check this by default.' }, ['voice'])),
  criterion(
    '2.5.4',
    'Motion Actuation',
    'A',
    partially(
      {
        web: 'Visitors can choose in the menu that moving the device turns the view; keys turn it as well. No test turns this off again.',
      },
      [tests.HELD_DEVICE, tests.BY_KEYBOARD],
    ),
  ),
  criterion(
    '2.5.7',
    'Dragging Movements',
    'AA',
    partially(
      {
        web: 'Folders have a dialog and lists have keys. Lists have no buttons to move entries with one press.',
        authoring: 'Positions can be typed. The tree is sorted by dragging or with keys.',
      },
      [tests.FOLDERS, tests.LISTS_BY_KEYBOARD],
    ),
  ),
  criterion(
    '2.5.8',
    'Target Size (Minimum)',
    'AA',
    unchecked({ web: 'axe doesn’t check this by default.' }, ['targets']),
  ),
];

const understandable = [
  criterion('3.1.1', 'Language of Page', 'A', supports([tests.LANGUAGE, tests.RIGHT_TO_LEFT, ...AXE])),
  criterion(
    '3.1.2',
    'Language of Parts',
    'AA',
    partially(
      {
        web: 'The interface and a space have their languages. Text pages mark what isn’t translated; the room itself doesn’t, and marks descriptions and transcripts as of unknown language.',
        authoring:
          'Authors set the language of a space and translate its texts. They can’t mark a passage in another language.',
      },
      [tests.LANGUAGE, tests.ROOM_LANGUAGES, tests.LANGUAGE_MARKS, tests.TRANSLATIONS],
    ),
  ),
  criterion('3.2.1', 'On Focus', 'A', unchecked({ web: 'No test checks this.' }, ['keyboard'])),
  criterion('3.2.2', 'On Input', 'A', unchecked({ web: 'No test checks this.' }, ['keyboard'])),
  criterion('3.2.3', 'Consistent Navigation', 'AA', unchecked({ web: 'Menus are shared; no test compares them.' })),
  criterion('3.2.4', 'Consistent Identification', 'AA', unchecked({ web: 'No test checks this.' }, ['texts'])),
  criterion(
    '3.2.6',
    'Consistent Help',
    'A',
    unchecked({ web: 'Help is in the menu of every room; no test compares its position.' }),
  ),
  criterion('3.3.1', 'Error Identification', 'A', supports([tests.FIELD_ERRORS, tests.FAILED_SAVE, tests.CODE_ONCE])),
  criterion('3.3.2', 'Labels or Instructions', 'A', supports(AXE)),
  criterion(
    '3.3.3',
    'Error Suggestion',
    'AA',
    supports([tests.FIELD_ERRORS, tests.LINK_ERRORS, tests.SITE_ERRORS, tests.LINT_ADVICE], {
      web: 'Tested for URLs and origins in the back-office.',
      authoring: 'Tested for URLs; the check suggests values.',
    }),
  ),
  criterion(
    '3.3.4',
    'Error Prevention (Legal, Financial, Data)',
    'AA',
    supports([tests.UNSAVED, tests.NEVER_OVERWRITTEN]),
  ),
  criterion('3.3.7', 'Redundant Entry', 'A', unchecked({ web: 'Processes with several steps were not reviewed.' })),
  criterion(
    '3.3.8',
    'Accessible Authentication (Minimum)',
    'AA',
    partially(
      {
        web: 'Passkeys and links with an access token need neither memory nor typing. There are no puzzles. No test pastes passwords or codes into their fields.',
      },
      [tests.LINK_WITH_CODE, tests.PASSKEY],
    ),
  ),
];

const robust = [
  criterion('4.1.2', 'Name, Role, Value', 'A', supports([...AXE, tests.BY_TREE, tests.READ_ALOUD, tests.TREE_PATTERN])),
  criterion(
    '4.1.3',
    'Status Messages',
    'AA',
    supports([tests.ANNOUNCED, tests.ENDS_ALOUD, tests.REORDER_ALOUD, tests.FAILED_SAVE]),
  ),
];

/** Clause 9 of EN 301 549: every success criterion of WCAG 2.2 at level A or AA. 4.1.1 Parsing is obsolete. */
export const WCAG: readonly Chapter[] = [
  { title: '9.1 Perceivable (WCAG 2.2)', rows: perceivable },
  { title: '9.2 Operable (WCAG 2.2)', rows: operable },
  { title: '9.3 Understandable (WCAG 2.2)', rows: understandable },
  { title: '9.4 Robust (WCAG 2.2)', rows: robust },
];
