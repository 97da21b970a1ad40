import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { showProblem } from '../../ui/notifications.ts';
import { useDraft, useSubjectType } from '../fields/contexts.ts';
import { type NumericFieldSpec, numericField } from './numeric-field.ts';
import classes from './numeric-panel.module.css';

/**
 * Numbers of the draft that can be dragged and typed, with a live preview in the room. The pane's library is loaded on
 * first use.
 */
export function NumericPanel({ label, fields }: { label: string; fields: readonly NumericFieldSpec[] }) {
  const draft = useDraft();
  const type = useSubjectType();
  const holder = useRef<HTMLDivElement>(null);
  const [isReady, setReady] = useState(false);
  const wanted = JSON.stringify(fields);
  useEffect(() => {
    let close = () => {};
    let isGone = false;
    const specs: NumericFieldSpec[] = JSON.parse(wanted);
    import('./open-panel.ts').then(({ openPanel }) => {
      if (isGone) return;
      close = openPanel(
        holder.current!,
        draft,
        specs.map((spec) => numericField(type, spec)),
      );
      setReady(true);
    }, showProblem);
    return () => {
      isGone = true;
      close();
    };
  }, [draft, type, wanted]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border by default.
    <div
      ref={holder}
      role="group"
      aria-label={label}
      aria-busy={!isReady}
      className={classes.panel}
      style={{ '--fields': fields.length } as CSSProperties}
    />
  );
}
