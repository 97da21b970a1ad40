import { API_KEY_PREFIX } from '../src/contract/entities.ts';
import { asCliError } from './as-cli-error.ts';
import { connectTo } from './connection.ts';

/** Ends a session on its server and describes the result. An API key remains valid until it is removed in the settings. */
export async function endSession({ url, key }: { url?: string; key?: string }): Promise<string> {
  if (!url || !key || key.startsWith(API_KEY_PREFIX)) return 'Deleted the stored credentials.\n';
  try {
    await connectTo(url, key).client.users.logout();
  } catch (error) {
    const known = asCliError(error);
    if (!known) throw error;
    // An expired session needs no logout.
    if (known.code !== 'signed_out')
      return `Deleted the stored credentials. Couldn't end the session, which expires automatically. ${known.message}\n`;
  }
  return 'Deleted the stored credentials and ended the session.\n';
}
