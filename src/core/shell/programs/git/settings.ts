import { anyOf, sequence } from '../../../text/alternatives';
import { claim, type Claim, type Words } from '../../calls/claims';
import type { Call, Judge } from '../../calls/manual';
import type { GivenOption, LeadingOptions } from '../../calls/options';
import { note, refuse, touch } from '../../effects/scope';
import { folderAfterCd, resolvePlace } from '../../syntax/place';
import { literal, type Value } from '../../syntax/value';
import type { GitTheme } from './kinds';
import { mayStartProgram, programSettingNamed } from './programSettings';

// git -c NAME=VALUE

const harmlessSetting = sequence([
  /^/,
  anyOf([
    /color\.[\w.]+/,
    /core\.quote[pP]ath/,
    /advice\.\w+/,
    /diff\.(noprefix|mnemonicPrefix|algorithm)/,
    /log\.(date|showSignature)/,
    /core\.(pager|editor)/,
    /core\.(fsmonitor|hooksPath)/,
    /user\.(name|email)/,
    'init.defaultBranch commit.gpgsign',
  ]),
  /=/,
]);

const harmlessValue = /^(true|false|auto|always|never|cat|\/dev\/null|[\w@. -]*)$/;

/** `-c` may only set what starts no program. */
export function judgeSettingOptions(options: readonly GivenOption[], { scope }: Call): void {
  for (const { name, value, culprit } of options) {
    if (name !== '-c') continue;
    const setting = value?.text ?? '';
    const set = setting.slice(setting.indexOf('=') + 1);
    const pointsAtProgram = isProgram(setting.split('=')[0]!) && !/^(cat|true|:|false|\/dev\/null|)$/.test(set);
    if (value?.kind !== 'literal' || !harmlessSetting.test(setting) || !harmlessValue.test(set) || pointsAtProgram)
      refuse(scope, `${culprit} ${setting}`, 'Changes Git settings, which can run programs.');
  }
}

/** Returns whether a setting names a program, a folder of programs, or a command line. */
const isProgram = (name: string): boolean =>
  programSettingNamed(name) !== undefined || /^(?:core\.hookspath$|alias\.|include)/i.test(name);

export const claimSetting = (setting: string | undefined): Claim | undefined =>
  setting !== undefined && isProgram(setting.split('=')[0]!)
    ? claim('changes', `Makes Git run a program through the setting ${setting.split('=')[0]}.`)
    : undefined;

// Settings of the repository

/** Any verb may start the programs that the repository's settings name. */
export function judgeRepositorySettings({ options, rest }: LeadingOptions, { scope, whole }: Call): void {
  const verb = rest[0]?.text ?? '';
  const settings = scope.context.gitSettings?.();
  if (settings?.isChanged) refuse(scope, whole, 'Uses repository settings that changed and can run programs.');
  const started = settings?.programs.find((setting) => mayStartProgram(setting, verb));
  if (started !== undefined)
    note(scope, 'medium', whole, `May run a program that the repository setting ${started} names.`);
  const lines = scope.context.lookUp?.('repository', folderOf(options, scope), '.')?.text?.split('\n') ?? [];
  const below = lines.map((line) => line.split('\t')).find(([setting = '']) => mayStartProgram(setting, verb));
  if (below !== undefined)
    refuse(scope, whole, `Uses the repository in ${below[1]}, whose settings can run programs (${below[0]}).`);
}

/** The folder in the workspace that Git starts in, or a pattern. `**` if it is only known when it runs. */
function folderOf(options: LeadingOptions['options'], { cwd, context }: Call['scope']): string {
  const given = options.flatMap(({ name, value }) => (name === '-C' && value ? [value] : []));
  if (cwd === undefined || given.some(({ kind }) => kind === 'unknown')) return '**';
  const folder = given.map(({ text }) => text).reduce(folderAfterCd, cwd);
  const place = resolvePlace(literal(folder), '.', context);
  return place.where === 'inside' ? place.path : '.';
}

// git config

const aboutOutput =
  /^--(local|global|system|show-origin|show-scope|show-names|null|name-only|worktree|(no-)?includes)$|^-z$/;
const harmlessNames = /^\^?(alias|branch|user|color|init|pull|push|merge|diff|log|submodule|core|rebase|fetch)\b/;
const secretNames = /credential|token|extraheader|password|secret|\.insteadof|sendemail/i;

/** Settings that decide which programs and files the settings of the repository may use, or that rename any setting. */
const decidesMore =
  /^(?:protocol|safe|url|extensions)\.|^core\.(?:attributesfile|worktree|bare)$|^init\.templatedir$|^(?:--)?rename-section$/i;

/** Settings of the repository that only name the author of commits or change what is shown. */
const plainSetting = /^(?:user\.(?:name|email)|init\.defaultbranch|color\.ui|advice\.\w+)$/i;

/** Returns whether the words of `git config` set one plain setting of this repository. */
function setsPlainly(words: readonly Value[]): boolean {
  const otherWords = words.filter(({ text }) => text !== '--local');
  const [name, value] = otherWords[0]?.text === 'set' ? otherWords.slice(1) : otherWords;
  const isPlainValue = value?.kind === 'literal' && !value.text.startsWith('-') && !/[\n\r]/.test(value.text);
  return (
    otherWords.length <= 3 &&
    otherWords.at(-1) === value &&
    name?.kind === 'literal' &&
    plainSetting.test(name.text) &&
    isPlainValue
  );
}

/** Reading one setting is harmless, and so are the names of all. Their values may be tokens and passwords. */
const judgeConfig: Judge = ({ words, scope, whole }) => {
  if (setsPlainly(words)) {
    note(scope, 'medium', whole, 'Changes a setting of the repository that starts no program.');
    return 'done';
  }
  const { file, rest } = settingsFile(words);
  const texts = rest
    .map(({ text }) => (/^-(lz|zl)$/.test(text) ? '-l' : text))
    .filter((text) => !aboutOutput.test(text));
  const [first = '', second = ''] = texts;
  const readsOne = texts.length <= 2 && /^(--get|--get-all|get)$/.test(first);
  const readsOneOrLists = texts.length === 1 && /^(--list|-l|list|[a-z]+\.[\w.-]+)$/i.test(first);
  const readsSome =
    texts.length === 2 && first === '--get-regexp' && (file !== undefined || harmlessNames.test(second));
  const reads = readsOne || readsOneOrLists || readsSome;
  const showsAll =
    texts.some((text) => /^(--list|-l|list)$/.test(text)) && !rest.some(({ text }) => text === '--name-only');
  if (!reads || texts.some((text) => secretNames.test(text))) {
    // Like an edit of .git/config.
    const guarded =
      !reads && words.some(({ kind, text }) => kind !== 'literal' || isProgram(text) || decidesMore.test(text));
    const reason = 'Uses Git settings, which can run programs or contain secrets.';
    scope.effects.push({ kind: 'other', level: 'high', culprit: whole, reason, ...(guarded && { guarded }) });
  } else if (file) {
    touch(scope, 'reads', file);
    note(scope, 'low', whole);
  } else note(scope, showsAll ? 'medium' : 'low', whole, 'Shows every setting of Git, including tokens and passwords.');
  return 'done';
};

/** The file that `-f` names, and the other words. */
function settingsFile(words: readonly Value[]): { readonly file?: Value; readonly rest: readonly Value[] } {
  const at = words.findIndex(({ text }) => /^(?:-f|--file)$/.test(text));
  if (at >= 0 && words[at + 1])
    return { file: words[at + 1]!, rest: words.filter((_, index) => index !== at && index !== at + 1) };
  const glued = words.find(({ text }) => /^--file=./.test(text));
  if (!glued) return { rest: words };
  return { file: { ...glued, text: glued.text.slice('--file='.length) }, rest: words.filter((word) => word !== glued) };
}

function claimConfig({ all, plain: plainWords, has }: Words): Claim {
  const plain = plainWords.filter((word) => !/^(?:-f|--file)$/.test(all[all.indexOf(word) - 1] ?? ''));
  const [name] = plain.filter((word) => !/^(set|unset|edit|add)$/.test(word));
  const ofMachine = has(/^--system$/) ? ' for the whole machine' : '';
  const whose = has(/^--global$/) ? ' for the whole account' : ofMachine;
  const changesSetting = plain.length > 1 || has(/^(?:-e$|--(?:unset|add|replace-all|edit|remove-section))/);
  if (changesSetting)
    return claim(
      'changes',
      name === undefined ? `Changes the Git settings${whose}.` : `Changes the Git setting ${name}${whose}.`,
    );
  return claim('leaks', 'Shows Git settings, which may contain secrets.');
}

/** `git config`. Settings can name programs that Git starts, and hold secrets. */
export const gitSettings: GitTheme = {
  verbs: { config: { level: 'high', judge: judgeConfig } },
  claims: { config: claimConfig },
};
