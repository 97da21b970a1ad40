import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { AwsClient } from 'aws4fetch';
import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import { ApiError } from '../../../contract/errors.ts';
import type { ServerSettings } from '../settings.ts';

/** Milliseconds that a file may take on its way to or from the bucket, and any other request. */
const FILE_TIME = 15 * 60 * 1000;
const REQUEST_TIME = 20_000;
/** Milliseconds in which a bucket shows that it is there. */
const CHECK_TIME = 5000;
/** How often a request is sent again that the storage could not answer. */
const RETRIES = 3;
/** Most characters that are read of an answer that names files: a thousand names of a thousand letters. */
const MAX_LIST_BYTES = 4_000_000;

/** A page of the names in a bucket, as ListObjectsV2 answers it. */
const pageSchema = z.object({
  ListBucketResult: z.object({
    Contents: z.array(z.object({ Key: z.string(), Size: z.coerce.number() })).default([]),
    NextContinuationToken: z.string().optional(),
  }),
});

const parser = new XMLParser({ isArray: (name) => name === 'Contents', parseTagValue: false });

/** A file in a bucket: its name, and its size in bytes. */
export interface StoredObject {
  key: string;
  bytes: number;
}

/** How the storage says that it does not do what it was asked; some say nothing. */
const refusalSchema = z
  .object({ Error: z.object({ Code: z.string().optional(), Message: z.string().optional() }) })
  .catch({ Error: {} });

const keyPathOf = (key: string): string => key.split('/').map(encodeURIComponent).join('/');

/** A storage that does not do what it was asked. The cause, for the log, says why. */
export class StorageFault extends ApiError {
  constructor(cause: unknown) {
    super('unavailable', 'The storage of files does not answer.');
    this.cause = cause;
  }
}

/** Told of each request to a bucket. */
type Hear = (operation: string, outcome: 'done' | 'failed', seconds: number) => void;

/** Where a bucket is, and what opens it. */
interface BucketAccess {
  /** Address of the bucket, without a slash at its end. */
  url: string;
  region: string;
  keyId: string;
  secret: string;
}

/** Files in S3-compatible storage, by name. It speaks the part of the S3 API that all such storages share. */
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

  /** Tells of every request from now on. */
  watch(hear: Hear): void {
    this.#listeners.push(hear);
  }

  /**
   * Asks whether the bucket is there, once and with little patience.
   * @throws ApiError unavailable when it is not
   */
  async check(): Promise<void> {
    await this.#send('?list-type=2&max-keys=1', {}, CHECK_TIME);
  }

  /**
   * Stores a file of this machine.
   * @param hash SHA-256 of its content, hexadecimal: the storage refuses what arrives damaged
   * @throws ApiError unavailable when the storage does not take it
   */
  async put(key: string, path: string, hash: string): Promise<void> {
    const headers = { 'x-amz-content-sha256': hash };
    await this.#send(keyPathOf(key), { method: 'PUT', body: await openAsBlob(path), headers }, FILE_TIME);
  }

  /**
   * Opens a stored file.
   * @returns null where there is none of that name
   * @throws ApiError unavailable when the storage does not answer
   */
  async get(key: string): Promise<Readable | null> {
    const { body } = (await this.#send(keyPathOf(key), {}, FILE_TIME)) ?? {};
    return body ? Readable.from(body) : null;
  }

  /** Removes a stored file; one that is not there is removed already. */
  async remove(key: string): Promise<void> {
    await this.#send(keyPathOf(key), { method: 'DELETE' });
  }

  /** Names of all stored files that begin with some letters, in the order of their letters. */
  async *list(prefix: string): AsyncGenerator<StoredObject> {
    let token: string | undefined;
    do {
      const query = new URLSearchParams({ 'list-type': '2', prefix, ...(token && { 'continuation-token': token }) });
      const answer = await this.#send(`?${query}`, {});
      const text = await answer!.text();
      if (text.length > MAX_LIST_BYTES) throw new StorageFault(new Error('A page of the list of files is too long.'));
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

  /** The answer; null where there is no such file. */
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

/** The bucket that the settings name; null where they name none. */
export function bucketOf(settings: ServerSettings): Bucket | null {
  const { S3_URL: url, S3_REGION: region, S3_ACCESS_KEY_ID: keyId, S3_SECRET_ACCESS_KEY: secret } = settings;
  return url && keyId && secret ? new Bucket({ url, region, keyId, secret }) : null;
}
