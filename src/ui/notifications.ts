import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { ApiError } from '../contract/errors.ts';
import { NotificationOffer } from './NotificationOffer.tsx';

/** Milliseconds that a notification stays. */
const STAYS = 5000;

/** Says that something was done. */
export function showDone(text: string): void {
  // Of the same said many times at once, one is enough.
  notifications.show({ id: `done ${text}`, message: text, color: 'teal', autoClose: STAYS });
}

/** Says what went wrong: one notification for each sentence of the server. */
export function showProblem(error: unknown): void {
  const texts =
    error instanceof ApiError ? Object.values(error.msg).flat() : ['The server could not be reached. Try again.'];
  for (const text of texts) showProblemText(text);
}

/** Says one sentence of what went wrong. */
export function showProblemText(text: string): void {
  notifications.show({ message: text, color: 'red', autoClose: STAYS });
}

/** Says something that is neither success nor failure of a call. */
export function showNotification(text: string, offer?: { label: string; act(): void; stays?: boolean }): void {
  if (!offer) {
    notifications.show({ message: text, color: 'brass', autoClose: STAYS });
    return;
  }
  const { label, act, stays } = offer;
  const onPress = () => {
    notifications.hide(shown);
    act();
  };
  const message = createElement(NotificationOffer, { text, label, onPress });
  // Long enough to be read and answered.
  const shown = notifications.show({ message, color: 'brass', autoClose: stays ? false : STAYS * 2 });
}
