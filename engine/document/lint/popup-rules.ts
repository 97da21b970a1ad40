import { isBlank, type Rule } from './finding.ts';

/** A start pop-up without text. */
export const startPopupEmpty: Rule = ({ room }, report) => {
  if (room.config.show_start_popup && isBlank(room.description))
    report(
      'start-popup-empty',
      null,
      'description',
      'The start pop-up is enabled, but the description is empty.',
      'Enter a description, or turn off the start pop-up.',
    );
};

/** A timed pop-up in a room without a duration, or after its end. Rooms without a start time start on entry. */
export const popupNeverOpens: Rule = ({ room: { config } }, report) => {
  if (!config.show_timed_popup) return;
  if (config.duration === null)
    report(
      'popup-never-opens',
      null,
      'config.show_timed_popup',
      'The timed pop-up never opens, because the room is not timed.',
      'Set a duration for the room, or turn off the timed pop-up.',
    );
  else if (config.timed_popup_offset > config.duration)
    report(
      'popup-never-opens',
      null,
      'config.timed_popup_offset',
      `The timed pop-up opens after ${config.timed_popup_offset} s, but the room ends after ${config.duration} s.`,
      `Use an offset of at most ${config.duration} s.`,
    );
};

/** A timed pop-up with neither text nor actions. */
export const timedPopupEmpty: Rule = ({ room: { config } }, report) => {
  const actions = [config.timed_popup_action_left, config.timed_popup_action_center, config.timed_popup_action_right];
  if (config.show_timed_popup && isBlank(config.timed_popup_text) && actions.every((action) => action === null))
    report(
      'timed-popup-empty',
      null,
      'config.timed_popup_text',
      'The timed pop-up is enabled but empty.',
      'Enter its text, or turn off the timed pop-up.',
    );
};
