import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ApiError } from '../../contract/errors.ts';
import type { Upload } from './handler.ts';

/** What a multipart request carries: fields that came before the file, and the file, still arriving. */
export interface Form {
  fields: Record<string, string>;
  file: Upload | undefined;
}

/**
 * Reads the fields of a form up to its file, which is left for the handler to read. Fields behind the file are not
 * seen: clients send the file last, as browsers do when it is appended last.
 * @param names fields in which a file may come; files elsewhere are refused
 */
export async function readForm(request: FastifyRequest, names: readonly string[]): Promise<Form> {
  if (!request.isMultipart()) throw new ApiError('wrong_type', 'Send the form as multipart/form-data.');
  const fields: Record<string, string> = {};
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        if (part.valueTruncated) throw new ApiError('too_large', { [part.fieldname]: ['This text is too long.'] });
        fields[part.fieldname] = String(part.value);
        continue;
      }
      if (!names.includes(part.fieldname)) {
        part.file.resume();
        throw new ApiError('unknown_field', { [part.fieldname]: ['A file can not be sent here.'] });
      }
      return { fields, file: { name: part.filename ?? '', stream: part.file, truncated: () => part.file.truncated } };
    }
  } catch (error) {
    // What the form parser throws has no code: a form that is cut off or has no boundary is the sender's fault.
    if (error instanceof ApiError || (error as { code?: string }).code?.startsWith('FST_')) throw error;
    throw new ApiError('bad_request', 'The form is cut off or damaged.');
  }
  return { fields, file: undefined };
}

const unwrap = (schema: z.ZodType): z.ZodType => {
  const inner = (schema as unknown as { unwrap?: () => z.ZodType }).unwrap;
  return inner ? unwrap(inner.call(schema)) : schema;
};

/**
 * Turns the texts of a form into the values that a schema asks for: 0, 1, true and false into booleans, digits into
 * numbers, nothing into null. Other texts stay as they are, for the schema to judge.
 */
export function readFields(fields: Record<string, string>, schema: z.ZodType): Record<string, unknown> {
  const { shape } = unwrap(schema) as unknown as { shape: Record<string, z.ZodType> };
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
