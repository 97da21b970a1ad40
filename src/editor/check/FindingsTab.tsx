import { Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import type { Severity } from '../../../engine/document/lint/codes.ts';
import type { Finding } from '../../../engine/document/lint/finding.ts';
import classes from './check.module.css';
import { useShowElement } from './use-show-element.ts';

const SEVERITY_ICONS = { error: IconCircleX, warning: IconAlertTriangle, info: IconInfoCircle };
const WORDS: Record<Severity, string> = { error: 'Error', warning: 'Warning', info: 'Hint' };
const ORDER: readonly Severity[] = ['error', 'warning', 'info'];

/** Findings that are shown; of more, the number is said. */
const MAX_SHOWN_FINDINGS = 200;

function Item({ finding, onShow }: { finding: Finding; onShow(id: number): void }) {
  const { severity, message, suggestion, element_id: id } = finding;
  const Sign = SEVERITY_ICONS[severity];
  const words = (
    <>
      <Sign size={16} className={classes.sign} data-severity={severity} aria-label={WORDS[severity]} role="img" />
      <span>
        <span className={classes.message}>{message}</span>
        <span className={classes.suggestion}>{suggestion}</span>
      </span>
    </>
  );
  return (
    <li>
      {id === undefined ? (
        <div className={classes.finding}>{words}</div>
      ) : (
        <button type="button" className={classes.finding} title="Show the element" onClick={() => onShow(id)}>
          {words}
        </button>
      )}
    </li>
  );
}

/** What the linter finds, the worst first; pressing a finding selects its element and frames it. */
export function FindingsTab({ findings }: { findings: readonly Finding[] }) {
  const show = useShowElement();
  if (findings.length === 0)
    return (
      <Text size="sm" c="dimmed" p="sm">
        Nothing is wrong with this room.
      </Text>
    );
  const sorted = findings.toSorted((one, other) => ORDER.indexOf(one.severity) - ORDER.indexOf(other.severity));
  return (
    <ul className={classes.list} aria-label="Findings">
      {sorted.slice(0, MAX_SHOWN_FINDINGS).map((finding) => (
        <Item key={`${finding.code} ${finding.path} ${finding.message}`} finding={finding} onShow={show} />
      ))}
      {sorted.length > MAX_SHOWN_FINDINGS && (
        <li className={classes.more}>And {sorted.length - MAX_SHOWN_FINDINGS} more.</li>
      )}
    </ul>
  );
}
