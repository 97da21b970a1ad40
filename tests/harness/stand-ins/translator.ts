import { createHmac } from 'node:crypto';
import { type Reply, type Seen, StandIn } from './stand-in.ts';

/** Body of a request to a translation webhook. */
interface Texts {
  source_language: string | null;
  target_language: string;
  texts: { id: string; text: string; format: 'plain' | 'html' }[];
}

/** A machine translation that writes texts in capitals, outside of tags and entities. It verifies the documented signature. */
export class Translator extends StandIn {
  secret = '';
  /** Replaces the response. */
  reply: ((texts: Texts, seen: Seen) => Reply) | null = null;

  static translated = (text: string): string =>
    text.replace(/<[^>]*>|&\w+;|\p{L}+/gu, (run) => (/^[<&]/.test(run) ? run : run.toUpperCase()));

  protected override error(status: number): Reply {
    return { status };
  }

  protected override answer(seen: Seen): Reply {
    const { headers, body, json } = seen;
    const key = Buffer.from(this.secret.replace('whsec_', ''), 'base64');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    if (headers['webhook-signature'] !== `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
      return this.refuse('The signature is wrong.');
    const sent = json as Texts;
    if (this.reply) return this.reply(sent, seen);
    return { json: { translations: sent.texts.map(({ id, text }) => ({ id, text: Translator.translated(text) })) } };
  }
}
