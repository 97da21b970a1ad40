/** An unsent message. */
export interface Draft {
  name: string;
  message: string;
  file: File | null;
}

const drafts = new Map<number, Draft>();

/** Draft of a feed, kept until sent, since dialogs close easily. */
export const messageDraftOf = (feedId: number): Draft => drafts.get(feedId) ?? { name: '', message: '', file: null };
export const keepDraft = (feedId: number, draft: Draft): void => void drafts.set(feedId, draft);
/** Keeps the visitor's name for the next message. */
export const forgetDraft = (feedId: number): void =>
  void drafts.set(feedId, { name: messageDraftOf(feedId).name, message: '', file: null });
