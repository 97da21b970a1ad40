import { createContext, type ReactNode, useContext, useLayoutEffect, useRef } from 'react';
import type { VisitState } from '../visit/visit-store.ts';

type Consent = NonNullable<VisitState['consent']>;

/** The visitor's choices about third-party content; undefined if it loads as specified. */
export const ConsentContext = createContext<Consent | undefined>(undefined);

/**
 * Content that may be of third parties; a placeholder until the visitor has allowed them.
 * @param of the content: an element, a URL, or HTML
 */
export function Permitted({ of, children }: { of: Parameters<Consent['lacks']>[0]; children: ReactNode }) {
  const consent = useContext(ConsentContext);
  const holder = useRef<HTMLDivElement>(null);
  const hosts = consent?.lacks(of).join(' ') ?? '';
  useLayoutEffect(() => {
    if (hosts) holder.current?.replaceChildren(consent!.placeholder(hosts.split(' ')));
  }, [hosts, consent]);
  return hosts ? <div ref={holder} /> : children;
}
