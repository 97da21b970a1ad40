import { type Moderation, NO_MODERATION } from '../../../contract/entities.ts';

/** Which of what visitors share into a feed waits, and who is told. */
export const moderationOf = ({ moderation }: { moderation: string }): Moderation => ({
  ...NO_MODERATION,
  ...JSON.parse(moderation),
});
