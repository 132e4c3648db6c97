import type { Manual, Manuals } from '../../calls/manual';
import { judgeAsks, judgePlaybook } from '../special/asks';
import { judgeNotSecret } from '../special/building';
import { judgeProbes } from '../special/lookups';

const changes = 'It changes things on a server or shows its secrets.';
const service = (asks: RegExp, options = ''): Manual => ({
  level: 'high',
  reason: changes,
  judge: judgeAsks,
  asks,
  options,
});
const look: Manual = { level: 'low', others: 'high', operands: 'text…' };
const builds: Manual = { level: 'medium', reason: 'It builds the project.', operands: '', others: 'high' };
/** Programs of clouds and of services: what only asks is medium, everything else high. */
export const cloudTools: Manuals = {
  aws: service(
    /^((?!secretsmanager|ssm|sts get-(?!caller)|kms|sso)[\w-]+ (describe|list)-[\w-]+|s3 ls( s3:\/\/[\w./-]*)?|sts get-caller-identity|logs tail \/?[\w./-]+|(cloudwatch|logs|cloudformation|dynamodb|iam) (get-(metric|log|template|policy|role|user|group|account-summary)|describe|list|filter-log)[\w-]*|help)( |$)/,
    '--since= --recursive --human-readable --summarize --follow --format= --filter-pattern= --profile= --region= --output= --query= --no-cli-pager --max-items= --endpoint-url=! --no-verify-ssl! --ca-bundle=! --cli-input-json=! --cli-input-yaml=!',
  ),
  gcloud: service(
    /^((?!secrets|auth|kms|iam service-accounts keys)[\w -]*(list|describe|get-iam-policy)( [\w.-]+)?|config (list|get-value|get) ?[\w/]*|info|version|help.*)$/,
    '--project= --format= --filter= --limit= --region= --zone= --account= --quiet -q --impersonate-service-account=! --access-token-file=! --flags-file=! --log-http!',
  ),
  az: service(
    /^((?!keyvault|ad sp|storage account keys|acr credential)[\w -]*(list|show|list-locations)( [\w.-]+)?|version|account show)$/,
    '-o= --output= -g= --resource-group= -n= --name= --query= --subscription= --debug!',
  ),
  'doctl hcloud linode-cli scw oci ibmcloud': service(
    /^[\w -]*(list|ls|get|describe|view|info)( [\w.-]+)?$/,
    '-o= --output= --format= --no-header',
  ),
  'heroku fly flyctl railway render vercel netlify firebase supabase wrangler circleci': service(
    /^(apps?(:info|:list| list)?|ps|status|list|ls|info|inspect [\w.-]+|releases( list)?|projects(:list| list)|functions list|deployments? list|version|whoami|help|domains( ls|:list)?|machines? list|regions( list)?|config validate)$/,
    '-a= --app= -o= --json -s=',
  ),
  pulumi: service(/^(stack ls|stack|version|about|whoami|preview|plugin ls)$/),
  'cdk cdktf': service(/^(synth|ls|list|diff|doctor|version)( [\w.-]+)?$/),
  'sam serverless sls': service(
    /^(build|validate|package|info|print|list|local invoke)( [\w.-]+)?$/,
    '--use-container! --stage=',
  ),
  'eksctl argocd flux istioctl linkerd nomad consul stern kubectx kubens': service(
    /^(get|list|version|status|check|analyze|app list|app get|job status|node status|members|catalog)( [\w./-]+)*$/,
    '-n= -o= --namespace= -A',
  ),
  kustomize: {
    level: 'high',
    verbs: {
      build: {
        level: 'low',
        operands: 'search',
        options: '--load-restrictor=! --enable-helm! --enable-exec! --enable-alpha-plugins! -o=write --output=write',
      },
      version: look,
      edit: { level: 'medium', reason: 'It changes files of the workspace.', operands: 'text…', options: '' },
    },
  },
  minikube: {
    level: 'high',
    reason: 'It changes a cluster.',
    options: '-p=',
    verbs: {
      'status ip version profile service-list': look,
      'start stop pause unpause': {
        level: 'medium',
        reason: 'It starts or stops a cluster on this machine.',
        operands: '',
        options: '--cpus= --memory= --driver= --nodes=',
      },
    },
  },
  'kind k3d': {
    level: 'high',
    reason: 'It changes a cluster.',
    verbs: {
      'get version list': { ...look, operands: 'text', judge: judgeNotSecret },
      cluster: { level: 'high', verbs: { 'list get': look } },
    },
  },
  vagrant: {
    level: 'high',
    reason: 'It changes virtual machines.',
    verbs: {
      'status version validate global-status': look,
      'halt reload suspend resume': {
        level: 'medium',
        reason: 'It starts or stops a virtual machine.',
        operands: 'text…',
        options: '--no-provision',
      },
    },
  },
  'skaffold tilt packer': {
    level: 'high',
    reason: changes,
    verbs: { 'version diagnose validate inspect': { ...look, operands: 'search…' }, 'build fmt': builds },
  },
  'tflint tfsec checkov terrascan': {
    level: 'low',
    operands: 'search…',
    options:
      '--recursive --format= -f= --config=search -d=search --quiet --compact --minimum-failure-severity= --version --no-color --framework= --soft-fail --init!',
  },
  'kubeconform kubeval kube-linter kube-score polaris': {
    level: 'low',
    operands: 'search…',
    options:
      '-strict --strict -summary -verbose -output= -schema-location=! -ignore-missing-schemas -kubernetes-version= -n= -skip= score lint',
    style: 'words',
  },
  terragrunt: {
    level: 'high',
    reason: 'It changes infrastructure.',
    verbs: {
      'validate hclfmt graph-dependencies version': {
        level: 'medium',
        reason: 'It checks or formats the project.',
        operands: '',
        options: '--terragrunt-check --check --diff',
      },
    },
  },
  'trivy grype syft': {
    level: 'medium',
    reason: 'It asks the network for known weaknesses.',
    verbs: {
      'fs config repo version': {
        level: 'medium',
        reason: 'It asks the network for known weaknesses.',
        operands: 'search',
        options: '--severity= --exit-code= --format= -f= --quiet -q --ignore-unfixed --scanners=',
      },
    },
  },
  glab: {
    level: 'high',
    reason: changes,
    options: '-R= --repo= --version',
    verbs: {
      'mr issue ci pipeline release repo label': {
        level: 'high',
        reason: changes,
        verbs: {
          'list view show diff status ls': {
            ...look,
            options:
              '-R= --repo= --state= -l= --label= -a= --author= --assignee= -P= -p= --per-page= -c --comments -w! --web! --output= -F= --all --merged --closed',
          },
        },
      },
      version: look,
    },
  },
  hub: {
    level: 'high',
    reason: changes,
    verbs: {
      'version ci-status': look,
      'pr issue release': {
        level: 'high',
        reason: changes,
        verbs: { 'list show': { ...look, options: '-s= -L= -f=' } },
      },
    },
  },
  'ansible-playbook': { level: 'high', reason: 'It changes other machines.', judge: judgePlaybook },
  'ansible-inventory': {
    level: 'medium',
    reason: 'It runs code of this project.',
    operands: '',
    others: 'high',
    options:
      '--list --graph --host= -i=search --inventory=search --yaml -y --export --vars --playbook-dir=search --version',
  },
  'ansible-lint ansible-doc': { ...look, operands: 'search…', options: '-q -p -l --version', judge: judgeNotSecret },
  act: { level: 'high', options: '-l --list --version' },
  'ping ping6': { level: 'high', judge: judgeProbes, options: '-c= -W= -i= -4 -6 -n -q' },
  'dig host nslookup': { level: 'high', judge: judgeProbes, options: '-t= -4 -6 -x' },
  'nc ncat netcat': { level: 'high', judge: judgeProbes, options: '-z -v -w= -n -4 -6 -u' },
};
