import { expect, test } from 'vitest';
import { createTrackerClient } from '../../src/bugzilla/connection/client.ts';
import { readCreationFields } from '../../src/bugzilla/survey.ts';
import { missingFields } from '../../src/check/new-bugs.ts';
import { fakeTracker, openLane, type Reply } from './api/fake-tracker.ts';

const fieldsOf = (reply: Reply) => {
  const { fetch } = fakeTracker(() => reply);
  const client = createTrackerClient({
    url: 'http://tracker.example.test',
    apiKey: null,
    auth: 'query',
    lane: openLane(),
    timeoutMs: 1_000,
    fetch,
  });
  return readCreationFields(client);
};
const names = (...all: readonly string[]) => all.map((name) => ({ name }));

test('fields of the description go by the names under which bugs are filed', async () => {
  const body = {
    fields: [
      { name: 'bug_severity', display_name: 'Severity', type: 2, is_mandatory: false, values: names('major') },
      // As harmony tells it, although it wants one.
      {
        name: 'bug_type',
        display_name: 'Type',
        type: 2,
        is_mandatory: false,
        values: [...names('defect', '--'), { name: 'old', is_active: false }],
      },
      { name: 'cf_impact', display_name: 'Impact', type: '2', is_mandatory: 1, values: names('---', 'low') },
      { name: 'cf_area', display_name: 'Area', type: 3, is_mandatory: true, values: names('ui') },
      { name: 'cf_note', is_mandatory: '1', visibility_field: 'rep_platform', visibility_values: ['PC'] },
    ],
  };
  expect(await fieldsOf({ body })).toEqual([
    { name: 'severity', label: 'Severity', isMandatory: false, isList: false, values: ['major'], shownWhere: null },
    { name: 'type', label: 'Type', isMandatory: true, isList: false, values: ['defect', '--'], shownWhere: null },
    { name: 'cf_impact', label: 'Impact', isMandatory: true, isList: false, values: ['low'], shownWhere: null },
    { name: 'cf_area', label: 'Area', isMandatory: true, isList: true, values: ['ui'], shownWhere: null },
    {
      name: 'cf_note',
      label: 'cf_note',
      isMandatory: true,
      isList: false,
      values: null,
      shownWhere: { field: 'platform', values: ['PC'] },
    },
  ]);
});

test('a field that is not there on such bugs is not wanted', async () => {
  const field = {
    name: 'cf_note',
    is_mandatory: true,
    visibility_field: 'product',
    visibility_values: ['Gadget', 'Gizmo'],
  };
  const fields = (await fieldsOf({ body: { fields: [field] } })) ?? [];
  expect(missingFields(fields, { product: 'Widget' })).toEqual([]);
  expect(missingFields(fields, { product: 'Gizmo' })).toMatchObject([{ name: 'cf_note' }]);
});

test('a tracker that does not tell is asked for nothing', async () => {
  expect(await fieldsOf({ status: 404, body: { error: true, code: 32614, message: 'not found' } })).toBeNull();
});
