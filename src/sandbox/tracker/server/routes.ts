import { createAttachment, getAttachments, getAttachmentsById, updateAttachments } from '../rest/attachments.ts';
import { createBug, getBugs, getHistory, search, updateBugs } from '../rest/bugs.ts';
import {
  createComment,
  editComment,
  editedComment,
  getComments,
  getCommentsById,
  renderComment,
} from '../rest/comments.ts';
import { fields, fieldValues } from '../rest/fields.ts';
import { productFlagTypes } from '../rest/flag-types.ts';
import {
  classifications,
  extensions,
  lastAuditTime,
  lastVisits,
  parameters,
  time,
  timezone,
  version,
} from '../rest/meta.ts';
import { enterableIds, productIds, products } from '../rest/products.ts';
import { searchTags, updateTags } from '../rest/tags.ts';
import { groupList, logIn, logOut, users, validLogin, whoami } from '../rest/users.ts';
import type { Access, Answer } from './call.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below `/rest`, in the notation of hono. */
  readonly path: string;
  readonly answer: Answer;
  /** The status of a success, and of an internal failure. */
  readonly success: 200 | 201;
  readonly access: Access;
}

const get = (path: string, answer: Answer, access: Access = 'normal'): Route => ({
  method: 'GET',
  path,
  answer,
  success: 200,
  access,
});
const put = (path: string, answer: Answer): Route => ({ method: 'PUT', path, answer, success: 200, access: 'normal' });
const post = (path: string, answer: Answer, success: 200 | 201): Route => ({
  method: 'POST',
  path,
  answer,
  success,
  access: 'normal',
});

/** The whole REST interface. A path with a fixed word comes before one with a variable in that place. */
export const routes: readonly Route[] = [
  get('/version', version, 'exempt'),
  get('/timezone', timezone, 'exempt'),
  get('/extensions', extensions),
  get('/time', time),
  get('/last_audit_time', lastAuditTime),
  get('/parameters', parameters, 'optional'),
  get('/login', logIn, 'exempt'),
  get('/logout', logOut),
  get('/valid_login', validLogin),
  get('/whoami', whoami),
  get('/user', users),
  get('/user/:name', users),
  get('/group', groupList),
  get('/group/:name', groupList),
  get('/field/bug', fields),
  get('/field/bug/:name', fields),
  get('/field/bug/:name/values', fieldValues),
  get('/field/bug/:name/:product/values', fieldValues),
  get('/product', products),
  get('/product/:name', products),
  get('/product_accessible', productIds),
  get('/product_enterable', enterableIds),
  get('/product_selectable', productIds),
  get('/classification/:name', classifications),
  get('/flag_type/:name', productFlagTypes),
  get('/flag_type/:name{[^/]+/[^/]+}', productFlagTypes),
  get('/bug_user_last_visit', lastVisits),
  get('/bug_user_last_visit/:name', lastVisits),
  get('/bug', search),
  post('/bug', createBug, 200),
  get('/bug/', getBugs),
  get('/bug/comment/tags/:name', searchTags),
  put('/bug/comment/:name/tags', updateTags),
  post('/bug/comment/render', renderComment, 200),
  get('/bug/comment/:name', getCommentsById),
  get('/editcomments/comment/:name', editedComment),
  put('/editcomments/comment/:name', editComment),
  get('/bug/attachment/:name', getAttachmentsById),
  put('/bug/attachment/:name', updateAttachments),
  get('/bug/:name', getBugs),
  put('/bug/:name', updateBugs),
  get('/bug/:name/comment', getComments),
  post('/bug/:name/comment', createComment, 201),
  get('/bug/:name/attachment', getAttachments),
  post('/bug/:name/attachment', createAttachment, 201),
  get('/bug/:name/history', getHistory),
];
