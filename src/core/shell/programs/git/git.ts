import { classifyWords, type Claims } from '../../calls/claims';
import type { Family, Judge, Manual, Prints } from '../../calls/manual';
import { flags, high, optionalValues, optionTable, readLeadingOptions, takes, values } from '../../calls/options';
import { resolvePlace } from '../../syntax/place';
import { globWithDotFiles, literal, type Value } from '../../syntax/value';
import { hasWord, printsTracked } from '../shared/printed';
import { branches } from './branches';
import { judgeGivenLines } from './givenLines';
import { history } from './history';
import { inspection } from './inspection';
import type { GitTheme } from './kinds';
import { patches } from './patches';
import { plumbing } from './plumbing';
import { remotes } from './remotes';
import { claimSetting, judgeSettingOptions, judgeRepositorySettings, gitSettings } from './settings';
import { workingTree } from './workingTree';
import { refusePlanted } from '../shared/planted';

/** ★ The verbs of Git, by theme. A verb belongs to one theme only; any that is missing is high. */
export const gitThemes: readonly GitTheme[] = [
  inspection, // status, log, show, diff, blame, grep, ls-files, rev-parse
  workingTree, // init, add, mv, rm, restore, reset, clean, stash
  branches, // branch, tag, checkout, switch, merge, worktree
  history, // commit, cherry-pick, revert, rebase, reflog, bisect, notes, gc
  remotes, // fetch, pull, push, remote, clone, submodule
  gitSettings, // config
  patches, // apply, am, format-patch, archive, bundle
  plumbing, // symbolic-ref, update-ref, update-index, interpret-trailers
];

/** Judges what every verb has in common: the settings that Git obeys. */
const judgeGit: Judge = (call) => {
  const { options, rest } = readLeadingOptions(call.words, optionTable(call.manual.options ?? []), 'letters');
  refusePlanted(options, /^-C$/, call.scope);
  judgeSettingOptions(options, call);
  judgeGivenLines({ options, rest }, call);
  judgeRepositorySettings({ options, rest }, call);
  return undefined;
};

const git: Manual = {
  level: 'high',
  reason: 'Changes the repository or connects to another one.',
  judge: judgeGit,
  options: [
    flags(`
      -P --no-pager --no-optional-locks --version --help --literal-pathspecs --no-replace-objects
      --icase-pathspecs
    `),
    values('-c'),
    takes('search', '-C'),
    high(
      flags('-p --paginate --bare'),
      values('--git-dir --work-tree --config-env --namespace --super-prefix'),
      optionalValues('--exec-path'),
    ),
  ],
  verbs: Object.fromEntries(gitThemes.flatMap(({ verbs }) => Object.entries(verbs))),
};

const verbClaims = new Map(gitThemes.flatMap(({ claims = {} }) => Object.entries(claims)));

/** Options before the verb that take the next word. */
const takesNext = /^(-C|-c|--git-dir|--work-tree|--namespace)$/;

const claimGit: Claims = ({ all, program }) => {
  let at = 0;
  while (at < all.length && all[at]!.startsWith('-')) at += takesNext.test(all[at]!) ? 2 : 1;
  const setting = all.slice(0, at).find((_, index) => all[index - 1] === '-c');
  const claim = claimSetting(setting);
  if (claim) return claim;
  const verb = all[at];
  const words = all.slice(at + 1);
  const end = words.indexOf('--');
  return verb === undefined
    ? undefined
    : verbClaims.get(verb)?.(classifyWords(program, words, end < 0 ? words.length : end));
};

/** The names that `git ls-files` prints, and those that other verbs print with `--name-only`. */
const gitPrints: Prints = ({ words, scope }) => {
  const [verb = '', ...rest] = words.map(({ text }) => text);
  const has = (pattern: RegExp): boolean => hasWord(words, pattern);
  if (verb === 'rev-parse' && rest[0] === '--show-toplevel') {
    const { folder = scope.context.workspace } = resolvePlace(literal('.'), scope.cwd, scope.context);
    return scope.cwd === '.' || folder ? [literal(folder ?? '.')] : undefined;
  }
  const tracked = (): Value[] => printsTracked(words.slice(1), scope);
  // Files that Git does not track may be anything, especially those that it ignores.
  if (verb === 'ls-files' && has(/^-[a-z]*[oi]|^--(o|ig)/)) {
    const leavesOutIgnored = has(/^--exclude-st/) && !has(/^-[a-z]*i|^--ig/);
    return leavesOutIgnored ? tracked() : [globWithDotFiles('**/*', 'git ls-files')];
  }
  const printsNames =
    verb === 'ls-files' ||
    (verb === 'grep' && has(/^-[a-zA-Z]*l|^--files-with/)) ||
    (/^(?:diff|show)$/.test(verb) && has(/^--name-only$/));
  return printsNames ? tracked() : undefined;
};

export const gitFamily: Family = {
  takesData: ['git'],
  programs: { git },
  claims: { git: claimGit },
  prints: { git: gitPrints },
};
