import { useIdParam } from '../frame/FormScreen.tsx';
import { Loaded, useLoaded } from '../frame/Loaded.tsx';
import { MailingForm } from './MailingForm.tsx';
import { MailingProgress } from './MailingProgress.tsx';

/** A mailing: its form while it is a draft, then its e-mails. */
function Known({ id }: { id: number }) {
  const mailing = useLoaded((client) => client.mailings.read({ params: { id } }));
  return (
    <Loaded of={mailing} what="The mailing">
      {(value) =>
        value.state === 'draft' ? (
          <MailingForm id={id} onSent={(sent) => mailing.set(sent)} />
        ) : (
          <MailingProgress mailing={value} onChange={(changed) => mailing.set(changed)} />
        )
      }
    </Loaded>
  );
}

/** Adds, edits and follows a mailing. */
export function MailingScreen() {
  const id = useIdParam();
  return id === null ? <MailingForm id={null} /> : <Known key={id} id={id} />;
}
