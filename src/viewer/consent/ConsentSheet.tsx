import { useState } from 'react';
import { say } from '../texts/say-all.ts';
import type { ConsentState } from '../visit/visit-store.ts';
import { describeParty } from './notice.ts';

/** The third parties of the room, each with the visitor's choice. Choices apply at once. */
export function ConsentSheet({ consent }: { consent: ConsentState }) {
  // A withdrawn third party that the room doesn't need stays listed until the dialog is closed.
  const [parties] = useState(consent.parties);
  return (
    <fieldset className="consent-sheet">
      <legend>{say('thirdPartyNotice')}</legend>
      {parties.map((party) => (
        <label key={party.host}>
          <input
            type="checkbox"
            checked={consent.isAllowed(party.host)}
            onChange={({ currentTarget }) => consent.choose({ [party.host]: currentTarget.checked }, 'local')}
          />
          {describeParty(party)}
        </label>
      ))}
    </fieldset>
  );
}
