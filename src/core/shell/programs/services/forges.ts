import { claim, type Claims, joinNames, requestMethod } from '../../calls/claims';
import { each, type Family } from '../../calls/manual';
import { flags, high, medium, takes, values } from '../../calls/options';
import { changesServer, judgeNotSecret } from '../shared/asks';
import { strictReadingManual } from '../shared/kinds';

const github: Claims = ({ program, plain: [area, verb, ...more], all, has }) => {
  const server = program === 'glab' ? 'GitLab' : 'GitHub';
  if (area === 'auth')
    return claim(
      'leaks',
      verb === 'token' || has(/^(-t|--show-token)$/)
        ? `Shows the token of your ${server} account.`
        : `Changes how you are signed in to ${server}.`,
    );
  if (area === 'secret' || area === 'variable')
    return claim(
      'changes',
      verb === 'delete' || verb === 'remove'
        ? `Deletes the ${area} ${more[0] ?? ''} on ${server}.`
        : `Changes the ${area} ${more[0] ?? ''} on ${server}.`,
    );
  if (area === 'gist' && verb === 'create') return claim('sends', `Uploads ${joinNames(more, 'a text')} to ${server}.`);
  if (area === 'api') {
    const how = requestMethod(all);
    const target = [verb, ...more].find((word) => word !== undefined && word.toUpperCase() !== how) ?? '';
    if (how === 'DELETE') return claim('destroys', `Deletes ${target} on ${server}.`);
    return how && how !== 'GET' ? claim('changes', `Sends a change of ${target} to ${server}.`) : undefined;
  }
  if (verb === 'delete' || verb === 'remove')
    return claim('destroys', `Deletes the ${area} ${more[0] ?? ''} on ${server}.`);
  if (verb === 'clone') return claim('unusual', `Downloads the repository ${more[0] ?? ''}.`);
  // The judge of the options decides what a read-only call may show.
  if (verb === undefined || readingVerb.test(verb)) return undefined;
  return claim('changes', `Changes things on ${server} (${area} ${verb}).`);
};

const readingVerb = /^(view|list|ls|diff|checks|status|watch)$/;

export const forgesFamily: Family = {
  programs: {
    glab: {
      level: 'high',
      reason: changesServer,
      options: [flags('--version'), values('-R --repo')],
      verbs: {
        ...each('mr issue ci pipeline release repo label', {
          level: 'high',
          reason: changesServer,
          verbs: {
            ...each('list view show diff status ls', {
              ...strictReadingManual,
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
        version: strictReadingManual,
      },
    },
    hub: {
      level: 'high',
      reason: changesServer,
      verbs: {
        ...each('version ci-status', strictReadingManual),
        ...each('pr issue release', {
          level: 'high',
          reason: changesServer,
          verbs: { ...each('list show', { ...strictReadingManual, options: [values('-s -L -f')] }) },
        }),
      },
    },
    act: {
      level: 'high',
      reason: 'Runs workflows of the project in containers.',
      options: [flags('-l --list --version')],
    },
    gh: {
      level: 'high',
      reason: 'Changes things on a server.',
      options: [flags('--version --help'), values('-R --repo')],
      verbs: {
        ...each('pr issue run release workflow repo label cache milestone ruleset', {
          level: 'high',
          reason: 'Changes things on a server.',
          verbs: {
            ...each('view list ls diff checks status watch', {
              ...strictReadingManual,
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
              ...strictReadingManual,
              options: [values('--json -L --limit --repo --state -R --language --owner --author --label')],
            }),
          },
        },
        auth: {
          level: 'high',
          reason: 'Handles credentials.',
          verbs: { status: { level: 'low', operands: [], options: [values('-h --hostname')] } },
        },
        api: {
          ...strictReadingManual,
          operands: ['text'],
          options: [flags('--paginate'), values('--cache'), takes('filter', '-q --jq -t --template')],
          judge: judgeNotSecret,
        },
        ...each('status version', strictReadingManual),
      },
    },
  },
  claims: {
    ...each('gh glab', github),
  },
};
