import { anyOf, sequence, exactlyOneOf } from '../../../text/alternatives';
import { claim, type Claims } from '../../calls/claims';
import { eachNamed, type Family } from '../../calls/manual';
import { flags, high, values } from '../../calls/options';
import { secretName, service } from '../shared/asks';
import { deletingVerb } from './containers';
import { infrastructure } from './infrastructure';

/** Command lines of clouds, whose verb says what happens. */
const cloud: Claims = ({ program, plain, all, has }) => {
  const plainWords = plain.filter((word) => !word.includes('://') && word !== program).slice(0, 4);
  const doing = plain.find((word) => deletingVerb.test(word));
  const target =
    plain.slice(plain.indexOf(doing ?? '') + 1)[0] ??
    all.find((_, at) => /^--[\w-]*(id|ids|name)$/.test(all[at - 1] ?? '')) ??
    '';
  if (doing)
    return claim(
      'destroys',
      `Deletes ${target || doing.replace(/^\w+-/, '')} in the cloud (${plainWords.slice(0, 2).join(' ')}).`,
    );
  if (program === 'aws' && plainWords[0] === 's3' && /^(cp|mv|sync)$/.test(plainWords[1] ?? '')) {
    const to = plain.at(-1) ?? '';
    if (has(/^--delete$/)) return claim('destroys', `Syncs to ${to} and deletes what exists only there.`);
    return to.startsWith('s3://')
      ? claim('sends', `Uploads ${plain[2] ?? 'files'} to ${to}.`)
      : claim('unusual', `Downloads ${plain[2] ?? 'files'}.`);
  }
  if (all.some((word) => secretName.test(word)) || /^(configure|auth|login|sso|iam)$/.test(plainWords[0] ?? ''))
    return claim('leaks', `Shows or changes credentials of the cloud (${program}).`);
  if (
    /^(deploy|publish|release|promote|rollback)/.test(plainWords.at(-1) ?? '') ||
    plainWords.some((word) => /^(deploy|publish|release)$/.test(word))
  )
    return claim('changes', `Deploys with ${program}.`);
  return undefined;
};

export const cloudsFamily: Family = {
  programs: {
    aws: service(
      sequence([
        /^/,
        anyOf([
          /(?!secretsmanager|ssm|sts get-(?!caller)|kms|sso)[\w-]+ (describe|list)-[\w-]+/,
          /s3 ls( s3:\/\/[\w./-]*)?/,
          /sts get-caller-identity/,
          /logs tail \/?[\w./-]+/,
          sequence([
            /(cloudwatch|logs|cloudformation|dynamodb|iam) /,
            anyOf([/get-(metric|log|template|policy|role|user|group|account-summary)/, 'describe list filter-log']),
            /[\w-]*/,
          ]),
          'help',
        ]),
        /( |$)/,
      ]),
      [
        values('--since --max-items'),
        flags('--recursive --human-readable --summarize --follow --no-cli-pager'),
        values('--format --filter-pattern --profile --region --output --query'),
        high(flags('--no-verify-ssl'), values('--endpoint-url --ca-bundle --cli-input-json --cli-input-yaml')),
      ],
    ),
    gcloud: service(
      exactlyOneOf([
        /(?!secrets|auth|kms|iam service-accounts keys)[\w -]*(list|describe|get-iam-policy)( [\w.-]+)?/,
        /config (list|get-value|get) ?[\w/]*/,
        'info version',
        /help.*/,
      ]),
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
    ...eachNamed(
      'doctl hcloud linode-cli scw oci ibmcloud',
      service(/^[\w -]*(list|ls|get|describe|view|info)( [\w.-]+)?$/, [
        flags('--no-header'),
        values('-o --output --format'),
      ]),
    ),
    ...eachNamed(
      `
      heroku fly flyctl railway render vercel netlify firebase supabase wrangler circleci
    `,
      service(
        exactlyOneOf([
          /apps?(:info|:list| list)?/,
          'ps status list ls info',
          /inspect [\w.-]+/,
          /releases( list)?/,
          /projects(:list| list)/,
          /functions list/,
          /deployments? list/,
          'version whoami help',
          /domains( ls|:list)?/,
          /machines? list/,
          /regions( list)?/,
          /config validate/,
        ]),
        [flags('--json'), values('-a --app -o -s')],
      ),
    ),
    pulumi: service(/^(stack ls|stack|version|about|whoami|preview|plugin ls)$/),
    ...eachNamed('cdk cdktf', service(/^(synth|ls|list|diff|doctor|version)( [\w.-]+)?$/)),
    ...eachNamed(
      'sam serverless sls',
      service(/^(build|validate|package|info|print|list|local invoke)( [\w.-]+)?$/, [
        values('--stage'),
        high(flags('--use-container')),
      ]),
    ),
  },
  claims: {
    ...eachNamed('pulumi cdk', infrastructure),
    ...eachNamed(
      'aws gcloud az doctl hcloud heroku fly flyctl vercel netlify firebase supabase wrangler gsutil railway',
      cloud,
    ),
  },
};
