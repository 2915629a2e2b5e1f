import { createHash } from 'node:crypto'
import { OTHER_CATEGORY } from '#contract/prompts.ts'
import {
  type BadRow,
  type ChangedField,
  changedFields,
  type ImportItem,
  type ImportPreview,
} from '#contract/prompts-admin.ts'
import type { PromptRow } from '../to-prompt.ts'
import type { RawFile } from './import-file.ts'
import { type ImportRow, readRow } from './import-row.ts'

/** A row that will be taken: what it says and what it was found to be. */
export interface PlannedRow {
  item: ImportItem
  row: ImportRow
  base: PromptRow | null
}

export interface Plan {
  rows: PlannedRow[]
  bad: BadRow[]
}

/** What a file would do to the prompts that are there. Nothing is asked or written here. */
export function planImport(file: RawFile, existing: readonly PromptRow[], canPublish: boolean): Plan {
  const find = finder(existing)
  const seen = new Map<string, number>()
  const plan: Plan = { rows: [], bad: [...file.bad] }
  for (const { line, values } of file.rows) {
    const row = readRow(values)
    const title = typeof values.title === 'string' ? values.title.trim().slice(0, 200) : ''
    const planned = 'reason' in row ? row : planRow(line, row, find(row), canPublish)
    const reason = 'reason' in planned ? planned.reason : repeated(planned, seen)
    if (reason) plan.bad.push({ line, title, reason })
    else if (!('reason' in planned)) plan.rows.push(planned)
  }
  plan.bad.sort((a, b) => a.line - b.line)
  return plan
}

function planRow(line: number, row: ImportRow, base: PromptRow | null, canPublish: boolean) {
  const fields = base ? changedFields.filter((field) => row[field] !== undefined && row[field] !== base[field]) : []
  const reason = rejection(row, base, fields, canPublish)
  if (reason) return { reason }
  const action = base ? (fields.length > 0 ? 'change' : 'same') : 'add'
  const category = row.category ?? base?.category ?? OTHER_CATEGORY
  return { item: { line, action, title: row.title, category, fields }, row, base } satisfies PlannedRow
}

/** The same rules as for one prompt by hand. */
function rejection(row: ImportRow, base: PromptRow | null, fields: ChangedField[], canPublish: boolean): string | null {
  if (canPublish) return null
  if (row.published && !base?.published) return 'Публиковать может только администратор: поставьте «нет».'
  if (base?.published && row.published !== false && fields.length > 0) {
    return 'Промпт опубликован, его меняет администратор.'
  }
  return null
}

/** Two rows for one prompt contradict each other: the first holds. */
function repeated({ item, row, base }: PlannedRow, seen: Map<string, number>): string | null {
  const key = base?.id ?? nameKey(row.title, item.category)
  const first = seen.get(key)
  if (first === undefined) seen.set(key, item.line)
  return first === undefined ? null : `Повторяет строку ${first}: тот же промпт.`
}

/** By number, or else by title in the same category. */
function finder(existing: readonly PromptRow[]) {
  const byId = new Map(existing.map((prompt) => [prompt.id, prompt]))
  const byName = new Map(existing.map((prompt) => [nameKey(prompt.title, prompt.category), prompt]))
  return ({ id, title, category }: ImportRow): PromptRow | null =>
    (id === undefined ? undefined : byId.get(id)) ?? byName.get(nameKey(title, category ?? OTHER_CATEGORY)) ?? null
}

const nameKey = (title: string, category: string) => `${category.toLowerCase()}\n${title.toLowerCase()}`

export function previewOf(plan: Plan): ImportPreview {
  const { rows, bad } = plan
  return { hash: hashOf(plan), items: rows.map(({ item }) => item), bad }
}

/** The same file over the same prompts gives the same hash. */
function hashOf({ rows, bad }: Plan): string {
  const parts = rows.map(({ item, row, base }) => [
    item,
    row,
    base && [base.id, base.version, base.published, base.position],
  ])
  return createHash('sha256')
    .update(JSON.stringify([parts, bad]))
    .digest('hex')
}
