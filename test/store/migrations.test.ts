import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('../../src/store/migrations/', import.meta.url);

/**
 * A migration is frozen once it stands on the main branch: state files were made by it. Whatever the tables need from
 * then on is a migration of its own, whose digest is added here.
 */
const digests: Readonly<Record<string, string>> = {
  '001-first.sql': '53dad53b4ccbfb8a006cc4a8b98662d6c46e820c0ccab369cb0026837ec0ceb1',
  '002-asked-pauses.sql': '7748d9a2b3e3b0eab4ab58e9b9cfda576bf1fceee20520273ccdc1ab8a422a3b',
  '003-retirements.sql': 'ddbb6f3b0ff11a223615d610d5bde4f063ef667d9a44034911642493ea8f80fe',
  '004-duplicates.sql': '1b4ce83f978f1ed912724b84511bb96aba44e493124bb69ac588d65cf4bfa128',
  '005-rests-and-titles.sql': '1f6a174e862a655fe95aeb159e55e5d3018fa4f2884bedd8f2a010bf93c33387',
  '006-greetings-and-limits.sql': '32bef4e0d70c8825fe5ca8e35bfa62fc298db97f67ac4abdb645623aafd7e539',
  '007-pull-requests.sql': '30d8e815d04cd81b52642ceab7eb09c20e94b705ca45fc9322098924049c6967',
  '008-looks.sql': '2c4f8b1441f45be832fd5edc045a2900e33601fd5ac89605f2e27ccaebb2e5cf',
  '009-comment-versions.sql': '4c40b45615aea7a5dd534a8d47b93fb2089b34d4b543459dd479b536c1efaa88',
  '010-pushes.sql': '72029be80d124e782fd2976649e768790d9684b0d0244f5970a706b1623fe16e',
  '011-looks-at-what-waits.sql': '93953f19a8685b8e18b9d3cb2800526004451368431122ea2d09226910ccd5d4',
  '012-dashboards.sql': 'a2543873ba668d4836126c29fee59261e6b7f4d6b856027fc69d3c2426be2d57',
  '013-attached-pulls.sql': '628cdd223c6ada45874e3376a9fd776a14ff8047e94ff4dfb5c30a69fe1a3d91',
  '014-early-comments.sql': '18e57ef9afbfc8ac16308caca3d80582ab7ff72084b78f298d5e0110778cfa7f',
  '015-imports.sql': '8c30dffa729cf9ca58d5751c1119c7b3a0a9833b1beb976acff4002f1216134d',
  '016-set-aside.sql': '3045dc49c4dcec5b6350c18a475dbf7923494530d66d2379f89d30ea02d51763',
  '017-older-pairs.sql': '4af32bca51837975dfdd8fd13ae27a8f38adf069ad7f173e5b5d966e46f4f57b',
  '018-moves.sql': '1e467aebd37907cb36e50a602696efdf0dce7bcc5a2b4a1980d7636e72d34bae',
  '019-unknown-writes.sql': '90f3aa25b02a79ab1dbb34e283f51c5ea14d2ec1d6fad91061201ffd57203a5e',
  '020-named-comments.sql': '4b749b087e8387f55adb30e7211257ce04d24ddc9145ea307ade925d7f7189ab',
  '021-transfers.sql': 'f7707520dfa6ea7276c8340ea9e90fb4fab8e61bd8ac2d7ebbe6dd2766d7f965',
  '022-told-receivers.sql': 'ed15caf66f7e3a961884811e0cb1d59498565d9246b571750b2ada9a28d7c40d',
  '023-agreed-since.sql': '26f0800c5d1e944df9f9fc25d86cfe7bc869f3952b50416707a31aa5626cd030',
  '024-repository-numbers.sql': '84e807b28547aa071ece6469b037c9ba81b71c4604b57d099055be1a5e4e282c',
  '025-wrong-clocks.sql': '22c9eab13530c47bc88da7a8dbb2a43c7c665cfbcceda83371036df6e532abd0',
  '026-covering-indexes.sql': '29b2bc646f46d14530e13a77cba9d0810531a512f1d99f6d394f697a26c5a167',
  '027-private-repositories.sql': 'd0b9ac4a21f9bbde23cbd17ffa9ef049992e8cca5406d46580d573b95b839d64',
  '028-blocked-rows.sql': 'e522747cb65052fbab1450b45ba23b103b952601461583d4037f1c249bb7466c',
  '029-former-places.sql': '7ad1186ba0f478ef2832a3132b7e65ef73b10d1dd9425bdeba4f92df058a50be',
  '030-older-trackers.sql': 'cb96073722aaf89a379fa0541e86d8f3a7c0275e60e7c743206b4ec6ed63ce6a',
  '031-marks-by-age.sql': '6c82639c5f571174c3693b6dd53568febdcd89a28b6be989c694d092fdef8430',
  '032-repositories-of-a-route.sql': '89cfe1500a7d84b749f4ed98805bea368ad36521f47d3eccde9db4d662d6b51f',
  '033-more-to-read.sql': 'b36a1552dead2ffe254146aaed126e75d3c5e293b04857a10bd1b1f752ab8de1',
  '034-stored-at.sql': '145807be7d83387896531b98d19abad0a02e1fff845549a380c350f1c1668219',
  '035-links-that-wait.sql': '842488b8c38d40f53c79d2d3a5c5c320d8b04b686c496d549b2a773bb23bd371',
  '036-undertakings.sql': 'a831e7d20659026f319425429ca0f47c6aee167523a94916bfa55f3380687983',
  '037-comments-aside.sql': 'caea539b491cb62c07ddf44038533ca57a3f960aaeda3c1301b6c66ff36bbc6c',
};

test('no migration was changed, and none came without its digest', () => {
  const found = readdirSync(folder).map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(new URL(name, folder)))
      .digest('hex'),
  ]);
  expect(Object.fromEntries(found)).toStrictEqual(digests);
});
