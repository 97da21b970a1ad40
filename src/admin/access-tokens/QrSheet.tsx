import { Button, Group, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { createPortal } from 'react-dom';
import type { AccessToken } from '../../contract/entities.ts';
import { tokenFragment } from '../../contract/token-link.ts';
import { numberText } from '../../ui/language/say.ts';
import { momentText } from '../../ui/moment-text.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { QrCode } from '../frame/QrCode.tsx';
import { countText } from '../stores/list-store.ts';
import classes from './qr-sheet.module.css';

/** Maximum number of cards: more make the page too slow to print. */
const MAX_CARDS = 1000;
/** Cards per A4 page. */
const PER_PAGE = 10;

/** When a token is valid, in words. */
function validityText({ valid_from, valid_till, valid_duration, first_used_at }: AccessToken): string {
  const from = valid_from && `From ${momentText(valid_from)}`;
  const till = valid_till && `${from ? 'until' : 'Until'} ${momentText(valid_till)}`;
  const minutes = valid_duration && first_used_at === null && `${valid_duration} minutes from first use`;
  return [[from, till].filter(Boolean).join(' '), minutes].filter(Boolean).join(', ');
}

function Card({ token }: { token: AccessToken }): ReactNode {
  const session = useSession();
  const { endpoint, holder_name, group } = token;
  return (
    <li className={classes.card}>
      <QrCode
        text={session.addressOf(endpoint.path + tokenFragment(token.token))}
        label={`QR code of ${token.token}`}
      />
      <div className={classes.facts}>
        {holder_name && <strong>{holder_name}</strong>}
        <span className={classes.structure}>{endpoint.name}</span>
        {group && <span>{group}</span>}
        <span className={classes.validity}>{validityText(token)}</span>
        <code>{token.token}</code>
      </div>
    </li>
  );
}

/** Cards with the QR codes of access tokens, to print on A4 and cut. Printing leaves out the rest of the page. */
export function QrSheet({ tokens, onClose }: { tokens: readonly AccessToken[]; onClose(): void }) {
  const cards = tokens.slice(0, MAX_CARDS);
  const pages = Array.from({ length: Math.ceil(cards.length / PER_PAGE) }, (_, page) =>
    cards.slice(page * PER_PAGE, (page + 1) * PER_PAGE),
  );
  useEffect(() => {
    const close = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [onClose]);
  return createPortal(
    <div className={classes.sheet} role="dialog" aria-label="QR codes to print">
      <Group className={classes.bar} justify="space-between">
        <Text size="sm">
          {countText(cards.length, 'tokens')} on {countText(pages.length, 'pages')}
          {tokens.length > MAX_CARDS && `, the first ${numberText(MAX_CARDS)} only`}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button leftSection={<IconPrinter size={18} aria-hidden />} onClick={() => print()}>
            Print
          </Button>
        </Group>
      </Group>
      {pages.map((page) => (
        <ul key={page[0]!.id} className={classes.page}>
          {page.map((token) => (
            <Card key={token.id} token={token} />
          ))}
        </ul>
      ))}
    </div>,
    document.body,
  );
}
