import { describe, expect, test } from 'vitest';
import { cycle } from '../../src/sync/cycle.ts';
import { sweep } from '../../src/sync/sweep.ts';
import { type Fault, plant } from '../support/plant.ts';
import { sample } from '../tiers/depth.ts';
import * as copying from './copy-scenarios.ts';
import * as crossing from './crossing-scenarios.ts';
import * as hiding from './hiding-scenarios.ts';
import * as scenarios from './scenarios.ts';
import {
  changedMirrorBefore,
  changesMirrorOnGithub,
  changesMirrorOnTracker,
  closesWhileWeClose,
  closesWhileWeCloseAndRelate,
  diesAfterWriting,
  editsBetweenSteps,
  editsWhileWeWrite,
  labelledByPrograms,
  losesAnswerOfBug,
  losesAnswerOfFile,
  losesAnswerOfPart,
  losesAnswerOfRemark,
  losesCommentInSilence,
  losesEditInSilence,
  type Scenario,
  storesLate,
  tagsQuietThread,
  waitsForAnother,
  waitsForReplica,
} from './scenarios.ts';
import { type Engine, simulate } from './simulate.ts';

/**
 * `seed` is where the search begins: the first that noticed the fault when somebody last looked. A fault that almost
 * none notices has its own scenario.
 */
interface Planted extends Fault {
  readonly name: string;
  readonly seed?: number;
  readonly scenario?: Scenario;
  /** Whether it takes somebody who does all that she can. */
  readonly hasMallory?: true;
}

const faults: readonly Planted[] = [
  {
    name: 'what somebody changed between two steps counts as ours',
    file: 'sync/perform/operations/update.ts',
    from: 'left = withoutArrived(context, current, left, leaves, outcome.foreign);',
    to: '',
    scenario: editsBetweenSteps,
  },
  {
    name: 'I1: why somebody closed an issue just before us counts as the answer to our write',
    file: 'rules/fields/move-base.ts',
    from: '(isSeenForeign || foreign.includes(field))',
    to: 'isSeenForeign',
    scenario: closesWhileWeClose,
  },
  {
    name: 'I1: why somebody closed an issue just before us is ours if steps follow',
    file: 'sync/perform/record.ts',
    from: "const isForeign = answer.foreign?.includes('status') ?? false;",
    to: 'const isForeign = false;',
    scenario: closesWhileWeCloseAndRelate,
  },
  {
    name: 'I1: why somebody closed an issue just before us is agreed after the last step',
    file: 'sync/perform/operations/update.ts',
    from: 'isLeft(name) && !foreign.includes(name)',
    to: 'isLeft(name)',
    scenario: closesWhileWeCloseAndRelate,
  },
  {
    name: 'I3: what the tracker says it stored is believed',
    file: 'sync/observe/observe.ts',
    from: '  await confirmBugs(context);\n',
    to: '',
    scenario: losesEditInSilence,
  },
  {
    name: 'I3: a comment that the tracker says it stored is believed',
    file: 'sync/observe/observe.ts',
    from: '  await confirmThreads(context);\n',
    to: '',
    scenario: losesCommentInSilence,
  },
  {
    name: 'I3: what the tracker lost counts as taken back by people',
    file: 'rules/limits/receipt-verdict.ts',
    from: "if (changedAt < reported.at || isReplaced(reported, shown)) return 'lost';",
    to: "return 'shown';",
    scenario: losesEditInSilence,
  },
  {
    name: 'I4: the intention is not stored before the request leaves',
    file: 'kernel/outbox.ts',
    scenario: diesAfterWriting,
    from: "state: 'sent', sentAt: now",
    to: "state: 'planned', sentAt: null",
  },
  {
    name: 'I4: what is in doubt is settled before it can be seen',
    file: 'sync/settle/settle.ts',
    scenario: losesAnswerOfBug,
    from: '(row.sentAt ?? 0) + settleMs, (row',
    to: 'row.sentAt ?? 0, (row',
  },
  {
    name: 'I4: the marker of a comment is not read',
    file: 'rules/comments/provenance.ts',
    from: "return comment.side === 'github' ? onGithub(route, link, comment) : onTracker(route, link, comment);",
    to: 'return null;',
    seed: 100,
  },
  {
    name: 'I4: the marker of an issue is not read',
    file: 'rules/links/match.ts',
    from: 'marker.comment !== null ? null : { ref: bugOver(item.body)?.bug ?? marker.bug, isOurs }',
    to: 'marker.comment !== null ? null : null',
    seed: 16,
  },
  {
    name: 'I3: a cursor moves past observations that were not stored',
    file: 'sync/observe/poll.ts',
    from: "    const early = observePage(context, side, page, 'live', row.early);\n",
    to: '    const early = row.early;\n',
    seed: 683,
  },
  {
    name: 'I3: a thread that was read once is not read again',
    seed: 4,
    file: 'sync/observe/read-threads.ts',
    from: 'knownSince < threadReadAt',
    to: 'threadReadAt > 0',
  },
  {
    name: 'I3: an edit on GitHub does not travel',
    seed: 2,
    file: 'rules/fields/merge.ts',
    from: "if (bt !== undefined && equalValues(t, bt)) return { kind: 'write', tracker: g };",
    to: "if (bt !== undefined && equalValues(t, bt)) return { kind: 'agreed' };",
  },
  {
    name: 'I3: the loser of a conflict is not kept',
    seed: 7,
    file: 'sync/perform/record.ts',
    from: '    before,\n    after,\n    overruled: losersOf(operation),\n    ...correctionsOf(operation),\n    overwritten: lost,\n',
    to: '',
  },
  {
    name: 'I3: what the answer to a write shows besides is not planned',
    file: 'sync/perform/operations/update.ts',
    scenario: editsWhileWeWrite,
    from: 'isBlocking: false, wantsPlan: true',
    to: 'isBlocking: false, wantsPlan: false',
  },
  {
    name: 'I3: an edited comment is not reported',
    seed: 7,
    file: 'rules/comments/plan.ts',
    from: "commentLink.origin === 'github' && commentLink.digest !== commentLink.mirrored",
    to: 'commentLink.digest === null',
  },
  {
    name: 'I4: what a label is put right for is explained again',
    seed: 163,
    file: 'rules/labels/wrong-labels.ts',
    from: 'commentLinks.some((commentLink) => commentLink.remark === remark)',
    to: 'commentLinks.length < 0 && remark !== null',
  },
  {
    name: 'I1: a label without a value of the tracker stays',
    seed: 16,
    file: 'rules/fields/comparable.ts',
    from: 'stray.push(...foreign.map(({ label }) => label));',
    to: '',
  },
  {
    name: 'I1: the type of an issue is not written',
    file: 'rules/fields/plan.ts',
    seed: 44,
    from: 'patch.type = type;',
    to: 'patch.type = null;',
  },
  {
    name: 'I1: the fields of an issue are not written',
    file: 'rules/fields/plan.ts',
    seed: 26,
    from: 'patch.fields = organisation;',
    to: 'patch.fields = {};',
  },
  {
    name: 'I12: options that stand for nothing are taken off',
    file: 'rules/labels/labels-and-fields.ts',
    seed: 71,
    from: 'isSet(value) ? foreignIn(rule, vocabulary, shown, value) : []',
    to: 'isSet(value) ? foreignIn(rule, vocabulary, [], value) : []',
  },
  {
    name: 'I1: a lock that somebody took off stays off',
    file: 'rules/people/people.ts',
    seed: 10,
    from: "visitors !== 'lock' || issue.isLocked",
    to: "visitors !== 'lock' || issue.isLocked || link.base !== null",
  },
  {
    name: 'I1: who opens an issue of a mirror is not heard',
    file: 'rules/plan/create.ts',
    seed: 89,
    from: 'if (link.github !== null && redirects(planContext.route)) return planRedirect(planContext, input, link.github);',
    to: '',
  },
  {
    name: 'I1: tagged comments are not minimized',
    file: 'rules/comments/plan.ts',
    seed: 8,
    from: ' || minimize === copy.minimize',
    to: ' || true',
  },
  {
    name: 'I1: tags of a bug that rests are not seen',
    file: 'sync/withdraw/check-again.ts',
    scenario: tagsQuietThread,
    from: 'minimizeReasonOf(tags) !== commentLink.minimize',
    to: 'minimizeReasonOf(tags) === undefined',
  },
  {
    name: 'I2: an explanation crosses to the tracker',
    file: 'rules/comments/provenance.ts',
    scenario: losesAnswerOfRemark,
    from: "if (remark !== null) return { kind: 'remark', source: null, remark };",
    to: '',
  },
  {
    name: 'I13: a reference leads to another comment',
    seed: 28,
    file: 'rules/links/targets.ts',
    from: 'comments.find((each) => each.count === count)',
    to: 'comments.find((each) => each.count > count)',
  },
  {
    name: 'I13: a number of GitHub becomes another bug',
    seed: 17,
    file: 'rules/links/targets.ts',
    from: 'issue === number && isSamePage',
    to: 'issue !== number && isSamePage',
  },
  {
    name: 'I3: a text ends with its first part',
    seed: 3,
    file: 'rules/comments/plan.ts',
    from: 'length: parts - 1 }',
    to: 'length: parts - 9 }',
  },
  {
    name: 'I4: a part in doubt is not known by its marker',
    file: 'rules/comments/verdict.ts',
    scenario: losesAnswerOfPart,
    from: 'ours.part > 1 ? verdictOnPart',
    to: 'ours.part > 9 ? verdictOnPart',
  },
  {
    name: 'I2: the base does not move with the answer',
    seed: 6,
    file: 'rules/fields/move-base.ts',
    from: '    sides[other][field] = carried;\n',
    to: '',
  },
  {
    name: "I2: a comment of our own counts as somebody's",
    seed: 2,
    file: 'sync/perform/record-comment.ts',
    from: 'copy: { id: comment.id,',
    to: 'copy: { id: comment.id + 1,',
  },
  {
    name: 'I5: what was deleted is forgotten',
    file: 'sync/perform/record-failure.ts',
    seed: 84,
    from: 'bury(context, fresh, gone.why)',
    to: 'context.store.links.remove(fresh.id)',
  },
  {
    name: 'I5: a deleted copy is made again',
    file: 'rules/comments/life.ts',
    from: "deleted: { pending: 'gone', mirrored: 'gone'",
    to: "deleted: { pending: 'gone', mirrored: 'pending'",
    seed: 36,
  },
  {
    name: 'I1: what blocks an issue is not looked at',
    seed: 16,
    file: 'rules/fields/relations.ts',
    from: 'if (!route.dependencies || blockedBy === undefined) return {};',
    to: 'if (!route.dependencies || blockedBy !== null) return {};',
  },
  {
    name: 'I1: a table that somebody changed on the tracker stays as it was',
    seed: 48,
    file: 'rules/fields/table.ts',
    from: 'passage: { was: old, becomes: wanted }',
    to: 'passage: { was: old, becomes: old }',
  },
  {
    name: 'I3: what the tracker lost of a pull request or a push counts as told',
    seed: 520,
    file: 'sync/settle/lose.ts',
    from: 'if (reported.remark !== undefined) forgetNews(context, id, reported.remark);',
    to: '',
  },
  {
    name: 'I1: the attachment of a pull request stays as it was',
    seed: 52,
    file: 'rules/links/pulls.ts',
    from: 'attachmentOf(commentLinks, pull) !== null && !isShown(pull)',
    to: 'false',
  },
  {
    name: 'I2: votes count as a change of the table',
    seed: 49,
    file: 'rules/fields/table.ts',
    from: "route.table.filter((each) => each !== 'votes')",
    to: 'route.table',
  },
  {
    name: "I2: a table counts as somebody's words",
    seed: 2,
    file: 'text/footer.ts',
    from: 'return isOurs ? last : text.length;',
    to: 'return text.length;',
  },
  {
    name: 'I6: a cycle writes as much as it likes',
    seed: 3,
    file: 'rules/limits/brake-and-budget.ts',
    from: 'operations.slice(0, writesMax)',
    to: 'operations.slice(0, writesMax * 1000)',
  },
  {
    name: 'I4: a file that the bridge attached is not known again',
    file: 'rules/attachments/observe.ts',
    scenario: losesAnswerOfFile,
    from: '? tagIn(attachment.summary) : null',
    to: '? null : null',
  },
  {
    name: 'I4: a file whose attaching is in doubt is not found',
    file: 'rules/attachments/observe.ts',
    scenario: losesAnswerOfFile,
    from: 'else if (source.copy === null) save.push(',
    to: 'else if (source.copy?.id === 0) save.push(',
  },
  {
    name: 'I3: files are read once and never again',
    seed: 3,
    file: 'sync/observe/read-files.ts',
    from: 'store.attachmentLinks.readAt(id) !== threadReadAt',
    to: 'store.attachmentLinks.readAt(id) === null',
  },
  {
    name: 'I3: a comment whose file has come to stand is forgotten',
    file: 'sync/observe/persist-plan.ts',
    scenario: storesLate,
    from: 'isToCome(id) || ',
    to: '',
  },
  {
    name: 'I9: the copy of a file that became private stays in the attachment store',
    file: 'rules/privacy/plan-withdrawal.ts',
    from: "path !== null && (isHidden || state === 'withdrawn')",
    to: "path !== null && isHidden && state !== 'withdrawn'",
    seed: 51,
  },
  {
    name: 'I1: an issue of nobody says nothing',
    seed: 2,
    file: 'rules/people/people.ts',
    from: 'issue.assignees.length === 0',
    to: 'issue.assignees.length < 0',
  },
  {
    name: 'I1: to whom the tracker gave what nobody wants is not said',
    seed: 15,
    file: 'rules/fields/move-base.ts',
    from: "if (field === 'assignee' && wanted === null) [sides[on][field], sides[other][field]] = [null, carried];",
    to: '',
  },
  {
    name: 'I1: every bug loses its milestone',
    seed: 2,
    file: 'rules/fields/plan.ts',
    from: 'patch.milestone = target.milestone ?? noMilestone',
    to: 'patch.milestone = noMilestone',
  },
  {
    name: 'I1: a copy that may have become wrong is not looked at again',
    file: 'sync/observe/read-threads.ts',
    seed: 162,
    from: 'text === null && origin',
    to: 'text !== null && origin',
  },
  {
    name: 'I1: what a copy refers to is not kept',
    seed: 9,
    file: 'sync/perform/record.ts',
    from: 'context.store.mentions.replace(commentLink.id, copy.mentions);',
    to: '',
  },
  {
    name: 'I1: what is said of a file stays as it was',
    file: 'sync/observe/read-files.ts',
    seed: 126,
    from: 'resolveAttachment(context, Number(attachmentLink.source))',
    to: 'resolveAttachment(context, 0)',
  },
  {
    name: 'I1: what somebody wrote over a copy stays, although the route says otherwise',
    file: 'rules/comments/known-comment.ts',
    scenario: copying.writesOverCopy,
    from: "if (!isOurs && route.copies === 'leave') return [seen];",
    to: 'if (!isOurs) return [seen];',
  },
  {
    name: 'I3: what somebody wrote over a copy is written over, although the route says otherwise',
    seed: 9,
    file: 'rules/comments/plan.ts',
    from: "if (row.copy?.isEdited === true) return route.copies === 'restore';",
    to: 'if (row.copy?.isEdited === true) return true;',
  },
  {
    name: 'I3: an edit on the tracker is not seen',
    seed: 11,
    file: 'rules/comments/known-comment.ts',
    from: 'const isOther = digest !== known.digest || ',
    to: 'const isOther = ',
  },
  {
    name: 'I3: a deletion on GitHub is not noted',
    file: 'rules/comments/missing.ts',
    scenario: copying.deletesComment,
    from: 'isCopyLeft, isToReport })',
    to: 'isCopyLeft, isToReport: false })',
  },
  {
    name: 'I9: the ledger gets the title of what became private while a request was in doubt',
    file: 'sync/settle/settle.ts',
    scenario: hiding.hidesWhileInDoubt,
    from: 'mayTell(context, link) ? line : redactedLine(line)',
    to: 'line',
  },
  {
    name: 'I9: what a failed cycle read of a request is reported before a check that the bug is public',
    file: 'sync/settle/settle.ts',
    scenario: hiding.hidesBeforeItIsSettled,
    from: 'foundOf(context, []).filter(isPlain), false);',
    to: 'foundOf(context, []).filter(isPlain), true);',
  },
  {
    name: 'I9: the outcome of a request is reported before a check that the bug is public',
    file: 'sync/cycle.ts',
    scenario: hiding.hidesWhileInDoubt,
    from: `  await checkVisibility(context, changed, always);
  await settle(context, shown);
`,
    to: `  await settle(context, shown);
  await checkVisibility(context, changed, always);
`,
  },
  {
    name: 'I9: what became of a request is told of a bug that nobody asked for',
    file: 'sync/observe/observe.ts',
    scenario: hiding.hidesWhileInDoubt,
    from: 'changed: unique([...changed, ...inDoubt]), always: [...links, ...inDoubt]',
    to: 'changed, always: links',
  },
  {
    name: 'I9: an old check of a bug holds although another version is shown',
    file: 'sync/withdraw/check-visibility.ts',
    from: 'theirs.changedAt >= bug.changedAt || ',
    to: '',
    scenario: hiding.renamesWhileHidden,
  },
  {
    name: 'I9: what a write answers counts for who may see the bug',
    file: 'sync/observe/poll.ts',
    scenario: hiding.hidesBeforeWeWrite,
    from: 'isPrivate !== false) continue;',
    to: 'isPrivate !== null) continue;',
  },
  {
    name: 'I1: what made a copy stale while it was written is forgotten',
    file: 'sync/perform/record.ts',
    scenario: crossing.namesWhatIsMadeMeanwhile,
    from: 'rowStillThere(store.commentLinks.byId(operation.commentLink))',
    to: '{ ...rowStillThere(store.commentLinks.byId(operation.commentLink)), isStale: false }',
  },
  {
    name: 'I11: what is said to nobody takes the turn of what would put it right',
    file: 'sync/perform/perform.ts',
    scenario: labelledByPrograms,
    from: 'withinLimit(said, writesPerCycle)',
    to: 'withinLimit(turned, writesPerCycle).filter((each) => !unsaid.has(each))',
  },
  {
    name: 'I11: what waits for a bug keeps that from its turn',
    file: 'sync/perform/operations/update.ts',
    scenario: waitsForAnother,
    from: "urgency: 'backfill'",
    to: "urgency: 'live'",
  },
  {
    name: 'I15: a bug gets the address of its issue in an e-mail for that alone',
    file: 'rules/links/match.ts',
    from: "pointer === 'now' : hasRoomForFooter(",
    to: "pointer !== 'never' : hasRoomForFooter(",
    seed: 8,
  },
  {
    name: 'I14: what GitHub will do later is given up, and the rest of the thread goes on',
    file: 'sync/perform/record-failure.ts',
    seed: 174,
    from: 'if (!outcome.wholeSide || isOfOne) return putOff(context, row, outcome, hasTaken);',
    to: 'if (!outcome.wholeSide) return park(context, row, outcome.why);',
  },
  {
    name: 'I14: what waits for its time is overtaken',
    file: 'rules/limits/brake-and-budget.ts',
    scenario: waitsForReplica,
    from: "(isWaiting && operation.kind !== 'file')",
    to: "(isWaiting && operation.kind === 'create')",
  },
  {
    name: 'I8: what people change on a mirror on GitHub stays',
    file: 'rules/fields/merge.ts',
    scenario: changesMirrorOnGithub,
    from: 'const isDrift = isKnown &&',
    to: "if (isKnown && !isNews) return { kind: 'left' };\n  const isDrift = isKnown &&",
  },
  {
    name: 'I8: what people change on a mirror on the tracker stays',
    file: 'rules/fields/merge.ts',
    scenario: changesMirrorOnTracker,
    from: 'const isDrift = isKnown &&',
    to: "if (isKnown && !isNews) return { kind: 'left' };\n  const isDrift = isKnown &&",
  },
  {
    name: 'I8: what people add to a mirror stays, and what they take off stays off',
    file: 'rules/fields/merge.ts',
    scenario: changesMirrorOnGithub,
    from: 'if (isSet(truth) && isSet(shown))',
    to: "if (isSet(truth) && isKnown && equalValues(truth, was)) return { kind: 'left' };\n  if (isSet(truth) && isSet(shown))",
  },
  {
    name: 'I8: two-way rules hold on a one-way route',
    seed: 4,
    file: 'rules/fields/merge.ts',
    from: 'return upstream === null ? null : { upstream, isWornOut:',
    to: "return upstream !== null || corrected.length < 0 ? null : { upstream: 'tracker', isWornOut:",
  },
  {
    name: 'I8: a full comparison does not see what stands wrong on a mirror',
    file: 'sync/sweep.ts',
    scenario: changedMirrorBefore,
    from: '      markDriftedDirty(context, side, listing.items);\n',
    to: '',
  },
  {
    name: 'I16: See Also pairs a bug with an issue, whoever wrote it',
    file: 'rules/links/match.ts',
    from: 'return ref === null || (isOurs && others.length > 0) ? null : { ref, isOurs };',
    to: 'return ref === null || (isOurs && others.length > 0) ? null : { ref, isOurs: true };',
    seed: 27,
    hasMallory: true,
  },
  {
    name: 'I16: an address of another host pairs a bug with an issue',
    file: 'rules/links/match.ts',
    from: 'return ref === null || (isOurs && others.length > 0) ? null : { ref, isOurs };',
    to: `const named = /^https:\\/\\/(?!github\\.com\\/)[^/]+\\/acme\\/widget\\/issues\\/(\\d+)$/u.exec(item.seeAlso.join())?.[1];
    if (named !== undefined) return { ref: Number(named), isOurs: true };
    return ref === null || (isOurs && others.length > 0) ? null : { ref, isOurs };`,
    seed: 95,
    hasMallory: true,
  },
  {
    name: 'I16: the marker in an issue counts, whoever wrote it',
    file: 'rules/links/match.ts',
    from: 'if (!isOurs) return null;\n  const moved',
    to: 'const moved',
    seed: 29,
    hasMallory: true,
  },
  {
    name: 'I16: whoever has a login in parentheses in the name looks like a person of the map',
    file: 'rules/people/people.ts',
    from: "parenthesis.test(name.normalize('NFKC')) ? shortName({ login }) : name",
    to: 'name',
    seed: 3,
    hasMallory: true,
  },
  {
    name: 'I11: a throw while one link is planned ends the cycle',
    file: 'sync/plan-links.ts',
    from: '  const planContext = planContextOf(context, missing);\n',
    to: `  const planContext = planContextOf(context, missing);
  if (JSON.stringify(planInputsOf(context, links, originals)).includes('[^1]: [^1]: ')) throw new RangeError('too deep');
`,
    seed: 6,
    hasMallory: true,
  },
  {
    name: 'I11: a long thread takes all turns of a cycle',
    file: 'rules/limits/brake-and-budget.ts',
    from: 'one.round - other.round || one.size - other.size',
    to: '0',
    hasMallory: true,
  },
  {
    name: 'I11: one refusal ends the cycle',
    seed: 4,
    file: 'sync/perform/record-failure.ts',
    from: 'return park(context, row, outcome.why, outcome.isOfValue);',
    to: 'throw new Error(outcome.why);',
  },
];

test.each(Object.entries({ ...scenarios, ...hiding, ...crossing, ...copying }))(
  'a scenario without a fault ends well: %s',
  async (_name, scenario) => {
    expect(await scenario({ cycle, sweep })).toEqual([]);
  },
);

describe('a planted fault is caught', () => {
  test.each(sample(faults, 5))('$name', async ({ name, seed: start = 1, scenario, hasMallory = false, ...fault }) => {
    const engine = await engineIn(plant(fault));
    if (scenario !== undefined) {
      expect(await scenario(engine)).not.toEqual([]);
      return;
    }
    for (let seed = start; seed < start + 300; seed += 1) {
      const run = await simulate(engine, seed, { hasMallory }).catch((error: unknown) => ({
        violations: [String(error)],
      }));
      if (run.violations.length > 0) return;
    }
    expect.unreachable(`300 seeds did not notice: ${name}`);
  });
});

async function engineIn(folder: string): Promise<Engine> {
  const loop: Pick<Engine, 'cycle'> = await import(`${folder}/sync/cycle.ts`);
  const walk: Pick<Engine, 'sweep'> = await import(`${folder}/sync/sweep.ts`);
  return { cycle: loop.cycle, sweep: walk.sweep };
}
