import { z } from 'zod';
import { cameraSchema } from '../../engine/document/camera.ts';
import { elementSchema, flatElementSchema } from '../../engine/document/element.ts';
import { alternativeFields, sharedConfig, spokenFields } from '../../engine/document/element-base.ts';
import { fileReference, hexColor, href, id, panoramaPart, vector } from '../../engine/document/fields.ts';
import { linkSchema, navigationSchema } from '../../engine/document/navigation.ts';
import { roomSchema } from '../../engine/document/room.ts';
import { realtimeFields, roomConfigSchema } from '../../engine/document/room-config.ts';
import { templateSchema, templateTranslations } from '../../engine/document/template.ts';
import {
  textTranslationsSchema,
  translationSchema,
  translationsSchema,
} from '../../engine/document/translation-fields.ts';
import { videoModuleSchema } from '../../engine/document/video-module.ts';
import { accessTokens } from './calls/access-tokens.ts';
import { bulk } from './calls/bulk.ts';
import { endpointItem, givenRights } from './calls/imports.ts';
import { media } from './calls/media.ts';
import { rooms } from './calls/rooms.ts';
import { confirmation } from './calls/second-factor.ts';
import { templateConfigEdit } from './calls/templates.ts';
import { tours } from './calls/tours.ts';
import { translationExport } from './calls/translations.ts';
import { webhooks } from './calls/webhooks.ts';
import {
  accessTokenSchema,
  adminRoomSchema,
  adminTemplateSchema,
  apiKeySchema,
  authorSchema,
  blockContentSchema,
  blockPlaceSchema,
  blockSchema,
  bulkJobSchema,
  changeSchema,
  checkInLinkSchema,
  editorName,
  elementRowSchema,
  endpointSchema,
  entryPolicies,
  feedItemSchema,
  feedSchema,
  folderSchema,
  guestSchema,
  iiifWorkSchema,
  importJobSchema,
  importPlanSchema,
  importReportSchema,
  importSwitches,
  importTableSchema,
  liveStreamSchema,
  mailingEmailSchema,
  mailingFilter,
  mailingSchema,
  mailingSelection,
  mailSettingsSchema,
  mailTestSchema,
  mediaFolderSchema,
  mediaSchema,
  memberLimitsSchema,
  memberSchema,
  moduleSchema,
  moduleStreamSchema,
  organizationSchema,
  ownTextsSchema,
  passkeySchema,
  platformSchema,
  policiesSchema,
  posterSchema,
  proposalReviewSchema,
  proposalSchema,
  proposedChangeSchema,
  publicationEntrySchema,
  publicationSchema,
  publicEndpointRowSchema,
  publicEndpointSchema,
  publicRoomSchema,
  revisionSchema,
  rightsSchema,
  roomRowSchema,
  settingsSchema,
  shareSchema,
  signInSettingsSchema,
  siteProblemSchema,
  siteProblemsSchema,
  stamp,
  structureTranslations,
  textsByKey,
  translationPlanSchema,
  userSchema,
  webhookDeliverySchema,
  webhookSchema,
} from './entities.ts';
import { idText, listQuery, moment } from './inputs.ts';

export type Json = Record<string, unknown>;

/** Side of a schema: request or response. */
export type Side = 'input' | 'output';

const { search, page, per_page } = listQuery.shape;

const token = accessTokens.create.body.shape;

const named = {
  Search: search,
  IdText: idText,
  Id: id,
  Page: page,
  PerPage: per_page,
  Address: href,
  Moment: moment,
  Vector: vector,
  Color: hexColor,
  Camera: cameraSchema.unwrap(),
  TemplateConfigEdit: templateConfigEdit,
  FileReference: fileReference,
  PanoramaPart: panoramaPart,
  Poster: posterSchema,
  EditorName: editorName,
  Webhook: webhookSchema,
  WebhookDelivery: webhookDeliverySchema,
  NewWebhook: webhooks.create.output,
  Passkey: passkeySchema,
  Confirmation: confirmation,
  PlatformAccount: platformSchema,
  BulkJob: bulkJobSchema,
  Share: shareSchema,
  SignInSettings: signInSettingsSchema,
  Version: stamp,
  Navigation: navigationSchema.unwrap(),
  Link: linkSchema,
  Translations: translationsSchema,
  Translation: translationSchema,
  SourceHash: translationSchema.shape.source,
  TextTranslations: textTranslationsSchema,
  TranslationPlan: translationPlanSchema,
  VideoModule: videoModuleSchema,
  RoomConfig: roomConfigSchema.unwrap(),
  RoomConfigEdit: rooms.update.body.shape.config.unwrap(),
  Realtime: realtimeFields.realtime,
  ProximitySensor: sharedConfig.proximity_sensor,
  ProximityAudio: sharedConfig.proximity_sensor_audio_only,
  ProximityDistance: sharedConfig.proximity_sensor_distance,
  Timed: sharedConfig.timed,
  TimedDrift: sharedConfig.timed_max_out_of_sync,
  Alternative: alternativeFields.alt,
  LongDescription: alternativeFields.long_description,
  Transcript: spokenFields.transcript,
  MarkerModel: realtimeFields.realtime_file_url,
  MarkerScale: realtimeFields.realtime_scale,
  MarkerTurn: realtimeFields.realtime_rotate,
  RoomDocument: roomSchema,
  TemplateDocument: templateSchema,
  TemplateTranslations: templateTranslations,
  StructureTranslations: structureTranslations,
  TemplateConfig: templateSchema.shape.config.unwrap(),
  FlatElement: flatElementSchema,
  Element: elementSchema,
  Room: adminRoomSchema,
  RoomRow: roomRowSchema,
  PublicRoom: publicRoomSchema,
  Block: blockSchema,
  BlockContent: blockContentSchema,
  BlockPlace: blockPlaceSchema,
  ElementRow: elementRowSchema,
  Template: adminTemplateSchema,
  Revision: revisionSchema,
  Proposal: proposalSchema,
  ProposedChange: proposedChangeSchema,
  ProposalReview: proposalReviewSchema,
  PublicationEntry: publicationEntrySchema,
  Publication: publicationSchema,
  Endpoint: endpointSchema,
  EndpointItem: endpointItem,
  PublicEndpointRow: publicEndpointRowSchema,
  PublicEndpoint: publicEndpointSchema,
  EntryPolicies: entryPolicies,
  Rights: rightsSchema,
  GivenRights: givenRights,
  OwnTexts: ownTextsSchema,
  TextsByKey: textsByKey,
  Policies: policiesSchema,
  User: userSchema,
  Settings: settingsSchema,
  SiteProblem: siteProblemSchema,
  SiteProblems: siteProblemsSchema,
  Media: mediaSchema,
  MediaPage: media.list.output,
  TranslationLanguage: translationExport.shape.language,
  AccessToken: accessTokenSchema,
  HolderName: token.holder_name,
  HolderEmail: token.holder_email,
  TokenGroup: token.group,
  TokenNote: token.note,
  ValidFrom: token.valid_from,
  ValidTill: token.valid_till,
  ValidDuration: token.valid_duration,
  DurationAlias: token.duration,
  BulkRequest: bulk.effects.body,
  AccessTokenChanges: bulk.effects.body.shape.fields.unwrap(),
  CheckInLink: checkInLinkSchema,
  Guest: guestSchema,
  IiifWork: iiifWorkSchema,
  TourStructure: tours.create.body.shape.endpoint.unwrap(),
  ImportMode: importSwitches.mode,
  DryRun: importSwitches.dry_run,
  Prune: importSwitches.prune,
  ImportReport: importReportSchema,
  ImportTable: importTableSchema,
  ImportPlan: importPlanSchema,
  ImportJob: importJobSchema,
  Organization: organizationSchema,
  Module: moduleSchema,
  Member: memberSchema,
  MemberLimits: memberLimitsSchema.unwrap(),
  Folder: folderSchema,
  MediaFolder: mediaFolderSchema,
  ApiKey: apiKeySchema,
  Author: authorSchema,
  Change: changeSchema,
  Mailing: mailingSchema,
  MailingSubject: mailingSchema.shape.subject,
  MailingText: mailingSchema.shape.text,
  MailingFilter: mailingFilter,
  MailingSelection: mailingSelection,
  MailingEmail: mailingEmailSchema,
  MailTest: mailTestSchema,
  MailSettings: mailSettingsSchema,
  LiveStream: liveStreamSchema,
  ModuleStream: moduleStreamSchema,
  Feed: feedSchema,
  FeedItem: feedItemSchema,
} satisfies Record<string, z.ZodType>;

/** Converts snake case to Pascal case, for component names. */
export const pascal = (name: string) => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Schemas that become components, referenced by name. */
function namedSchemas(): Map<string, z.ZodType> {
  const schemas = new Map<string, z.ZodType>(Object.entries(named));
  for (const { shape } of flatElementSchema.options)
    schemas.set(`${pascal(shape.element.value)}Config`, shape.config.unwrap() as z.ZodType);
  return schemas;
}

/** A `oneOf` of object schemas in JSON Schema. */
type OneOf = { oneOf: [ObjectSchema, ...ObjectSchema[]] };
type ObjectSchema = { properties: Json; required?: string[]; type: string };

/**
 * Extracts the fields common to all element types, so that the document contains them once.
 * @returns the types without the common fields, and those fields
 */
function shareFields(union: OneOf, reference: string): { types: Json; fields: Json } {
  const [first, ...others] = union.oneOf;
  const same = (name: string) => {
    const text = JSON.stringify(first.properties[name]);
    return others.every(({ properties }) => JSON.stringify(properties[name]) === text);
  };
  const names = new Set(Object.keys(first.properties).filter(same));
  const split = ({ properties, required = [], ...rest }: ObjectSchema, isShared: boolean) => ({
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => names.has(name) === isShared)),
    required: required.filter((name) => names.has(name) === isShared),
  });
  const types = union.oneOf.map((option) => ({ allOf: [{ $ref: reference }, split(option, false)] }));
  return { types: { ...union, oneOf: types }, fields: split(first, true) };
}

/**
 * Converts zod schemas to JSON Schema with references to components.
 * @param wanted schemas by the caller's keys
 * @returns the JSON schemas by those keys, and the components they need, by name
 */
export function convertSchemas(
  wanted: ReadonlyMap<string, z.ZodType>,
  side: Side,
): { schemas: Map<string, Json>; components: Record<string, Json> } {
  const suffix = side === 'input' ? 'Input' : '';
  const registry = z.registry<{ id: string }>();
  const components = new Map([...namedSchemas()].map(([name, schema]) => [name + suffix, schema]));
  for (const [id, schema] of components) registry.add(schema, { id });
  // A schema can occur several times or be a component itself, so each gets a wrapper.
  const shells = new Map([...wanted].map(([key, schema]) => [`call:${key}`, z.object({ it: schema })]));
  for (const [id, shell] of shells) registry.add(shell, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: side,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      // Responses may gain fields later, and several schemas can describe parts of one response.
      if (side === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Every integer of a response is a safe one.
      if (side === 'output' && jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (side === 'output' && jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const clean = ({ $schema, $id, ...schema }: Json): Json => schema;
  const shared = (schemas.__shared as { $defs?: Record<string, Json> } | undefined)?.$defs ?? {};
  const all = {
    ...Object.fromEntries([...components.keys()].map((id) => [id, clean(schemas[id] as Json)])),
    ...shared,
  };
  const { types, fields } = shareFields(
    all[`FlatElement${suffix}`] as OneOf,
    `#/components/schemas/ElementFields${suffix}`,
  );
  all[`FlatElement${suffix}`] = types;
  all[`ElementFields${suffix}`] = fields;
  const children = { type: 'array', items: { $ref: `#/components/schemas/Element${suffix}` } };
  all[`Element${suffix}`] = {
    allOf: [{ $ref: `#/components/schemas/FlatElement${suffix}` }, { type: 'object', properties: { children } }],
  };
  const results = [...wanted.keys()].map((key): [string, Json] => [
    key,
    schemas[`call:${key}`]?.properties?.it as Json,
  ]);
  return { schemas: new Map(results), components: all };
}
