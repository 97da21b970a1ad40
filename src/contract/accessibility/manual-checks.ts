import type { ManualCheck } from './row.ts';

const check = (id: string, name: string, ...steps: string[]): ManualCheck => ({ id, name, steps, passed_on: null });

/** Checks that a person repeats. Set `passed_on` only after doing every step on the released version. */
export const MANUAL_CHECKS: readonly ManualCheck[] = [
  check(
    'screen-reader',
    'A visit with a screen reader',
    'Open the demo’s first room with NVDA and Firefox, then with VoiceOver and Safari.',
    'Enter the room, visit every view point, open every link, and return.',
    'Every control has a name and a role, and every change is announced once.',
  ),
  check(
    'keyboard',
    'Changes of context',
    'Move the focus through every screen of the back-office, and fill in each field without confirming.',
    'Nothing opens, submits or moves the focus by itself.',
  ),
  check(
    'focus',
    'Visible focus',
    'Move the focus through a room, the back-office and the editor with Tab, at 100 % and 400 %.',
    'The focused control is always marked, and at least a part of it is not covered.',
  ),
  check(
    'colors',
    'Colors and contrast of graphics',
    'Set the screen to grayscale, and read every chart, state and mark.',
    'Measure icons, borders of fields and focus outlines: each has a contrast of at least 3:1.',
  ),
  check(
    'spacing',
    'Text spacing',
    'Set line height 1.5, paragraph spacing 2, letter spacing 0.12 and word spacing 0.16 em with a user style sheet.',
    'No text is cut off or covered in a room’s dialogs, on its text page, in the back-office or in the editor.',
  ),
  check(
    'reflow',
    'Reflow at 320 pixels',
    'Open every screen of the back-office and a text page in a window of 320 pixels.',
    'Nothing but tables and rooms needs horizontal scrolling.',
  ),
  check(
    'tooltips',
    'Content on hover or focus',
    'Point at and focus every control with a tooltip.',
    'The tooltip can be pointed at, stays until the pointer leaves, and closes with Esc.',
  ),
  check(
    'flashes',
    'Flashes',
    'Record a visit to each demo room, and examine the recording with PEAT or a similar tool.',
    'Nothing flashes more than three times a second.',
  ),
  check(
    'voice',
    'Voice control',
    'Name every visible control of a room and the back-office with Voice Control or Dragon.',
    'Each is activated by its visible label.',
  ),
  check(
    'targets',
    'Target size',
    'Run axe with the rule target-size on every screen and in a room.',
    'It finds nothing.',
  ),
  check(
    'texts',
    'Wording',
    'Read every heading, label, instruction and help text.',
    'Each is understandable alone, the same thing has the same name, and none depends on shape, position or color.',
  ),
  check(
    'subtitles',
    'Timing of subtitles',
    'Play a video with subtitles, and compare each line with the spoken words.',
    'Each line appears within 100 ms of its time.',
  ),
];
