/** Editions of SCORM that packages exist for. */
export const SCORM_EDITIONS = ['1.2', '2004'] as const;
export type ScormEdition = (typeof SCORM_EDITIONS)[number];

/** When a learner has completed a room: on entering, after some minutes in it, or after opening some elements. */
export const COMPLETIONS = ['entered', 'minutes', 'opened'] as const;
export type Completion = (typeof COMPLETIONS)[number];

/** Maximum minutes, or elements, that completion asks for: the ids of opened elements fit in 4,096 characters. */
export const MAX_COMPLETION = 240;

/** Data of a package's page, in its only JSON script. */
export interface ScormData {
  /** URL of the embedded room. */
  room: string;
  title: string;
  edition: ScormEdition;
  completion: Completion;
  /** Minutes, or number of elements; without meaning for `entered`. */
  amount: number;
}
