import { eachNamed, type Family, type Manual } from '../../calls/manual';
import { flags, high, saying } from '../../calls/options';
import { strictReadingManual } from '../shared/kinds';

const versionChange = { level: 'high', reason: 'Changes which versions of tools are used.' } as const;

const versions: Manual = {
  ...versionChange,
  options: [flags('--version -v')],
  verbs: {
    ...eachNamed(
      `
      ls list current version versions which whence where ls-installed list-installed installed
      root doctor help commands requirements c
    `,
      {
        ...strictReadingManual,
        options: [flags('--no-colors --bare')],
      },
    ),
    // A version that is installed already.
    use: {
      level: 'medium',
      reason: 'Changes which versions of tools are used in this shell.',
      operands: ['text'],
      options: [
        flags('--lts --silent --no-use'),
        saying('Changes the versions for the whole account.', high(flags('-g --global --default --install'))),
      ],
    },
    plugin: { level: 'high', verbs: { ...eachNamed('list ls', strictReadingManual) } },
  },
};

export const versionManagersFamily: Family = {
  programs: {
    ...eachNamed('nvm fnm volta pyenv rbenv nodenv goenv jenv asdf sdk tfenv rvm chruby', versions),
    // Their `use` installs the version, whose name may be that of any package.
    ...eachNamed('mise rtx', { ...versions, verbs: { ...versions.verbs, use: versionChange } }),
    direnv: {
      level: 'high',
      reason: 'Changes which code runs in this folder.',
      verbs: { ...eachNamed('status version', strictReadingManual) },
    },
  },
};
