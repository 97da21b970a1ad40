import type { CallContext } from '../../core/http/call-context.ts';
import { sendPasswordLink } from './send-password-link.ts';
import type { StoredUser } from './users-repository.ts';

/** Sends each user a link to set a first password, one after another, once the answer has been sent. */
export function inviteUsers(context: CallContext, users: readonly StoredUser[]): void {
  if (users.length === 0) return;
  context.later(async () => {
    const failures: unknown[] = [];
    // One address to which nothing can be sent keeps no message from the others.
    for (const user of users)
      await sendPasswordLink(context, user, 'invitation').catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} invitations could not be sent.`);
  });
}
