import DOMPurify from 'dompurify';
import { useEffect, useRef } from 'react';
import styles from './dialog.module.css';
import { Permitted } from './Permitted.tsx';
import { roomLanguage } from './room-language.ts';

/** Sanitized HTML from administrators, once the visitor has allowed the third parties in it. */
export const SafeHtml = ({ html }: { html: string }) => (
  <Permitted of={{ html }}>
    <Sanitized html={html} />
  </Permitted>
);

function Sanitized({ html }: { html: string }) {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    holder.current?.replaceChildren(DOMPurify.sanitize(html, { RETURN_DOM_FRAGMENT: true }));
  }, [html]);
  return <div className={styles.prose} lang={roomLanguage()} dir="auto" ref={holder} />;
}
