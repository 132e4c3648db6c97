import { matchingRules, secretReads } from '../../../risk/pathRules';
import { exactlyOneOf } from '../../../text/alternatives';
import type { Judge } from '../../calls/manual';
import { flags, high, optionTable, readLeadingOptions, values } from '../../calls/options';
import type { Effect } from '../../effects/effect';
import { doubt, inner, note, refuse } from '../../effects/scope';
import type { Value } from '../../syntax/value';
import { judgeEffect } from '../../verdict/judgeEffect';

/**
 * Commands that run in a container or on a device. Read-only commands and the tests of the project need no approval.
 */

const intoContainer = optionTable([
  flags('-i -t -T --interactive --tty --no-TTY --rm --no-deps --quiet-pull'),
  values('-u --user -w --workdir --index'),
  high(flags('-d --privileged --detach'), values('-e --env --env-file')),
]);

/** Judges `docker exec app ls /srv`, `docker compose exec web npm test`. */
export const judgeInContainer: Judge = ({ name, words, scope, whole, manual }) => {
  const { options, rest } = readLeadingOptions(words, intoContainer, 'letters');
  for (const { option, culprit } of options) {
    if (!option || option.level === 'high')
      doubt(scope, culprit, `Uses an option of "${name}" that is not known to be safe.`);
  }
  const [container, ...command] = rest;
  const isNamed = container?.kind === 'literal' && /^[\w.-]+$/.test(container.text);
  if (!isNamed || !onlyReadsRemotely(command, scope)) refuse(scope, whole, manual.reason!);
  else note(scope, 'medium', whole, `Inspects the container ${container.text}.`);
  return 'done';
};

/** Device settings, and what is installed or running on the device. */
const deviceQueries = exactlyOneOf([
  /getprop(?: [\w.]+)?/,
  /pm list (?:packages|features|users)(?: [\w. -]+)?/,
  /dumpsys (?:battery|meminfo|activity|window|package|cpuinfo|gfxinfo|display)(?: [\w./-]+)*/,
  /wm (?:size|density)/,
  'date uptime df',
  /ps(?: -[A-Za-z]+)?/,
  /ls(?: -[A-Za-z]+)?(?: [\w/.-]+)?/,
  /settings (?:get|list) \w+(?: \w+)?/,
  /cat \/proc\/\w+/,
]);

/** Judges `adb shell getprop`. */
export const judgeDeviceShell: Judge = ({ words, scope, whole, manual }) => {
  const typedWords = words.map(({ text }) => text).join(' ');
  if (words.every(({ kind }) => kind === 'literal') && deviceQueries.test(typedWords))
    note(scope, 'medium', whole, 'Inspects a device.');
  else refuse(scope, whole, manual.reason!);
  return 'done';
};

/** Refuses `pio run -t upload`, which writes to a board. */
export const judgeNoUpload: Judge = ({ words, scope, whole }) => {
  const targets = words.filter((_, at) => /^(?:-t|--target)$/.test(words[at - 1]?.text ?? '')).map(({ text }) => text);
  const glued = words.flatMap(({ text }) => /^(?:-t|--target=)(\w.*)$/.exec(text)?.[1] ?? []);
  const isBuild = [...targets, ...glued].every((target) =>
    /^(?:clean|size|checkprogsize|compiledb|buildprog|menuconfig|envdump)$/.test(target),
  );
  if (!isBuild) refuse(scope, whole, 'Changes a device or software installed for it.');
  return undefined;
};

/** Returns whether a command only reads, given that its paths are on another machine. */
function onlyReadsRemotely(command: readonly Value[], scope: Parameters<Judge>[0]['scope']): boolean {
  if (command.length === 0 || !command.every(({ kind }) => kind === 'literal')) return false;
  const effects: Effect[] = [];
  // Nothing may be looked up on this disk.
  const { lookUp, linkTargets, protectedBelow, inGit, gitSettings, ...context } = scope.context;
  scope.analyser.judgeCall(
    command,
    { ...inner(scope), effects, cwd: '.', formerly: [], written: new Map(), variables: new Map(), context },
    {},
  );
  return effects.every((effect) => {
    switch (effect.kind) {
      case 'reads':
      case 'searches':
      case 'lists':
        return (
          effect.place.where !== 'unknown' &&
          !effect.place.glob &&
          matchingRules(effect.place.path, secretReads).length === 0
        );
      case 'writes':
      case 'deletes':
      case 'fetches':
        return false;
      default:
        return judgeEffect(effect).level !== 'high';
    }
  });
}
