import PostalMime, { type Attachment } from 'postal-mime';

/** A mail server's report about an e-mail that it accepted. */
export interface DeliveryReport {
  /** `Message-ID` of that e-mail. */
  messageId: string;
  action: 'failed' | 'delayed' | 'delivered';
  /** The mail server's message, on one line. */
  text: string;
}

/** Bytes of a message that are read; the e-mail that it is about comes last and may be cut off. */
export const MAX_REPORT_BYTES = 262_144;

const LIMITS = { maxNestingDepth: 10, maxHeadersSize: 65_536, forceRfc822Attachments: true } as const;
/** Characters of a report that are stored. */
const EXCERPT_LENGTH = 500;

/** Delivery states by value of the field `Action` (RFC 3464, section 2.3.3). */
const ACTIONS: Record<string, DeliveryReport['action']> = {
  failed: 'failed',
  delayed: 'delayed',
  delivered: 'delivered',
  relayed: 'delivered',
  expanded: 'delivered',
};

const textOf = ({ content }: Attachment): string =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);

/** Fields of a block of header lines, by their names in lower case. The first of each name counts. */
function fieldsOf(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const text of block.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = text.indexOf(':');
    const name = text.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (name && !fields.has(name)) fields.set(name, text.slice(colon + 1).trim());
  }
  return fields;
}

/** A field such as `smtp; 550 No such user` without its type. */
const withoutType = (value = ''): string => value.replace(/^[\w-]+\s*;/, '').trim();

/**
 * Reads a delivery status notification (RFC 3464, in a report of RFC 6522).
 * @returns null for any other message, or if it doesn't name the e-mail
 */
export async function readDeliveryReport(source: Uint8Array): Promise<DeliveryReport | null> {
  const { attachments } = await PostalMime.parse(source, LIMITS).catch(() => ({ attachments: [] }));
  const status = attachments.find(({ mimeType }) => mimeType === 'message/delivery-status');
  const original = attachments.find(
    ({ mimeType }) => mimeType === 'message/rfc822' || mimeType === 'text/rfc822-headers',
  );
  if (!status || !original) return null;
  // Blocks of fields: one about the report, then one for each recipient.
  const recipients = textOf(status)
    .split(/\r?\n[ \t]*\r?\n/)
    .map(fieldsOf)
    .filter((fields) => fields.has('action'));
  const actionOf = (fields: Map<string, string>) => ACTIONS[fields.get('action')!.toLowerCase()];
  const fields = recipients.find((each) => actionOf(each) === 'failed') ?? recipients[0];
  const action = fields && actionOf(fields);
  const [head = ''] = textOf(original).split(/\r?\n[ \t]*\r?\n/);
  const messageId = /<[^<>\s]{1,500}>/.exec(fieldsOf(head).get('message-id') ?? '')?.[0];
  if (!action || !messageId) return null;
  const diagnostic = withoutType(fields.get('diagnostic-code')) || `Status ${fields.get('status') ?? 'unknown'}`;
  return {
    messageId,
    action,
    text: diagnostic
      .toWellFormed()
      .replace(/\p{Cc}+/gu, ' ')
      .slice(0, EXCERPT_LENGTH),
  };
}
