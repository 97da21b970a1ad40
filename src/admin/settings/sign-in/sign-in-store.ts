import type { Client } from '../../../contract/client.ts';
import type { Policies, SignInSettings } from '../../../contract/entities.ts';
import { AreaStore } from '../../stores/area-store.ts';
import { noPolicies } from '../users/users-store.ts';

/** Editable fields. */
export interface SignInDraft {
  requires_second_factor: boolean;
  has_password_sign_in: boolean;
  has_provider: boolean;
  issuer: string;
  client_id: string;
  /** Parses domains separated by commas or spaces. */
  domains: string;
  button_text: string;
  creates_users: boolean;
  policies: Policies;
}

const BUTTON_TEXT = 'Sign in with your organization';

const signInDraftOf = (settings: SignInSettings | null): SignInDraft => {
  const provider = settings?.provider;
  return {
    requires_second_factor: settings?.requires_second_factor ?? false,
    has_password_sign_in: settings?.has_password_sign_in ?? true,
    has_provider: Boolean(provider),
    issuer: provider?.issuer ?? '',
    client_id: provider?.client_id ?? '',
    domains: provider?.domains.join(', ') ?? '',
    button_text: provider?.button_text ?? BUTTON_TEXT,
    creates_users: provider?.creates_users ?? false,
    policies: provider?.policies ?? noPolicies(),
  };
};

function signInBodyOf(draft: SignInDraft, client_secret: string) {
  const { requires_second_factor, has_password_sign_in, has_provider, domains, ...fields } = draft;
  const { issuer, client_id, button_text, creates_users, policies } = fields;
  const provider = {
    issuer: issuer.trim(),
    client_id,
    ...(client_secret && { client_secret }),
    domains: domains.split(/[\s,;]+/).filter(Boolean),
    button_text,
    creates_users,
    policies,
  };
  return { requires_second_factor, has_password_sign_in, provider: has_provider ? provider : null };
}

/**
 * Sign-in settings of the organization.
 * @param secretOf the typed secret, kept out of the draft because the browser may store drafts
 */
export function createSignInStore(client: Client, secretOf: () => string) {
  const read = () => client.signIn.read();
  return new AreaStore<SignInSettings, SignInSettings, SignInDraft>({
    list: async () => ({ data: [await read()], meta: { total: 1, page: 1, last_page: 1 } }),
    read,
    create: read,
    update: (_, draft, updated_at) =>
      client.signIn.update({ body: { ...signInBodyOf(draft, secretOf()), updated_at } }),
    remove: read,
    draftOf: signInDraftOf,
  });
}
