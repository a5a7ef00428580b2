import type { Fault } from '../support/plant.ts';

/** What the properties of the planner must notice. Each name says what goes wrong for people. */
export const faults: Readonly<Record<string, Fault>> = {
  'an edit on the tracker is ignored': inCore(
    'rules/fields/merge',
    "if (bg !== undefined && equalValues(g, bg)) return { kind: 'write', github: t };",
    "if (bg !== undefined && equalValues(g, bg)) return { kind: 'agreed' };",
  ),
  'an edit on GitHub is ignored': inCore(
    'rules/fields/merge',
    "if (bt !== undefined && equalValues(t, bt)) return { kind: 'write', tracker: g };",
    "if (bt !== undefined && equalValues(t, bt)) return { kind: 'agreed' };",
  ),
  'conflicts are swallowed': inCore(
    'rules/fields/merge',
    'conflicts.push({ field, tracker: t, github: g, kept });',
    '',
  ),
  'the loser of a conflict is written': inCore(
    'rules/fields/merge',
    "kept === 'tracker' ? t : g",
    "kept === 'tracker' ? g : t",
  ),
  'on first contact the tracker wins in silence': inCore(
    'rules/fields/merge',
    "if (bg === undefined && g === null) return { kind: 'write', github: t };",
    "if (bg === undefined) return { kind: 'write', github: t };",
  ),
  'a keyword that was removed comes back': inCore('rules/fields/merge', '...minus(g, minus(bt, t))', '...g'),
  'a keyword added on the tracker stays there': inCore('rules/fields/merge', ', ...minus(t, bt)]);', ']);'),
  'a label for a field of the tracker travels back': inCore(
    'rules/fields/merge',
    "if (isTrackers) return { kind: 'write', github: t };",
    '',
  ),
  'two spellings of one agreement are a conflict': inCore(
    'rules/fields/merge',
    "if (known && equalValues(t, bt) && equalValues(g, bg)) return { kind: 'agreed' };",
    '',
  ),

  'a deleted item does not bury its link': inCore(
    'rules/links/life',
    "deleted: { live: 'tombstone'",
    "deleted: { live: 'stays'",
  ),
  'a comment that was copied goes on waiting': inCore(
    'rules/comments/life',
    "copied: { pending: 'mirrored'",
    "copied: { pending: 'stays'",
  ),
  'tombstones are written': inCore('rules/plan/plan', "if (link.state !== 'live') return nothing;", ''),
  'a private bug is mirrored on': inCore(
    'rules/privacy/gate',
    "if (tracker?.isPrivate) return 'the bug is private';",
    '',
  ),
  'the mirror wins on first contact': inCore('rules/fields/merge', 'if (upstream !== null) return upstream;', ''),
  'what people change on a mirror stays': inCore(
    'rules/fields/merge',
    "return { kind: 'write', [otherSide(upstream)]: truth, isDrift };",
    "return isDrift ? { kind: 'left' } : { kind: 'write', [otherSide(upstream)]: truth, isDrift };",
  ),
  'what people change on a mirror counts as agreed': inCore(
    'rules/fields/merge',
    "return { kind: 'write', [otherSide(upstream)]: truth, isDrift };",
    "return isDrift ? { kind: 'agreed' } : { kind: 'write', [otherSide(upstream)]: truth, isDrift };",
  ),
  'what people take off a mirror stays off': inCore(
    'rules/fields/merge',
    '!(before.includes(each) && !shownBefore.includes(each))',
    '!before.includes(each)',
  ),
  'what people add to a mirror stays': inCore(
    'rules/fields/merge',
    'const theirs = isToTracker ?',
    'const theirs = true ?',
  ),
  'what the tracker adds for itself is taken off': inCore(
    'rules/fields/merge',
    'const theirs = isToTracker ?',
    'const theirs = false ?',
  ),
  'an open status of the tracker does not last': inCore(
    'rules/fields/merge',
    "github === 'open' && typeof",
    "github === 'closed' && typeof",
  ),
  'a field that GitHub has no label for does not last': inCore(
    'rules/fields/merge',
    'if (isToTracker && isTrackers)',
    'if (isToTracker && !isTrackers)',
  ),
  'a conflict for a person is decided': inCore('rules/fields/merge', "if (route.conflicts === 'ask') return null;", ''),
  'the older edit wins': inCore(
    'rules/fields/merge',
    '(github?.changedAt ?? 0) > (tracker',
    '(github?.changedAt ?? 0) < (tracker',
  ),
  'the base does not follow an agreement': inCore('rules/plan/plan', 'return isNews ?', 'return !isNews ?'),
  'an old label counts as agreed': inCore('rules/plan/plan', 'without(fields, untidy)', 'fields'),
  'nobody hears of a status without a mapping': inCore(
    'rules/plan/plan',
    'if (shown.status !== undefined) return [];',
    'if (bug !== undefined) return [];',
  ),

  'an issue is opened before GitHub is read': inCore('rules/plan/create', '!planContext.isComplete.github', 'false'),
  'a bug is filed before the tracker is read': inCore('rules/plan/create', '!planContext.isComplete.tracker', 'false'),
  'an issue that names its bug gets another one': inCore(
    'rules/plan/create',
    'if (link.claim !== null) return waiting(input, about, `it names',
    'if (link.claim === undefined) return waiting(input, about, `it names',
  ),
  'the description comes again as a comment': inCore(
    'rules/plan/create',
    'commentLinks.filter((commentLink) => commentLink !== description)',
    'commentLinks',
  ),
  'the body comes again as a comment': inCore(
    'rules/plan/create',
    'commentLinks.filter((commentLink: CommentLink) => commentLink !== body)',
    'commentLinks',
  ),
  'a new issue has no labels': inCore('rules/plan/create', 'labels: labelsOfFields(route, fields)', 'labels: []'),

  'the tracker gets the wish before the old label is gone': inCore(
    'rules/fields/plan',
    "['github', 'tracker'] as const",
    "['tracker', 'github'] as const",
  ),
  'what lost is not carried': inCore('rules/fields/plan', 'kept === otherSide(side)', 'kept === side'),
  'a duplicate is never told of what': inCore(
    'rules/fields/plan',
    "side === 'tracker' ? input.duplicateOf",
    "side === 'tracker' ? null",
  ),
  'old labels stay': inCore('rules/fields/plan', 'stray.length > 0', 'stray.length > 99'),

  'a comment is planned twice': inCore(
    'rules/comments/plan',
    '[...input.commentLinks]',
    '[...input.commentLinks, ...input.commentLinks]',
  ),
  'edits of comments are not reported': inCore(
    'rules/comments/plan',
    'commentLink.digest !== commentLink.mirrored &&',
    'commentLink.digest === commentLink.copy?.digest &&',
  ),
  'edits of the body are not reported': inCore(
    'rules/comments/plan',
    'bodyDigest(issue.body) === copyDigest',
    'bodyDigest(issue.body) !== copyDigest',
  ),

  'a one-way route writes both ways': inCore('rules/plan/plan', 'if (closed === null) return plan;', 'return plan;'),
  'a one-way route writes the wrong way': inCore(
    'rules/fields/merge',
    "direction === 'to-github' ? 'tracker' : 'github'",
    "direction === 'to-github' ? 'github' : 'tracker'",
  ),
  'a held counterpart is pointed at': inCore('rules/plan/plan', ' || oneEnded.has(link)', ''),
  'comments come before their issue': inCore('rules/operations/create', 'rank: 1,', 'rank: 7,'),
  'a bug is closed before the last word': inCore('rules/operations/comment', 'rank: 3,', 'rank: 7,'),
  'a cycle writes as much as it likes': inCore(
    'rules/limits/brake-and-budget',
    'operations.slice(0, writesMax)',
    'operations',
  ),

  'what was carried is not agreed': inCore('rules/fields/move-base', 'sides[other][field] = carried;', ''),
  'the answer of the server is not agreed': inCore(
    'rules/fields/move-base',
    'sides[on][field] = wanted !== undefined && (isSeenForeign || foreign.includes(field)) ? wanted : shown;',
    'sides[on][field] = base?.[on][field] ?? null;',
  ),
  'after a lost answer an arrived value counts as an edit': inCore(
    'rules/fields/move-base',
    'equalValues(now, target)) arrived',
    'now === null) arrived',
  ),
  'a status on the way counts as an edit': inCore(
    'rules/fields/move-base',
    'via.includes(status) ? midway',
    'status === null ? midway',
  ),

  'a see_also that stands is not seen': inCore(
    'rules/links/match',
    'tracker: pointed.tracker || names',
    'tracker: pointed.tracker',
  ),
  'a marker that stands is not seen': inCore(
    'rules/links/match',
    'github: pointed.github || isNamed',
    'github: pointed.github',
  ),

  'what an issue is named by is ignored': inCore(
    'rules/links/match',
    ', ...claimants.filter((link) => isClaimOurs(link, accounts))]',
    ']',
  ),
  'what an item names is ignored': inCore('rules/links/match', 'claim?.isOurs === true ? named : null', 'null'),
  'a bug that left the selection is forgotten': inCore(
    'rules/links/match',
    '!(open?.isOurs === true && mayWait(route, item))',
    'true',
  ),

  'a hidden comment is mirrored': inCore(
    'rules/comments/verdict',
    'if (comment.isPrivate && ours === null)',
    'if (comment.isPrivate && comment.id === 0)',
  ),
  'an edit of a comment is not seen': inCore(
    'rules/comments/known-comment',
    'if (digest !== known.digest)',
    'if (digest === null)',
  ),
  'the words of the tracker itself are mirrored': inCore(
    'rules/comments/verdict',
    "words.trim() === '' ? 'the tracker wrote it' : null",
    'words === note ? note : null',
  ),
  'our own copies are mirrored back': inCore(
    'rules/comments/rows',
    'origin !== side ? (copy?.id ?? null) :',
    'origin !== side ? null :',
  ),
  'a copy whose source is unknown is forgotten': inCore(
    'rules/comments/thread',
    'return [recovered(link, comment, verdict.ours)];',
    'return [];',
  ),
  'a report of an edit is forgotten': inCore(
    'rules/comments/our-comment',
    '{ ...source, mirrored: revision, parts, before: null }',
    'source',
  ),
  'the report that stands behind its copy is not seen': inCore(
    'rules/comments/verdict',
    'rows.parts(otherSide(side), ours.source)',
    'rows.storedParts(otherSide(side), ours.source)',
  ),
  'a body that is a copy is copied back': inCore(
    'rules/comments/body',
    'if (copy) return',
    "if (copy && digest === '') return",
  ),
  'our own footer counts as an edit': inCore(
    'rules/comments/body',
    'digestOf(canonicalText(withoutFooter(body)))',
    'digestOf(canonicalText(body))',
  ),
  'the copy of an empty text is misread': inCore('rules/comments/provenance', '.slice(1)', '.slice(-1)'),

  'of two labels the old one is meant': inCore(
    'rules/fields/comparable',
    '(each === past) !== isTidied',
    '(each === past) === isTidied',
  ),
  'labels take turns where none may be removed': inCore(
    'rules/fields/comparable',
    "route.direction !== 'to-tracker';\n  const meanable",
    'route.direction !== undefined;\n  const meanable',
  ),
  'a closed issue keeps the label of an open status': inCore(
    'rules/fields/comparable',
    'stray: present };',
    'stray: [] };',
  ),
  'a status label is never put': inCore(
    'rules/fields/comparable',
    "status = typeof fields.status === 'string' &&",
    "status = typeof fields.status === 'number' &&",
  ),

  'a label in another case is not recognised': inCore(
    'rules/labels/labels-and-fields',
    '!lower.startsWith(before.toLowerCase())',
    '!label.startsWith(before)',
  ),
  'labels of people are taken for ours': inCore(
    'rules/labels/labels-and-fields',
    'const takesAny = vocabulary.values[rule.from] === undefined &&',
    'const takesAny =',
  ),
  'what cannot travel stays': inCore(
    'rules/fields/comparable',
    'stray.push(...foreign.map(({ label }) => label));',
    '',
  ),
  'what is explained is explained again': inCore(
    'rules/labels/wrong-labels',
    'commentLinks.some((commentLink) => commentLink.remark === remark)',
    'commentLinks.length < 0 && remark !== null',
  ),
  'the words around a tag are lost': inCore('rules/labels/tags', 'return [kept.trim(), ...added]', 'return [...added]'),
  'a custom field never travels back': inCore(
    'rules/fields/plan',
    'customs = { ...customs, [from]: value ?? nothingIn(from, vocabulary) };',
    'void value;',
  ),
  'labels of people are removed': inCore('rules/labels/labels-and-fields', 'ownedSet.has(label.toLowerCase()) && ', ''),

  'the workflow is ignored': inCore(
    'rules/fields/status',
    'return path === null',
    'return path === null || path.length > 1',
  ),

  'keywords are never removed': inCore('rules/fields/plan', 'remove: without(bug.keywords, value)', 'remove: []'),
  'a closed issue never gets another reason': inCore(
    'rules/fields/plan',
    "return [{ ...patch, state: 'open' }, close];",
    'return [{ ...patch, ...close }];',
  ),
  'a title is not written': inCore(
    'rules/fields/plan',
    'patch.title = titleWithin(target.title, titleMax.github);',
    'patch.title = issue.title;',
  ),

  'the first duplicate named is taken': inCore('rules/fields/relations', 'texts.reverse()', 'texts'),
  'closed bugs begin where only open ones may': inCore('rules/links/match', 'if (openOnly &&', 'if (!openOnly &&'),
};

function inCore(file: string, from: string, to: string): Fault {
  return { file: `${file}.ts`, from, to };
}
