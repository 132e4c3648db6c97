import { flags, high, takes, type Options, values } from '../../calls/options';
import { each } from '../../calls/manual';
import type { Manual, Manuals } from '../../calls/manual';
import { judgeAsks, judgePlaybook } from '../special/asks';
import { judgeNotSecret } from '../special/building';
import { judgeProbes } from '../special/lookups';

const changes = 'It changes things on a server or shows its secrets.';
const service = (asks: RegExp, options: Options = []): Manual => ({
  level: 'high',
  reason: changes,
  judge: judgeAsks,
  asks,
  options,
});
const look: Manual = { level: 'low', others: 'high', operands: { rest: 'text' } };
const builds: Manual = { level: 'medium', reason: 'It builds the project.', operands: [], others: 'high' };
/** Programs of clouds and of services: what only asks is medium, everything else high. */
export const cloudTools: Manuals = {
  aws: service(
    /^((?!secretsmanager|ssm|sts get-(?!caller)|kms|sso)[\w-]+ (describe|list)-[\w-]+|s3 ls( s3:\/\/[\w./-]*)?|sts get-caller-identity|logs tail \/?[\w./-]+|(cloudwatch|logs|cloudformation|dynamodb|iam) (get-(metric|log|template|policy|role|user|group|account-summary)|describe|list|filter-log)[\w-]*|help)( |$)/,
    [
      values('--since --max-items'),
      flags('--recursive --human-readable --summarize --follow --no-cli-pager'),
      values('--format --filter-pattern --profile --region --output --query'),
      high(flags('--no-verify-ssl'), values('--endpoint-url --ca-bundle --cli-input-json --cli-input-yaml')),
    ],
  ),
  gcloud: service(
    /^((?!secrets|auth|kms|iam service-accounts keys)[\w -]*(list|describe|get-iam-policy)( [\w.-]+)?|config (list|get-value|get) ?[\w/]*|info|version|help.*)$/,
    [
      flags('--quiet -q'),
      values('--project --format --filter --limit --region --zone --account'),
      high(flags('--log-http'), values('--impersonate-service-account --access-token-file --flags-file')),
    ],
  ),
  az: service(
    /^((?!keyvault|ad sp|storage account keys|acr credential)[\w -]*(list|show|list-locations)( [\w.-]+)?|version|account show)$/,
    [values('-o --output -g --resource-group -n --name --query --subscription'), high(flags('--debug'))],
  ),
  ...each(
    'doctl hcloud linode-cli scw oci ibmcloud',
    service(/^[\w -]*(list|ls|get|describe|view|info)( [\w.-]+)?$/, [
      flags('--no-header'),
      values('-o --output --format'),
    ]),
  ),
  ...each(
    `
      heroku fly flyctl railway render vercel netlify firebase supabase wrangler circleci
    `,
    service(
      /^(apps?(:info|:list| list)?|ps|status|list|ls|info|inspect [\w.-]+|releases( list)?|projects(:list| list)|functions list|deployments? list|version|whoami|help|domains( ls|:list)?|machines? list|regions( list)?|config validate)$/,
      [flags('--json'), values('-a --app -o -s')],
    ),
  ),
  pulumi: service(/^(stack ls|stack|version|about|whoami|preview|plugin ls)$/),
  ...each('cdk cdktf', service(/^(synth|ls|list|diff|doctor|version)( [\w.-]+)?$/)),
  ...each(
    'sam serverless sls',
    service(/^(build|validate|package|info|print|list|local invoke)( [\w.-]+)?$/, [
      values('--stage'),
      high(flags('--use-container')),
    ]),
  ),
  ...each(
    'eksctl argocd flux istioctl linkerd nomad consul stern kubectx kubens',
    service(
      /^(get|list|version|status|check|analyze|app list|app get|job status|node status|members|catalog)( [\w./-]+)*$/,
      [flags('-A'), values('-n -o --namespace')],
    ),
  ),
  kustomize: {
    level: 'high',
    verbs: {
      build: {
        level: 'low',
        operands: ['search'],
        options: [
          takes('write', '-o --output'),
          high(flags('--enable-helm --enable-exec --enable-alpha-plugins'), values('--load-restrictor')),
        ],
      },
      version: look,
      edit: { level: 'medium', reason: 'It changes files of the workspace.', operands: { rest: 'text' }, options: [] },
    },
  },
  minikube: {
    level: 'high',
    reason: 'It changes a cluster.',
    options: [values('-p')],
    verbs: {
      ...each('status ip version profile service-list', look),
      ...each('start stop pause unpause', {
        level: 'medium',
        reason: 'It starts or stops a cluster on this machine.',
        operands: [],
        options: [values('--cpus --memory --driver --nodes')],
      }),
    },
  },
  ...each('kind k3d', {
    level: 'high',
    reason: 'It changes a cluster.',
    verbs: {
      ...each('get version list', { ...look, operands: ['text'], judge: judgeNotSecret }),
      cluster: { level: 'high', verbs: { ...each('list get', look) } },
    },
  }),
  vagrant: {
    level: 'high',
    reason: 'It changes virtual machines.',
    verbs: {
      ...each('status version validate global-status', look),
      ...each('halt reload suspend resume', {
        level: 'medium',
        reason: 'It starts or stops a virtual machine.',
        operands: { rest: 'text' },
        options: [flags('--no-provision')],
      }),
    },
  },
  ...each('skaffold tilt packer', {
    level: 'high',
    reason: changes,
    verbs: {
      ...each('version diagnose validate inspect', { ...look, operands: { rest: 'search' } }),
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
  ...each('kubeconform kubeval kube-linter kube-score polaris', {
    level: 'low',
    operands: { rest: 'search' },
    options: [
      flags('-strict --strict -summary -verbose -ignore-missing-schemas score lint'),
      values('-output -kubernetes-version -n -skip'),
      high(values('-schema-location')),
    ],
    style: 'words',
  }),
  terragrunt: {
    level: 'high',
    reason: 'It changes infrastructure.',
    verbs: {
      ...each('validate hclfmt graph-dependencies version', {
        level: 'medium',
        reason: 'It checks or formats the project.',
        operands: [],
        options: [flags('--terragrunt-check --check --diff')],
      }),
    },
  },
  ...each('trivy grype syft', {
    level: 'medium',
    reason: 'It asks the network for known weaknesses.',
    verbs: {
      ...each('fs config repo version', {
        level: 'medium',
        reason: 'It asks the network for known weaknesses.',
        operands: ['search'],
        options: [flags('--quiet -q --ignore-unfixed'), values('--severity --exit-code --format -f --scanners')],
      }),
    },
  }),
  glab: {
    level: 'high',
    reason: changes,
    options: [flags('--version'), values('-R --repo')],
    verbs: {
      ...each('mr issue ci pipeline release repo label', {
        level: 'high',
        reason: changes,
        verbs: {
          ...each('list view show diff status ls', {
            ...look,
            options: [
              values(`
                  -R --repo --state -l --label -a --author --assignee -P -p --per-page --output -F
                `),
              flags('-c --comments --all --merged --closed'),
              high(flags('-w --web')),
            ],
          }),
        },
      }),
      version: look,
    },
  },
  hub: {
    level: 'high',
    reason: changes,
    verbs: {
      ...each('version ci-status', look),
      ...each('pr issue release', {
        level: 'high',
        reason: changes,
        verbs: { ...each('list show', { ...look, options: [values('-s -L -f')] }) },
      }),
    },
  },
  'ansible-playbook': { level: 'high', reason: 'It changes other machines.', judge: judgePlaybook },
  'ansible-inventory': {
    level: 'medium',
    reason: 'It runs code of this project.',
    operands: [],
    others: 'high',
    options: [
      flags('--list --graph --yaml -y --export --vars --version'),
      values('--host'),
      takes('search', '-i --inventory --playbook-dir'),
    ],
  },
  ...each('ansible-lint ansible-doc', {
    ...look,
    operands: { rest: 'search' },
    options: [flags('-q -p -l --version')],
    judge: judgeNotSecret,
  }),
  act: { level: 'high', options: [flags('-l --list --version')] },
  ...each('ping ping6', { level: 'high', judge: judgeProbes, options: [flags('-4 -6 -n -q'), values('-c -W -i')] }),
  ...each('dig host nslookup', { level: 'high', judge: judgeProbes, options: [flags('-4 -6 -x'), values('-t')] }),
  ...each('nc ncat netcat', { level: 'high', judge: judgeProbes, options: [flags('-z -v -n -4 -6 -u'), values('-w')] }),
};
