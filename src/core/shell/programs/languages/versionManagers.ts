import { each, type Family } from '../../calls/manual';
import { flags, high, saying } from '../../calls/options';
import { strictReadingManual } from '../shared/kinds';

export const versionManagersFamily: Family = {
  programs: {
    ...each('nvm fnm volta pyenv rbenv nodenv goenv jenv asdf mise rtx sdk tfenv rvm chruby', {
      level: 'high',
      reason: 'Changes which versions of tools are used.',
      options: [flags('--version -v')],
      verbs: {
        ...each(
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
        plugin: { level: 'high', verbs: { ...each('list ls', strictReadingManual) } },
      },
    }),
    direnv: {
      level: 'high',
      reason: 'Changes which code runs in this folder.',
      verbs: { ...each('status version', strictReadingManual) },
    },
  },
};
