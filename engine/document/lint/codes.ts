/** Severity of a finding: broken for visitors, probably unintended, or worth knowing. */
export type Severity = 'error' | 'warning' | 'info';

/** Linter codes with severity and meaning. Codes are stable: scripts compare them. */
const table = {
  schema: ['error', "A value is missing or breaks the bounds of its field, so the room can't be saved as it is."],
  'unknown-element-type': ['error', 'An element has a type that does not exist.'],
  'unknown-stream-type': ['warning', 'A live stream names no known platform and plays as one of YouTube.'],
  'newer-version': ['error', 'The document has a later version than this program reads.'],
  'unknown-parent': ['error', 'An element is said to stand in one that the document does not have.'],
  'unknown-field': ['warning', 'A field is not known and is dropped when the room is read.'],
  'duplicate-id': ['error', 'Two elements have the same id.'],
  'children-in-non-group': ['warning', 'An element that is not a group holds other elements.'],
  'too-many-elements': ['warning', 'The room holds so many elements that phones play it slowly.'],
  'zero-scale': ['warning', "An element is scaled to nothing along an axis and can't be seen."],
  'empty-window': ['warning', 'A window of visibility ends when it begins, so the element is never seen.'],
  'media-longer-than-window': ['warning', 'Audio or a video is cut off because it plays longer than it is shown.'],
  'timed-element-in-untimed-room': ['warning', 'An element follows the time of a room that has no duration.'],
  'skipped-by-clock-change': [
    'warning',
    'Clocks skip the time from which an element is shown, on one day of the year.',
  ],
  'timer-in-untimed-room': ['warning', 'A countdown is switched on in a room that has no duration.'],
  'dead-link': ['error', 'A link or a light points at nothing.'],
  'link-to-non-view-point': ['error', 'A view-point link points at an element of another type.'],
  'hidden-link-target': ['warning', 'A link or a light points at an element that is hidden.'],
  'dialog-without-title': ['info', 'A dialog that a link opens has no title.'],
  'missing-file': ['error', 'An element or template that shows a file has none.'],
  'mesh-selector-without-model': ['warning', 'A video names meshes of a model but has no model.'],
  'image-without-alternative': ['info', 'An image has no alternative text, title or name, and is not decorative.'],
  'media-without-alternative': [
    'info',
    'A model, a video, audio or a live stream has no alternative text or name, and is not decorative.',
  ],
  'light-targets-itself': ['error', 'A light points at itself or at an element that it holds.'],
  'light-range': ['warning', "A light's near distance is not smaller than its far distance."],
  'too-many-lights': ['warning', 'The room has so many lights that drawing becomes slow.'],
  'too-many-shadow-lights': ['warning', 'So many lights cast shadows that drawing becomes slow.'],
  'outside-room': ['warning', "An element stands outside the room's walls."],
  'camera-outside-room': ['warning', "The visitor starts outside the room's walls."],
  'empty-pan-range': ['warning', 'The range in which a visitor may move is empty.'],
  'fog-range': ['warning', 'Fog is complete before it begins.'],
  'proximity-distance-zero': ['warning', 'An element plays only for visitors nearby, at a distance of zero.'],
  'feed-without-feed': ['warning', 'A group is to be filled by a feed but has none.'],
  'slider-without-children': ['warning', 'A slider has nothing to show.'],
  'order-rank-twice': ['info', 'Two view points have the same place in the menu.'],
  'popup-never-opens': ['warning', 'The timed pop-up is switched on but never opens.'],
  'start-popup-empty': ['warning', 'The start pop-up is switched on but has no content.'],
  'timed-popup-empty': ['warning', 'The timed pop-up is switched on but has no content.'],
} as const satisfies Record<string, readonly [Severity, string]>;

export type LintCode = keyof typeof table;

/** Meaning of every linter code, in one sentence. */
export const LINT_CODES = Object.fromEntries(
  Object.entries(table).map(([code, [, description]]) => [code, description]),
) as Record<LintCode, string>;

export const severityOf = (code: LintCode): Severity => table[code][0];
