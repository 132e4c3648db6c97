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
const look: Manual = { level: 'low', others: 'high', operands: 'text…' };
const change: Manual = {
  level: 'medium',
  reason: 'It starts, stops or builds containers of the project.',
  operands: 'text…',
};
const stop: Manual = { level: 'high', reason: 'It stops what runs in containers.' };
const kube: Manual = {
  ...look,
  judge: judgeNotSecret,
  options:
    '-n= --namespace= -o= --output= -l= --selector= -A --all-namespaces --tail= --since= -f^ --follow^ -c= --container= --previous -p -w^ --watch^ --context= --show-labels --sort-by= --field-selector= --no-headers --timestamps --client --short --containers --recursive --minify --api-group= --namespaced? --all-containers --prefix',
};
const inContainer: Manual = { level: 'high', reason: 'It runs a command in a container.', judge: judgeInContainer };
const composeVerbs: Manuals = {
  'exec run': inContainer,
  'ps logs images top version port ls': {
    ...look,
    options:
      '-f^ --follow^ --tail= -n= -a --all -q --quiet --services --format= --no-color -t --timestamps --since= --no-log-prefix --status= --filter=',
  },
  config: {
    level: 'medium',
    reason: 'It may show secrets of the settings.',
    operands: '',
    options: '--services --quiet -q --volumes --images --profiles',
  },
  'up start stop restart build create pause unpause watch': {
    ...change,
    options:
      '-d --detach --build --no-deps --force-recreate --remove-orphans --wait -t= --timeout= --no-cache --pull --quiet --scale= --no-start --quiet-pull --parallel --progress= --no-recreate --abort-on-container-exit',
  },
  down: { ...change, options: '--remove-orphans -t= --timeout= -v! --volumes! --rmi=!' },
  pull: { ...change, options: '-q --quiet --ignore-pull-failures' },
};
const compose: Manual = {
  level: 'high',
  reason: 'It runs or removes containers.',
  judge: judgeCompose,
  options: '-f=search --file=search -p= --project-name= --profile= --version --ansi= --progress= --env-file=read',
  verbs: composeVerbs,
};

/** Everything that reaches beyond the workspace: containers, clouds, networks, accounts, the system. Unknown tools are high too; these say why. */
export const systemTools: Manuals = {
  'docker podman': {
    level: 'high',
    reason: 'It runs or removes containers.',
    options: '--version -v --help',
    verbs: {
      'ps images version info inspect logs stats top port history diff': {
        ...look,
        judge: judgeNotSecret,
        options:
          '-a -q -f= --all --quiet --filter= --format= --no-trunc -n= --tail= --since= --until= -t --timestamps --no-stream -l --latest -s --size --type= --follow^ --details --human',
      },
      manifest: {
        level: 'high',
        verbs: { inspect: { level: 'medium', reason: 'It asks the registry.', operands: 'text', options: '-v' } },
      },
      'start pause unpause wait stop restart': { ...change, options: '-t= --time= -s= --signal=' },
      kill: stop,
      exec: inContainer,
      build: {
        ...change,
        operands: 'search',
        options:
          '-t= -f=search --tag= --file=search --no-cache --pull --target= --build-arg= --progress= -q --quiet --platform= --rm --load --label= --secret=! --ssh=! --push! --output=! -o=! --network=! --add-host=! --allow=! --build-context=! --cache-from=! --cache-to=!',
      },
      pull: { level: 'high', reason: 'It downloads an image.' },
      search: { level: 'medium', reason: 'It asks the registry.', operands: 'text', options: '--limit= --filter= -f=' },
      tag: change,
      compose,
      'image container volume network': {
        level: 'high',
        reason: 'It changes containers.',
        verbs: {
          'ls list inspect logs top history': { ...look, options: '-a -q --all --quiet --filter= -f= --format=' },
        },
      },
      system: { level: 'high', reason: 'It changes containers.', verbs: { 'df info': { ...look, options: '-v' } } },
      context: { level: 'high', verbs: { 'ls show': look } },
      buildx: { level: 'high', verbs: { 'ls version': look } },
    },
  },
  'docker-compose': compose,
  'kubectl oc k': {
    level: 'high',
    reason: 'It changes the cluster.',
    options: '-n= --namespace= --context=',
    verbs: {
      'get describe logs top explain version api-resources api-versions cluster-info': { ...kube },
      kustomize: {
        ...look,
        operands: 'search',
        options: '--load-restrictor=! --enable-helm! --enable-exec! --enable-alpha-plugins! -o=write',
      },
      config: {
        level: 'high',
        verbs: {
          view: { ...look, operands: '', options: '--minify -o= --raw! --flatten! --merge' },
          'current-context get-contexts get-clusters': { ...look, options: '-o= --no-headers' },
        },
      },
      auth: { level: 'high', verbs: { 'can-i': { ...look, options: '-n= --list' } } },
      'apply create': { level: 'high', reason: 'It changes the cluster.', judge: judgeDryRun },
      rollout: { level: 'high', verbs: { 'status history': kube } },
      diff: {
        level: 'medium',
        reason: 'It compares with the cluster.',
        operands: 'text…',
        options: '-f=read -k=search',
      },
    },
  },
  helm: {
    level: 'high',
    reason: 'It changes the cluster.',
    options: '-n= --namespace=',
    verbs: {
      'repo plugin dependency dep': {
        level: 'high',
        reason: 'It changes what Helm uses.',
        verbs: {
          'list ls': look,
          'build update': {
            level: 'medium',
            reason: 'It downloads charts that the project declares.',
            operands: 'search',
            options: '--skip-refresh',
          },
        },
      },
      get: { level: 'high', reason: 'It may show secrets.', verbs: { notes: { ...look, options: '-n=' } } },
      'list ls status history version template lint search show': {
        ...look,
        judge: judgeNotSecret,
        options: '-n= -A --namespace= -a -o= -f=read --values=read --set= --debug --short --all-namespaces --strict',
      },
    },
  },
  'terraform tofu': {
    level: 'high',
    reason: 'It changes infrastructure or shows its secrets.',
    style: 'words',
    options: '-version --version -chdir=search -help',
    verbs: {
      providers: {
        level: 'high',
        reason: 'It changes infrastructure or shows its secrets.',
        options: '',
        bare: { level: 'low', operands: '' },
        verbs: { schema: { ...look, style: 'words', options: '-json' } },
      },
      'validate version graph': { ...look, style: 'words', options: '-json -no-color' },
      fmt: {
        level: 'medium',
        reason: 'It changes files.',
        operands: 'write…',
        style: 'words',
        options: '-recursive -diff -check -list=',
        judge: judgeFormats,
      },
      show: {
        level: 'medium',
        reason: 'It shows a plan or the state, without what is marked as secret.',
        style: 'words',
        judge: judgeShowsPlan,
        operands: 'read',
        options: '-no-color',
      },
      'plan init': {
        level: 'medium',
        reason: 'It downloads providers or reads infrastructure.',
        style: 'words',
        operands: '',
        options:
          '-out=write -var-file=list -parallelism= -refresh-only -destroy -replace= -input= -no-color -backend= -lock= -compact-warnings -detailed-exitcode -refresh= -upgrade -get= -target=',
      },
      state: { level: 'high', verbs: { list: { ...look, options: '' } } },
      workspace: { level: 'high', verbs: { 'list show': look } },
    },
  },
  gh: {
    level: 'high',
    reason: 'It changes things on a server.',
    options: '--version --help -R= --repo=',
    verbs: {
      'pr issue run release workflow repo label cache milestone ruleset': {
        level: 'high',
        reason: 'It changes things on a server.',
        verbs: {
          'view list ls diff checks status watch': {
            ...look,
            options:
              '-R= --repo= -L= --limit= -s= --state= -l= --label= -a= --assignee= -A= --author= -S= --search= --json= -q=filter --jq=filter --template=filter -t=filter --comments -c --log --log-failed --job= -j= --patch --name-only --color= -w! --web! -b= -B= --branch= --head= -H= --base= --required --exit-status --verbose -v --workflow= -e= -u= --user= --draft -d --watch^ --interval= -i= --fail-fast',
          },
        },
      },
      search: {
        level: 'low',
        verbs: {
          'issues prs code repos commits': {
            ...look,
            options: '--json= -L= --limit= --repo= --state= -R= --language= --owner= --author= --label=',
          },
        },
      },
      auth: {
        level: 'high',
        reason: 'It handles credentials.',
        verbs: { status: { level: 'low', operands: '', options: '-h= --hostname=' } },
      },
      api: {
        ...look,
        operands: 'text',
        options: '-q=filter --jq=filter --paginate -t=filter --template=filter --cache=',
        judge: judgeNotSecret,
      },
      'status version': look,
    },
  },
  'apt apt-get': {
    level: 'high',
    reason: 'It changes what is installed.',
    verbs: { 'list show search policy depends rdepends': { ...look, options: '--installed --upgradable -a -i' } },
  },
  'apt-cache dpkg-query': { ...look, options: '-l -L -s -W -S -f= --list --status --installed' },
  dpkg: {
    level: 'low',
    operands: 'text…',
    options: '-l -L -s -S --list --listfiles --status --search --get-selections --print-architecture',
  },
  rpm: { level: 'low', operands: 'text…', judge: judgeQueriesOnly, options: '-q -a -i -l -f=list -qa -qi -ql' },
  brew: {
    level: 'high',
    reason: 'It changes what is installed.',
    options: '--version --prefix',
    verbs: {
      'list info search deps outdated config doctor --prefix': {
        ...look,
        options: '--versions --cask --json --formula --tree --installed',
      },
    },
  },
  'dnf yum zypper': {
    level: 'high',
    reason: 'It changes what is installed.',
    verbs: { 'list info search provides': { ...look, options: '--installed --available -q' } },
  },
  pacman: {
    level: 'low',
    others: 'high',
    style: 'words',
    operands: 'text…',
    options: '-Q -Qi -Qs -Ql -Qe -Qo -Ss^ -Si^ -V --version',
  },
  apk: {
    level: 'high',
    reason: 'It changes what is installed.',
    verbs: { 'info list search': { ...look, options: '-v -e -L' } },
  },
  'code codium': {
    level: 'medium',
    reason: 'It opens something in the editor.',
    operands: 'search…',
    others: 'high',
    options:
      '--version --list-extensions --status -v -h --help -d --diff -g --goto -n --new-window -r --reuse-window -a --add -w --wait',
  },
  'snap flatpak': { level: 'high', verbs: { 'list info': look } },
  systemctl: {
    level: 'high',
    reason: 'It changes services of the system.',
    options: '--user --no-pager --version',
    verbs: {
      'status is-active is-enabled is-failed list-units list-timers list-unit-files show cat': {
        ...look,
        options: '--no-pager --user --type= --state= -n= --all -l --failed',
      },
    },
  },
  sysctl: { level: 'low', operands: 'text', options: '-n -a', judge: judgeNoAssignment },
  ip: {
    level: 'high',
    reason: 'It changes the network.',
    options: '-4 -6 -br -j -o -brief',
    verbs: {
      'addr a address link route r neigh': {
        level: 'low',
        bare: { level: 'low', operands: '' },
        verbs: { 'show list ls': look },
      },
    },
  },
  ifconfig: { level: 'low', operands: 'text', options: '-a' },
  sqlite3: {
    level: 'high',
    reason: 'It can change data or run commands.',
    judge: judgeSqlite,
    options: '-version --version',
  },
  'bash sh zsh dash ksh ash': { level: 'high', judge: judgeShell, startsPrograms: true },
  xargs: { level: 'low', judge: judgeXargs, startsPrograms: true },
  env: { level: 'high', judge: judgeEnvironment, startsPrograms: true },
  'nohup setsid': { level: 'low', judge: judgeWrapper, startsPrograms: true, options: '-w -f! -c!' },
  builtin: { level: 'low', judge: judgeWrapper, startsPrograms: true },
  noglob: { level: 'low', judge: judgeWrapper, startsPrograms: true },
  nocorrect: { level: 'low', judge: judgeWrapper, startsPrograms: true },
  command: { level: 'low', judge: judgeWrapper, startsPrograms: true, options: '-v -V -p!' },
  time: { level: 'low', judge: judgeWrapper, startsPrograms: true, options: '-p -v -f= -o=! -a!' },
  nice: { level: 'low', judge: judgeWrapper, startsPrograms: true, options: '-n= --adjustment= -#' },
  ionice: { level: 'low', judge: judgeWrapper, startsPrograms: true, options: '-c= -n= -t' },
  'timeout gtimeout': {
    level: 'low',
    judge: judgeWrapper,
    startsPrograms: true,
    operands: 'text',
    options: '-s= -k= -v --signal= --kill-after= --preserve-status --foreground --verbose',
  },
  stdbuf: {
    level: 'low',
    judge: judgeWrapper,
    startsPrograms: true,
    options: '-o= -i= -e= --output= --input= --error=',
  },
  chronic: { level: 'low', judge: judgeWrapper, startsPrograms: true },
  winpty: { level: 'low', judge: judgeWrapper, startsPrograms: true },
  caffeinate: { level: 'low', judge: judgeWrapper, startsPrograms: true, options: '-i -s -d -u' },
  'dotenv dotenvx cross-env': { level: 'high', judge: judgeEnvironment, startsPrograms: true, declared: true },
  'npm-run-all run-s run-p': asked('It runs several scripts.'),
  watch: {
    level: 'low',
    judge: judgeShellLines,
    options:
      '-n= -d? -t -b -e -g -c -p -w --interval= --differences? --no-title --beep --errexit --chgexit --color --precise',
  },
  hyperfine: {
    level: 'medium',
    reason: 'It runs commands many times.',
    judge: judgeShellLines,
    options:
      '-w= -r= -m= -M= -i -N --warmup= --runs= --min-runs= --max-runs= --ignore-failure --style= -n= --command-name= --show-output',
  },
  concurrently: {
    level: 'medium',
    reason: 'It runs several scripts.',
    declared: true,
    judge: judgeShellLines,
    options:
      '-n= -c= -k -r --names= --prefix-colors= --prefix= --kill-others --kill-others-on-fail --raw --success= -s= -g --group -m= --max-processes= --hide= --no-color',
  },
  'http https xh xhs httpie': {
    level: 'high',
    reason: 'It talks to another machine.',
    options:
      '-h -b -v -p= --headers --body --verbose --print= --pretty= --json -j --timeout= --follow -F --check-status --ignore-stdin --version',
    verbs: {
      'GET HEAD OPTIONS': {
        level: 'low',
        operands: 'url',
        others: 'high',
        options: '-h -b -v --headers --body --pretty= --check-status --ignore-stdin',
      },
    },
    bare: { level: 'low', operands: 'url', others: 'high' },
  },
  curl: { level: 'medium', judge: judgeCurl },
  wget: { level: 'medium', judge: judgeWget },
  'sudo su doas pkexec runuser': asked('It runs with the rights of another user.'),
  'chown chgrp setfacl chattr': asked('It changes owners or rights.'),
  'ssh scp sftp ftp telnet socat traceroute whois mail sendmail': asked('It talks to another machine.'),
  'bw op pass gopass lpass dashlane dcli keepassxc-cli keyring secret-tool security vault bao chamber doppler infisical sops age rage aws-vault saml2aws keytool certutil nmcli wg ssh-add pinentry berglas teller envchain mysql_config_editor':
    asked('It handles secrets.'),
  eval: asked('It runs text as a command.'),
  'source .': { level: 'high', judge: judgeSource },
  printenv: { level: 'high', judge: judgePrintVariables },
  exec: { ...asked('It replaces the shell.'), judge: judgeRedirects },
  deactivate: { level: 'medium', reason: 'It leaves the Python environment of the project.', operands: '' },
  'pkill killall xkill': asked('It ends processes.'),
  'dd mkfs shred wipefs fdisk parted mount umount swapoff': asked('It writes to disks or destroys data.'),
  crontab: { ...asked('It plants something that runs later.'), judge: judgeListsOnly },
  'at batch': asked('It plants something that runs later.'),
  'tmux screen': { ...asked('It runs programs in another terminal.'), judge: judgeListsOnly },
  launchctl: { ...asked('It changes services of the system.'), judge: judgeListsOnly },
  journalctl: {
    level: 'medium',
    reason: 'It reads the logs of the system.',
    operands: '',
    options:
      '-u= --unit= -n= --lines= -f^ --follow^ -e -x -b? -k -r -p= -o= --since= --until= --no-pager --user --user-unit= --disk-usage --reverse --output= --priority= -t= --identifier= -q -g= --grep= --list-boots --boot?',
  },
  history: asked('It shows what may be secret.'),
};
