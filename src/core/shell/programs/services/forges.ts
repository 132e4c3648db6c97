import { claim, type Claims, joinNames, requestMethod } from '../../calls/claims';
import { eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import {
  flags,
  high,
  medium,
  type Options,
  optionTable,
  readArguments,
  saying,
  takes,
  values,
} from '../../calls/options';
import { doubt, note, refuse } from '../../effects/scope';
import { changesServer, judgeNotSecret } from '../shared/asks';
import { strictReadingManual } from '../shared/kinds';
import { readsWith, readsWithoutWords } from '../shared/readsWith';

const github: Claims = ({ program, plain: [area = '', verb, ...more], all, has }) => {
  const server = program === 'glab' ? 'GitLab' : 'GitHub';
  const object = more[0] ?? '';
  switch (area) {
    case 'auth': {
      const showsToken = verb === 'token' || has(/^(-t|--show-token)$/);
      return claim(
        'leaks',
        showsToken ? `Shows the token of your ${server} account.` : `Changes how you are signed in to ${server}.`,
      );
    }
    case 'api':
      return claimOfRequest([verb, ...more], requestMethod(all), server);
    case 'secret':
      if (lists.test(verb ?? '')) return claim('leaks', `Lists the names of secrets on ${server}.`);
  }
  if (/^(?:secret|variable)$/.test(area) && verb !== undefined && verb !== 'get' && !lists.test(verb))
    return claim('changes', `${removes.test(verb) ? 'Deletes' : 'Changes'} the ${area} ${object} on ${server}.`);
  if (area === 'gist' && verb === 'create') return claim('sends', `Uploads ${joinNames(more, 'a text')} to ${server}.`);
  if (verb === undefined) return undefined;
  if (removes.test(verb)) return claim('destroys', `Deletes the ${area} ${object} on ${server}.`);
  if (verb === 'clone') return claim('unusual', `Downloads the repository ${object}.`);
  // The judge of the options decides what a read-only call may show.
  return readingVerb.test(verb) || readingArea.test(area)
    ? undefined
    : claim('changes', `Changes things on ${server} (${area} ${verb}).`);
};

/** `method`: of HTTP, undefined if the call does not name one. */
function claimOfRequest(
  words: readonly (string | undefined)[],
  method: string | undefined,
  server: string,
): ReturnType<Claims> {
  const target = words.find((word) => word !== undefined && word.toUpperCase() !== method) ?? '';
  if (method === 'DELETE') return claim('destroys', `Deletes ${target} on ${server}.`);
  return method && method !== 'GET' ? claim('changes', `Sends a change of ${target} to ${server}.`) : undefined;
}

const lists = /^(?:list|ls)$/;
const removes = /^(?:delete|remove)$/;
const readingArea = /^(?:search|browse|status|co|mr|completion|help)$/;
const readingVerb =
  /^(?:view|show|list|ls|diff|checks?|status|watch|get|checkout|download|verify|ports|logs|field-list|item-list)$/;

const opensBrowser = saying('Opens a page in the browser.', medium(flags('-w --web')));

const reads = (options: Options = []): Manual => ({
  ...strictReadingManual,
  options: [
    flags('-h --help'),
    values('-R --repo -L --limit --json --color'),
    takes('filter', '-q --jq -t --template'),
    opensBrowser,
    ...options,
  ],
});

/** A group of verbs, some of which only read. */
const area = (verbs: Readonly<Record<string, Manual>>): Manual => ({
  level: 'high',
  reason: 'Changes things on a server.',
  options: [flags('-h --help')],
  verbs,
});

/** Like `git checkout` of a branch that was fetched. */
const checksOut: Manual = {
  level: 'medium',
  reason: 'Downloads a branch and switches to it.',
  operands: ['text'],
  others: 'high',
  options: [
    flags('-h --help --detach --recurse-submodules'),
    values('-b --branch'),
    saying('Overwrites a local branch.', high(flags('-f --force'))),
    saying('Takes the branch from another repository.', high(values('-R --repo'))),
  ],
};

const downloads: Manual = {
  level: 'medium',
  reason: 'Downloads files.',
  operands: ['text'],
  others: 'high',
  options: [
    flags('-h --help --skip-existing'),
    values('-n --name -p --pattern -R --repo -A --archive'),
    takes('write', '-D --dir -O --output'),
    high(flags('--clobber')),
  ],
};

/** Questions to GitHub that change nothing. A mutation would. */
const isGraphQuery = (text: string): boolean => /^query=\s*(?:query\b|\{)/.test(text) && !/\bmutation\b/.test(text);

/**
 * Judges `gh api repos/o/r/issues` and `gh api graphql -f query='{ viewer { login } }'`. Fields turn any other request
 * into one that changes something.
 */
const judgeApi: Judge = (one) => {
  const { words, scope, whole, manual } = one;
  const { options, operands } = readArguments(words, optionTable(manual.options ?? []), 'letters');
  const fields = options.filter(({ option }) => option && /^(?:-[fF]|--field|--raw-field)$/.test(option.name));
  const queries = fields.filter(({ value }) => value?.text.startsWith('query='));
  const isQuery =
    operands[0]?.text === 'graphql' && queries.length > 0 && queries.every(({ value }) => isGraphQuery(value!.text));
  const methods = options.filter(({ name }) => /^(?:-X|--method)$/.test(name));
  const onlyGets = methods.every(({ value }) => value?.kind === 'literal' && /^(?:GET|HEAD)$/i.test(value.text));
  if (!isQuery && (!onlyGets || (methods.length === 0 && fields.length > 0)))
    refuse(scope, whole, 'Sends a request that may change something.');
  if (fields.length === 0) return judgeNotSecret(one);
  if (fields.some(({ value }) => value?.kind !== 'literal' || value.computed))
    doubt(scope, whole, 'Sends data that is only known when it runs.');
  if (fields.some(({ value }) => /^[^=]*=@/.test(value?.text ?? ''))) refuse(scope, whole, 'Sends a file.');
  note(scope, 'medium', whole, 'Asks a service for information.');
  return judgeNotSecret({ ...one, words: words.filter((word) => fields.every(({ value }) => value !== word)) });
};

export const forgesFamily: Family = {
  programs: {
    glab: {
      level: 'high',
      reason: changesServer,
      options: [flags('--version -v -h --help'), values('-R --repo')],
      verbs: {
        ...eachNamed(
          'mr issue ci pipeline pipe pipelines release repo project label incident iteration milestone user snippet',
          {
            level: 'high',
            reason: changesServer,
            options: [values('-R --repo')],
            verbs: {
              ...eachNamed('list view show diff status ls search events issues', {
                ...reads([
                  values(`
                  --state -l --label -a --author --assignee --reviewer -P -p --page --per-page --output -F -b
                  --branch -s --search -m --milestone -g --group --order --sort --source-branch --target-branch
                  --not-label --not-author --in --confidential -u --user --status --ref -S --source -T -i --id
                `),
                  flags(
                    '-c --comments -s --system-logs --all -A --merged --closed -M --raw -l --live -d --draft --mine -C',
                  ),
                ]),
              }),
              checkout: { ...checksOut, options: [...checksOut.options!, high(values('-u --set-upstream-to'))] },
            },
          },
        ),
        co: checksOut,
        ...eachNamed('version help', strictReadingManual),
        completion: { ...strictReadingManual, options: [values('-s --shell')] },
        alias: {
          level: 'high',
          judge: readsWithoutWords({ ...strictReadingManual, operands: [] }),
          verbs: { list: strictReadingManual },
        },
        config: {
          level: 'high',
          verbs: { get: { ...strictReadingManual, judge: judgeNotSecret, options: [flags('-g')] } },
        },
        auth: {
          level: 'high',
          reason: 'Handles credentials.',
          verbs: {
            status: {
              level: 'low',
              operands: [],
              options: [values('--hostname'), flags('-a --all'), high(flags('-t --show-token'))],
            },
          },
        },
      },
    },
    hub: {
      level: 'high',
      reason: changesServer,
      verbs: {
        version: strictReadingManual,
        'ci-status': {
          ...strictReadingManual,
          operands: ['text'],
          options: [flags('-v --verbose'), values('-f --format --color')],
        },
        ...eachNamed('pr issue release', {
          level: 'high',
          reason: changesServer,
          verbs: {
            ...eachNamed('list show', {
              ...strictReadingManual,
              options: [
                values(
                  '-s --state -L --limit -l --labels -f --format -a --assignee -c --creator -M --milestone -o --sort --color',
                ),
                flags('--include-drafts -d --show-downloads'),
              ],
            }),
          },
        }),
      },
    },
    act: {
      level: 'high',
      reason: 'Runs workflows of the project in containers.',
      judge: readsWith('-l --list -g --graph -n --dryrun --version -h --help', {
        ...strictReadingManual,
        options: [
          flags('-l --list -g --graph -n --dryrun --version -h --help -v --verbose -q --quiet'),
          values('-j --job'),
          takes('search', '-W --workflows -C --directory'),
        ],
      }),
    },
    gh: {
      level: 'high',
      reason: 'Changes things on a server.',
      options: [flags('--version --help'), values('-R --repo')],
      verbs: {
        pr: area({
          ...eachNamed(
            'view list ls diff checks status',
            reads([
              values(
                '--app -a --assignee -A --author -B --base -H --head -l --label -S --search -s --state -i --interval',
              ),
              values('-e --exclude'),
              flags('-d --draft -c --comments --conflict-status --required --fail-fast --name-only --patch'),
              medium(flags('--watch')),
            ]),
          ),
          checkout: checksOut,
        }),
        co: checksOut,
        issue: area({
          ...eachNamed(
            'view list ls status',
            reads([
              values('--app -a --assignee -A --author -l --label -S --search -s --state --mention -m --milestone'),
              flags('-c --comments'),
            ]),
          ),
        }),
        run: area({
          ...eachNamed(
            'list ls',
            reads([
              values('-b --branch -u --user -w --workflow -s --status -e --event -c --commit --created'),
              flags('-a --all'),
            ]),
          ),
          view: reads([values('-j --job -a --attempt'), flags('--exit-status --log --log-failed -v --verbose')]),
          watch: reads([values('-i --interval'), flags('--exit-status --compact')]),
          download: downloads,
        }),
        release: area({
          ...eachNamed('view list ls', reads([flags('--exclude-drafts --exclude-pre-releases'), values('-O --order')])),
          ...eachNamed('verify verify-asset', reads([values('--format')])),
          download: downloads,
        }),
        workflow: area({ ...eachNamed('view list ls', reads([flags('-a --all -y --yaml'), values('-r --ref')])) }),
        repo: area({
          ...eachNamed(
            'view list ls',
            reads([
              values('-b --branch -l --language --topic --visibility'),
              flags('--archived --no-archived --fork --source'),
            ]),
          ),
          gitignore: area({ ...eachNamed('view list', reads()) }),
          license: area({ ...eachNamed('view list', reads()) }),
          autolink: area({ ...eachNamed('view list', reads()) }),
        }),
        label: area({ ...eachNamed('list ls', reads([values('--order -S --search --sort')])) }),
        cache: area({ ...eachNamed('list ls', reads([values('-k --key -r --ref -S --sort -O --order')])) }),
        milestone: area({ ...eachNamed('list ls view', reads()) }),
        ...eachNamed(
          'ruleset rs',
          area({
            ...eachNamed('list ls view', reads([values('-o --org'), flags('-p --parents --no-parents')])),
            check: reads([flags('--default')]),
          }),
        ),
        gist: area({
          ...eachNamed('list ls', reads([flags('--public --secret --include-content'), values('--filter')])),
          view: reads([values('-f --filename'), flags('-r --raw --files')]),
        }),
        org: area({ ...eachNamed('list ls', reads()) }),
        project: area({
          ...eachNamed(
            'list ls view item-list field-list',
            reads([values('--owner --format --query'), flags('--closed')]),
          ),
        }),
        ...eachNamed(
          'extension ext extensions',
          area({
            ...eachNamed('list ls', reads()),
            search: reads([values('--license --order --owner --sort')]),
          }),
        ),
        ...eachNamed(
          'codespace cs',
          area({
            ...eachNamed('list ls', reads([values('-o --org -u --user')])),
            logs: reads([values('-c --codespace --repo-owner'), flags('-f --follow')]),
            view: reads([values('-c --codespace --repo-owner')]),
            ports: {
              level: 'high',
              reason: 'Changes things on a server.',
              options: [values('-c --codespace --json'), takes('filter', '-q --jq -t --template')],
              bare: reads([values('-c --codespace')]),
              verbs: { ...eachNamed('forward visibility', { level: 'high', reason: 'Changes things on a server.' }) },
            },
          }),
        ),
        ...eachNamed('agent agent-task', area({ ...eachNamed('list view', reads([flags('--log --follow')])) })),
        alias: {
          ...area({ ...eachNamed('list ls', reads()) }),
          judge: readsWithoutWords({ ...reads(), operands: [] }),
        },
        config: area({
          ...eachNamed('list ls', reads([values('-h --host')])),
          get: { ...reads([values('-h --host')]), judge: judgeNotSecret },
        }),
        secret: { level: 'high', reason: 'Lists or changes secrets.' },
        variable: area({
          ...eachNamed('list ls', reads([values('-e --env -o --org')])),
          get: { ...reads([values('-e --env -o --org')]), judge: judgeNotSecret },
        }),
        ...eachNamed('ssh-key gpg-key', area({ ...eachNamed('list ls', reads()) })),
        ...eachNamed(
          'attestation at',
          area({
            verify: {
              ...reads([
                values('-o --owner --signer-workflow --signer-repo --source-ref --format --predicate-type -d'),
                values('--cert-identity -i --cert-oidc-issuer --digest-alg --hostname'),
                flags('--deny-self-hosted-runners --no-public-good'),
                takes('read', '-b --bundle --custom-trusted-root'),
              ]),
              operands: ['read'],
            },
          }),
        ),
        search: {
          level: 'low',
          verbs: {
            ...eachNamed(
              'issues prs code repos commits',
              reads([
                values(`
                --state --language --owner --author --label -B --base -H --head --app --assignee --checks --closed
                --commenter --comments --created --interactions --involves --match --mentions --merged-at
                --milestone --order --project --reactions --review --review-requested --reviewed-by --sort
                --team-mentions --updated --visibility --followers --forks --good-first-issues
                --help-wanted-issues --include-forks --license --number-topics --size --stars --topic
                --author-date --author-email --author-name --committer --committer-date --committer-email
                --committer-name --hash --parent --tree --extension --filename
              `),
                flags(
                  '--archived --draft --locked --merged --merge --no-assignee --no-label --no-milestone --no-project --include-prs',
                ),
              ]),
            ),
          },
        },
        auth: {
          level: 'high',
          reason: 'Handles credentials.',
          verbs: {
            status: {
              level: 'low',
              operands: [],
              options: [values('-h --hostname'), flags('-a --active'), high(flags('-t --show-token'))],
            },
          },
        },
        api: {
          ...strictReadingManual,
          operands: ['text'],
          options: [
            flags('--paginate --slurp -i --include --silent --verbose -h --help'),
            values('--cache -p --preview -X --method -f --raw-field -F --field'),
            takes('filter', '-q --jq -t --template'),
            high(values('--hostname --input -H --header')),
          ],
          judge: judgeApi,
        },
        browse: {
          level: 'medium',
          reason: 'Opens a page in the browser.',
          operands: ['text'],
          others: 'high',
          options: [
            flags(
              '-h --help -n --no-browser -c --commit -p --projects -r --releases -s --settings -w --wiki -a --actions',
            ),
            values('-b --branch -R --repo'),
          ],
        },
        status: { ...strictReadingManual, options: [values('-e --exclude -o --org'), flags('-h --help')] },
        completion: { ...strictReadingManual, operands: [], options: [values('-s --shell'), flags('-h --help')] },
        ...eachNamed('version help environment formatting mintty reference accessibility exit-codes', {
          ...strictReadingManual,
          options: [flags('-h --help')],
        }),
      },
    },
  },
  claims: {
    ...eachNamed('gh glab', github),
  },
};
