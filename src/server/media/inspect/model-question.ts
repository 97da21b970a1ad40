/** What the worker is asked: a model file, and the folder outside which it must not read. */
export interface ModelQuestion {
  file: string;
  folder: string;
  /** Whether the file stands alone, so that a missing neighbour can be explained. */
  alone: boolean;
}

/** What it answers: why the model can't be used, or what is in it. */
export type ModelAnswer = { refusal: string } | { details: Record<string, unknown> };
