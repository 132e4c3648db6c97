import { claim, type Claims } from '../../calls/claims';
import type { Judge } from '../../calls/manual';
import { inner, refuse } from '../../effects/scope';
import { folderAfterCd } from '../../syntax/place';

/** One end of a connection of socat that runs a command line. */
interface RunningEnd {
  readonly line: string;
  /** The folder in which it runs, if an option chooses one. */
  readonly folder?: string;
}

/** Options of an address that choose which program its command line runs. */
const choosesProgram = /^(?:path|shell|chroot(?:-early)?|setenv|sen)(?:=|$)/i;

/** Judges `socat STDIO EXEC:'COMMAND LINE'`: the command lines, and the connection. */
export const judgeSocat: Judge = ({ words, scope, whole }) => {
  for (const { kind, text } of words) {
    if (kind !== 'literal') continue;
    for (const { line, folder } of endsThatRun(text)) {
      const cwd = folder === undefined || scope.cwd === undefined ? scope.cwd : folderAfterCd(scope.cwd, folder);
      scope.analyser.judgeText(line, { ...inner(scope), cwd, variables: new Map() });
    }
  }
  refuse(scope, whole, 'Connects to another machine.');
  return 'done';
};

/** Returns whether an option of an address chooses another program than its command line names. */
export const socatChoosesProgram = (text: string): boolean =>
  addressesIn(text).some(
    (address) =>
      runs.test(address) &&
      partsOf(address)
        .slice(1)
        .some((part) => choosesProgram.test(part)),
  );

export const claimSocat: Claims = ({ all, plain }) => {
  const addresses = all.filter((word) => !/^-./.test(word) || runs.test(word));
  const lines = addresses.flatMap(endsThatRun).map(({ line }) => line);
  const others = addresses.filter(
    (word) => endsThatRun(word).length === 0 && !/^(?:-|std(?:io|in|out|err)\b)/i.test(word),
  );
  if (lines.length === 0) {
    const host = plain.find((word) => word !== '-' && !/^std(?:io|in|out|err)\b/i.test(word));
    return claim('sends', `Opens a connection to another machine${host ? `, ${host}` : ''}, and sends its input.`);
  }
  const what = `Runs ${lines.join(' and ')}`;
  return others.length === 0
    ? claim('unusual', `${what}.`)
    : claim('sends', `${what}, and connects it to ${others.join(' and ')}.`);
};

const runs = /^(?:exec|system|shell):/i;

function endsThatRun(word: string): RunningEnd[] {
  return addressesIn(word).flatMap((address) => {
    if (!runs.test(address)) return [];
    const [first = '', ...options] = partsOf(address);
    const folder = options.flatMap((option) => /^(?:cd|chdir)=(.*)$/is.exec(option)?.[1] ?? []).at(-1);
    const target = first.slice(first.indexOf(':') + 1);
    const line = /^(["'])([^"']*)\1$/.exec(target.trim())?.[2] ?? target;
    return line.trim() === '' ? [] : [{ line, ...(folder !== undefined && { folder }) }];
  });
}

/** Both directions of a connection may have an address of their own: `READ!!WRITE`. */
const addressesIn = (word: string): string[] => word.split('!!');

/**
 * Splits an address at its commas: the end, then its options. Quotation marks, brackets and backslashes protect commas.
 * Only backslashes are removed, as socat does for what it passes on.
 */
function partsOf(address: string): string[] {
  const parts = [''];
  const closing: string[] = [];
  for (let at = 0; at < address.length; at++) {
    const sign = address[at]!;
    if (sign === '\\' && at + 1 < address.length) {
      parts[parts.length - 1] += address[++at]!;
      continue;
    }
    if (sign === closing.at(-1)) closing.pop();
    else if (closing.at(-1) !== "'" && closing.at(-1) !== '"' && sign in pairs) closing.push(pairs[sign]!);
    if (sign === ',' && closing.length === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts;
}

const pairs: Readonly<Record<string, string>> = { '"': '"', "'": "'", '(': ')', '[': ']', '{': '}' };
