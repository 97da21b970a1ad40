import { createHash, createHmac } from 'node:crypto';
import { type Reply, type Seen, StandIn } from './stand-in.ts';

/** Names per page of a list; real services return a thousand. */
const PAGE = 2;

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();
const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * S3-compatible storage with one bucket. Objects are put, read, listed and removed by requests signed with Signature
 * Version 4, implemented independently here from AWS's description ("Authenticating Requests: Using the Authorization
 * Header").
 */
export class S3StandIn extends StandIn {
  readonly objects = new Map<string, Buffer>();
  readonly region = 'eu-central-1';
  readonly keyId = 'AKIDEXAMPLE';
  readonly secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';

  /** Settings of a server for this storage. */
  get settings() {
    return {
      S3_URL: `${this.url}/rooms`,
      S3_REGION: this.region,
      S3_ACCESS_KEY_ID: this.keyId,
      S3_SECRET_ACCESS_KEY: this.secret,
    };
  }

  protected override error(status: number, reason: string, words: string): Reply {
    const json = `<?xml version="1.0"?><Error><Code>${reason}</Code><Message>${escaped(words)}</Message></Error>`;
    return { status, headers: { 'content-type': 'application/xml' }, json };
  }

  #signatureOf({ method, path, query, headers }: Seen, signed: string, scope: string): string {
    const search = Object.entries(query)
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&');
    const lines = signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
    const address = path.split('/').map((part) => encoded(decodeURIComponent(part)));
    const content = String(headers['x-amz-content-sha256']);
    const canonical = [method, address.join('/'), search, lines.join(''), signed, content].join('\n');
    const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
    const key = scope.split('/').reduce((from: Buffer | string, part) => hmac(from, part), `AWS4${this.secret}`);
    return hmac(key, text).toString('hex');
  }

  /** The error response to an invalid request; null if it is valid. */
  #refusal(seen: Seen): Reply | null {
    const form = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/;
    const [, keyId, scope, signed, signature] = form.exec(seen.headers.authorization ?? '') ?? [];
    if (!scope || !signed) return this.refuse('The request is not signed.');
    if (keyId !== this.keyId) return this.error(403, 'InvalidAccessKeyId', 'The key is not known.');
    if (!scope.endsWith(`/${this.region}/s3/aws4_request`)) return this.refuse('The scope is wrong.');
    for (const name of ['host', 'x-amz-date', 'x-amz-content-sha256'])
      if (!signed.split(';').includes(name)) return this.refuse(`${name} is not signed.`);
    if (this.#signatureOf(seen, signed, scope) !== signature)
      return this.error(403, 'SignatureDoesNotMatch', 'The signature is wrong.');
    const content = seen.headers['x-amz-content-sha256'];
    if (content !== 'UNSIGNED-PAYLOAD' && content !== sha256(seen.body))
      return this.error(400, 'XAmzContentSHA256Mismatch', 'The content is not what was signed.');
    return null;
  }

  #list({ prefix = '', 'continuation-token': token = '', 'list-type': type }: Record<string, string>): Reply {
    if (type !== '2') return this.refuse('Only the second kind of list is known.');
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > token).sort();
    const page = keys.slice(0, PAGE);
    const contents = page.map(
      (key) => `<Contents><Key>${escaped(key)}</Key><Size>${this.objects.get(key)!.length}</Size></Contents>`,
    );
    const next = keys.length > PAGE && `<NextContinuationToken>${escaped(page.at(-1)!)}</NextContinuationToken>`;
    const xml = `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${next || ''}<IsTruncated>${Boolean(next)}</IsTruncated>${contents.join('')}</ListBucketResult>`;
    return { headers: { 'content-type': 'application/xml' }, json: xml };
  }

  protected override answer(seen: Seen): Reply {
    const refusal = this.#refusal(seen);
    if (refusal) return refusal;
    const [, bucket, ...parts] = seen.path.split('/').map(decodeURIComponent);
    if (bucket !== 'rooms') return this.error(404, 'NoSuchBucket', 'The bucket does not exist.');
    const key = parts.join('/');
    if (seen.method === 'PUT') this.objects.set(key, seen.body);
    if (seen.method === 'DELETE') this.objects.delete(key);
    if (seen.method !== 'GET') return { status: seen.method === 'DELETE' ? 204 : 200 };
    if (!key) return this.#list(seen.query);
    const object = this.objects.get(key);
    return object ? { json: object } : this.error(404, 'NoSuchKey', 'The key does not exist.');
  }
}
