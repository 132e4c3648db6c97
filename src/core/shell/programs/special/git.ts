import { optionTable, readArguments } from '../../calls/options';
import { isGuarded } from '../../../risk/pathRules';
import { placeOf } from '../../syntax/place';
import { drop, note, refuse, type Scope, touch } from '../../effects/scope';
import type { Value } from '../../syntax/value';

import type { Judge } from '../../calls/manual';

const harmlessSetting =
  /^(color\.[\w.]+|core\.quote[pP]ath|advice\.\w+|diff\.(noprefix|mnemonicPrefix|algorithm)|log\.(date|showSignature)|core\.(pager|editor)|core\.(fsmonitor|hooksPath)|user\.(name|email)|init\.defaultBranch|commit\.gpgsign)=/;
const harmlessValue = /^(true|false|auto|always|never|cat|\/dev\/null|[\w@. -]*)$/;

/** Whether Git may start what a setting names for this verb. Nothing else than these is read for one verb only. */
function mayStart(setting: string, verb: string): boolean {
  if (/^(?:|version|config|rev-parse|init)$/.test(verb)) return false;
  if (setting.startsWith('man.')) return verb === 'help';
  if (setting.startsWith('trailer.')) return /^(?:interpret-trailers|commit)$/.test(verb);
  return true;
}

/** `-c` may only set what runs nothing. */
export const judgeGit: Judge = ({ words, scope, whole, manual }) => {
  const { options } = readArguments(words, optionTable(manual.options ?? []), 'letters', true);
  for (const { name, value, culprit } of options) {
    if (name !== '-c') continue;
    const setting = value?.text ?? '';
    const set = setting.slice(setting.indexOf('=') + 1);
    const pointsAtProgram =
      /^core\.(pager|editor|fsmonitor|hooksPath)=/i.test(setting) && !/^(cat|true|:|false|\/dev\/null|)$/.test(set);
    if (value?.kind !== 'literal' || !harmlessSetting.test(setting) || !harmlessValue.test(set) || pointsAtProgram)
      refuse(scope, `${culprit} ${setting}`, 'Git settings can run programs.');
  }
  if (scope.context.gitConfigurationChanged)
    refuse(scope, whole, 'The settings of the repository changed, and they can run programs.');
  const verb = readArguments(words, optionTable(manual.options ?? []), 'letters', true).rest[0]?.text ?? '';
  const started = (scope.context.gitPrograms ?? []).find((setting) => mayStart(setting, verb));
  if (started !== undefined)
    note(scope, 'medium', whole, `It may run a program that the setting ${started} of the repository names.`);
  return undefined;
};

/** One plain name is a branch; anything else throws changes away. */
export const judgeGitCheckout: Judge = ({ words, scope, whole }) => {
  const operands = words.filter(({ text }) => !/^-./.test(text));
  const creates = words.some(({ text }) => /^(-b|--orphan|--track|-t)$/.test(text));
  const name = operands[0];
  const branch =
    operands.length === 1 &&
    name?.kind === 'literal' &&
    !isGuarded(name.text) &&
    /^(-|[\w][\w/@{}~^-]*(\.\d+)*)$/.test(name.text);
  if (words.some(({ text }) => text === '--') || !(creates ? operands.length <= 2 : branch)) {
    refuse(scope, whole, 'It throws changes away.');
    bringBack(operands, scope, whole);
  }
  return undefined;
};

/** Takes files out of the index; anything more moves the branch or throws changes away. */
export const judgeGitReset: Judge = ({ words, scope, whole }) => {
  const [first] = words.filter(({ text }) => text !== '-q' && text !== '--quiet' && text !== '--mixed');
  if (first && !/^(HEAD|--)$/.test(first.text)) refuse(scope, whole, 'It moves the branch or throws changes away.');
  else note(scope, 'medium', whole, 'It takes files out of the index.');
  return 'done';
};

/** Reading one setting. */
export const judgeGitConfig: Judge = ({ words, scope, whole }) => {
  const texts = words
    .map(({ text }) => text)
    .filter((text) => !/^--(local|global|system|show-origin|show-scope|null|name-only|worktree)$|^-z$/.test(text));
  const reads =
    (texts.length <= 2 && /^(--get|--get-all|get)$/.test(texts[0] ?? '')) ||
    (texts.length === 1 && /^(--list|-l|list|[a-z]+\.[\w.-]+)$/i.test(texts[0]!)) ||
    (texts.length === 2 &&
      texts[0] === '--get-regexp' &&
      /^\^?(branch|user|color|init|pull|push|merge|diff|log|submodule|core|rebase|fetch)\b/.test(texts[1]!));
  if (!reads || texts.some((text) => /credential|token|extraheader|password|secret|\.insteadof|sendemail/i.test(text)))
    refuse(scope, whole, 'Git settings can run programs or hold secrets.');
  else
    note(
      scope,
      texts.some((text) => /^(--list|-l|list)$/.test(text)) ? 'medium' : 'low',
      whole,
      'It shows every setting of Git.',
    );
  return 'done';
};

/** Only from remotes that the repository already names. */
export const judgeGitFetch: Judge = ({ words, scope, whole }) => {
  for (const { kind, text, source } of words) {
    if (kind !== 'literal' || /[:\\]|^[./~]|\.\./.test(text) || /^\+/.test(text))
      refuse(scope, source, 'It fetches from an address or overwrites branches.');
  }
  note(scope, 'medium', whole, 'It fetches from the remote repository.');
  return undefined;
};

/** The remote that a command of Git adds, or points elsewhere, with `git remote`. */
function remoteChanged(all: readonly string[]): string | undefined {
  const [verb, does, name] = all.filter((word) => !/^-./.test(word));
  return verb === 'remote' && /^(?:add|set-url)$/.test(does ?? '') ? name : undefined;
}

/** What goes to a remote of which nobody knew before this line is the worst of the line. */
export const judgeGitPush: Judge = ({ words, scope, whole }) => {
  const changed = scope.effects.flatMap(({ by }) =>
    by?.name === 'git' ? (remoteChanged(by.words.map(({ text }) => text)) ?? []) : [],
  );
  const remote = words.find(({ text }) => changed.includes(text));
  if (remote)
    scope.effects.push({
      kind: 'other',
      level: 'high',
      culprit: whole,
      part: whole,
      reason: 'It publishes, rewrites history or throws work away.',
      says: `Pushes to ${remote.text}, a remote that this same command adds or changes.`,
      harm: 'sends',
    });
  return undefined;
};

/** `git branch NAME` makes one; without a name it lists. */
export const judgeGitName: Judge = ({ words, scope, whole }) => {
  const lists = words.some(({ text }) =>
    /^(-[arvl]+|--list|--contains|--merged|--no-merged|--points-at|--sort|--format)/.test(text),
  );
  if (!lists && words.some(({ text }) => !text.startsWith('-')))
    note(scope, 'medium', whole, 'It changes the repository; Git can undo it.');
  return undefined;
};

/** Only taking files out of the index keeps them. */
export const judgeGitRestore: Judge = ({ words, scope, whole }) => {
  const flags = words.filter(({ text }) => text.startsWith('-') && text !== '--').map(({ text }) => text);
  const keeps =
    flags.length > 0 &&
    flags.every((text) => /^(--staged|-S|-q|--quiet)$/.test(text)) &&
    flags.some((text) => /^(--staged|-S)$/.test(text));
  if (keeps) note(scope, 'medium', whole, 'It takes files out of the index.');
  else {
    refuse(scope, whole, 'It throws changes away.');
    bringBack(
      words.filter(({ text }) => !/^-./.test(text)),
      scope,
      whole,
    );
  }
  return 'done';
};

/** Files that others go by are changed by an older text of them too. */
function bringBack(words: readonly Value[], scope: Scope, whole: string): void {
  for (const word of words)
    if (isGuarded(placeOf(word, scope.cwd, scope.context.workspace).path)) touch(scope, 'writes', word, whole);
}

/** Going back to what was before a rebase, or looking at where it stands. */
export const judgeGitRebase: Judge = ({ words, scope, whole }) => {
  if (words.length !== 1 || !/^--(abort|quit|show-current-patch)$/.test(words[0]!.text)) return undefined;
  note(scope, words[0]!.text === '--show-current-patch' ? 'low' : 'medium', whole, 'It ends a rebase under way.');
  return 'done';
};

/** Listing what would go is harmless. */
export const judgeGitClean: Judge = ({ words, scope, whole }) => {
  if (
    words.some(({ text }) => /^(-[dxXq]*n[dxXq]*|--dry-run)$/.test(text)) &&
    !words.some(({ text }) => /^-[a-zA-Z]*[fi]|^--(f|i)/.test(text))
  )
    note(scope, 'low', whole);
  else refuse(scope, whole, 'It deletes files that no build makes again.');
  return 'done';
};

export const judgeGitRemove: Judge = ({ words, scope, whole }) => {
  const kept = words.some(({ text }) => text === '--cached');
  const recursive = words.some(({ text }) => text === '-r');
  for (const { text, source } of words)
    if (/^-/.test(text) && !/^(--cached|-[rqn]|--quiet|--dry-run|--)$/.test(text))
      refuse(scope, source, 'It deletes files whatever is in them.');
  for (const word of words) {
    if (word.text.startsWith('-')) continue;
    // A single file Git only takes away where it has it as it is.
    if (kept || !recursive) touch(scope, 'writes', word, whole);
    else drop(scope, word, true, whole);
  }
  note(scope, 'medium', whole, 'It changes the repository; Git can undo it.');
  return 'done';
};

export const judgeNoVerb: Judge = ({ words, scope, whole }) => {
  const first = words.find(({ text }) => !text.startsWith('-'));
  if (first && /^(expire|delete|drop|write)$/.test(first.text)) refuse(scope, whole, 'It throws history away.');
  return undefined;
};
