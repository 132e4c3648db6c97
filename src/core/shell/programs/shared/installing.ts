import { anyOf, sequence } from '../../../text/alternatives';
import type { Judge } from '../../calls/manual';
import { changedBefore, refuse, type Scope } from '../../effects/scope';
import { managerNamed } from '../../files/installs';
import { resolvePlace } from '../../syntax/place';
import type { Value } from '../../syntax/value';

/** Files that declare packages or choose where they come from. */
const declaresPackages = sequence(
  [
    /(^|\/)/,
    anyOf([
      'package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock',
      '.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs bunfig.toml pyproject.toml setup.py setup.cfg pipfile pipfile.lock',
      'poetry.lock uv.lock uv.toml pdm.lock cargo.toml cargo.lock go.mod go.sum go.work composer.json composer.lock',
      'gemfile gemfile.lock gems.rb podfile podfile.lock pubspec.yaml pubspec.lock package.swift package.resolved',
      'mix.exs mix.lock nuget.config packages.config directory.packages.props directory.build.props',
      /(requirements|constraints)[\w.-]*\.(txt|in)/,
      /[\w.-]+\.(gemspec|csproj|fsproj|vbproj)/,
    ]),
    /$/,
  ],
  'i',
);

/** Commands that write the exact versions of what the project declares. */
const pinsDeclared =
  /^(?:pip-compile|uv (?:pip compile|export|lock)|(?:poetry|pdm) (?:export|lock)|pip3? freeze)(?: |$)/;

/** Refuses to install what the same line declares: nobody has seen that the project needs it. */
export function judgeDeclared(words: readonly Value[], scope: Scope, whole: string): void {
  const named = words.map((word) => resolvePlace(word, scope.cwd, scope.context).path);
  const changed = changedBefore(
    scope,
    (path) => declaresPackages.test(path) || named.includes(path),
    (command) => pinsDeclared.test(command.whole),
  );
  if (changed !== undefined) refuse(scope, whole, `Installs packages after ${changed}.`);
}

/** Records what an installation or a build runs by itself if it is new or changed since the session began. */
export function judgeInstall(program: string, scope: Scope, whole: string): void {
  const manager = managerNamed(program);
  if (manager === undefined || scope.cwd === undefined) return;
  const found = scope.context.lookUp?.('install', manager, scope.cwd);
  for (const reason of found?.alarms ?? []) {
    scope.effects.push({
      kind: 'other',
      level: 'high',
      reason,
      culprit: whole,
      ...(found?.guarded && { guarded: true as const }),
    });
  }
}

/** For package managers whose remaining rules are in the tables. */
export const judgeProjectInstall: Judge = ({ name, words, scope, whole }) => {
  judgeDeclared(words, scope, whole);
  judgeInstall(name.split(' ')[0]!, scope, whole);
  return undefined;
};
