import { DOCUMENT_VERSION } from './constants.ts';

type Json = Record<string, unknown>;

/** Lifts a document from `version` to `version + 1`. */
export interface Migration {
  version: number;
  lift(document: Json): Json;
}

/** Every step from the oldest known format to the current one, in order. */
export const migrations: Migration[] = [
  {
    // Documents written by hand or exported elsewhere carry no version; their fields are those of version 1.
    version: 0,
    lift: (document) => document,
  },
  {
    // Version 2 orders siblings by keys. A file says their order by its lists, from which reading makes keys.
    version: 1,
    lift: (document) => document,
  },
];

/** What is said of a document of a later version than this program knows; undefined for any other. */
export function newerVersion(input: unknown, known: number = DOCUMENT_VERSION): string | undefined {
  const version = typeof input === 'object' && input !== null ? (input as Json).version : undefined;
  if (!['number', 'string'].includes(typeof version) || !(Number(version) > known)) return undefined;
  return `This document has version ${version}; this program reads up to ${known}. Update Enfilade.`;
}

/**
 * Lifts a document to the current version. What is not an object, and a version that this code does not know, is
 * returned as it is, for the schema to refuse.
 * @param steps the list of migrations; the project's own unless a test brings another
 */
export function migrateDocument(input: unknown, steps = migrations, target: number = DOCUMENT_VERSION): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  let document = input as Json;
  let version = document.version === undefined ? 0 : document.version;
  if (typeof version !== 'number') return input;
  while (version < target) {
    const step = steps.find((candidate) => candidate.version === version);
    if (!step) return input;
    version++;
    document = { ...step.lift(document), version };
  }
  return document;
}
