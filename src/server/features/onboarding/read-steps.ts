import { ONBOARDING_STEPS, type Onboarding, type OnboardingStep, type Policies } from '../../../contract/entities.ts';
import type { Database } from '../../core/db/database.ts';
import { demoIds } from './demo-parts.ts';

/** No id of anything: a list of ids to leave out must not be empty. */
const NONE = [0];

/** Who may do each of the steps, or see that it was done. */
const IS_OPEN: Record<OnboardingStep, (policies: Policies) => boolean> = {
  space: ({ rooms }) => rooms.create,
  edit: ({ rooms }) => rooms.update,
  address: ({ endpoints }) => endpoints.create,
  visit: ({ endpoints }) => endpoints.view_any,
  token: ({ access_tokens }) => access_tokens.create,
  colleague: ({ settings }) => settings.create,
};

/** The first steps that somebody may do, and which of them the organization has done, apart from the demo. */
export async function readSteps(
  db: Database,
  organizationId: number,
  policies: Policies,
): Promise<Onboarding['steps']> {
  const demo = await demoIds(db, organizationId);
  const structures = [...NONE, ...demo.structures];
  const spaces = [...NONE, ...demo.spaces];
  const owned = ['organization_id', '=', organizationId] as const;
  const settings = await db
    .selectFrom('organizations')
    .select('has_statistics')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const visits = (table: 'statistics_hours' | 'statistics_events') =>
    db
      .selectFrom(table)
      .select('id')
      .where(...owned)
      .where('kind', '=', 'visit')
      .where('endpoint_id', 'not in', structures)
      .limit(1);
  const found: Record<OnboardingStep, () => Promise<boolean>> = {
    space: () =>
      has(
        db
          .selectFrom('rooms')
          .select('id')
          .where(...owned)
          .where('id', 'not in', spaces)
          .limit(1),
      ),
    edit: () =>
      has(
        db
          .selectFrom('room_commands')
          .select('room_commands.id')
          .innerJoin('users', 'users.id', 'room_commands.user_id')
          .where('users.organization_id', '=', organizationId)
          .where('client', 'is not', null)
          .limit(1),
      ),
    address: () =>
      has(
        db
          .selectFrom('endpoints')
          .select('id')
          .where(...owned)
          .where('id', 'not in', structures)
          .where('room_id', 'is not', null)
          .limit(1),
      ),
    visit: async () => (await has(visits('statistics_hours'))) || (await has(visits('statistics_events'))),
    token: () =>
      has(
        db
          .selectFrom('access_tokens')
          .select('id')
          .where(...owned)
          .limit(1),
      ),
    colleague: () =>
      has(
        db
          .selectFrom('users')
          .select('id')
          .where(...owned)
          .offset(1)
          .limit(1),
      ),
  };
  const open = ONBOARDING_STEPS.filter(
    (name) => IS_OPEN[name](policies) && (name !== 'visit' || settings.has_statistics === 1),
  );
  const steps: Onboarding['steps'] = [];
  for (const name of open) steps.push({ name, is_done: await found[name]() });
  return steps;
}

const has = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined;
