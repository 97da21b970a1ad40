import type { z } from 'zod';
import { readJson } from '../../core/read-json.ts';

/** Parses JSON with a schema; null if it is invalid. */
export function readJsonAs<S extends z.ZodType>(schema: S, text: string): z.output<S> | null {
  try {
    return schema.safeParse(readJson(text)).data ?? null;
  } catch {
    return null;
  }
}
