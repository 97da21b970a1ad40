import { nearest } from '../../../engine/document/lint/nearest.ts';
import { settingsSchema } from './settings.ts';

/** Prefix that some programs give their settings; ours have none. */
const PREFIX = /^ENFILADE_/;
/** A setting's name in a variable, and its suffix if the value is in a file. */
const NAME = /^(?<name>\w+?)(?<suffix>_FILE)?$/;
/** Kubernetes sets variables such as ENFILADE_PORT for its services. */
const SERVICE = /^tcp:/;

/** Letters of a name that may differ: short names are too much like other programs' variables. */
const editsIn = ({ length }: string): number => (length >= 8 ? 2 : length >= 5 ? 1 : 0);

/** The setting of whose words some are missing, such as S3_SECRET_ACCESS_KEY for S3_SECRET_KEY. */
function longerName(name: string, known: readonly string[]): string | undefined {
  const words = name.split('_');
  if (words.length < 2) return undefined;
  return known.find((candidate) => {
    const all = candidate.split('_');
    return all[0] === words[0] && words.every((word) => all.includes(word));
  });
}

/** Variables of an environment that look like misspelled settings, each as a sentence. */
export function misspelledSettings(environment: Record<string, string | undefined>): string[] {
  const known = Object.keys(settingsSchema.shape);
  return Object.entries(environment).flatMap(([variable, value]) => {
    const { name, suffix = '' } = NAME.exec(variable.replace(PREFIX, ''))?.groups ?? {};
    if (!name || (known.includes(name) && !PREFIX.test(variable)) || SERVICE.test(value ?? '')) return [];
    const meant = PREFIX.test(variable)
      ? known.find((candidate) => candidate === name)
      : (longerName(name, known) ?? nearest(name, known, editsIn(name)));
    return meant ? [`${variable} is no setting and has no effect. Did you mean ${meant}${suffix}?`] : [];
  });
}
