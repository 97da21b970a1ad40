import { PASSWORD } from '../../../harness/api-app.ts';
import type { changingRequests } from './changing-requests.ts';

/** A password that takes the place of the harness's. */
const NEXT = `${PASSWORD}, too`;

/** Calls about oneself. */
export const changingAccount: typeof changingRequests = {
  'account.update': () => ({
    right: { body: { name: 'Changed' } },
    wrong: { body: { name: '' } },
    said: { action: 'update', entity: 'user', after: { name: 'Changed' } },
  }),
  'account.changeEmail': ({ newEmail }) => ({
    right: { body: newEmail },
    wrong: { body: { ...newEmail, email: 'another@example.com' } },
    said: { action: 'update', entity: 'user', after: { email: newEmail.email } },
  }),
  'account.changePassword': () => ({
    right: { body: { current_password: PASSWORD, password: NEXT, password_confirmation: NEXT } },
    wrong: { body: { current_password: 'another one', password: NEXT, password_confirmation: NEXT } },
    said: { action: 'update', entity: 'user', after: { password: 'changed' } },
  }),
};
