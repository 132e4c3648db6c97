import assert from 'node:assert/strict';
import { assessCommand } from '../../../src/core/shell/assessCommand';
import { splitWords } from '../../../src/core/shell/syntax/value';
import { isAlarmingName } from '../../../src/core/shell/verdict/alarmingNames';

describe('the name of a script', () => {
  it('suggests no danger only because a word contains another one', () => {
    const names = splitWords(`
      reproduce.py reproduce_issue.py scripts/reproduce-bug.ts ReproduceBug products.py producer.ts productivity.py
      tokenize_data.py test_tokenizer.py count_tokens.py token_usage.py assign_roles.py design.sh redesign.py
      signal_handler.py signin.ts sign_up.rb significance.py unsigned.c pseudo_random.py sudoku.py presets.js
      dropdown.ts dropout.py drag_and_drop.ts membership.py relationships.js ownership.go reject_sampling.py swipe.js
      tests/test_upload.py delete.test.ts
    `);
    assert.deepEqual(names.filter(isAlarmingName), []);
    assert.equal(assessCommand('python reproduce.py').level, 'medium');
  });

  it('suggests danger wherever the part stands', () => {
    const names = splitWords(`
      prod production deploy-prod build:production predeploy dbreset resetdb dropdb db:drop drop_tables push_all
      codesign resign-app sign-off get_token.py tokens.ts secrets.sh install.sh uninstall ship autoship unpublish
      deleteall wipe_disk restoredb prod_migrate bootstrap eject production-preset reproduce-prod.sh
      test_and_deploy.sh
    `);
    assert.deepEqual(
      names.filter((name) => !isAlarmingName(name)),
      [],
    );
  });
});
