import type { ConsentKind } from '../../../../protocol/events/risk';
import type { Value } from '../../syntax/value';
import { claim, type Claim, type Claims, joinNames } from '../../calls/claims';

export const registryOf: Readonly<Record<string, string>> = {
  cargo: 'crates.io',
  gem: 'RubyGems',
  twine: 'PyPI',
  poetry: 'PyPI',
  uv: 'PyPI',
  flit: 'PyPI',
  hatch: 'PyPI',
};

export const runsPackage = (names: readonly string[]): Claim =>
  claim(
    'installs',
    `Downloads and runs the package ${joinNames(names.slice(0, 1), 'that it names')}, which the project may not declare.`,
  );

/** A package given by name, with or without a version, from the default registry: no address or file. */
const plainPackage = /^(?:@[a-z0-9][\w.-]*\/)?[a-zA-Z0-9][\w.-]*(?:\[[\w,-]+\])?(?:(?:@|[=~!<>]=|[<>])[\w.^~*-]+)?$/;

/** Consent to packages covers only plainly named ones. */
export const consentForPackage = ({ kind, text }: Value): ConsentKind | undefined =>
  kind === 'literal' && plainPackage.test(text) && !/\.(?:whl|tgz|gz|zip|txt|toml)$/.test(text)
    ? 'packages'
    : undefined;

export const isAddress = (name: string): boolean => /^(git\+|https?:|file:|github:|git@)|:\/\//.test(name);

/** Claim about `npm install NAME`: a package other than those that the project declares. */
export function claimOfInstall(
  names: readonly string[],
  { everywhere }: { readonly everywhere: boolean },
): Claim | undefined {
  const address = names.find(isAddress);
  if (address) return claim('changes', `Installs code from the address ${address}.`);
  if (everywhere)
    return claim('changes', `Installs ${joinNames(names, 'packages')} for the whole account, outside the workspace.`);
  if (names.length === 0) return undefined;
  const [packages, their] = names.length > 1 ? ['packages', 'their'] : ['package', 'its'];
  return claim('installs', `Installs the ${packages} ${joinNames(names, '')}, which may run ${their} own scripts.`);
}

export const claimsOfInstaller =
  (kind: string): Claims =>
  ({ program, plain: [verb, ...names], has }) => {
    const named = names.length > 0;
    switch (verb) {
      case 'add':
      case 'require':
      case 'get':
        return claim(
          'installs',
          `Adds the ${kind} ${joinNames(names, 'that it names')} to the project and downloads it.`,
        );
      case 'install':
        return (
          claimOfInstall(names, { everywhere: program === 'cargo' || program === 'go' || program === 'gem' }) ??
          (has(/^--path/) ? claim('changes', 'Installs this program for the whole account.') : undefined)
        );
      case 'publish':
      case 'push':
        return claim(
          'sends',
          `Publishes ${named ? joinNames(names, '') : 'this package'} to ${registryOf[program] ?? 'the registry'}.`,
        );
      case 'yank':
        return claim(
          'destroys',
          `Withdraws ${joinNames(names, 'this package')} from ${registryOf[program] ?? 'the registry'}.`,
        );
      default:
        return undefined;
    }
  };
