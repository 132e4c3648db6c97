import type { Flow, Scope } from '../scope';
import type { Spec } from '../spec';
import type { Value } from '../value';
import { packs, rsync, tar, unzip } from './archives';
import { asks, dryRun, listsOnly, probes, queriesOnly } from './asks';
import { awk } from './awk';
import { cd, exported, printf, printVariables, redirects, shellOptions, source, test, unset } from './builtins';
import { build, cmakeBuild, formats, noAssignment, notSecret, npmVersion, pipInstall, processes, python, sqlite, tasks, tests } from './building';
import { chmod, copy, cutOff, insideOnly, installs, link, move, plainMode, remove, splits } from './changes';
import { compose } from './containers';
import { fd, find } from './find';
import { git, gitCheckout, gitClean, gitConfig, gitFetch, gitName, gitRebase, gitRemove, gitReset, gitRestore, noVerb } from './git';
import { inline } from './inline';
import { projectInstall } from './installing';
import { packageFields, setScript } from './manifest';
import { keysOnlyShown, media } from './media';
import { curl, wget } from './network';
import { packages } from './packages';
import { patchFiles } from './patches';
import { checkers, checksSettings, clojure, packageChecks, covers, php, phpFixer, serves, showsPlan, toolchain, xcode } from './projects';
import { query, redis } from './queries';
import { ack, compare, gitGrep, grep, jq, pager, ripgrep } from './search';
import { make, npmInstall, npmRun, npx, shell } from './scripts';
import { sed } from './sed';
import { environment, pythonRun, shellLines, wrapper, xargs } from './wrappers';

export interface Case { readonly name: string; readonly words: readonly Value[]; readonly scope: Scope; readonly flow: Flow; readonly whole: string; readonly spec: Spec }

/** Judges what a table cannot say. `done`: the table is not asked any more. */
export type Special = (one: Case) => 'done' | undefined;

let known: Readonly<Record<string, Special>> | undefined;

/** By name. Put together when it is first asked for: these modules and the judgement of tools need each other. */
export const specialNamed = (name: string): Special | undefined => (known ??= { compose, patchFiles, projectInstall, exported, pythonRun, ack, compare, gitGrep, packageFields, setScript, splits, covers, packs, dryRun, toolchain, packages, cmakeBuild, asks, listsOnly, probes, queriesOnly, cutOff, insideOnly, installs, plainMode, keysOnlyShown, media, checkers, checksSettings, packageChecks, clojure, php, phpFixer, serves, showsPlan, xcode, query, redis, build, formats, noAssignment, notSecret, npmVersion, pipInstall, processes, python, sqlite, tasks, tests, awk, cd, chmod, copy, curl, environment, fd, find, git, gitCheckout, gitClean, gitConfig, gitFetch, gitName, gitRebase, gitRemove, gitReset, gitRestore, grep, inline, jq, link, make, move, noVerb, npmInstall, npmRun, pager, npx, printf, printVariables, redirects, shellOptions, source, remove, ripgrep, rsync, sed, shell, tar, test, unset, unzip, wget, wrapper, shellLines, xargs })[name];
