import { claim, type Claims } from '../../calls/claims';
import { judgeByManual } from '../../calls/judgeByManual';
import { each, type Family, type Judge, type Manual } from '../../calls/manual';
import { flags, high, takes, values } from '../../calls/options';
import { refuse } from '../../effects/scope';
import { changesServer, judgeNotSecret, judgePlaybook } from '../shared/asks';
import { strictReadingManual } from '../shared/kinds';
import { judgeFormats } from '../shared/projectCode';

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
        ...each('status version validate global-status', strictReadingManual),
        ...each('halt reload suspend resume', {
          level: 'medium',
          reason: 'Starts or stops a virtual machine.',
          operands: { rest: 'text' },
          options: [flags('--no-provision')],
        }),
      },
    },
    ...each('skaffold tilt packer', {
      level: 'high',
      reason: changesServer,
      verbs: {
        ...each('version diagnose validate inspect', { ...strictReadingManual, operands: { rest: 'search' } }),
        ...each('build fmt', builds),
      },
    }),
    ...each('tflint tfsec checkov terrascan', {
      level: 'low',
      operands: { rest: 'search' },
      options: [
        flags('--recursive --quiet --compact --version --no-color --soft-fail'),
        values('--format -f --minimum-failure-severity --framework'),
        takes('search', '--config -d'),
        high(flags('--init')),
      ],
    }),
    terragrunt: {
      level: 'high',
      reason: 'Changes infrastructure.',
      verbs: {
        ...each('validate hclfmt graph-dependencies version', {
          level: 'medium',
          reason: 'Checks or formats the project.',
          operands: [],
          options: [flags('--terragrunt-check --check --diff')],
        }),
      },
    },
    ...each('trivy grype syft', {
      level: 'medium',
      reason: 'Asks the network for known vulnerabilities.',
      verbs: {
        ...each('fs config repo version', {
          level: 'medium',
          reason: 'Asks the network for known vulnerabilities.',
          operands: ['search'],
          options: [flags('--quiet -q --ignore-unfixed'), values('--severity --exit-code --format -f --scanners')],
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
        flags('--list --graph --yaml -y --export --vars --version'),
        values('--host'),
        takes('search', '-i --inventory --playbook-dir'),
      ],
    },
    ...each('ansible-lint ansible-doc', {
      ...strictReadingManual,
      operands: { rest: 'search' },
      options: [flags('-q -p -l --version')],
      judge: judgeNotSecret,
    }),
    promtool: {
      level: 'high',
      verbs: {
        ...each('check test', {
          level: 'high',
          verbs: {
            ...each('config rules metrics web-config', {
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
    ...each('terraform tofu', {
      level: 'high',
      reason: 'Changes infrastructure or shows its secrets.',
      style: 'words',
      options: [flags('-version --version -help'), takes('search', '-chdir')],
      verbs: {
        providers: {
          level: 'high',
          reason: 'Changes infrastructure or shows its secrets.',
          options: [],
          bare: { level: 'low', operands: [] },
          verbs: { schema: { ...strictReadingManual, style: 'words', options: [flags('-json')] } },
        },
        ...each('validate version graph', {
          ...strictReadingManual,
          style: 'words',
          options: [flags('-json -no-color')],
        }),
        fmt: {
          level: 'medium',
          reason: 'Changes files.',
          operands: { rest: 'write' },
          style: 'words',
          options: [flags('-recursive -diff -check'), values('-list')],
          judge: judgeFormats,
        },
        show: {
          level: 'medium',
          reason: 'Shows a plan or the state, without values marked as secret.',
          style: 'words',
          judge: judgeShowsPlan,
          operands: ['read'],
          options: [flags('-no-color')],
        },
        ...each('plan init', {
          level: 'medium',
          reason: 'Downloads providers or reads infrastructure.',
          style: 'words',
          operands: [],
          options: [
            flags('-refresh-only -destroy -no-color -compact-warnings -detailed-exitcode -upgrade'),
            values('-parallelism -replace -input -backend -lock -refresh -get -target'),
            takes('write', '-out'),
            takes('list', '-var-file'),
          ],
        }),
        state: { level: 'high', verbs: { list: { ...strictReadingManual, options: [] } } },
        workspace: { level: 'high', verbs: { ...each('list show', strictReadingManual) } },
      },
    }),
  },
  claims: {
    ...each('terraform tofu terragrunt', infrastructure),
  },
};
