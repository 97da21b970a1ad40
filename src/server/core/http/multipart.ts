import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiError } from '../../../contract/errors.ts';
import type { Arrival, MediaStore } from '../files/media-store.ts';
import type { Upload } from '../files/upload.ts';

/** A multipart request: its fields, and its file, still arriving or on disk. */
export interface Form {
  fields: Record<string, string>;
  file: Upload | undefined;
  /** Deletes the files stored for it. */
  discard(): Promise<void>;
}

/** Maximum characters of all form fields together. */
const MAX_FIELD_BYTES = 1024 * 1024;

/** Options for reading a form. */
interface FormReading {
  /** Fields that accept a file; files in other fields are rejected. */
  names: readonly string[];
  /** Schema of the other fields. */
  schema: z.ZodType;
  /** Stores a file until the fields after it have arrived. */
  media: MediaStore;
  /** Maximum size in bytes of a file stored this way. */
  most: number;
  /** Checks limits before such a file is written; returns a function to call when it is no longer needed. */
  admit(): Promise<() => void>;
}

/** Presents a stored file as an upload; it is opened when it is read. */
function uploadOf(name: string, { file }: Arrival): Upload {
  async function* content() {
    yield* createReadStream(file);
  }
  return { name, stream: Readable.from(content(), { objectMode: false }), truncated: () => false };
}

/** Whether a file is that of a field in which a browser's user chose none: without a name and content. */
async function isUnchosen({ filename, file }: { filename: string | undefined; file: Readable }): Promise<boolean> {
  // A truncated form destroys its file; reading it fails.
  if (filename || file.destroyed) return false;
  // An empty stream ends without ever being readable.
  if (file.readableLength === 0 && !file.readableEnded)
    await new Promise((resolve) => {
      for (const event of ['readable', 'end', 'error', 'close']) file.once(event, resolve);
    });
  if (file.readableLength > 0 || file.errored) return false;
  file.resume();
  return true;
}

/** Whether all fields of a call have arrived, so that the file can be streamed. */
function isComplete(schema: z.ZodType, fields: Record<string, string>): boolean {
  return Object.keys(shapeOf(schema)).every((name) => Object.hasOwn(fields, name));
}

/**
 * Reads a form. Fields may come before or after the file: if all fields come first, the handler streams the file;
 * otherwise the file is stored on disk until the form has ended.
 * @throws ApiError if the form is malformed, too large, or has an unexpected file
 */
export async function readForm(
  request: FastifyRequest,
  { names, schema, media, most, admit }: FormReading,
): Promise<Form> {
  if (!request.isMultipart()) throw new ApiError('wrong_type', 'Send the form as multipart/form-data.');
  const fields: Record<string, string> = {};
  let characters = 0;
  let waiting: { name: string; arrival: Arrival } | undefined;
  let leave = () => {};
  const discard = async () => {
    leave();
    if (waiting) await media.discard(waiting.arrival);
  };
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        const text = String(part.value);
        characters += text.length;
        if (part.valueTruncated || characters > MAX_FIELD_BYTES)
          throw new ApiError('too_large', { [part.fieldname]: ['This text is too long.'] });
        fields[part.fieldname] = text;
        continue;
      }
      if (!names.includes(part.fieldname)) {
        part.file.resume();
        throw new ApiError('unknown_field', { [part.fieldname]: ["A file can't be sent here."] });
      }
      if (await isUnchosen(part)) continue;
      // Only the first file counts.
      if (waiting) {
        part.file.resume();
        throw new ApiError('bad_request', { [part.fieldname]: ['Send one file.'] });
      }
      const name = part.filename ?? '';
      const upload = { name, stream: part.file, truncated: () => part.file.truncated };
      if (isComplete(schema, fields)) return { fields, file: upload, discard };
      try {
        leave = await admit();
      } catch (error) {
        part.file.resume();
        throw error;
      }
      waiting = { name, arrival: await media.receive(upload, { field: part.fieldname, most, mayBeEmpty: true }) };
    }
  } catch (error) {
    await discard();
    // Errors of the form parser have no code: a truncated form or missing boundary is the client's fault.
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (error instanceof ApiError || code?.startsWith('FST_') || syscall) throw error;
    throw new ApiError('bad_request', 'The form is truncated or damaged.');
  }
  return { fields, file: waiting && uploadOf(waiting.name, waiting.arrival), discard };
}

const unwrap = (schema: z.ZodType): z.ZodType =>
  'unwrap' in schema && typeof schema.unwrap === 'function' ? unwrap(schema.unwrap()) : schema;

function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  const form = unwrap(schema);
  if (!(form instanceof z.ZodObject)) throw new Error('Forms are supported for objects only.');
  return form.shape as Record<string, z.ZodType>;
}

/**
 * Converts form texts to the types in a schema: 0, 1, true and false to booleans, digits to numbers, empty to null.
 * Other texts stay as they are, for the schema to validate.
 */
export function readFields(fields: Record<string, string>, schema: z.ZodType): Record<string, unknown> {
  const shape = shapeOf(schema);
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => {
      const field = shape[name];
      if (!field) return [name, text];
      const type = unwrap(field).def.type;
      if (text === '' && type !== 'string') return [name, null];
      if (text === '' && field.safeParse(null).success) return [name, null];
      if (type === 'boolean') return [name, { '0': false, false: false, '1': true, true: true }[text] ?? text];
      if (type === 'number' && /^-?\d+(?:\.\d+)?$/.test(text)) return [name, Number(text)];
      return [name, text];
    }),
  );
}
