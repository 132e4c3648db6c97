import { anyOf, sequence } from '../../text/alternatives';
import type { DeleteEffect, Effect, WriteEffect } from '../effects/effect';
import { isRawDisk, isVitalFolder } from '../verdict/vitalPlaces';

// Commands in a text that no grammar reads: `rg --pre 'rm -rf ~'`, `m4 <<< 'syscmd(rm -rf /)'`. Only for a search for
// what every mode asks about.

/** Programs whose own files a container has, and those whose code `codeFloor.ts` reads. */
const isReadElsewhere = /^(?:docker|podman|nerdctl|buildah|python[\d.]*|node|ruby|perl|php|deno|bun)$/;

/** Returns whether it is unknown what an effect does. */
export function isNotUnderstood(effect: Effect): boolean {
  if (effect.kind === 'writes' || effect.kind === 'deletes') return effect.place.where === 'unknown';
  return effect.kind === 'other' && effect.level === 'high' && !isReadElsewhere.test(effect.by?.name ?? '');
}

/** A program that can destroy the machine, and where its words begin. */
const destroyer = sequence(
  [
    /(?<![\w$.-])/,
    anyOf(['rm rmdir shred find dd mv chmod chown rsync wipefs truncate rd del', /mkfs[.\w]{0,9}/]),
    /(?=[ \t])/,
  ],
  'g',
);
/** Ends a command. A quotation mark after a word closes the text that contains the command. */
const endOfCommand = /[;&|\n)}`]|(?<=[^\s\\])\\?['"]/;
const maxCommands = 40;
const maxCommandLength = 300;

/** Returns the commands in a text that can destroy the machine, without quotation marks. */
export function commandsWithin(text: string): string[] {
  const plain = withoutMessages(text)
    .replace(/\\[nt0](?=\w)/g, ' ')
    .replace(/[!?*+@]\([^()\n]{0,100}\)/g, '*');
  const found = [...plain.matchAll(destroyer)].slice(0, maxCommands).map(({ index }) => {
    const rest = plain.slice(index, index + maxCommandLength);
    const end = rest.search(endOfCommand);
    return (end < 0 ? rest : rest.slice(0, end)).replace(/\\?['"]/g, '').trim();
  });
  return [...new Set(found)];
}

/** Words for people: `gh pr create --body '…'`. */
const messages = /\s(?:-m|--message|--body|--title|--notes|--description)[= ](?:'[^']{0,2000}'|"[^"]{0,2000}")/g;
const withoutMessages = (text: string): string => text.replace(messages, ' ');

/** Values that the shell computes. */
const computed = /\$\{[^{}]*\}|`[^`]*`|\$\w+/g;

/** `$d/src`, but not `$d` and `"$d"/*` */
function namesFileBelow(path: string): boolean {
  const [start, end] = [path.indexOf('$('), path.lastIndexOf(')')];
  const rest = start >= 0 && end > start ? path.slice(0, start) + path.slice(end + 1) : path;
  return /\/[^\s*"'/]/.test(rest.replace(computed, ''));
}

const onlyVariable = /^\\?["']?\\?\$\{?([a-zA-Z_]\w*)\}?["']?(?:\/+\*?)?["']?$/;
const vitalValue = /(?<!\w)(\w{1,60})=['"]?([/~][^\s'"`;()<>|&,:]*)/g;

/** Returns whether what the operand of `rm` computes may be a path in the text. A variable gets its value there. */
function mayBeNamed(operand: string, text: string): boolean {
  if (namesFileBelow(operand)) return false;
  const variable = onlyVariable.exec(operand)?.[1];
  if (variable === undefined) return true;
  return [...text.matchAll(vitalValue)].some(([, name, path = '']) => name === variable && isVitalFolder(path));
}

/**
 * Returns whether a text deletes a folder whose name it computes: `rm -rf $d`, `"rm -rf " d`, `xargs rm -rf`. Quotation
 * marks after `rm -rf` end the text of another language.
 */
function deletesComputed(text: string): boolean {
  return [...text.matchAll(/(?<![\w$.-])rm(?=\s)/g)].slice(0, maxCommands).some(({ index }) => {
    let isRecursive = false;
    let rest = text.slice(index + 2, index + maxCommandLength).trimStart();
    for (let option = /^-[\w-]*/.exec(rest); option; option = /^-[\w-]*/.exec(rest)) {
      isRecursive ||= /^-\w*[rR]|^--rec/.test(option[0]);
      rest = rest.slice(option[0].length).trimStart();
    }
    const [operand] = /^[^\s;|&]*/.exec(rest)!;
    return isRecursive && (rest === '' || /^(?:\\?["'`$]|[{;|)\n])/.test(rest)) && mayBeNamed(operand, text);
  });
}

/** `cut -d/`, `awk -F/`, `tr / -`: the sign between the names of a path. */
const separatorOption = /(?:(?<!\S)-[dF]|--delimiter[= ]|\btr)\s{0,9}['"]?\/['"]?(?=\s|$)/g;
/** `getent passwd`, `printenv HOME`: prints home folders. */
const printsHomes = /\bgetent\s+passwd\b|\/etc\/passwd\b|\bprintenv\s+HOME\b|(?<!\w)HOME=['"]?\s{0,9}[|)]/;

/** Words that begin with a slash, a tilde or the home folder, also as values: `d=/`, `d="/"`, `$(echo /)`. */
const paths = /(?:^|[\s=(<,:;|&])['"`]?([/~][^\s'"`;()<>|&,:]*|\$\{?HOME\}?[^\s'"`;()<>|&,:]*)/g;

/**
 * Returns whether a line that names a vital folder or a disk destroys something of which only that part is known when it
 * runs. `possible`: texts that the line may amount to. What is known in them is not computed.
 */
export function mayDestroyNamed(text: string, effects: readonly Effect[], possible: readonly string[] = []): boolean {
  const isComputed = (effect: WriteEffect | DeleteEffect): boolean =>
    isWhollyComputed(effect) && possible.every((one) => one.includes(effect.culprit));
  const plain = withoutMessages(text)
    .replace(separatorOption, ' ')
    .replace(/\\[nt0]/g, ' ');
  const named = [...plain.matchAll(paths)].map(([, path = '']) => path.replace(/^\$\{?HOME\}?/, '~'));
  if (effects.some((effect) => effect.kind === 'writes' && isComputed(effect)) && named.some(isRawDisk)) return true;
  const deletes = effects.some(
    (effect) =>
      effect.kind === 'deletes' && effect.recursive && isComputed(effect) && mayBeNamed(operandOf(effect), plain),
  );
  const isUnread = effects.some((effect) => effect.kind === 'other' && isNotUnderstood(effect));
  if (!deletes && !(isUnread && [plain, ...possible].every(deletesComputed))) return false;
  return printsHomes.test(plain) || named.some((path) => isVitalFolder(path));
}

/** What a deletion names, without the name and the options of the program. */
const operandOf = ({ culprit }: WriteEffect | DeleteEffect): string =>
  culprit.includes(' ') ? culprit.replace(/^\S+(?:\s+-[\w-]+)*\s*/, '') : culprit;

/** Returns whether the whole path is unknown: `$d`, `"$d"/*`, but not `/srv/$d` and `$d/src`. */
const isWhollyComputed = (effect: WriteEffect | DeleteEffect): boolean => {
  const operand = operandOf(effect);
  const beginsComputed = !/^["']?[^\s$`{"']+(?:[$`{"']|$)/.test(operand);
  return effect.place.where === 'unknown' && beginsComputed && !namesFileBelow(operand);
};
