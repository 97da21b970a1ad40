import { randomUUID } from 'node:crypto';
import { calls } from '../../src/contract/calls.ts';
import { newEmailStep } from '../../src/server/features/users/email-links.ts';
import { peekSession } from '../../src/server/features/users/sessions.ts';
import { beginStep } from '../../src/server/features/users/sign-in-steps.ts';
import { type ApiApp, PASSWORD, type TestUser } from './api-app.ts';
import { AuthenticatorApp } from './authenticator-app.ts';
import { noRights } from './call-requests.ts';
import { SoftwarePasskey } from './software-passkey.ts';
import { CLIENT, type IdentityProvider } from './stand-ins/identity-provider.ts';

/** A confirmation for sensitive changes, as if the user had entered their password. */
export async function confirmationOf({ services: { db, clock } }: ApiApp, { id, token }: TestUser): Promise<string> {
  const session = await peekSession(db, clock, token);
  return beginStep(db, clock, { purpose: 'confirmed', userId: id, boundTo: session!.user.session });
}

/** Parameters of a link that confirms a user's new email address. */
export async function newEmailOf({ services: { db, clock } }: ApiApp, user: TestUser) {
  const email = `${randomUUID()}@example.com`;
  return { email, token: await beginStep(db, clock, newEmailStep(user.id, email)) };
}

/** A secret that a user is about to confirm. */
async function beginFactor(api: ApiApp, user: TestUser): Promise<AuthenticatorApp> {
  const confirmation = await confirmationOf(api, user);
  return new AuthenticatorApp((await api.client(user).secondFactor.begin({ body: { confirmation } })).secret);
}

/** A user who is setting up a second factor, and a user with one in the middle of a sign-in. */
export async function furnishFactors(api: ApiApp, organization: { id: number }) {
  const [setting, user] = [await api.addUser(organization, {}), await api.addUser(organization, {})];
  const now = api.clock.now();
  const app = await beginFactor(api, user);
  const { recovery_codes } = await api.client(user).secondFactor.turnOn({ body: { code: app.code(now) } });
  const answer = await api.client({ token: null }).users.login({ body: { email: user.email, password: PASSWORD } });
  if (!('second_factor_token' in answer)) throw new Error('No second factor was asked for.');
  return {
    settingUp: { user: setting, code: (await beginFactor(api, setting)).code(now) },
    guarded: { user, step: answer.second_factor_token, code: recovery_codes[0]! },
  };
}

/** A passkey of a user, and responses of it and of a new one that have not been sent. */
export async function furnishPasskey(api: ApiApp, user: TestUser) {
  const { passkeys } = api.client(user);
  const origin = api.services.settings.PUBLIC_URL ?? `http://localhost:${new URL(api.origin).port}`;
  const [passkey, next] = [new SoftwarePasskey(origin), new SoftwarePasskey(origin)];
  const begin = async () => (await passkeys.begin({ body: { confirmation: await confirmationOf(api, user) } })).options;
  const { id } = await passkeys.add({ body: { name: 'Phone', answer: passkey.create(await begin()) } });
  return {
    id,
    signIn: passkey.get((await api.client({ token: null }).passkeys.beginSignIn()).options),
    confirm: passkey.get((await passkeys.beginConfirm()).options),
    add: next.create(await begin()),
  };
}

/** The response of an identity provider for a new user, and the cookie of the browser. */
export async function furnishReturn(api: ApiApp, provider: IdentityProvider) {
  const { issuer } = provider;
  const named = { issuer, ...CLIENT, domains: [], button_text: 'Sign in', creates_users: false, policies: noRights() };
  await api.client().signIn.update({ body: { provider: named } });
  const { email } = await api.addUser(api.one, {});
  provider.people.set(email, { email, email_verified: true });
  const { body, headers } = await api.call(calls.signIn.begin);
  const cookie = headers.get('set-cookie')!.split(';')[0]!;
  return { body: await provider.visit(body.data.url, email), cookie };
}
