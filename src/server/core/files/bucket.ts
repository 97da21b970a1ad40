import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import { ApiError } from '../../../contract/errors.ts';
import type { ServerSettings } from '../settings.ts';

/** Timeouts in milliseconds of file transfers and of all other requests. */
const FILE_TIME = 15 * 60 * 1000;
const REQUEST_TIME = 20_000;
/** Timeout in milliseconds of the availability check. */
const CHECK_TIME = 5000;
/** Number of retries if the storage fails. */
const RETRIES = 3;
/** Maximum size of a list response in characters: a thousand names of a thousand characters. */
const MAX_LIST_BYTES = 4_000_000;

/** A page of names, in the response format of ListObjectsV2. */
const pageSchema = z.object({
  ListBucketResult: z.object({
    Contents: z.array(z.object({ Key: z.string(), Size: z.coerce.number() })).default([]),
    NextContinuationToken: z.string().optional(),
  }),
});

const parser = new XMLParser({ isArray: (name) => name === 'Contents', parseTagValue: false });

/** A file in a bucket: name and size in bytes. */
export interface StoredObject {
  key: string;
  bytes: number;
}

/** S3 error response; some storages send none. */
const refusalSchema = z
  .object({ Error: z.object({ Code: z.string().optional(), Message: z.string().optional() }) })
  .catch({ Error: {} });

const keyPathOf = (key: string): string => key.split('/').map(encodeURIComponent).join('/');

/** The storage failed or refused a request. The cause is for the log. */
export class StorageFault extends ApiError {
  constructor(cause: unknown) {
    super('unavailable', "The object storage can't be reached.");
    this.cause = cause;
  }
}

/** Called after each bucket request. */
type Hear = (operation: string, outcome: 'done' | 'failed', seconds: number) => void;

/** URL and credentials of a bucket. */
interface BucketAccess {
  /** Bucket URL without trailing slash. */
  url: string;
  region: string;
  keyId: string;
  secret: string;
}

/** Files in S3-compatible storage, by name. Uses only the part of the S3 API that all such storages support. */
export class Bucket {
  readonly #client: AwsClient;
  readonly #url: string;
  readonly #listeners: Hear[] = [];

  constructor({ url, region, keyId, secret }: BucketAccess) {
    this.#url = url;
    this.#client = new AwsClient({
      accessKeyId: keyId,
      secretAccessKey: secret,
      region,
      service: 's3',
      retries: RETRIES,
    });
  }

  /** Reports every request from now on. */
  watch(hear: Hear): void {
    this.#listeners.push(hear);
  }

  /**
   * Checks once that the bucket responds, with a short timeout.
   * @throws ApiError unavailable if it doesn't
   */
  async check(): Promise<void> {
    await this.#send('?list-type=2&max-keys=1', {}, CHECK_TIME);
  }

  /**
   * Uploads a local file.
   * @param hash SHA-256 of its content, hexadecimal: the storage rejects damaged uploads
   * @throws ApiError unavailable if the storage fails
   */
  async put(key: string, path: string, hash: string): Promise<void> {
    const headers = { 'x-amz-content-sha256': hash };
    await this.#send(keyPathOf(key), { method: 'PUT', body: await openAsBlob(path), headers }, FILE_TIME);
  }

  /**
   * Opens a stored file.
   * @returns null if it doesn't exist
   * @throws ApiError unavailable if the storage fails
   */
  async get(key: string): Promise<Readable | null> {
    const { body } = (await this.#send(keyPathOf(key), {}, FILE_TIME)) ?? {};
    return body ? Readable.from(body) : null;
  }

  /** Deletes a stored file; a missing one is fine. */
  async remove(key: string): Promise<void> {
    await this.#send(keyPathOf(key), { method: 'DELETE' });
  }

  /** Lists all files with a prefix, in lexicographic order. */
  async *list(prefix: string): AsyncGenerator<StoredObject> {
    let token: string | undefined;
    do {
      const query = new URLSearchParams({ 'list-type': '2', prefix, ...(token && { 'continuation-token': token }) });
      const answer = await this.#send(`?${query}`, {});
      const text = await answer!.text();
      if (text.length > MAX_LIST_BYTES) throw new StorageFault(new Error("The bucket's file list is too long."));
      const { ListBucketResult: page } = pageSchema.parse(parser.parse(text));
      for (const { Key, Size } of page.Contents) yield { key: Key, bytes: Size };
      token = page.NextContinuationToken;
    } while (token);
  }

  async #send(path: string, init: RequestInit, time = REQUEST_TIME): Promise<Response | null> {
    const begun = performance.now();
    const operation = path.startsWith('?') ? 'LIST' : (init.method ?? 'GET');
    const tell = (outcome: 'done' | 'failed') => {
      for (const hear of this.#listeners) hear(operation, outcome, (performance.now() - begun) / 1000);
    };
    try {
      const answer = await this.#ask(path, init, time);
      tell('done');
      return answer;
    } catch (error) {
      tell('failed');
      throw error;
    }
  }

  /** The response; null if the file doesn't exist. */
  async #ask(path: string, init: RequestInit, time: number): Promise<Response | null> {
    try {
      const address = `${this.#url}/${path}`;
      const answer = await this.#client.fetch(address, { ...init, signal: AbortSignal.timeout(time) });
      if (answer.ok) return answer;
      const text = (await answer.text()).slice(0, MAX_LIST_BYTES);
      const { Code, Message } = refusalSchema.parse(parser.parse(text)).Error;
      if (answer.status === 404 && Code !== 'NoSuchBucket') return null;
      throw new Error([`HTTP ${answer.status}`, Code, Message].filter(Boolean).join(', '));
    } catch (error) {
      throw new StorageFault(error);
    }
  }
}

/** The configured bucket; null if there is none. */
export function bucketOf(settings: ServerSettings): Bucket | null {
  const { S3_URL: url, S3_REGION: region, S3_ACCESS_KEY_ID: keyId, S3_SECRET_ACCESS_KEY: secret } = settings;
  return url && keyId && secret ? new Bucket({ url, region, keyId, secret }) : null;
}
