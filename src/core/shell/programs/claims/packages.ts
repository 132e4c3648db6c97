import { claim, listed, optionValue, type Claim, type Claims, type Words } from '../../calls/claims';

const registryOf: Readonly<Record<string, string>> = {
  cargo: 'crates.io',
  gem: 'RubyGems',
  twine: 'PyPI',
  poetry: 'PyPI',
  uv: 'PyPI',
  flit: 'PyPI',
  hatch: 'PyPI',
};
const runsPackage = (names: readonly string[]): Claim =>
  claim(
    'installs',
    `Downloads and runs the package ${listed(names.slice(0, 1), 'that it names')}, which the project may not declare.`,
  );
const isAddress = (name: string): boolean => /^(git\+|https?:|file:|github:|git@)|:\/\//.test(name);

/** `npm install NAME`: another package than those that the project declares. */
function installs(names: readonly string[], everywhere: boolean): Claim | undefined {
  const address = names.find(isAddress);
  if (address) return claim('changes', `Installs code from the address ${address}.`);
  if (everywhere)
    return claim('changes', `Installs ${listed(names, 'packages')} for the whole account, outside the workspace.`);
  if (names.length === 0) return undefined;
  const several = names.length > 1;
  return claim(
    'installs',
    `Installs the ${several ? 'packages' : 'package'} ${listed(names, '')}, which may run scripts of ${several ? 'their' : 'its'} own.`,
  );
}

const node: Claims = ({ program, plain: [verb, ...names], has }) => {
  const everywhere = has(/^(-g|--global|--location=global)$/);
  switch (verb) {
    case 'install':
    case 'i':
    case 'add':
    case 'update':
    case 'up':
    case 'upgrade':
    case 'link':
      if (names.length === 0 && !everywhere)
        return has(/^(-f|--force)$/)
          ? claim('installs', 'Installs packages although they do not fit together.')
          : undefined;
      return installs(names, everywhere);
    case 'global':
      return installs(names.slice(1), true);
    case 'publish':
      return claim('sends', 'Publishes this package to the registry.');
    case 'unpublish':
      return claim('destroys', `Removes ${listed(names, 'this package')} from the registry.`);
    case 'deprecate':
    case 'dist-tag':
    case 'owner':
    case 'access':
    case 'team':
      return claim('changes', `Changes ${listed(names, 'this package')} on the registry.`);
    case 'login':
    case 'adduser':
    case 'token':
      return claim('leaks', `Uses or changes the credentials of ${program}.`);
    case 'dlx':
    case 'x':
    case 'exec':
    case 'create':
    case 'init':
      return runsPackage(names);
    case 'config':
    case 'set':
      return claim('changes', `Changes the settings of ${program}.`);
    case 'cache':
      return claim('unusual', `Changes the package cache of ${program}.`);
    default:
      return undefined;
  }
};

const indexOptions = ['-i', '--index-url', '--extra-index-url', '--find-links'];

const python: Claims = ({ program, all, plain: [verb, ...words], has }) => {
  const indexes = indexOptions.flatMap((option) => optionValue(all, option) ?? []);
  const names = words.filter((word) => !indexes.includes(word));
  if (verb === 'install') {
    const address = names.find(isAddress);
    if (address) return claim('changes', `Installs code from the address ${address}.`);
    if (indexes.length > 0 || has(/^(-i|--index-url|--extra-index-url)/)) {
      const where = listed(indexes, 'another index than the usual one');
      return claim('changes', `Installs ${listed(names, 'packages')} from ${where}, not from the usual index.`);
    }
    return installs(
      names.filter((name) => !/^\.|\.txt$/.test(name)),
      program === 'pipx',
    );
  }
  if (verb === 'uninstall') return claim('unusual', `Removes the installed package ${listed(names, '')}.`);
  if (verb === 'publish') return claim('sends', `Publishes this package to ${registryOf[program] ?? 'the registry'}.`);
  if (verb === 'add') return installs(names, false);
  if (verb === 'tool' || verb === 'run')
    return program === 'pipx' || names[0] === 'run' ? runsPackage(names.filter((name) => name !== 'run')) : undefined;
  return undefined;
};

const adds =
  (kind: string): Claims =>
  ({ program, plain: [verb, ...names], has }) => {
    const named = names.length > 0;
    switch (verb) {
      case 'add':
      case 'require':
      case 'get':
        return claim('installs', `Adds the ${kind} ${listed(names, 'that it names')} to the project and downloads it.`);
      case 'install':
        return (
          installs(names, program === 'cargo' || program === 'go' || program === 'gem') ??
          (has(/^--path/) ? claim('changes', 'Installs this program for the whole account.') : undefined)
        );
      case 'publish':
      case 'push':
        return claim(
          'sends',
          `Publishes ${named ? listed(names, '') : 'this package'} to ${registryOf[program] ?? 'the registry'}.`,
        );
      case 'yank':
        return claim(
          'destroys',
          `Withdraws ${listed(names, 'this package')} from ${registryOf[program] ?? 'the registry'}.`,
        );
      default:
        return undefined;
    }
  };

const npx: Claims = ({ plain }) => runsPackage(plain);
const upload: Claims = ({ plain: [verb, ...files] }) =>
  verb === 'upload' ? claim('sends', `Publishes ${listed(files, 'packages')} to PyPI.`) : undefined;

const ofSystem: Claims = ({ plain: [verb, ...names], has }: Words) => {
  if (verb === 'remove' || verb === 'purge' || verb === 'uninstall' || verb === 'autoremove')
    return claim('changes', `Removes ${listed(names, 'packages')} from the system.`);
  if (verb === 'install' || verb === 'add' || has(/^-S$/))
    return claim('changes', `Installs ${listed(names, 'packages')} on the system.`);
  return verb === 'update' || verb === 'upgrade' || verb === 'dist-upgrade'
    ? claim('changes', 'Upgrades packages of the system.')
    : undefined;
};

export const packageClaims: Readonly<Record<string, Claims>> = {
  'npm pnpm yarn bun': node,
  'npx bunx uvx': npx,
  'pip pip3 pipx poetry uv pdm hatch flit conda mamba': python,
  twine: upload,
  cargo: adds('crate'),
  go: adds('module'),
  gem: adds('gem'),
  composer: adds('package'),
  dotnet: adds('package'),
  bundle: adds('gem'),
  'apt apt-get dnf yum zypper brew apk pacman snap choco winget scoop port': ofSystem,
};
