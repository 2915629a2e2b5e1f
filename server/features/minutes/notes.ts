import type { MeetingNotes } from '#server/db/schema.ts'
import { storableText } from '#server/lib/storable.ts'
import { cutAtWord } from '#server/lib/whole-words.ts'
import { readLooseJson } from './loose-json.ts'
import type { Part } from './parts.ts'

/** No real part of a meeting has more; a model that repeats itself does. */
const MOST_ITEMS = 60
const MOST_TEXT = 600
const MOST_NAME = 120
const MOST_SUMMARY = 3000

/** The notes that a model wrote about a part; null when they cannot be read as notes. */
export function readNotes(answer: string, part: Pick<Part, 'lines' | 'until'>): MeetingNotes | null {
  const given = readLooseJson(answer)
  if (!isRecord(given)) return null
  if (!['summary', 'decisions', 'tasks', 'questions'].some((name) => name in given)) return null
  const secondOf = (item: unknown) => lineSecond(readSecond(first(item, ['time', 'second', 'seconds', 'start'])), part)
  const said = (item: unknown) => ({
    text: clean(textIn(item, ['text', 'what', 'title']), MOST_TEXT),
    second: secondOf(item),
  })
  const task = (item: unknown) => ({
    who: clean(isRecord(item) ? textIn(item, ['who', 'assignee', 'responsible']) : '', MOST_NAME),
    what: clean(textIn(item, ['what', 'task', 'text']), MOST_TEXT),
    due: clean(isRecord(item) ? textIn(item, ['due', 'deadline', 'by', 'when']) : '', MOST_NAME),
    second: secondOf(item),
  })
  return {
    summary: clean(paragraphs(given.summary), MOST_SUMMARY),
    decisions: list(given.decisions, said).filter(({ text }) => text !== ''),
    tasks: list(given.tasks, task).filter(({ what }) => what !== ''),
    questions: list(given.questions, said).filter(({ text }) => text !== ''),
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const list = <Item>(value: unknown, read: (item: unknown) => Item): Item[] =>
  (Array.isArray(value) ? value : []).slice(0, MOST_ITEMS).map(read)

function first(item: unknown, names: readonly string[]): unknown {
  if (!isRecord(item)) return undefined
  return names.map((name) => item[name]).find((value) => value !== undefined && value !== null)
}

/** An item may be its text alone. */
function textIn(item: unknown, names: readonly string[]): string {
  const value = typeof item === 'string' ? item : first(item, names)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const paragraphs = (value: unknown): string =>
  Array.isArray(value)
    ? value.filter((line) => typeof line === 'string').join(' ')
    : typeof value === 'string'
      ? value
      : ''

/** Words that models write where there is nothing to write. */
const NOTHING = /^(?:null|none|нет|не указано?|не назван[аоы]?|неизвестно|не определ[её]н[аоы]?|[-—–.?]+)$/i

function clean(text: string, most: number): string {
  const line = storableText(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return NOTHING.test(line) ? '' : cutAtWord(line, most)
}

/** 725, «725», «[725]», «12:05» or «1:02:05». */
export function readSecond(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null
  if (typeof value !== 'string') return null
  const [, clock] = /^\D{0,3}(\d{1,6}(?::\d{1,2}){0,2})/.exec(value.trim()) ?? []
  return clock === undefined ? null : clock.split(':').reduce((sum, digits) => sum * 60 + Number(digits), 0)
}

/** The beginning of the line at that second; null when the second is not one of this part. */
export function lineSecond(second: number | null, { lines, until }: Pick<Part, 'lines' | 'until'>): number | null {
  if (second === null) return null
  const starts = lines.flatMap((line) => (line.second === null ? [] : [Math.floor(line.second)]))
  const whole = Math.floor(second)
  if (starts.includes(whole)) return whole
  const [begin] = starts
  const isLater = until === null ? second > (starts.at(-1) ?? 0) + LAST_LINE : second >= Math.floor(until)
  if (begin === undefined || second < begin || isLater) return null
  return starts.findLast((start) => start <= second) ?? null
}

/** The last line of a recording ends at a second that is not stored with it; it takes less than this. */
const LAST_LINE = 120

/** Notes after speakers were renamed: the new names stand where the former ones did. */
export function withNames(
  notes: MeetingNotes,
  before: Record<string, string>,
  now: Record<string, string>,
): MeetingNotes {
  if (!Object.entries(before).some(([key, name]) => now[key] !== undefined && now[key] !== name)) return notes
  // All at once, since two people may have exchanged their names. Longer names first: «Анна Ли» before «Анна».
  const found = Object.entries(before).toSorted(([, a], [, b]) => b.length - a.length)
  const any = found.map(([, name]) => `(${patternOf(name)})`).join('|')
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, 'gu')
  const rename = (text: string) =>
    text.replace(pattern, (match, ...groups: unknown[]) => {
      const at = found.findIndex((_, n) => groups[n] !== undefined)
      return now[found[at]?.[0] ?? ''] ?? match
    })
  const said = <Item extends { text: string }>(item: Item) => ({ ...item, text: rename(item.text) })
  return {
    summary: rename(notes.summary),
    decisions: notes.decisions.map(said),
    tasks: notes.tasks.map((task) => ({ ...task, who: rename(task.who), what: rename(task.what) })),
    questions: notes.questions.map(said),
  }
}

/** «Участник 1» also in other cases: «Участнику 1». */
const patternOf = (name: string) =>
  name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/^Участник (?=\d+$)/, 'Участник(?:а|у|ом|е)? ')
