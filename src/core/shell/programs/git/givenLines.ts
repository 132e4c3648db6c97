import type { Call } from '../../calls/manual';
import type { LeadingOptions } from '../../calls/options';
import type { Effect } from '../../effects/effect';
import { type Scope, inner } from '../../effects/scope';
import { folderAfterCd } from '../../syntax/place';
import type { Value } from '../../syntax/value';
import { belowFloor } from '../../verdict/floor';
import { programSettingNamed } from './programSettings';
import { anyOf, sequence } from '../../../text/alternatives';
import { quoteForShell } from '../../../text/shellText';

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

/**
 * Judges the command lines in the words of a Git command: `git -c alias.x='!LINE' x`, `git bisect run LINE`. `options`
 * and `rest`: the words before the verb, and those from it on.
 */
export function judgeGivenLines({ options, rest }: LeadingOptions, { scope }: Call): void {
  const texts = rest.map(literalText);
  const lines = [
    ...options.flatMap(({ name, value }) => (name === '-c' && value ? linesOfSetting(literalText(value)) : [])),
    ...linesBehind(texts),
  ].filter((line) => line.trim() !== '');
  if (lines.length === 0) return;
  const chosen = options.flatMap(({ name, value }) => (name === '-C' && value ? literalText(value) || [] : []));
  const cwd = scope.cwd && chosen.reduce((folder, next) => folderAfterCd(folder, next), scope.cwd);
  for (const line of lines) {
    const effects: Effect[] = [];
    scope.analyser.judgeText(line, { ...inner(scope), cwd, variables: new Map(), effects });
    // These lines run in a copy of each commit, not in the working tree.
    const inCopy = texts[0] === 'filter-branch';
    scope.effects.push(...effects.filter((effect) => !inCopy || belowFloor(effect) !== undefined));
    // Git runs an alias in the top folder of the repository.
    if (scope.context.started && cwd !== '.')
      scope.analyser.judgeText(line, { ...inner(scope), cwd: '.', variables: new Map(), effects: [] } satisfies Scope);
  }
}

const literalText = ({ kind, text }: Value): string => (kind === 'literal' ? text : '');

/** Returns the command lines in the words from the verb on. */
function linesBehind(texts: readonly string[]): string[] {
  const [verb = '', sub = ''] = texts;
  const short = Object.hasOwn(shortCommandOption, verb) ? shortCommandOption[verb] : undefined;
  const behind = texts.flatMap((text, at) => {
    const optionText = commandOption.exec(text)?.[0] ?? (at > 0 ? short?.exec(text)?.[0] : undefined);
    return optionText === undefined
      ? []
      : [text.slice(optionText.length) || (optionText.endsWith('=') ? '' : (texts[at + 1] ?? ''))];
  });
  if (verb === 'bisect' && sub === 'run') behind.push(texts.slice(2).map(quoteForShell).join(' '));
  if (verb === 'submodule' && texts.includes('foreach'))
    behind.push(
      texts
        .slice(texts.indexOf('foreach') + 1)
        .filter((text) => !/^(?:--recursive|-q|--quiet)$/.test(text))
        .join(' '),
    );
  // The address of a remote helper that runs a command.
  behind.push(...texts.flatMap((text) => (text.startsWith('ext::') ? [text.slice('ext::'.length)] : [])));
  return behind;
}

/** Returns the command line that a setting, `name=value`, makes Git run, if there is one. */
function linesOfSetting(setting: string): string[] {
  const equals = setting.indexOf('=');
  if (equals < 0) return [];
  const [name, value] = [setting.slice(0, equals), setting.slice(equals + 1).trim()];
  if (/^alias\./i.test(name)) return [value.startsWith('!') ? value.slice(1) : `git ${value}`];
  const isHarmless = /^(?:true|false|cat|:|\/dev\/null|)$/i.test(value);
  return programSettingNamed(name) && !isHarmless ? [value.replace(/^!/, '')] : [];
}

/** Returns whether files that Git reads because of its options can name more programs: settings, hooks, its own parts. */
export const readsOtherSettings = (words: readonly Value[]): boolean =>
  words.some(
    ({ text }, at) =>
      /^--(?:exec-path=|config-env|git-dir)/.test(text) ||
      (words[at - 1]?.text === '-c' &&
        /^(?:core\.(?:hookspath|attributesfile)|include\.path|includeif\..*)=/i.test(text)),
  );
