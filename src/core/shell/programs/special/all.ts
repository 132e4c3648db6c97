import type { Flow, Scope } from '../../effects/scope';
import type { Spec } from '../spec';
import type { Value } from '../../syntax/value';
import { packs, rsync, tar, unzip } from './archives';
import { asks, dryRun, listsOnly, playbook, queriesOnly } from './asks';
import { awk } from './awk';
import { cd, printf, printVariables, redirects, shellOptions, source, test } from './builtins';
import {
  build,
  cmakeBuild,
  formats,
  noAssignment,
  notSecret,
  npmVersion,
  pipInstall,
  processes,
  python,
  sqlite,
  tasks,
  tests,
} from './building';
import { chmod, copy, cutOff, insideOnly, installs, link, move, plainMode, remove, splits } from './changes';
import { compose } from './containers';
import { debuggers } from './debuggers';
import { deviceShell, inContainer, noUpload } from './elsewhere';
import { fd, find } from './find';
import {
  git,
  gitCheckout,
  gitClean,
  gitConfig,
  gitFetch,
  gitName,
  gitPush,
  gitRebase,
  gitRemove,
  gitReset,
  gitRestore,
  noVerb,
} from './git';
import { inline } from './inline';
import { projectInstall } from './installing';
import { java } from './jvm';
import { probes, showsCertificate } from './lookups';
import { packageFields, setScript } from './manifest';
import { keysOnlyShown, media } from './media';
import { curl, wget } from './network';
import { packages } from './packages';
import { patchFiles } from './patches';
import {
  checkers,
  checksSettings,
  clojure,
  packageChecks,
  covers,
  php,
  phpFixer,
  serves,
  showsPlan,
  toolchain,
  xcode,
} from './projects';
import { query, redis } from './queries';
import { ack, compare, gitGrep, grep, jq, pager, ripgrep } from './search';
import { make, npmInstall, npmRun, npx, shell } from './scripts';
import { sed } from './sed';
import { alias, declared, exported, mapfile, ownJobs, read, shopt, trap, ulimit, umask, unset } from './shellState';
import { bundled, environment, pythonRun, shellLines, wrapper, xargs } from './wrappers';

export interface Case {
  readonly name: string;
  readonly words: readonly Value[];
  readonly scope: Scope;
  readonly flow: Flow;
  readonly whole: string;
  readonly spec: Spec;
}

/** Judges what a table cannot say. `done`: the table is not asked any more. */
export type Special = (one: Case) => 'done' | undefined;

let known: Readonly<Record<string, Special>> | undefined;

/** By name. Put together when it is first asked for: these modules and the judgement of tools need each other. */
export const specialNamed = (name: string): Special | undefined =>
  (known ??= {
    ack,
    playbook,
    alias,
    asks,
    awk,
    build,
    bundled,
    cd,
    checkers,
    checksSettings,
    chmod,
    clojure,
    cmakeBuild,
    compare,
    compose,
    copy,
    covers,
    curl,
    cutOff,
    debuggers,
    declared,
    deviceShell,
    dryRun,
    environment,
    exported,
    fd,
    find,
    formats,
    git,
    gitCheckout,
    gitClean,
    gitConfig,
    gitFetch,
    gitGrep,
    gitName,
    gitPush,
    gitRebase,
    gitRemove,
    gitReset,
    gitRestore,
    grep,
    inContainer,
    inline,
    insideOnly,
    installs,
    java,
    jq,
    keysOnlyShown,
    link,
    listsOnly,
    make,
    mapfile,
    media,
    move,
    noAssignment,
    notSecret,
    noUpload,
    noVerb,
    npmInstall,
    npmRun,
    npmVersion,
    npx,
    ownJobs,
    packageChecks,
    packageFields,
    packages,
    packs,
    pager,
    patchFiles,
    php,
    phpFixer,
    pipInstall,
    plainMode,
    printf,
    printVariables,
    probes,
    processes,
    projectInstall,
    python,
    pythonRun,
    queriesOnly,
    query,
    read,
    redirects,
    redis,
    remove,
    ripgrep,
    rsync,
    sed,
    serves,
    setScript,
    shell,
    shellLines,
    shellOptions,
    shopt,
    showsCertificate,
    showsPlan,
    source,
    splits,
    sqlite,
    tar,
    tasks,
    test,
    tests,
    toolchain,
    trap,
    ulimit,
    umask,
    unset,
    unzip,
    wget,
    wrapper,
    xargs,
    xcode,
  })[name];
