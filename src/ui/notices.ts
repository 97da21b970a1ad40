import { notifications } from '@mantine/notifications';
import { ApiError } from '../contract/errors.ts';

/** Milliseconds that a notice stays. */
const STAYS = 5000;

/** Says that something was done. */
export function showDone(text: string): void {
  notifications.show({ message: text, color: 'teal', autoClose: STAYS });
}

/** Says what went wrong: one notice for each sentence of the server. */
export function showProblem(error: unknown): void {
  const texts =
    error instanceof ApiError ? Object.values(error.msg).flat() : ['The server could not be reached. Try again.'];
  for (const text of texts) notifications.show({ message: text, color: 'red', autoClose: STAYS });
}

/** Says something that is neither success nor failure of a call. */
export function showNotice(text: string): void {
  notifications.show({ message: text, color: 'brass', autoClose: STAYS });
}
