import { claim, type Claims, joinNames, type Words } from '../../calls/claims';
import { eachNamed, type Family, type Judge } from '../../calls/manual';
import { flags, high, medium, optionalValues, saying, takes, values } from '../../calls/options';
import { judgeRole } from '../../calls/judgeByManual';
import { note, refuse } from '../../effects/scope';
import { judgeQueriesOnly } from '../shared/asks';
import { strictReadingManual } from '../shared/kinds';
import { readsWith } from '../shared/readsWith';

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

const judgeBare: Judge = ({ words, scope, whole }) => {
  const typedWords = words.map(({ text }) => text).join(' ');
  if (!/^(?:(?:list|info)(?: [\w@-]+)*|-h|--help)?$/.test(typedWords)) return undefined;
  note(scope, 'low', whole);
  return 'done';
};

/** A dry run only lists what would change. */
const judgeDryRuns: Judge = ({ words, scope, whole }) => {
  if (
    !words.every(({ kind }) => kind === 'literal') ||
    !words.some(({ text }) => /^(?:-n|--dry-run|-h|--help)$/.test(text))
  )
    return undefined;
  note(scope, 'low', whole);
  return 'done';
};

/** `rpm -qp FILE` reads a package, also from an address. */
const judgePackageFiles: Judge = (call) => {
  const isFile = call.words.some(({ text }) => /^-[a-zA-Z]*p|^--pa/.test(text));
  judgeQueriesOnly(call);
  if (isFile)
    for (const word of call.words)
      if (!/^-/.test(word.text)) judgeRole(/^\w+:\/\//.test(word.text) ? 'url' : 'read', word, call.scope, call.whole);
  return undefined;
};

/** Queries of pacman. The same letters with `-S` and `-R` change the system, and `y` downloads lists. */
const pacmanQuery = /^-(?:Q[cdegiklmnopqstu]*|F[lqx]*|Tq?|Dk{1,2}q?|[DFQRSTU]h)$/;

export const systemPackagesFamily: Family = {
  programs: {
    ...eachNamed('apt apt-get', {
      level: 'high',
      reason: 'Changes installed software.',
      verbs: {
        ...eachNamed('list show search policy depends rdepends showsrc showpkg madison', {
          ...strictReadingManual,
          options: [
            flags(`
              --installed --upgradable --upgradeable --manual-installed --all-versions --names-only --full
              --no-all-versions --verbose --quiet -a -i -u -q -n -f -v
            `),
          ],
        }),
      },
    }),
    ...eachNamed('apt-cache dpkg-query', {
      ...strictReadingManual,
      options: [
        flags(`
          -l -L -s -W -S -p --list --listfiles --status --show --search --print-avail --installed --names-only
          --full --recurse --important --no-all-versions -i -n --version --help
        `),
        values('-f --showformat'),
      ],
    }),
    dpkg: {
      level: 'low',
      operands: { rest: 'text' },
      options: [
        flags(`
        -l -L -s -S -p -V -C --list --listfiles --status --search --get-selections --print-architecture
        --print-foreign-architectures --print-avail --verify --audit --compare-versions --version --help
      `),
        takes('read', '-c -I -f --contents --info --field --ctrl-tarfile --fsys-tarfile'),
        saying(
          'Changes installed software.',
          high(flags('-i -P -r -A --install --remove --purge --unpack --configure --triggers-only')),
        ),
        high(
          flags('-x -X -e -R -b -B --extract --vextract --raw-extract --control --build --recursive --set-selections'),
          values('--admindir --instdir --root --status-logger --pre-invoke --post-invoke'),
        ),
      ],
    },
    rpm: {
      level: 'low',
      operands: { rest: 'text' },
      judge: judgePackageFiles,
      options: [
        flags(`
          -q -a -i -l -v -p -s -c -d -R -V -qa -qi -ql --query --all --info --list --verbose --package --state
          --configfiles --docfiles --scripts --scriptlets --triggers --changelog --requires --provides
          --conflicts --obsoletes --last --dump --filesbypkg --nosignature --nodigest --verify --nodeps
          --nofiles --noscripts --version --help
        `),
        values('--whatrequires --whatprovides'),
        takes('list', '-f --file'),
        // A spec file and macros may start programs.
        high(flags('--specfile'), values('-E --eval -D --define --load --macros --rcfile --pipe')),
      ],
    },
    brew: {
      level: 'high',
      reason: 'Changes installed software.',
      options: [flags('--version --prefix')],
      verbs: {
        ...eachNamed(
          `
          list ls info search deps uses desc outdated config doctor leaves missing commands formulae casks
          tap-info log --prefix --cellar --cache --repository --caskroom
        `,
          {
            ...strictReadingManual,
            options: [
              flags(`
              --versions --cask --casks --json --formula --formulae --tree --installed --desc --pinned --full-name
              --multiple --verbose --quiet --help --dependents --include-build --include-test --recursive
              --eval-all --installed-on-request --installed-as-dependency --greedy --fetch-HEAD
              -v -q -h -1 -l -r -t -n -p -d -s
            `),
            ],
          },
        ),
        bundle: {
          level: 'high',
          reason: 'Changes installed software.',
          verbs: {
            // A Brewfile is a Ruby program.
            ...eachNamed('check list', {
              level: 'medium',
              reason: 'Runs the Brewfile.',
              operands: [],
              options: [
                flags('--all --brews --casks --taps --formula --cask --tap --mas --vscode --verbose -v --no-upgrade'),
                takes('read', '--file'),
              ],
            }),
          },
        },
        // Without a word, they list what there is.
        ...eachNamed('tap services', { level: 'high', reason: 'Changes installed software.', judge: judgeBare }),
        ...eachNamed('upgrade cleanup autoremove', {
          level: 'high',
          reason: 'Changes installed software.',
          judge: judgeDryRuns,
        }),
      },
    },
    ...eachNamed('dnf yum zypper', {
      level: 'high',
      reason: 'Changes installed software.',
      verbs: {
        ...eachNamed('list info search provides se if lr repos repolist repoinfo repoquery rq deplist changelog', {
          ...strictReadingManual,
          options: [
            flags(`
              --installed --available --upgrades --updates --all --enabled --disabled --deplist --requires
              --provides --conflicts --obsoletes --list --info --showduplicates --cacheonly --quiet --verbose
              --sort-by-priority --details --installed-only --help --help-cmd -q -v -C -P -u -U -d -s -i
            `),
            values('--since --count --whatrequires --whatprovides --qf --queryformat'),
          ],
        }),
      },
    }),
    pacman: {
      level: 'low',
      others: 'high',
      style: 'words',
      operands: { rest: 'text' },
      mild: pacmanQuery,
      options: [flags('-Q -Qi -Qs -Ql -Qe -Qo -V --version'), medium(flags('-Ss -Si -Sg -Sl'))],
    },
    apk: {
      level: 'high',
      reason: 'Changes installed software.',
      verbs: {
        ...eachNamed('info list search', {
          ...strictReadingManual,
          options: [
            flags('-v -e -L -a -d -x -R -r -W -q -h -o -u -I --verbose --description --all --exact --quiet --help'),
          ],
        }),
      },
    },
    ...eachNamed('code codium', {
      level: 'medium',
      reason: 'Opens something in the editor.',
      judge: judgeEditor,
      operands: { rest: 'search' },
      others: 'high',
      options: [
        flags(`
          --version --list-extensions --status -v -h --help -d --diff -g --goto -n --new-window -r
          --reuse-window -a --add -w --wait -s --show-versions
        `),
      ],
    }),
    snap: {
      level: 'high',
      options: [flags('--version --help')],
      verbs: {
        ...eachNamed('list info find search changes version services connections warnings', {
          ...strictReadingManual,
          options: [flags('--all --verbose --abs-time --narrow --private')],
        }),
      },
    },
    ...eachNamed('winget scoop choco', {
      level: 'high',
      reason: 'Changes installed software.',
      options: [flags('--version -v --info -h --help -?')],
      verbs: {
        ...eachNamed('list ls search find show info outdated status which prefix depends', {
          ...strictReadingManual,
          options: [
            flags(
              '-e --exact --upgrade-available --include-unknown --versions -l --local-only --all --limit-output -r',
            ),
            values('--id --name --moniker --tag --command -q --query -s --source -n --count --scope'),
          ],
        }),
      },
    }),
    port: {
      level: 'high',
      reason: 'Changes installed software.',
      verbs: {
        ...eachNamed('installed list search info outdated contents deps dependents variants version provides', {
          ...strictReadingManual,
          options: [flags('-v -q --name --exact --line')],
        }),
      },
    },
    'nix-env': {
      level: 'high',
      reason: 'Changes installed software.',
      judge: readsWith('-q --query', {
        ...strictReadingManual,
        options: [
          flags('-q --query -a --available --installed -s --status --description --json -P --attr-path --out-path'),
        ],
      }),
    },
    guix: {
      level: 'high',
      reason: 'Changes installed software.',
      verbs: {
        package: {
          level: 'high',
          reason: 'Changes installed software.',
          judge: readsWith('-I --list-installed -A --list-available -l --list-generations', {
            ...strictReadingManual,
            options: [optionalValues('-I --list-installed -A --list-available -l --list-generations')],
          }),
        },
        ...eachNamed('search show describe', { ...strictReadingManual, options: [values('-f --format')] }),
      },
    },
    flatpak: {
      level: 'high',
      options: [flags('--version --help')],
      verbs: {
        ...eachNamed('list info search history remotes remote-ls remote-info', {
          ...strictReadingManual,
          options: [
            flags(`
              --app --runtime --all --user --system --show-details --show-ref --show-commit --show-metadata
              --show-permissions --show-size --updates --log --cached -a -d -r -c -s -m -M
            `),
            values('--columns --arch --commit'),
          ],
        }),
      },
    },
  },
  claims: {
    ...eachNamed('apt apt-get dnf yum zypper brew apk pacman snap choco winget scoop port', ofSystem),
  },
};
