import DOMPurify from 'dompurify';
import { useEffect, useRef } from 'react';
import styles from './dialog.module.css';

/** Sanitized HTML from administrators. */
export function SafeHtml({ html }: { html: string }) {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    holder.current?.replaceChildren(DOMPurify.sanitize(html, { RETURN_DOM_FRAGMENT: true }));
  }, [html]);
  return <div className={styles.prose} lang="" dir="auto" ref={holder} />;
}
