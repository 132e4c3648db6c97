import type { Call } from '../../calls/manual';
import type { Effect } from '../../effects/effect';
import { type Scope, inner } from '../../effects/scope';
import { folderAfterCd } from '../../syntax/place';
import type { Value } from '../../syntax/value';
import { belowFloor } from '../../verdict/floor';
import { anyOf, sequence } from '../../../text/alternatives';
import { quoteForShell } from '../../../text/subshell';

/** Settings whose value Git runs as a command line. */
const programSettings = new RegExp(
  `^(?:${[
    'core\\.(?:pager|editor|fsmonitor|sshcommand|gitproxy|askpass|alternaterefscommand)|pager\\..+|sequence\\.editor',
    'diff\\.(?:external|.+\\.(?:command|textconv))|(?:difftool|mergetool|guitool|browser|man)\\..+\\.(?:cmd|path)',
    'merge\\..+\\.driver|filter\\..+\\.(?:clean|smudge|process)|interactive\\.difffilter|trailer\\..+\\.(?:cmd|command)',
    'credential\\.(?:.+\\.)?helper|gpg\\.(?:.+\\.)?program|uploadpack\\.packobjectshook|submodule\\..+\\.update',
    'remote\\..+\\.(?:uploadpack|receivepack)|sendemail\\..+(?:cmd|server)|imap\\.tunnel|protocol\\..+\\.command',
  ].join('|')})$`,
  'i',
);

/** Options of verbs whose value Git runs as a command line. */
const commandOption = sequence([
  /^--/,
  anyOf([
    'exec extcmd upload-pack receive-pack open-files-in-pager sendmail-cmd to-cmd cc-cmd',
    /(?:tree|index|msg|env|commit|parent|tag-name)-filter/,
  ]),
  /(?:=|$)/,
]);
const shortCommandOption: Readonly<Record<string, RegExp>> = {
  rebase: /^-x/,
  difftool: /^-x/,
  grep: /^-O/,
  clone: /^-u/,
};

/** Judges the command lines in the words of a Git command: `git -c alias.x='!LINE' x`, `git bisect run LINE`. */
export function judgeGivenLines({ words, scope }: Call): void {
  const texts = words.map(({ kind, text }) => (kind === 'literal' ? text : ''));
  const lines = linesIn(texts);
  if (lines.length === 0) return;
  const at = texts.flatMap((text, index) => (texts[index - 1] === '-C' && text !== '' ? [text] : []));
  const there = scope.cwd && at.reduce((folder, next) => folderAfterCd(folder, next), scope.cwd);
  for (const line of lines) {
    const effects: Effect[] = [];
    scope.analyser.judgeText(line, { ...inner(scope), cwd: there, variables: new Map(), effects });
    // These lines run in a copy of each commit, not in the working tree.
    const inCopy = texts.includes('filter-branch');
    scope.effects.push(...effects.filter((effect) => !inCopy || belowFloor(effect) !== undefined));
    // Git runs an alias in the top folder of the repository.
    if (scope.context.started && there !== '.')
      scope.analyser.judgeText(line, { ...inner(scope), cwd: '.', variables: new Map(), effects: [] } satisfies Scope);
  }
}

function linesIn(texts: readonly string[]): string[] {
  const verbAt = texts.findIndex(
    (text, at) =>
      !text.startsWith('-') && !/^(?:-C|-c|--git-dir|--work-tree|--namespace|--config-env)$/.test(texts[at - 1] ?? ''),
  );
  const [verb = '', sub = ''] = verbAt < 0 ? [] : texts.slice(verbAt);
  const short = Object.hasOwn(shortCommandOption, verb) ? shortCommandOption[verb] : undefined;
  const behind = texts.flatMap((text, at) => {
    if (text === '-c' && at < (verbAt < 0 ? texts.length : verbAt)) return settingLine(texts[at + 1] ?? '');
    const given = commandOption.exec(text)?.[0] ?? (at > verbAt ? short?.exec(text)?.[0] : undefined);
    return given === undefined ? [] : [text.slice(given.length) || (given.endsWith('=') ? '' : (texts[at + 1] ?? ''))];
  });
  const rest = texts.slice(verbAt + 2);
  if (verb === 'bisect' && sub === 'run') behind.push(rest.map(quoteForShell).join(' '));
  if (verb === 'submodule' && texts.includes('foreach'))
    behind.push(
      texts
        .slice(texts.indexOf('foreach') + 1)
        .filter((text) => !/^(?:--recursive|-q|--quiet)$/.test(text))
        .join(' '),
    );
  // The address of a remote helper that runs a command.
  behind.push(...texts.flatMap((text) => (text.startsWith('ext::') ? [text.slice('ext::'.length)] : [])));
  return behind.filter((line) => line.trim() !== '');
}

function settingLine(setting: string): string[] {
  const equals = setting.indexOf('=');
  if (equals < 0) return [];
  const [name, value] = [setting.slice(0, equals), setting.slice(equals + 1).trim()];
  if (/^alias\./i.test(name)) return [value.startsWith('!') ? value.slice(1) : `git ${value}`];
  return programSettings.test(name) && !/^(?:true|false|cat|:|\/dev\/null|)$/i.test(value)
    ? [value.replace(/^!/, '')]
    : [];
}

/** Returns whether files that Git reads because of its options can name more programs: settings, hooks, its own parts. */
export const readsOtherSettings = (words: readonly Value[]): boolean =>
  words.some(
    ({ text }, at) =>
      /^--(?:exec-path=|config-env|git-dir)/.test(text) ||
      (words[at - 1]?.text === '-c' &&
        /^(?:core\.(?:hookspath|attributesfile)|include\.path|includeif\..*)=/i.test(text)),
  );
