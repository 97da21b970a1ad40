/** English texts of the stage. `{name}` is a placeholder. */
export const STAGE_TEXTS = {
  streamNotStarted: 'The broadcast hasn’t started yet.',
  streamInterrupted: 'The stream was interrupted. Reconnecting…',
  streamEnded: 'The broadcast has ended.',
  streamFormat: 'This browser can’t play the format of this stream ({formats}).',
  connectionLost: 'The connection was lost. Reconnecting…',
  hintWheel: 'Use Ctrl + scroll to zoom, or press the room first',
  hintWheelMac: 'Use ⌘ + scroll to zoom, or press the room first',
  hintTouch: 'Use two fingers to look around',
};

export type StageTextKey = keyof typeof STAGE_TEXTS;
