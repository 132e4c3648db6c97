import { claim, type Claims } from '../../calls/claims';
import { judgeByManual } from '../../calls/judgeByManual';
import { eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import { flags, high, medium, optionalValues, saying, takes, values } from '../../calls/options';
import { refuse } from '../../effects/scope';
import { changesServer, judgeNotSecret, judgePlaybook } from '../shared/asks';
import { alwaysNeedsApproval, strictReadingManual } from '../shared/kinds';
import { judgeFormats, judgeRunsProject } from '../shared/projectCode';

/** `nginx -t` only checks its configuration. */
const judgeChecksSettings: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const { judge, ...table } = manual;
  if (!words.some(({ text }) => /^-q?[tT]q?$/.test(text))) return undefined;
  judgeByManual({ manual: { ...table, level: 'low', operands: [] }, name, words, scope, flow, whole });
  return 'done';
};

/** `terraform show PLAN`. Without a file, it shows the state, which contains secrets. */
const judgeShowsPlan: Judge = ({ words, scope, whole }) => {
  if (!words.some(({ text }) => !text.startsWith('-')))
    refuse(scope, whole, 'Shows the state of infrastructure, which may contain secrets.');
  return undefined;
};

const builds: Manual = { level: 'medium', reason: 'Builds the project.', operands: [], others: 'high' };

export const infrastructure: Claims = ({ plain: [verb], has }) => {
  if (verb === 'destroy' || (verb === 'apply' && has(/^-destroy$/)))
    return claim('destroys', 'Destroys the infrastructure that this project describes.');
  if (verb === 'apply' || verb === 'up')
    return claim('destroys', 'Changes real infrastructure and may destroy parts of it.');
  if (verb === 'state' || verb === 'import' || verb === 'taint' || verb === 'untaint')
    return claim('changes', 'Changes the recorded state of the infrastructure.');
  return verb === 'output' || verb === 'show'
    ? claim('leaks', 'Shows values of the infrastructure, which may contain secrets.')
    : undefined;
};

export const infrastructureFamily: Family = {
  programs: {
    vagrant: {
      level: 'high',
      reason: 'Changes virtual machines.',
      verbs: {
        ...eachNamed('status version validate global-status port', {
          ...strictReadingManual,
          judge: judgeRunsProject,
          options: [medium(flags('--prune')), flags('-p --ignore-provider --machine-readable --no-color -h --help')],
        }),
        ...eachNamed('halt reload suspend resume', {
          level: 'medium',
          reason: 'Starts or stops a virtual machine.',
          operands: { rest: 'text' },
          judge: judgeRunsProject,
          options: [
            flags('--no-provision -f --force -h --help --no-color'),
            saying(
              'Runs the scripts that set up the machine.',
              medium(flags('--provision'), values('--provision-with')),
            ),
          ],
        }),
      },
    },
    ...eachNamed('skaffold tilt packer', {
      level: 'high',
      reason: changesServer,
      verbs: {
        ...eachNamed('version diagnose validate inspect', {
          ...strictReadingManual,
          operands: { rest: 'search' },
          options: [
            takes('search', '-f --filename'),
            flags('-syntax-only -evaluate-datasources --yaml-only'),
            values('-p --profile -var'),
            takes('list', '-var-file'),
          ],
        }),
        ...eachNamed('build fmt', {
          ...builds,
          judge: judgeRunsProject,
          options: [
            takes('search', '-f --filename'),
            flags('-q --quiet --dry-run --cache-artifacts -check -diff -recursive'),
            values('-p --profile -b --build-image -t --tag -o --output'),
            takes('write', '--file-output'),
            high(flags('--push'), values('-d --default-repo')),
          ],
        }),
      },
    }),
    ...eachNamed('tflint tfsec checkov terrascan', {
      level: 'low',
      operands: { rest: 'search' },
      options: [
        flags(
          '--recursive --quiet --compact --version --no-color --soft-fail -v -h --help --no-guide --force --show-config --list -l -i',
        ),
        values(
          '--format -o --output --minimum-failure-severity --framework --filter --only --enable-rule --disable-rule -c --check --skip-check --minimum-severity -m --exclude',
        ),
        takes('search', '--config -d --directory -f --file --chdir --config-file --tfvars-file'),
        takes('write', '--output-file-path --out'),
        medium(flags('--fix')),
        high(values('--external-checks-dir --external-checks-git --repo-id --bc-api-key --ignore-module --var-file')),
        high(flags('--init')),
      ],
    }),
    // Their tests create machines, or run commands on others.
    ...eachNamed('molecule kitchen okteto garden salt salt-call', {
      level: 'high',
      reason: 'Creates, changes or deletes machines and services.',
      options: [flags('--version')],
      verbs: {
        ...eachNamed('list lint drivers matrix status version diagnose', strictReadingManual),
        test: alwaysNeedsApproval('Creates, changes or deletes machines and services.'),
      },
    }),
    terragrunt: {
      level: 'high',
      reason: 'Changes infrastructure.',
      verbs: {
        ...eachNamed('validate hclfmt graph-dependencies version', {
          level: 'medium',
          reason: 'Checks or formats the project.',
          operands: [],
          options: [flags('--terragrunt-check --check --diff')],
        }),
      },
    },
    ...eachNamed('trivy grype syft', {
      level: 'medium',
      reason: 'Asks the network for known vulnerabilities.',
      options: [flags('--version -v -h --help')],
      verbs: {
        db: { level: 'high', verbs: { ...eachNamed('status list check', strictReadingManual) } },
        ...eachNamed('fs filesystem config repo repository version', {
          level: 'medium',
          reason: 'Asks the network for known vulnerabilities.',
          operands: ['search'],
          options: [
            flags(
              '--quiet -q --ignore-unfixed --no-progress --offline-scan --skip-db-update --list-all-pkgs -d --debug -h --help',
            ),
            values(
              '--severity --exit-code --format -f --scanners --security-checks --vuln-type --pkg-types --skip-dirs --skip-files --timeout --commit --branch --tag',
            ),
            takes('search', '--ignorefile -c'),
            takes('write', '-o --output'),
          ],
        }),
      },
    }),
    'ansible-playbook': { level: 'high', reason: 'Changes other machines.', judge: judgePlaybook },
    'ansible-inventory': {
      level: 'medium',
      reason: 'Runs code of this project.',
      operands: [],
      others: 'high',
      options: [
        flags('--list --graph --yaml -y --toml --export --vars --version -v -h --help'),
        values('-l --limit'),
        takes('write', '--output'),
        takes('search', '--inventory-file'),
        values('--host'),
        takes('search', '-i --inventory --playbook-dir'),
      ],
    },
    ...eachNamed('ansible-lint ansible-doc', {
      ...strictReadingManual,
      operands: { rest: 'search' },
      options: [
        flags(
          '-q -p -l --version -h --help -v --list --offline --parseable --nocolor --strict --show-relpath -L --list-rules -T --list-tags -j --json -s --snippet -F --list_files --force-color',
        ),
        values('-f --format -x --skip-list -w --warn-list -t --type --tags --profile --enable-list'),
        takes('search', '-c --config-file --exclude --project-dir -i --ignore-file'),
        saying('Changes files of the workspace.', medium(optionalValues('--fix'))),
        high(values('-r --rulesdir --rules -M --module-path --playbook-dir')),
      ],
      judge: judgeNotSecret,
    }),
    promtool: {
      level: 'high',
      verbs: {
        ...eachNamed('check test', {
          level: 'high',
          verbs: {
            ...eachNamed('config rules metrics web-config', {
              level: 'low',
              operands: { rest: 'read' },
              options: [values('--lint'), flags('--lint-fatal --syntax-only --agent')],
            }),
          },
        }),
      },
    },
    amtool: { level: 'high', verbs: { 'check-config': { level: 'low', operands: { rest: 'read' } } } },
    nginx: {
      level: 'high',
      reason: 'Starts or stops a server.',
      judge: judgeChecksSettings,
      options: [flags('-v -V -h -t -T -q'), takes('read', '-c'), takes('search', '-p')],
    },
    ...eachNamed('terraform tofu', {
      level: 'high',
      reason: 'Changes infrastructure or shows its secrets.',
      style: 'words',
      options: [flags('-version --version -help'), takes('search', '-chdir')],
      verbs: {
        test: { level: 'high', reason: 'Creates real infrastructure for its tests.', style: 'words' },
        providers: {
          level: 'high',
          reason: 'Changes infrastructure or shows its secrets.',
          options: [],
          bare: { level: 'low', operands: [] },
          verbs: { schema: { ...strictReadingManual, style: 'words', options: [flags('-json')] } },
        },
        ...eachNamed('validate version graph', {
          ...strictReadingManual,
          style: 'words',
          options: [
            flags('-json -no-color -no-tests -draw-cycles -help'),
            values('-type -module-depth'),
            takes('search', '-test-directory'),
            takes('read', '-plan'),
          ],
        }),
        fmt: {
          level: 'medium',
          reason: 'Changes files.',
          operands: { rest: 'write' },
          style: 'words',
          options: [flags('-recursive -diff -check -no-color -help'), values('-list -write')],
          judge: judgeFormats,
        },
        show: {
          level: 'medium',
          reason: 'Shows a plan or the state, without values marked as secret.',
          style: 'words',
          judge: judgeShowsPlan,
          operands: ['read'],
          options: [flags('-no-color -help'), saying('Shows values that are marked as secret.', high(flags('-json')))],
        },
        ...eachNamed('plan init', {
          level: 'medium',
          reason: 'Downloads providers or reads infrastructure.',
          style: 'words',
          operands: [],
          judge: judgeRunsProject,
          options: [
            flags('-reconfigure -json -help -concise -get-plugins'),
            values('-lockfile -exclude'),
            saying('Sets a variable, which may contain a secret.', medium(values('-var'))),
            saying(
              'Chooses where the state is stored.',
              high(flags('-migrate-state -force-copy'), values('-backend-config -from-module -plugin-dir')),
            ),
            flags('-refresh-only -destroy -no-color -compact-warnings -detailed-exitcode -upgrade'),
            values('-parallelism -replace -input -backend -lock -refresh -get -target'),
            takes('write', '-out -generate-config-out'),
            takes('list', '-var-file'),
          ],
        }),
        state: { level: 'high', verbs: { list: { ...strictReadingManual, options: [] } } },
        workspace: { level: 'high', verbs: { ...eachNamed('list show', strictReadingManual) } },
      },
    }),
  },
  claims: {
    ...eachNamed('terraform tofu terragrunt', infrastructure),
  },
};
