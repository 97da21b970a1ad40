import type { z } from 'zod';
import { readJson } from '../../core/read-json.ts';

/** What JSON says, as a schema has it; null where it says something else. */
export function readJsonAs<S extends z.ZodType>(schema: S, text: string): z.output<S> | null {
  try {
    return schema.safeParse(readJson(text)).data ?? null;
  } catch {
    return null;
  }
}
