import type { Rule } from './finding.ts';
import { lightCount, lightRange } from './light-rules.ts';
import { deadLinks, dialogWithoutTitle, lightTargets } from './link-rules.ts';
import {
  meshSelectorWithoutModel,
  missingFile,
  panoramaWithoutAlternative,
  proximityDistanceZero,
  templateWithoutFile,
  withoutAlternative,
  withoutTranscript,
} from './media-rules.ts';
import { cameraOutsideRoom, emptyPanRange, fogRange, outsideRoom, zeroScale } from './place-rules.ts';
import { popupNeverOpens, startPopupEmpty, timedPopupEmpty } from './popup-rules.ts';
import {
  childrenInNonGroup,
  duplicateId,
  feedWithoutFeed,
  orderRankTwice,
  sliderWithoutChildren,
  tooManyElements,
} from './structure-rules.ts';
import {
  emptyWindow,
  mediaLongerThanWindow,
  skippedByClockChange,
  timedElementInUntimedRoom,
  timerInUntimedRoom,
} from './time-rules.ts';
import { danglingPlaces, missingHeading, oneWayDoor, placeWithoutName, unreachablePlace } from './tour-rules.ts';

/** All rules, in the order of their findings. */
export const rules: readonly Rule[] = [
  duplicateId,
  childrenInNonGroup,
  tooManyElements,
  feedWithoutFeed,
  sliderWithoutChildren,
  orderRankTwice,
  emptyWindow,
  mediaLongerThanWindow,
  skippedByClockChange,
  timedElementInUntimedRoom,
  timerInUntimedRoom,
  startPopupEmpty,
  popupNeverOpens,
  timedPopupEmpty,
  deadLinks,
  dialogWithoutTitle,
  lightTargets,
  danglingPlaces,
  unreachablePlace,
  oneWayDoor,
  placeWithoutName,
  missingHeading,
  missingFile,
  templateWithoutFile,
  meshSelectorWithoutModel,
  withoutAlternative,
  panoramaWithoutAlternative,
  withoutTranscript,
  proximityDistanceZero,
  lightRange,
  lightCount,
  outsideRoom,
  cameraOutsideRoom,
  emptyPanRange,
  fogRange,
  zeroScale,
];
