import assert from 'node:assert/strict';
import { StepAnswers, type StepQuestion } from '../../../src/extension/inspector/stepAnswers';
import { fullRun } from '../../support/trajectory';
import { axeViolations } from '../support/panelSite';
import { page } from '../support/events';
import { usePanel } from '../support/usePanel';

describe('a step of the conversation', function () {
  const { panel, byId } = usePanel(this);

  it('opens to the same request, response and figures as in the inspector, and links there', async () => {
    const log = fullRun();
    const answers = new StepAnswers();
    let answered = 0;
    /** Answers like the host. */
    const host = async (): Promise<void> => {
      for (let round = 0; round < 3; round++) {
        const questions = (await panel().posted()).slice(answered);
        answered += questions.length;
        for (const question of questions) {
          if (!['details', 'request', 'message'].includes(question.type)) continue;
          const answer = await answers.answer(log, { run: 0, ...question } as StepQuestion);
          if (answer) await panel().send(answer);
        }
        await panel().send();
      }
    };
    await panel().send(page(log.slice(0, 9)));
    await panel()
      .page.locator('[data-testid=card-observation]', { hasText: 'src/add.ts' })
      .getByTestId('step-row')
      .last()
      .click();
    await byId('call').last().click();
    await host();
    assert.match(await byId('call').last().locator('xpath=../..').innerText(), /6,000 in, 3,600 of them cached/);
    await byId('call-request').last().click();
    await host();
    assert.match(await byId('continues').innerText(), /Continues the request of step 1/);
    await byId('request-message').last().click();
    await host();
    assert.match(await byId('request').innerText(), /AssertionError/);
    assert.deepEqual(
      (await axeViolations(panel().page)).map(({ id, nodes }) => [id, nodes[0]?.html]),
      [],
    );
    await byId('inspect').last().click();
    assert.deepEqual(await panel().postedOf('inspect'), [{ type: 'inspect', seq: 6 }]);
  });
});
