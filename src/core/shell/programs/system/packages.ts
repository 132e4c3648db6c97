import { claim, type Claims, joinNames, type Words } from '../../calls/claims';
import { each, type Family, type Judge } from '../../calls/manual';
import { flags, medium, takes, values } from '../../calls/options';
import { refuse } from '../../effects/scope';
import { judgeQueriesOnly } from '../shared/asks';
import { strictReadingManual } from '../shared/kinds';

const ofSystem: Claims = ({ plain: [verb, ...names], has }: Words) => {
  if (verb === 'remove' || verb === 'purge' || verb === 'uninstall' || verb === 'autoremove')
    return claim('changes', `Removes ${joinNames(names, 'packages')} from the system.`);
  if (verb === 'install' || verb === 'add' || has(/^-S$/))
    return claim('changes', `Installs ${joinNames(names, 'packages')} on the system.`);
  return verb === 'update' || verb === 'upgrade' || verb === 'dist-upgrade'
    ? claim('changes', 'Upgrades packages of the system.')
    : undefined;
};

/** Words that make the command line of VS Code do more than open files: servers, chats, installations. */
const editorVerbs = /^(?:tunnel|serve-web|agent|agents|chat|ext|version|command-shell|update|self-update)$/;

const judgeEditor: Judge = ({ words, scope, whole }) => {
  const first = words.find(({ text }) => !text.startsWith('-'));
  if (first && editorVerbs.test(first.text))
    refuse(scope, whole, 'Starts a server, an agent or an installation of the editor.');
  return undefined;
};

export const packagesFamily: Family = {
  programs: {
    ...each('apt apt-get', {
      level: 'high',
      reason: 'Changes installed software.',
      verbs: {
        ...each('list show search policy depends rdepends', {
          ...strictReadingManual,
          options: [flags('--installed --upgradable -a -i')],
        }),
      },
    }),
    ...each('apt-cache dpkg-query', {
      ...strictReadingManual,
      options: [flags('-l -L -s -W -S --list --status --installed'), values('-f')],
    }),
    dpkg: {
      level: 'low',
      operands: { rest: 'text' },
      options: [
        flags(`
        -l -L -s -S --list --listfiles --status --search --get-selections --print-architecture
      `),
      ],
    },
    rpm: {
      level: 'low',
      operands: { rest: 'text' },
      judge: judgeQueriesOnly,
      options: [flags('-q -a -i -l -qa -qi -ql'), takes('list', '-f')],
    },
    brew: {
      level: 'high',
      reason: 'Changes installed software.',
      options: [flags('--version --prefix')],
      verbs: {
        ...each('list info search deps outdated config doctor --prefix', {
          ...strictReadingManual,
          options: [flags('--versions --cask --json --formula --tree --installed')],
        }),
      },
    },
    ...each('dnf yum zypper', {
      level: 'high',
      reason: 'Changes installed software.',
      verbs: {
        ...each('list info search provides', {
          ...strictReadingManual,
          options: [flags('--installed --available -q')],
        }),
      },
    }),
    pacman: {
      level: 'low',
      others: 'high',
      style: 'words',
      operands: { rest: 'text' },
      options: [flags('-Q -Qi -Qs -Ql -Qe -Qo -V --version'), medium(flags('-Ss -Si'))],
    },
    apk: {
      level: 'high',
      reason: 'Changes installed software.',
      verbs: { ...each('info list search', { ...strictReadingManual, options: [flags('-v -e -L')] }) },
    },
    ...each('code codium', {
      level: 'medium',
      reason: 'Opens something in the editor.',
      judge: judgeEditor,
      operands: { rest: 'search' },
      others: 'high',
      options: [
        flags(`
          --version --list-extensions --status -v -h --help -d --diff -g --goto -n --new-window -r
          --reuse-window -a --add -w --wait
        `),
      ],
    }),
    ...each('snap flatpak', { level: 'high', verbs: { ...each('list info', strictReadingManual) } }),
  },
  claims: {
    ...each('apt apt-get dnf yum zypper brew apk pacman snap choco winget scoop port', ofSystem),
  },
};
