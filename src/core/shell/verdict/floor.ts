import { exactlyOneOf } from '../../text/alternatives';
import type { Effect, WriteEffect } from '../effects/effect';
import type { Place } from '../syntax/place';
import { holdsKeys, isRawDisk, isVital, vitalFiles } from './vitalPlaces';

// Actions that no mode and no rule allows without approval, because they destroy the machine or turn it off. Each one
// needs a person's consent.

/** Reasons that several judges give. */
export const losesVital = 'Deletes the system or a home folder.';
export const mayDestroyVital = 'May destroy the system or a home folder, which is only known when it runs.';
export const losesKeys = 'Deletes keys of an account, which nobody can create again.';
export const overwritesVitalFile = 'Overwrites a file that the machine needs to start.';

/** Returns why an effect is below the floor, or undefined if it is not. */
export function belowFloor(effect: Effect): string | undefined {
  switch (effect.kind) {
    case 'deletes':
      if (effect.mayBeRoot && !effect.script) return `Deletes the whole file system ${effect.mayBeRoot}.`;
      if (isVital(effect.place)) return losesVital;
      return isAbsolute(effect.place) && holdsKeys(effect.place.path) ? losesKeys : undefined;
    case 'writes':
      if (effect.place.path === '/proc/sysrq-trigger') return 'Turns the machine off.';
      if (isAbsolute(effect.place) && editsContent(effect)) return overwritesVitalFile;
      return isRawDisk(effect.place.path) ? 'Overwrites a disk.' : undefined;
    case 'other':
      return effect.floor ? effect.reason : undefined;
    default:
      return undefined;
  }
}

/** Returns whether a place has an absolute path. People may have opened a folder of the account as an additional one. */
const isAbsolute = ({ where, folder }: Place): boolean => where === 'outside' || folder !== undefined;

/** Programs that keep the content of what they write, or whose words tell whether they do. */
const mayKeepContent = exactlyOneOf(['tee touch chmod chown chgrp setfacl chattr setfattr']);

/** Returns whether a program changes a file that the machine needs: `sed -i`, `patch`, `sort -o`. */
const editsContent = ({ place, by }: WriteEffect): boolean =>
  by !== undefined && !place.glob && vitalFiles.test(place.path) && !mayKeepContent.test(by.name);

/** Returns why it is below the floor to replace the content of a file, or undefined if it is not. */
export const replacingBelowFloor = (path: string): string | undefined =>
  vitalFiles.test(path) ? overwritesVitalFile : undefined;

/** Records only those effects found by `judge` that are below the floor. For parts that are not fully understood. */
export function onlyBelowFloor<Recorder extends { readonly effects: Effect[] }>(
  scope: Recorder,
  judge: (inside: Recorder) => void,
): void {
  const effects: Effect[] = [];
  judge({ ...scope, effects });
  scope.effects.push(...effects.filter((effect) => belowFloor(effect) !== undefined));
}
