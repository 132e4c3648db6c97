import { flags, high, medium, optionalValues, takes, values } from '../../calls/options';
import { each } from '../../calls/manual';
import type { Manual, Manuals } from '../../calls/manual';
import { judgeDryRun, judgeListsOnly, judgeQueriesOnly } from '../special/asks';
import { judgeFormats, judgeNoAssignment, judgeNotSecret, judgeSqlite } from '../special/building';
import { judgePrintVariables, judgeRedirects, judgeSource } from '../special/builtins';
import { judgeCompose } from '../special/containers';
import { judgeInContainer } from '../special/elsewhere';
import { judgeCurl, judgeWget } from '../special/network';
import { judgeShowsPlan } from '../special/projects';
import { judgeShell } from '../special/scripts';
import { judgeEnvironment, judgeShellLines, judgeWrapper, judgeXargs } from '../special/wrappers';

const asked = (reason: string): Manual => ({ level: 'high', reason, others: 'high' });
const look: Manual = { level: 'low', others: 'high', operands: { rest: 'text' } };
const change: Manual = {
  level: 'medium',
  reason: 'It starts, stops or builds containers of the project.',
  operands: { rest: 'text' },
};
const stop: Manual = { level: 'high', reason: 'It stops what runs in containers.' };
const kube: Manual = {
  ...look,
  judge: judgeNotSecret,
  options: [
    values(`
        -n --namespace -o --output -l --selector -c --sort-by --field-selector --context --tail
        --since --container
      `),
    flags(`
        -A --all-namespaces -p --all-containers --prefix --no-headers --timestamps --client --short
        --containers --recursive --minify --show-labels --previous
      `),
    values('--api-group'),
    optionalValues('--namespaced'),
    medium(flags('-f --follow -w --watch')),
  ],
};
const inContainer: Manual = { level: 'high', reason: 'It runs a command in a container.', judge: judgeInContainer };
const composeVerbs: Manuals = {
  ...each('exec run', inContainer),
  ...each('ps logs images top version port ls', {
    ...look,
    options: [
      values('--tail -n --format'),
      flags('-a --all -q --quiet --services -t --no-log-prefix --no-color --timestamps'),
      values('--since --status --filter'),
      medium(flags('-f --follow')),
    ],
  }),
  config: {
    level: 'medium',
    reason: 'It may show secrets of the settings.',
    operands: [],
    options: [flags('--services --quiet -q --volumes --images --profiles')],
  },
  ...each('up start stop restart build create pause unpause watch', {
    ...change,
    options: [
      flags(`
          -d --detach --build --no-deps --force-recreate --remove-orphans --wait --no-cache --pull
          --quiet --no-start --quiet-pull --parallel --no-recreate --abort-on-container-exit
        `),
      values('-t --timeout --scale --progress'),
    ],
  }),
  down: {
    ...change,
    options: [flags('--remove-orphans'), values('-t --timeout'), high(flags('-v --volumes'), values('--rmi'))],
  },
  pull: { ...change, options: [flags('-q --quiet --ignore-pull-failures')] },
};
const compose: Manual = {
  level: 'high',
  reason: 'It runs or removes containers.',
  judge: judgeCompose,
  options: [
    flags('--version'),
    values('-p --project-name --profile --ansi --progress'),
    takes('search', '-f --file'),
    takes('read', '--env-file'),
  ],
  verbs: composeVerbs,
};

/** Everything that reaches beyond the workspace: containers, clouds, networks, accounts, the system. Unknown tools are high too; these say why. */
export const systemTools: Manuals = {
  ...each('docker podman', {
    level: 'high',
    reason: 'It runs or removes containers.',
    options: [flags('--version -v --help')],
    verbs: {
      ...each('ps images version info inspect logs stats top port history diff', {
        ...look,
        judge: judgeNotSecret,
        options: [
          values('-f --filter --format -n --tail --since --until --type'),
          flags(`
              -a -q --all --quiet --no-trunc -t --timestamps --no-stream -l --latest -s --size --details
              --human
            `),
          medium(flags('--follow')),
        ],
      }),
      manifest: {
        level: 'high',
        verbs: {
          inspect: { level: 'medium', reason: 'It asks the registry.', operands: ['text'], options: [flags('-v')] },
        },
      },
      ...each('start pause unpause wait stop restart', { ...change, options: [values('-t --time -s --signal')] }),
      kill: stop,
      exec: inContainer,
      build: {
        ...change,
        operands: ['search'],
        options: [
          flags('--no-cache --pull -q --quiet --rm --load'),
          values('-t --tag --target --build-arg --progress --platform --label'),
          takes('search', '-f --file'),
          high(
            flags('--push'),
            values(`
              --secret --ssh --output -o --network --add-host --allow --build-context --cache-from
              --cache-to
            `),
          ),
        ],
      },
      pull: { level: 'high', reason: 'It downloads an image.' },
      search: {
        level: 'medium',
        reason: 'It asks the registry.',
        operands: ['text'],
        options: [values('--limit --filter -f')],
      },
      tag: change,
      compose,
      ...each('image container volume network', {
        level: 'high',
        reason: 'It changes containers.',
        verbs: {
          ...each('ls list inspect logs top history', {
            ...look,
            options: [flags('-a -q --all --quiet'), values('--filter -f --format')],
          }),
        },
      }),
      system: {
        level: 'high',
        reason: 'It changes containers.',
        verbs: { ...each('df info', { ...look, options: [flags('-v')] }) },
      },
      context: { level: 'high', verbs: { ...each('ls show', look) } },
      buildx: { level: 'high', verbs: { ...each('ls version', look) } },
    },
  }),
  'docker-compose': compose,
  ...each('kubectl oc k', {
    level: 'high',
    reason: 'It changes the cluster.',
    options: [values('-n --namespace --context')],
    verbs: {
      ...each('get describe logs top explain version api-resources api-versions cluster-info', { ...kube }),
      kustomize: {
        ...look,
        operands: ['search'],
        options: [
          takes('write', '-o'),
          high(flags('--enable-helm --enable-exec --enable-alpha-plugins'), values('--load-restrictor')),
        ],
      },
      config: {
        level: 'high',
        verbs: {
          view: {
            ...look,
            operands: [],
            options: [flags('--minify --merge'), values('-o'), high(flags('--raw --flatten'))],
          },
          ...each('current-context get-contexts get-clusters', {
            ...look,
            options: [flags('--no-headers'), values('-o')],
          }),
        },
      },
      auth: { level: 'high', verbs: { 'can-i': { ...look, options: [flags('--list'), values('-n')] } } },
      ...each('apply create', { level: 'high', reason: 'It changes the cluster.', judge: judgeDryRun }),
      rollout: { level: 'high', verbs: { ...each('status history', kube) } },
      diff: {
        level: 'medium',
        reason: 'It compares with the cluster.',
        operands: { rest: 'text' },
        options: [takes('read', '-f'), takes('search', '-k')],
      },
    },
  }),
  helm: {
    level: 'high',
    reason: 'It changes the cluster.',
    options: [values('-n --namespace')],
    verbs: {
      ...each('repo plugin dependency dep', {
        level: 'high',
        reason: 'It changes what Helm uses.',
        verbs: {
          ...each('list ls', look),
          ...each('build update', {
            level: 'medium',
            reason: 'It downloads charts that the project declares.',
            operands: ['search'],
            options: [flags('--skip-refresh')],
          }),
        },
      }),
      get: { level: 'high', reason: 'It may show secrets.', verbs: { notes: { ...look, options: [values('-n')] } } },
      ...each('list ls status history version template lint search show', {
        ...look,
        judge: judgeNotSecret,
        options: [
          values('-n --namespace -o --set'),
          flags('-A -a --debug --short --all-namespaces --strict'),
          takes('read', '-f --values'),
        ],
      }),
    },
  },
  ...each('terraform tofu', {
    level: 'high',
    reason: 'It changes infrastructure or shows its secrets.',
    style: 'words',
    options: [flags('-version --version -help'), takes('search', '-chdir')],
    verbs: {
      providers: {
        level: 'high',
        reason: 'It changes infrastructure or shows its secrets.',
        options: [],
        bare: { level: 'low', operands: [] },
        verbs: { schema: { ...look, style: 'words', options: [flags('-json')] } },
      },
      ...each('validate version graph', { ...look, style: 'words', options: [flags('-json -no-color')] }),
      fmt: {
        level: 'medium',
        reason: 'It changes files.',
        operands: { rest: 'write' },
        style: 'words',
        options: [flags('-recursive -diff -check'), values('-list')],
        judge: judgeFormats,
      },
      show: {
        level: 'medium',
        reason: 'It shows a plan or the state, without what is marked as secret.',
        style: 'words',
        judge: judgeShowsPlan,
        operands: ['read'],
        options: [flags('-no-color')],
      },
      ...each('plan init', {
        level: 'medium',
        reason: 'It downloads providers or reads infrastructure.',
        style: 'words',
        operands: [],
        options: [
          flags('-refresh-only -destroy -no-color -compact-warnings -detailed-exitcode -upgrade'),
          values('-parallelism -replace -input -backend -lock -refresh -get -target'),
          takes('write', '-out'),
          takes('list', '-var-file'),
        ],
      }),
      state: { level: 'high', verbs: { list: { ...look, options: [] } } },
      workspace: { level: 'high', verbs: { ...each('list show', look) } },
    },
  }),
  gh: {
    level: 'high',
    reason: 'It changes things on a server.',
    options: [flags('--version --help'), values('-R --repo')],
    verbs: {
      ...each('pr issue run release workflow repo label cache milestone ruleset', {
        level: 'high',
        reason: 'It changes things on a server.',
        verbs: {
          ...each('view list ls diff checks status watch', {
            ...look,
            options: [
              values(`
                  -R --repo -L --limit -s --state -l --label -a --assignee -A --author -S --search --json -j
                  -b -B -H -e -u -i --interval --workflow --user --job
                `),
              takes('filter', '-q --jq --template -t'),
              flags(`
                  --comments -c --log --log-failed -v -d --fail-fast --draft --required --exit-status
                  --verbose --patch --name-only
                `),
              values('--color --branch --head --base'),
              medium(flags('--watch')),
              high(flags('-w --web')),
            ],
          }),
        },
      }),
      search: {
        level: 'low',
        verbs: {
          ...each('issues prs code repos commits', {
            ...look,
            options: [values('--json -L --limit --repo --state -R --language --owner --author --label')],
          }),
        },
      },
      auth: {
        level: 'high',
        reason: 'It handles credentials.',
        verbs: { status: { level: 'low', operands: [], options: [values('-h --hostname')] } },
      },
      api: {
        ...look,
        operands: ['text'],
        options: [flags('--paginate'), values('--cache'), takes('filter', '-q --jq -t --template')],
        judge: judgeNotSecret,
      },
      ...each('status version', look),
    },
  },
  ...each('apt apt-get', {
    level: 'high',
    reason: 'It changes what is installed.',
    verbs: {
      ...each('list show search policy depends rdepends', {
        ...look,
        options: [flags('--installed --upgradable -a -i')],
      }),
    },
  }),
  ...each('apt-cache dpkg-query', {
    ...look,
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
    reason: 'It changes what is installed.',
    options: [flags('--version --prefix')],
    verbs: {
      ...each('list info search deps outdated config doctor --prefix', {
        ...look,
        options: [flags('--versions --cask --json --formula --tree --installed')],
      }),
    },
  },
  ...each('dnf yum zypper', {
    level: 'high',
    reason: 'It changes what is installed.',
    verbs: { ...each('list info search provides', { ...look, options: [flags('--installed --available -q')] }) },
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
    reason: 'It changes what is installed.',
    verbs: { ...each('info list search', { ...look, options: [flags('-v -e -L')] }) },
  },
  ...each('code codium', {
    level: 'medium',
    reason: 'It opens something in the editor.',
    operands: { rest: 'search' },
    others: 'high',
    options: [
      flags(`
          --version --list-extensions --status -v -h --help -d --diff -g --goto -n --new-window -r
          --reuse-window -a --add -w --wait
        `),
    ],
  }),
  ...each('snap flatpak', { level: 'high', verbs: { ...each('list info', look) } }),
  systemctl: {
    level: 'high',
    reason: 'It changes services of the system.',
    options: [flags('--user --no-pager --version')],
    verbs: {
      ...each(
        `
          status is-active is-enabled is-failed list-units list-timers list-unit-files show cat
        `,
        {
          ...look,
          options: [flags('--no-pager --user --all -l --failed'), values('--type --state -n')],
        },
      ),
    },
  },
  sysctl: { level: 'low', operands: ['text'], options: [flags('-n -a')], judge: judgeNoAssignment },
  ip: {
    level: 'high',
    reason: 'It changes the network.',
    options: [flags('-4 -6 -br -j -o -brief')],
    verbs: {
      ...each('addr a address link route r neigh', {
        level: 'low',
        bare: { level: 'low', operands: [] },
        verbs: { ...each('show list ls', look) },
      }),
    },
  },
  ifconfig: { level: 'low', operands: ['text'], options: [flags('-a')] },
  sqlite3: {
    level: 'high',
    reason: 'It can change data or run commands.',
    judge: judgeSqlite,
    options: [flags('-version --version')],
  },
  ...each('bash sh zsh dash ksh ash', { level: 'high', judge: judgeShell, startsPrograms: true }),
  xargs: { level: 'low', judge: judgeXargs, startsPrograms: true },
  env: { level: 'high', judge: judgeEnvironment, startsPrograms: true },
  ...each('nohup setsid', {
    level: 'low',
    judge: judgeWrapper,
    startsPrograms: true,
    options: [flags('-w'), high(flags('-f -c'))],
  }),
  builtin: { level: 'low', judge: judgeWrapper, startsPrograms: true },
  noglob: { level: 'low', judge: judgeWrapper, startsPrograms: true },
  nocorrect: { level: 'low', judge: judgeWrapper, startsPrograms: true },
  command: { level: 'low', judge: judgeWrapper, startsPrograms: true, options: [flags('-v -V'), high(flags('-p'))] },
  time: {
    level: 'low',
    judge: judgeWrapper,
    startsPrograms: true,
    options: [flags('-p -v'), values('-f'), high(flags('-a'), values('-o'))],
  },
  nice: { level: 'low', judge: judgeWrapper, startsPrograms: true, options: [flags('-#'), values('-n --adjustment')] },
  ionice: { level: 'low', judge: judgeWrapper, startsPrograms: true, options: [flags('-t'), values('-c -n')] },
  ...each('timeout gtimeout', {
    level: 'low',
    judge: judgeWrapper,
    startsPrograms: true,
    operands: ['text'],
    options: [flags('-v --preserve-status --foreground --verbose'), values('-s -k --signal --kill-after')],
  }),
  stdbuf: {
    level: 'low',
    judge: judgeWrapper,
    startsPrograms: true,
    options: [values('-o -i -e --output --input --error')],
  },
  chronic: { level: 'low', judge: judgeWrapper, startsPrograms: true },
  winpty: { level: 'low', judge: judgeWrapper, startsPrograms: true },
  caffeinate: { level: 'low', judge: judgeWrapper, startsPrograms: true, options: [flags('-i -s -d -u')] },
  ...each('dotenv dotenvx cross-env', { level: 'high', judge: judgeEnvironment, startsPrograms: true, declared: true }),
  ...each('npm-run-all run-s run-p', asked('It runs several scripts.')),
  watch: {
    level: 'low',
    judge: judgeShellLines,
    options: [
      flags('-t -b -e -g -c -p -w --no-title --beep --errexit --chgexit --color --precise'),
      values('-n --interval'),
      optionalValues('-d --differences'),
    ],
  },
  hyperfine: {
    level: 'medium',
    reason: 'It runs commands many times.',
    judge: judgeShellLines,
    options: [
      values('-w -r -m -M --warmup --runs --min-runs --max-runs --style -n --command-name'),
      flags('-i -N --ignore-failure --show-output'),
    ],
  },
  concurrently: {
    level: 'medium',
    reason: 'It runs several scripts.',
    declared: true,
    judge: judgeShellLines,
    options: [
      values('-n -c --names --prefix-colors --prefix --success -s -m --max-processes --hide'),
      flags('-k -r --kill-others --kill-others-on-fail --raw -g --group --no-color'),
    ],
  },
  ...each('http https xh xhs httpie', {
    level: 'high',
    reason: 'It talks to another machine.',
    options: [
      flags(`
          -h -b -v --headers --body --verbose --json -j --follow -F --check-status --ignore-stdin
          --version
        `),
      values('-p --print --pretty --timeout'),
    ],
    verbs: {
      ...each('GET HEAD OPTIONS', {
        level: 'low',
        operands: ['url'],
        others: 'high',
        options: [flags('-h -b -v --headers --body --check-status --ignore-stdin'), values('--pretty')],
      }),
    },
    bare: { level: 'low', operands: ['url'], others: 'high' },
  }),
  curl: { level: 'medium', judge: judgeCurl },
  wget: { level: 'medium', judge: judgeWget },
  ...each('sudo su doas pkexec runuser', asked('It runs with the rights of another user.')),
  ...each('chown chgrp setfacl chattr', asked('It changes owners or rights.')),
  ...each('ssh scp sftp ftp telnet socat traceroute whois mail sendmail', asked('It talks to another machine.')),
  ...each(
    `
      bw op pass gopass lpass dashlane dcli keepassxc-cli keyring secret-tool security vault bao
      chamber doppler infisical sops age rage aws-vault saml2aws keytool certutil nmcli wg ssh-add
      pinentry berglas teller envchain mysql_config_editor
    `,
    asked('It handles secrets.'),
  ),
  eval: asked('It runs text as a command.'),
  ...each('source .', { level: 'high', judge: judgeSource }),
  printenv: { level: 'high', judge: judgePrintVariables },
  exec: { ...asked('It replaces the shell.'), judge: judgeRedirects },
  deactivate: { level: 'medium', reason: 'It leaves the Python environment of the project.', operands: [] },
  ...each('pkill killall xkill', asked('It ends processes.')),
  ...each('dd mkfs shred wipefs fdisk parted mount umount swapoff', asked('It writes to disks or destroys data.')),
  crontab: { ...asked('It plants something that runs later.'), judge: judgeListsOnly },
  ...each('at batch', asked('It plants something that runs later.')),
  ...each('tmux screen', { ...asked('It runs programs in another terminal.'), judge: judgeListsOnly }),
  launchctl: { ...asked('It changes services of the system.'), judge: judgeListsOnly },
  journalctl: {
    level: 'medium',
    reason: 'It reads the logs of the system.',
    operands: [],
    options: [
      values(`
          -u --unit -n --lines -p -o -t -g --grep --output --priority --identifier --since --until
        `),
      flags('-e -x -k -r -q --list-boots --disk-usage --reverse --no-pager --user'),
      optionalValues('-b --boot'),
      values('--user-unit'),
      medium(flags('-f --follow')),
    ],
  },
  history: asked('It shows what may be secret.'),
};
