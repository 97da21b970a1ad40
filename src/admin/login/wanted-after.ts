import { storedText } from '../../ui/storage.ts';

/** Where one wanted to go before the way led over the identity provider. */
export const wantedAfter = storedText('enfilade.wanted-path', 'window');
