import { DOCUMENT_VERSION } from './constants.ts';

type Json = Record<string, unknown>;

/** Upgrades a document from `version` to `version + 1`. */
export interface Migration {
  version: number;
  lift(document: Json): Json;
}

/** All migrations, oldest first. */
export const migrations: Migration[] = [
  {
    // Documents without a version, written by hand or by other tools, have the fields of version 1.
    version: 0,
    lift: (document) => document,
  },
  {
    // Version 2 orders siblings by keys. In files, the order of the arrays defines the order; parsing generates the keys.
    version: 1,
    lift: (document) => document,
  },
];

/** Error message for a document newer than this program; undefined for any other. */
export function newerVersion(input: unknown, known: number = DOCUMENT_VERSION): string | undefined {
  const version = typeof input === 'object' && input !== null ? (input as Json).version : undefined;
  if (!['number', 'string'].includes(typeof version) || !(Number(version) > known)) return undefined;
  return `This document has format version ${version}, but this program supports up to ${known}. Update Enfilade.`;
}

/**
 * Upgrades a document to the current version. Non-objects and unknown versions are returned unchanged, for the schema to
 * reject.
 * @param steps migrations; tests pass their own
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
