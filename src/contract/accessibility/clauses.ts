import * as tests from './evidence.ts';
import { type Chapter, clause, excluded, fails, partially, supports, unchecked } from './row.ts';

const NO_HARDWARE = 'The product is software; keyboards and screens belong to the user.';

const performance: Chapter = {
  title: '4 Functional performance statements',
  rows: [
    clause(
      '4.2.1',
      'Usage without vision',
      partially(
        { web: 'Rooms have text pages and an accessibility tree. No screen reader user has tested the product.' },
        [tests.BY_TREE, tests.READ_ALOUD, tests.TOUR_READ_ALOUD],
        ['screen-reader'],
      ),
    ),
    clause('4.2.2', 'Usage with limited vision', partially({ web: 'See 9.1.4.' }, [tests.AT_400_PERCENT], ['colors'])),
    clause('4.2.3', 'Usage without perception of color', unchecked({ web: 'See 9.1.4.1.' }, ['colors'])),
    clause('4.2.4', 'Usage without hearing', partially({ web: 'See 9.1.2.' }, [tests.SUBTITLES, tests.TRANSCRIPTS])),
    clause('4.2.5', 'Usage with limited hearing', partially({ web: 'See 9.1.2.' }, [tests.VOLUME, tests.SUBTITLES])),
    clause(
      '4.2.6',
      'Usage with no or limited vocal capability',
      supports([tests.BY_KEYBOARD], { web: 'Nothing needs speech.' }),
    ),
    clause(
      '4.2.7',
      'Usage with limited manipulation or strength',
      partially({ web: 'See 9.2.1 and 9.2.5.' }, [tests.BY_KEYBOARD]),
    ),
    clause('4.2.8', 'Usage with limited reach', excluded(NO_HARDWARE)),
    clause('4.2.9', 'Minimize photosensitive seizure triggers', unchecked({ web: 'See 9.2.3.1.' }, ['flashes'])),
    clause(
      '4.2.10',
      'Usage with limited cognition, language or learning',
      unchecked({ web: 'Not reviewed.' }, ['texts']),
    ),
    clause('4.2.11', 'Privacy', unchecked({ web: 'Not reviewed.' })),
  ],
};

const generic: Chapter = {
  title: '5 Generic requirements',
  rows: [
    clause(
      '5.1',
      'Closed functionality',
      excluded('The product runs in browsers, with the user’s assistive technology.'),
    ),
    clause(
      '5.2',
      'Activation of accessibility features',
      supports([tests.TEXT_WITHOUT_WEBGL, tests.TEXT_WITHOUT_SCRIPTS]),
    ),
    clause(
      '5.3',
      'Biometrics',
      supports([tests.SECOND_FACTOR], { web: 'Passkeys are optional: a password with a one-time code works as well.' }),
    ),
    clause(
      '5.4',
      'Preservation of accessibility information during conversion',
      partially(
        { authoring: 'Texts in image files become alternative texts. Other imports are not tested for this.' },
        [tests.TEXTS_FROM_FILES, tests.ALT_ON_DROP],
      ),
    ),
    clause('5.5', 'Operable parts', excluded(NO_HARDWARE)),
    clause(
      '5.6',
      'Locking or toggle controls',
      unchecked({ web: 'Mute and similar controls say their state by name; not reviewed.' }),
    ),
    clause('5.7', 'Key repeat', excluded('Key repeat is a setting of the operating system.')),
    clause('5.8', 'Double-strike key acceptance', excluded('This is a setting of the operating system.')),
    clause(
      '5.9',
      'Simultaneous user actions',
      partially({ web: 'Nothing in a visit needs two actions at once.', authoring: 'Not reviewed.' }, [
        tests.BY_KEYBOARD,
      ]),
    ),
  ],
};

const video: Chapter = {
  title: '7 ICT with video capabilities',
  rows: [
    clause(
      '7.1.1',
      'Captioning playback',
      supports([tests.SUBTITLES, tests.SUBTITLES_ON], {
        web: 'Tested for uploaded videos. Videos on platforms are played by the platform’s player.',
      }),
    ),
    clause('7.1.2', 'Captioning synchronization', unchecked({ web: 'Not measured.' }, ['subtitles'])),
    clause(
      '7.1.3',
      'Preservation of captioning',
      unchecked({ web: 'No test compares uploaded tracks with served ones.' }),
    ),
    clause(
      '7.1.4',
      'Captions characteristics',
      partially({ web: 'Visitors can change the size of subtitles, but not their color, font or background.' }, [
        tests.SUBTITLES_ON,
      ]),
    ),
    clause('7.1.5', 'Spoken subtitles', fails({ web: 'Subtitles have no spoken output.' })),
    clause(
      '7.2.1',
      'Audio description playback',
      partially(
        {
          web: 'A button plays the audio descriptions of uploaded videos. Videos on platforms have what the platform’s player offers, which is not tested.',
        },
        [tests.AUDIO_DESCRIPTION],
      ),
    ),
    clause(
      '7.2.2',
      'Audio description synchronization',
      partially(
        {
          web: 'In rooms, an audio description stays within half a second of its video. Text pages have a separate player for it, which isn’t synchronized.',
        },
        [tests.AUDIO_DESCRIPTION],
      ),
    ),
    clause(
      '7.2.3',
      'Preservation of audio description',
      unchecked({ web: 'No test compares uploaded audio descriptions with served ones.' }),
    ),
    clause(
      '7.3',
      'User controls for captions and audio description',
      partially(
        {
          web: 'Subtitles and audio descriptions of uploaded videos have a button each in the room, as the volume has. Videos on platforms have the controls of the platform’s player, which are not tested.',
        },
        [tests.SUBTITLES_KEPT, tests.AUDIO_DESCRIPTION, tests.VOLUME],
      ),
    ),
  ],
};

const software: Chapter = {
  title: '11 Software',
  rows: [
    clause(
      '11.1–11.5',
      'Non-web software: perceivable, operable, understandable, robust, interoperability',
      unchecked({ web: 'Web pages are rated in chapter 9. The command line was not reviewed.' }),
    ),
    clause('11.6', 'Documented accessibility usage', unchecked({ web: 'Not reviewed.' })),
    clause(
      '11.7',
      'User preferences',
      partially(
        {
          web: 'Reduced motion, color scheme, forced colors and zoom are followed. The browser’s font size was not tested.',
        },
        [...tests.LESS_MOTION, tests.AXE[0]!],
      ),
    ),
    clause('11.8.1', 'Content technology', unchecked({ authoring: 'Not reviewed.' })),
    clause(
      '11.8.2',
      'Accessible content creation',
      partially(
        {
          authoring:
            'Authors can add alternative texts, detailed descriptions, transcripts, subtitles and names of places, mark decoration, and translate spaces. Uploaded videos can have an audio description; videos on platforms can’t. The language of a passage can’t be set.',
        },
        [tests.ACCESSIBILITY_PANEL, tests.SUBTITLE_TRACKS, tests.TEXT_TABLE, tests.TRANSLATIONS, tests.ALT_ON_DROP],
      ),
    ),
    clause(
      '11.8.3',
      'Preservation of accessibility information in transformations',
      partially({ authoring: 'Tested for images that are dropped into a room.' }, [tests.ALT_ON_DROP]),
    ),
    clause(
      '11.8.4',
      'Repair assistance',
      supports([tests.CHECK_PANEL, tests.LINT_CASES], {
        authoring:
          'The check finds missing alternative texts, transcripts and names, leads to them, and says how to fix them.',
      }),
    ),
    clause('11.8.5', 'Templates', unchecked({ authoring: 'The templates of the product were not reviewed.' })),
  ],
};

const documentation: Chapter = {
  title: '12 Documentation and support services',
  rows: [
    clause(
      '12.1.1',
      'Accessibility and compatibility features',
      partially({ documentation: 'This report lists them. There is no separate guide for users.' }),
    ),
    clause(
      '12.1.2',
      'Accessible documentation',
      unchecked({ documentation: 'The documentation is Markdown; not reviewed.' }),
    ),
    clause(
      '12.2',
      'Support services',
      excluded('The product has no support service. Its operators support their users.'),
    ),
  ],
};

const others: Chapter = {
  title: 'Other chapters',
  rows: [
    clause('6', 'ICT with two-way voice communication', excluded('Visitors see each other, and don’t talk or chat.')),
    clause('8', 'Hardware', excluded(NO_HARDWARE)),
    clause(
      '10',
      'Non-web documents',
      unchecked({ documentation: 'Documents of authors are their own; those of the product were not reviewed.' }),
    ),
    clause('13', 'Relay and emergency services', excluded('The product offers neither.')),
  ],
};

/** Chapters before and after chapter 9. */
export const BEFORE_WCAG: readonly Chapter[] = [performance, generic, video];
export const AFTER_WCAG: readonly Chapter[] = [
  {
    title: '9.6 WCAG conformance requirements',
    rows: [
      clause(
        '9.6',
        'WCAG conformance requirements',
        partially({ web: 'Not all criteria of levels A and AA are met.' }),
      ),
    ],
  },
  software,
  documentation,
  others,
];
