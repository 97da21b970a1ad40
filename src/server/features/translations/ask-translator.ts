import { z } from 'zod';
import { MAX_TRANSLATION } from '../../../../engine/document/translation-fields.ts';
import { ApiError } from '../../../contract/errors.ts';
import { readJson } from '../../core/read-json.ts';
import { openToken } from '../../core/secrets/seal-token.ts';
import type { Services } from '../../core/services.ts';
import { RefusedAddress } from '../../providers/address-guard.ts';
import { TooLarge } from '../../providers/read-capped.ts';
import { newMessageId, sealPlaceOf, signedHeaders } from '../webhooks/service.ts';

/** Maximum texts per request, and their size in bytes; a longer text is sent alone. */
const MAX_TEXTS = 100;
const MAX_BYTES = 100_000;
/** Maximum size of a response in bytes: several times that of a request. */
const MAX_RESPONSE_BYTES = 2_000_000;
/** Timeout of a request in milliseconds. */
const TIMEOUT = 20_000;

/** A text to translate. */
export interface SentText {
  id: string;
  text: string;
  format: 'plain' | 'html';
}

/** Texts into parts that each fit a request. */
export function batchesOf(texts: readonly SentText[]): SentText[][] {
  const batches: SentText[][] = [];
  let bytes = 0;
  for (const text of texts) {
    const size = Buffer.byteLength(text.text);
    if (batches.length === 0 || batches.at(-1)!.length === MAX_TEXTS || bytes + size > MAX_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)!.push(text);
    bytes += size;
  }
  return batches;
}

const answerSchema = z.object({
  translations: z.array(z.object({ id: z.string(), text: z.string().max(MAX_TRANSLATION) })).max(MAX_TEXTS),
});

const failed = (reason: string) => new ApiError('provider_failed', `Nothing was translated. ${reason}`);

function reasonOf(error: unknown): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof RefusedAddress) return "The webhook's URL doesn't resolve to a public IP address.";
    if (cause instanceof TooLarge) return "The webhook's response is larger than 2 MB.";
    if (cause.name === 'TimeoutError') return `The webhook's response timed out after ${TIMEOUT / 1000} seconds.`;
  }
  return "The webhook couldn't be reached.";
}

/** Reads a response. @throws ApiError provider_failed unless it translates exactly the sent texts */
async function readAnswer(response: Response, texts: readonly SentText[]): Promise<Map<string, string>> {
  if (!response.ok) throw failed(`The webhook returned status ${response.status}.`);
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(response.headers.get('content-type') ?? ''))
    throw failed("The webhook's response is not JSON.");
  const body = await response.text();
  let answer: z.output<typeof answerSchema>;
  try {
    answer = answerSchema.parse(readJson(body));
  } catch (error) {
    if (error instanceof SyntaxError) throw failed("The webhook's response is not valid JSON.");
    if (!(error instanceof z.ZodError)) throw error;
    const [{ path, message }] = error.issues as [z.core.$ZodIssue];
    throw failed(`The webhook's response is invalid at ${path.join('.') || 'its root'}: ${message}.`);
  }
  const wanted = new Set(texts.map(({ id }) => id));
  const translations = new Map<string, string>();
  for (const { id, text } of answer.translations) {
    if (!wanted.has(id)) throw failed("The webhook's response contains an ID that was not sent.");
    if (translations.has(id)) throw failed(`The webhook's response contains ${id} twice.`);
    translations.set(id, text);
  }
  const missing = texts.find(({ id }) => !translations.has(id));
  if (missing) throw failed(`The webhook's response lacks ${missing.id}.`);
  return translations;
}

/**
 * Has texts translated by an organization's webhook. The request is signed like those of other webhooks.
 * @param message languages as BCP 47 tags; the source is null if unknown. Texts that fit one request
 * @returns translations by id
 * @throws ApiError provider_failed
 */
export async function askTranslator(
  { settings, clock, outgoing }: Pick<Services, 'settings' | 'clock' | 'outgoing'>,
  { organization_id, url, sealed }: { organization_id: number; url: string; sealed: string },
  { source, target, texts }: { source: string | null; target: string; texts: readonly SentText[] },
): Promise<Map<string, string>> {
  const secret = await openToken(settings, sealPlaceOf(organization_id), sealed);
  if (secret === null) throw failed("The webhook's secret couldn't be decrypted. Replace it.");
  const body = JSON.stringify({ source_language: source, target_language: target, texts });
  const signed = signedHeaders(secret, { id: newMessageId(), seconds: Math.floor(clock.now() / 1000), body });
  const headers = {
    ...signed,
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'Enfilade',
  };
  const response = await outgoing.guarded
    .send(url, { method: 'POST', headers, body, most: MAX_RESPONSE_BYTES, time: TIMEOUT })
    .catch((error: unknown) => {
      throw failed(reasonOf(error));
    });
  return readAnswer(response, texts);
}
