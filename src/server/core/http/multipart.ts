import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiError } from '../../../contract/errors.ts';
import type { Arrival, MediaStore } from '../files/media-store.ts';
import type { Upload } from '../files/upload.ts';

/** What a multipart request carries: its fields, and its file, still arriving or on disk. */
export interface Form {
  fields: Record<string, string>;
  file: Upload | undefined;
  /** Removes the files that were stored for it. */
  discard(): Promise<void>;
}

/** Most characters of all fields of a form together. */
const MAX_FIELD_BYTES = 1024 * 1024;

/** How a form is read. */
interface FormReading {
  /** Fields in which a file may come; files elsewhere are refused. */
  names: readonly string[];
  /** What the call takes besides. */
  schema: z.ZodType;
  /** Where a file waits for the fields behind it. */
  media: MediaStore;
  /** Largest file in bytes that waits so. */
  most: number;
  /** Checks limits before a file is written that waits so; gives what is called when it no longer waits. */
  admit(): Promise<() => void>;
}

/** A file that has arrived, as one that is arriving. It is opened when it is read. */
function uploadOf(name: string, { file }: Arrival): Upload {
  async function* content() {
    yield* createReadStream(file);
  }
  return { name, stream: Readable.from(content(), { objectMode: false }), truncated: () => false };
}

/** Whether all fields of a call have come, so that none behind the file can be wanted. */
function isComplete(schema: z.ZodType, fields: Record<string, string>): boolean {
  return Object.keys(shapeOf(schema)).every((name) => Object.hasOwn(fields, name));
}

/**
 * Reads a form. Its fields may stand before or behind its file: the handler reads the file while it arrives where every
 * field of the call has come before it; otherwise the file waits on disk until the form has ended.
 * @throws ApiError when the form is damaged, too large, or has a file where none is taken
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
      // Further files of a form replace no earlier one.
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
    // What the form parser throws has no code: a form that is cut off or has no boundary is the sender's fault.
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (error instanceof ApiError || code?.startsWith('FST_') || syscall) throw error;
    throw new ApiError('bad_request', 'The form is cut off or damaged.');
  }
  return { fields, file: waiting && uploadOf(waiting.name, waiting.arrival), discard };
}

const unwrap = (schema: z.ZodType): z.ZodType =>
  'unwrap' in schema && typeof schema.unwrap === 'function' ? unwrap(schema.unwrap()) : schema;

function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  const form = unwrap(schema);
  if (!(form instanceof z.ZodObject)) throw new Error('Only objects come as forms.');
  return form.shape as Record<string, z.ZodType>;
}

/**
 * Turns the texts of a form into the values that a schema asks for: 0, 1, true and false into booleans, digits into
 * numbers, nothing into null. Other texts stay as they are, for the schema to judge.
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
