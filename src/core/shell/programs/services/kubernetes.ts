import { claim, type Claims, joinNames } from '../../calls/claims';
import { eachNamed, type Family, type Manual } from '../../calls/manual';
import { flags, high, medium, optionalValues, takes, values } from '../../calls/options';
import { judgeDryRun, judgeNotSecret, secretName, service } from '../shared/asks';
import { strictReadingManual } from '../shared/kinds';
import { anyOf, sequence } from '../../../text/alternatives';

const kube: Manual = {
  ...strictReadingManual,
  judge: judgeNotSecret,
  options: [
    values(`
        -n --namespace -o --output -l --selector -c --sort-by --field-selector --context --tail
        --since --container --since-time --limit-bytes --chunk-size --show-events --field-manager --max-log-requests
        --api-version --verbs --categories --timeout --revision --label-columns -L --subresource --output-watch-events
      `),
    takes('read', '-f --filename -k --kustomize'),
    flags(`
        -A --all-namespaces -p --all-containers --prefix --no-headers --timestamps --client --short
        --containers --recursive -R --minify --show-labels --show-kind --previous --ignore-not-found --show-managed-fields
        --no-log-prefix --cached --sum --use-protocol-buffers --all-pods --allow-missing-template-keys -h --help
      `),
    values('--api-group'),
    optionalValues('--namespaced'),
    medium(flags('--follow -w --watch --watch-only')),
    high(flags('--raw --server-print --dump-cluster'), values('--raw --kubeconfig --server --token --as --as-group')),
  ],
};

const kubernetes: Claims = ({ plain: [verb, ...more], all }) => {
  switch (verb) {
    case 'delete':
      return claim(
        'destroys',
        `Deletes ${joinNames(more.length > 0 ? [more.join(' ')] : [], 'what the file names')} from the cluster.`,
      );
    case 'drain':
    case 'cordon':
    case 'taint':
      return claim('changes', `Takes the node ${more[0] ?? ''} of the cluster out of use.`);
    case 'exec':
    case 'run':
    case 'attach':
    case 'debug':
      return claim('changes', `Runs a command in the pod ${more[0] ?? ''} of the cluster.`);
    case 'cp':
      return claim('leaks', 'Copies files between this machine and a pod of the cluster.');
    case 'get':
    case 'describe':
      return all.some((word) => secretName.test(word)) ? claim('leaks', 'Shows secrets of the cluster.') : undefined;
    case 'port-forward':
    case 'proxy':
      return claim('changes', 'Opens a connection from this machine into the cluster.');
    case 'config':
      return claim('leaks', 'Shows or changes the credentials for clusters.');
    case undefined:
      return undefined;
    default:
      return claim('changes', `Changes the cluster (${verb}).`);
  }
};

const helm: Claims = ({ plain: [verb, ...more] }) => {
  if (verb === 'uninstall' || verb === 'delete')
    return claim('destroys', `Removes ${joinNames(more, 'a release')} from the cluster.`);
  if (verb === 'install' || verb === 'upgrade' || verb === 'rollback')
    return claim('changes', `Changes ${more[0] ?? 'a release'} in the cluster.`);
  return verb === 'get' ? claim('leaks', 'Shows the values of a release, which may contain secrets.') : undefined;
};

export const kubernetesFamily: Family = {
  programs: {
    ...eachNamed(
      'eksctl argocd flux istioctl linkerd nomad consul stern kubectx kubens tkn colima limactl',
      service(
        sequence([
          /^/,
          anyOf([
            'get list version status check analyze members catalog',
            /app (?:list|get|diff|history)/,
            /(?:cluster|proj) list/,
            /(?:job|node) status/,
            /(?:pipeline|pipelinerun|task|taskrun|pr|tr|p|t) (?:list|describe|logs)/,
          ]),
          /( [\w./-]+)*$/,
        ]),
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
        version: strictReadingManual,
        create: {
          level: 'medium',
          reason: 'Writes kustomization.yaml.',
          operands: [],
          options: [
            flags('--autodetect --recursive'),
            takes('read', '--resources'),
            values('--namespace --nameprefix --namesuffix --annotations --labels'),
          ],
        },
        edit: {
          level: 'medium',
          reason: 'Changes files of the workspace.',
          operands: { rest: 'text' },
          options: [],
        },
      },
    },
    minikube: {
      level: 'high',
      reason: 'Changes a cluster.',
      options: [values('-p')],
      verbs: {
        ...eachNamed('status ip version profile service-list', strictReadingManual),
        ...eachNamed('start stop pause unpause', {
          level: 'medium',
          reason: 'Starts or stops a cluster on this machine.',
          operands: [],
          options: [
            values(
              '--cpus --memory --driver --nodes -n -p --profile --kubernetes-version --container-runtime --disk-size --cni --wait --addons',
            ),
            flags('--background --all --embed-certs --keep-context-active --force-systemd --no-kubernetes -h --help'),
          ],
        }),
      },
    },
    ...eachNamed('kind k3d', {
      level: 'high',
      reason: 'Changes a cluster.',
      verbs: {
        ...eachNamed('get version list', { ...strictReadingManual, operands: ['text'], judge: judgeNotSecret }),
        cluster: { level: 'high', verbs: { ...eachNamed('list get', strictReadingManual) } },
      },
    }),
    ...eachNamed('kubeconform kubeval kube-linter kube-score polaris', {
      level: 'low',
      operands: { rest: 'search' },
      options: [
        flags('-strict --strict -summary -verbose -ignore-missing-schemas'),
        values('-output -kubernetes-version -n -skip'),
        high(values('-schema-location')),
      ],
      style: 'words',
    }),
    ...eachNamed('kubectl oc k', {
      level: 'high',
      reason: 'Changes the cluster.',
      options: [values('-n --namespace --context')],
      verbs: {
        ...eachNamed('get describe top explain version api-resources api-versions cluster-info', kube),
        // Here `-f` follows instead of naming a file.
        logs: { ...kube, options: [...kube.options!, medium(flags('-f'))] },
        events: { ...kube, options: [...kube.options!, values('--for --types')] },
        kustomize: {
          ...strictReadingManual,
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
              ...strictReadingManual,
              operands: [],
              options: [flags('--minify --merge'), values('-o'), high(flags('--raw --flatten'))],
            },
            ...eachNamed('current-context get-contexts get-clusters', {
              ...strictReadingManual,
              options: [flags('--no-headers'), values('-o')],
            }),
          },
        },
        auth: {
          level: 'high',
          verbs: {
            'can-i': {
              ...strictReadingManual,
              options: [
                flags('--list -A --all-namespaces -q --quiet --no-headers'),
                values('-n --namespace --subresource --as --as-group'),
              ],
            },
            whoami: { ...strictReadingManual, options: [values('-o --output')] },
          },
        },
        completion: { level: 'low', operands: ['text'] },
        ...eachNamed('apply create', { level: 'high', reason: 'Changes the cluster.', judge: judgeDryRun }),
        rollout: {
          level: 'high',
          reason: 'Changes the cluster.',
          verbs: { ...eachNamed('status history', kube) },
        },
        diff: {
          level: 'medium',
          reason: 'Compares with the cluster.',
          operands: { rest: 'text' },
          options: [
            takes('read', '-f --filename'),
            takes('search', '-k --kustomize'),
            flags('-R --recursive --server-side'),
            values('-n --namespace --context -l --selector'),
          ],
        },
      },
    }),
    helm: {
      level: 'high',
      reason: 'Changes the cluster.',
      options: [values('-n --namespace')],
      verbs: {
        test: { level: 'high', reason: 'Starts pods in the cluster.' },
        ...eachNamed('repo plugin dependency dep', {
          level: 'high',
          reason: 'Changes repositories, plugins or dependencies of Helm.',
          verbs: {
            ...eachNamed('list ls', { ...strictReadingManual, options: [values('-o --output --max-col-width')] }),
            ...eachNamed('build update', {
              level: 'medium',
              reason: 'Downloads charts that the project declares.',
              operands: ['search'],
              options: [flags('--skip-refresh')],
            }),
          },
        }),
        get: {
          level: 'high',
          reason: 'May show secrets.',
          verbs: { notes: { ...strictReadingManual, options: [values('-n')] } },
        },
        ...eachNamed('list ls status history version template lint search show', {
          ...strictReadingManual,
          judge: judgeNotSecret,
          options: [
            values(`
              -n --namespace -o --output --set --set-string --version --filter -m --max --offset -l --selector --kube-version
              --api-versions -s --show-only --release-name --name-template --kube-context --time-format --revision
            `),
            flags(`
              -A -a --all --debug --short -q -d --date -r --reverse --all-namespaces --strict --quiet --with-subcharts --deployed
              --failed --pending --superseded --uninstalled --uninstalling --no-headers --versions --devel --regexp
              --include-crds --skip-crds --skip-tests --no-hooks --is-upgrade --show-resources --show-desc
            `),
            takes('read', '-f --values'),
            takes('write', '--output-dir'),
            high(
              flags('--validate'),
              values('--post-renderer --set-file --repo --ca-file --cert-file --key-file --username --password'),
            ),
          ],
        }),
      },
    },
  },
  claims: {
    ...eachNamed('kubectl oc k', kubernetes),
    helm: helm,
  },
};
