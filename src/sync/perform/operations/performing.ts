import type { Operation, OperationKind } from '../../../model/plan/operation.ts';
import { comment } from './comment.ts';
import { create } from './create.ts';
import { erase } from './erase.ts';
import { file } from './file.ts';
import type { OperationHandler } from './handler.ts';
import { lock } from './lock.ts';
import { minimize } from './minimize.ts';
import { point } from './point.ts';
import { pull } from './pull.ts';
import { push } from './push.ts';
import { remark } from './remark.ts';
import { rewrite } from './rewrite.ts';
import { update } from './update.ts';

/** It does not compile while a kind is missing. */
const performing: { readonly [Kind in OperationKind]: OperationHandler<Kind> } = {
  create,
  comment,
  update,
  point,
  file,
  rewrite,
  erase,
  minimize,
  remark,
  pull,
  push,
  lock,
};

export const handlerOf = <Kind extends OperationKind>({ kind }: Operation<Kind>): OperationHandler<Kind> =>
  performing[kind];
