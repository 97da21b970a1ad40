/** Severity of a finding: broken for visitors, probably unintended, or worth knowing. */
export type Severity = 'error' | 'warning' | 'info';

/** Linter codes with severity and meaning. Codes are stable: scripts compare them. */
const table = {
  schema: ['error', "A value is missing or out of range, so the room can't be saved."],
  'unknown-element-type': ['error', 'An element has an unknown type.'],
  'unknown-stream-type': ['warning', 'A live stream has an unknown platform and plays as a YouTube stream.'],
  'newer-version': ['error', 'The document has a newer format version than this program supports.'],
  'unknown-parent': ['error', "An element refers to a parent that isn't in the document."],
  'unknown-field': ['warning', 'A field is unknown and is dropped.'],
  'duplicate-id': ['error', 'Two elements have the same ID.'],
  'children-in-non-group': ['warning', 'An element other than a group has children.'],
  'too-many-elements': ['warning', 'The room has too many elements for phones.'],
  'zero-scale': ['warning', 'An element has a scale of 0 along an axis and is invisible.'],
  'empty-window': ['warning', 'A visibility window ends when it starts, so the element is never shown.'],
  'media-longer-than-window': [
    'warning',
    'Audio or a video is cut off because it is longer than its visibility window.',
  ],
  'timed-element-in-untimed-room': ['warning', 'An element follows the room time, but the room has no duration.'],
  'skipped-by-clock-change': ['warning', 'A clock change skips the start time of an element on one day of the year.'],
  'timer-in-untimed-room': ['warning', 'A countdown is enabled in a room without a duration.'],
  'dead-link': ['error', 'A link or light refers to a missing target.'],
  'link-to-non-view-point': ['error', 'A view-point link refers to an element of another type.'],
  'hidden-link-target': ['warning', 'A link or light refers to a hidden element.'],
  'dialog-without-title': ['info', 'A dialog opened by a link has no title.'],
  'missing-file': ['error', 'An element or template has no file.'],
  'mesh-selector-without-model': ['warning', 'A video has mesh names but no model.'],
  'image-without-alternative': ['info', 'An image has no alternative text, title or name, and is not decorative.'],
  'media-without-alternative': [
    'info',
    'A model, video, audio, live stream or iframe has no alternative text or name, and is not decorative.',
  ],
  'panorama-without-alternative': ['info', 'A panorama has no alternative text, and is not decorative.'],
  'media-without-transcript': [
    'info',
    'Audio or a video has neither subtitles nor a transcript, and is not decorative.',
  ],
  'light-targets-itself': ['error', 'A light targets itself or one of its descendants.'],
  'light-range': ['warning', "A light's near distance isn't less than its far distance."],
  'too-many-lights': ['warning', 'The room has too many lights for smooth rendering.'],
  'too-many-shadow-lights': ['warning', 'Too many lights cast shadows for smooth rendering.'],
  'outside-room': ['warning', "An element is outside the room's bounds."],
  'camera-outside-room': ['warning', "The start position is outside the room's bounds."],
  'empty-pan-range': ['warning', 'The panning range is empty.'],
  'fog-range': ['warning', 'Fog ends before it starts.'],
  'proximity-distance-zero': ['warning', 'An element plays only for nearby visitors, but the distance is 0.'],
  'feed-without-feed': ['warning', 'A group shows a feed, but none is chosen.'],
  'slider-without-children': ['warning', 'A slider is empty.'],
  'order-rank-twice': ['info', 'Two view points have the same position in the menu.'],
  'unreachable-place': ['warning', 'No link leads to a place of the tour.'],
  'one-way-door': ['info', 'A link leads from one place to another, but none leads back.'],
  'place-without-name': ['warning', 'A place of the tour has no name or alternative text.'],
  'missing-heading': ['info', 'A place has no heading, unlike other places of the tour.'],
  'popup-never-opens': ['warning', 'The timed pop-up is enabled but never opens.'],
  'start-popup-empty': ['warning', 'The start pop-up is enabled but empty.'],
  'timed-popup-empty': ['warning', 'The timed pop-up is enabled but empty.'],
} as const satisfies Record<string, readonly [Severity, string]>;

export type LintCode = keyof typeof table;

/** Meaning of every linter code, in one sentence. */
export const LINT_CODES = Object.fromEntries(
  Object.entries(table).map(([code, [, description]]) => [code, description]),
) as Record<LintCode, string>;

export const severityOf = (code: LintCode): Severity => table[code][0];
