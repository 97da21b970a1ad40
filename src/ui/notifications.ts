import { notifications } from '@mantine/notifications';
import { when } from 'mobx';
import { createElement } from 'react';
import { ApiError } from '../contract/errors.ts';
import { NotificationOffer } from './NotificationOffer.tsx';

/** An action that a notification offers. */
export interface Offer {
  label: string;
  act(): void;
  /** Whether the notification stays until it is answered. */
  stays?: boolean;
  /** Whether the action still makes sense; the notification disappears when it doesn't. Observed. */
  isValid?(): boolean;
}

/** Duration in milliseconds. */
const STAYS = 5000;

/** Text of the last success notification. */
let lastDone = '';

/** Shows a success notification. */
export function showDone(text: string): void {
  lastDone = text;
  // Identical notifications replace each other.
  notifications.show({ id: `done ${text}`, message: text, color: 'teal', autoClose: STAYS });
}

/** Hides the last success notification, so that another one continues it. @returns its text */
export function takeDone(): string {
  const text = lastDone;
  lastDone = '';
  notifications.hide(`done ${text}`);
  return text;
}

/** Shows each message of an error as a notification. */
export function showProblem(error: unknown): void {
  const texts =
    error instanceof ApiError ? Object.values(error.msg).flat() : ['The server could not be reached. Try again.'];
  for (const text of texts) showProblemText(text);
}

/** Shows an error message. */
export function showProblemText(text: string): void {
  notifications.show({ message: text, color: 'red', autoClose: STAYS });
}

/** Shows a neutral notification. */
export function showNotification(text: string, offer?: Offer): void {
  if (!offer) {
    notifications.show({ message: text, color: 'brass', autoClose: STAYS });
    return;
  }
  const { label, act, stays, isValid = () => true } = offer;
  const onPress = () => {
    notifications.hide(shown);
    act();
  };
  const message = createElement(NotificationOffer, { text, label, onPress });
  // Long enough to read and act.
  const shown = notifications.show({
    message,
    color: 'brass',
    autoClose: stays ? false : STAYS * 2,
    onClose: () => stop(),
  });
  const stop = when(
    () => !isValid(),
    () => notifications.hide(shown),
  );
}
