import type { DatabaseSync } from 'node:sqlite';

/** Words per portion: some milliseconds. */
export const portionWords = 20_000;

/** What the vocabulary of a project is asked for. All but `present` return arrays. */
export function prepareStatements(db: DatabaseSync) {
  const inLocale = 'FROM word WHERE project_key = ? AND locale = ?';
  const portion = db.prepare(
    `SELECT json_group_array(word) FROM (SELECT word ${inLocale} AND word > ? ORDER BY word LIMIT ${portionWords})`,
  );
  // Words with a digit, such as article numbers, have no inflected forms, and there may be very many of them.
  const between = db.prepare(`SELECT word ${inLocale} AND word >= ? AND word < ? AND word NOT GLOB '*[0-9]*'`);
  // A limit below 0 is none.
  const beginning = db.prepare(`SELECT word ${inLocale} AND word >= ? AND word < ? LIMIT ?`);
  const since = db.prepare('SELECT words FROM added_word WHERE born > ? AND project_key = ? AND locale = ?');
  // What was added before that is not listed any more.
  const swept = db.prepare('SELECT swept FROM store');
  const present = db.prepare(`SELECT 1 ${inLocale} AND word = ?`);
  // Each looks up the next one: of many thousand words of a locale only the first is read.
  const next = '(SELECT min(locale) FROM word WHERE project_key = ?1';
  const locales = db.prepare(
    `WITH RECURSIVE found (locale) AS (SELECT ${next}) UNION ALL
      SELECT ${next} AND locale > found.locale) FROM found WHERE found.locale IS NOT NULL)
    SELECT locale FROM found WHERE locale IS NOT NULL`,
  );
  for (const statement of [portion, between, beginning, since, swept, locales]) {
    statement.setReturnArrays(true);
  }
  return { portion, between, beginning, since, swept, present, locales };
}
